// Selections by a comparison of what is selected (docs/certificate.md, section 4, C9), comparisons of maxima with numbers (B4).
#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/classes.h"
#include "prover/checker/number.h"
#include "prover/checker/scalar.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

// r with x = r y, if there is one that is not 0.
std::optional<Rational> times(Terms& t, Value x, Value y) {
  if (x == y) return Rational(1);
  if (t[x].kind != ValueKind::Poly && t[y].kind != ValueKind::Poly) return std::nullopt;
  if (is_case(t, x) || is_case(t, y)) return std::nullopt;
  const auto first = poly_parts(t, x), of = poly_parts(t, y);
  if (first.empty() || first.size() != of.size() || first[0].monomial != of[0].monomial || of[0].coef.is_zero()) return std::nullopt;
  const Rational r = first[0].coef * of[0].coef.inverse();
  return !r.is_zero() && scaled(t, r, y) == x ? std::optional(r) : std::nullopt;
}

Value meant(Terms& t, Value v) {
  if (t[v].kind != ValueKind::Read) return v;
  const ValueNode read = t[v];
  return definition_at(t, read.ref, read.index, {}).value_or(v);
}

// Is the test this comparison of a with b, or of what one of them is, or both are?
bool says_less(Terms& t, Value test, Value a, Value b) {
  for (const Value x : {a, meant(t, a)}) {
    for (const Value y : {b, meant(t, b)})
      if (!is_case(t, x) && !is_case(t, y) && apply(t, ScalarFn::CompareLt, ElementType::Pred, ElementType::F64, {x, y}) == test) return true;
  }
  return false;
}

}  // namespace

std::optional<Value> chosen(Terms& t, Value condition, Value yes, Value no) {
  const ValueNode node = t[condition];
  if (node.kind != ValueKind::Case || t[node.test].kind != TestKind::Truth || is_case(t, node.kids[0]) || is_case(t, node.kids[1])) return std::nullopt;
  const bool turned = t[node.kids[0]].kind == ValueKind::False;
  const Value said = meant(t, t[node.test].value);
  if (is_case(t, said)) return turned ? chosen(t, said, no, yes) : chosen(t, said, yes, no);
  const ValueNode compared = t[said];
  if (compared.kind != ValueKind::Fn || compared.fn != ScalarFn::CompareLt) return std::nullopt;
  const Value a = turned ? no : yes, b = turned ? yes : no;
  const Value chosen_by = checker::condition(t, {node.test, true});
  const Value less = compared.kids[0], more = compared.kids[1], zero = number(t, 0);
  for (const bool larger : {true, false}) {
    const Value own = larger ? more : less, other = larger ? less : more;
    const auto r = own == zero ? (a == zero ? times(t, b, other) : std::nullopt) : times(t, a, own);
    if (!r) continue;
    const auto extremum = [&] { return larger ? maximum(t, less, more) : minus(t, maximum(t, minus(t, less), minus(t, more))); };
    if (scaled(t, *r, other) == b && classes_of(t, own).no_nan()) return scaled(t, *r, extremum());
    if (other == zero && minus(t, a) == b) return scaled(t, larger ? *r : -*r, absolute(t, own));
  }
  if (!classes_of(t, a).no_nan() || !classes_of(t, b).no_nan() || t[a].kind == ValueKind::PosInf || t[b].kind == ValueKind::PosInf) return std::nullopt;
  for (const bool larger : {true, false}) {  // what is selected, compared so itself
    if (says_less(t, chosen_by, larger ? b : a, larger ? a : b)) return larger ? maximum(t, a, b) : minus(t, maximum(t, minus(t, a), minus(t, b)));
  }
  return std::nullopt;
}

std::optional<Value> less_than_maximum(Terms& t, Value a, Value b) {
  const auto left = number_of(t, a), right = number_of(t, b);
  if (left.has_value() == right.has_value()) return std::nullopt;
  const auto parts = poly_parts(t, left ? b : a);
  if (parts.size() != 1 || t[parts[0].monomial].factors.size() != 1 || !t[parts[0].monomial].factors[0].exponent.is_one()) return std::nullopt;
  const ValueNode all = t[t[parts[0].monomial].factors[0].base];
  if (all.kind != ValueKind::Fn || all.fn != ScalarFn::Max || all.type != ElementType::Token) return std::nullopt;
  const Value bound = number(t, (left ? *left : *right) * parts[0].coef.inverse());
  const bool below = left.has_value() == (parts[0].coef.sign() > 0);  // is the number less?
  Value result = boolean(t, !below);
  std::size_t open = 0;
  for (const Value x : all.kids) {
    const Value one = apply(t, ScalarFn::CompareLt, ElementType::Pred, ElementType::F64, below ? std::vector{bound, x} : std::vector{x, bound});
    open += one != boolean(t, true) && one != boolean(t, false) ? 1 : 0;
    result = below ? either(t, result, one) : both(t, result, one);
  }
  const bool holds = result == boolean(t, true);  // of NaN nothing is true
  return open > 1 || (holds && !std::all_of(all.kids.begin(), all.kids.end(), [&](Value x) { return classes_of(t, x).no_nan(); })) ? std::nullopt : std::optional(result);
}

}  // namespace gg::checker
