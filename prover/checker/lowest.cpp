#include "prover/checker/lowest.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/integer.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"

namespace gg::checker {
namespace {

bool below_infinity(Terms& t, Value v) {
  const Classes c = classes_of(t, v);
  return c.no_nan() && (c.set() & Classes::kPosInf) == 0;
}

// u of exp(u).
std::optional<Value> exponent(const Terms& t, Value v) {
  return t[v].kind == ValueKind::Fn && t[v].fn == ScalarFn::Exp ? std::optional(t[v].kids[0]) : std::nullopt;
}

// Is a product 0 where e is -inf: a power of exp(e) above zero and finite factors?
bool vanishes(Terms& t, Monomial body, Value e) {
  std::vector<Factor> factors = t[body].factors;
  const std::size_t all = std::erase_if(factors, [&](const Factor& f) { return exponent(t, f.base) == e && f.exponent.sign() > 0; });
  return all > 0 && classes_of(t, t.intern(std::move(factors))).finite();
}

// Has a maximum an element by the path, at a point of this variable, that is finite or without which the body is 0?
bool element_at(Terms& t, const ValueNode& maximum, Var var, Path path, Monomial body) {
  if (maximum.kind != ValueKind::Fold || maximum.fn != ScalarFn::Max || maximum.type != ElementType::Token || maximum.vars.size() != 1) return false;
  const Opened open(t, maximum);
  if (t[var].extent > t[open.vars[0]].extent) return false;
  Substitution there(t, {{open.vars[0], variable(t, var)}});
  if (restrict(t, path, there(open.guard)) != boolean(t, true)) return false;
  const Value e = there(open.kids[0]);
  return classes_of(t, e).finite() || vanishes(t, body, e);
}

// X of the test `X = -inf`; `below`: X is no NaN, and below infinity.
std::optional<Value> lowest(Terms& t, Test test, bool below) {
  if (t[test].kind != TestKind::Truth) return std::nullopt;
  const ValueNode& said = t[t[test].value];
  if (said.kind != ValueKind::Fn || said.fn != ScalarFn::CompareEq || said.kids.size() != 2) return std::nullopt;
  for (const bool second : {false, true}) {
    const Value x = said.kids[second ? 0 : 1];
    if (t[said.kids[second ? 1 : 0]].kind == ValueKind::NegInf && (!below || below_infinity(t, x))) return x;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> is_lowest(Terms& t, Value a, Value b) {
  for (const bool swapped : {false, true}) {
    const Value end = swapped ? b : a, x = swapped ? a : b, low = special(t, ValueKind::NegInf);
    const ValueNode node = t[x];
    if (t[end].kind == ValueKind::PosInf && node.kind == ValueKind::Fn && node.fn == ScalarFn::Abs && below_infinity(t, node.kids[0])) {
      return apply(t, ScalarFn::CompareEq, ElementType::Pred, ElementType::F64, {low, node.kids[0]});
    }
    if (end != low || node.kind != ValueKind::Poly || node.summands.size() != 1 || node.summands[0].coef.sign() <= 0 || node.summands[0].coef.is_one()) continue;
    return apply(t, ScalarFn::CompareEq, ElementType::Pred, ElementType::F64, {low, from_part(t, {node.summands[0].monomial, 1})});
  }
  return std::nullopt;
}

std::optional<Value> finite_part(Terms& t, Test test, Value a, Value b) {
  if (t[test].kind != TestKind::Truth || t[t[test].value].kind != ValueKind::Fn) return std::nullopt;
  const ValueNode said = t[t[test].value];
  const bool finite = said.fn == ScalarFn::IsFinite, infinite = said.fn == ScalarFn::CompareEq;
  const Value x = finite ? a : b, other = finite ? b : a;
  const auto number = number_of(t, other);
  if ((!finite && !infinite) || is_case(t, x) || !number || !classes_of(t, x).no_nan()) return std::nullopt;
  const Value inf = special(t, ValueKind::PosInf);
  const auto low = lowest(t, test, true);
  const std::vector<PolyPart> parts = poly_parts(t, x);
  if (low && parts.size() == 1 && parts[0].coef.sign() > 0 && from_part(t, {parts[0].monomial, 1}) == *low)
    return scaled(t, parts[0].coef, uninterpreted(t, ScalarFn::Select, ElementType::Token, {checker::number(t, *number * parts[0].coef.inverse()), *low}));
  const bool told = finite ? said.kids[0] == x : said.kids == std::vector<Value>{std::min(inf, absolute(t, x)), std::max(inf, absolute(t, x))};
  return told ? std::optional(uninterpreted(t, ScalarFn::Select, ElementType::Token, {other, x})) : std::nullopt;
}

std::optional<Value> lowest_share(Terms& t, const Rational& coef, const std::vector<Factor>& factors) {
  for (const Factor& below : factors) {
    const auto part = below.exponent.sign() < 0 ? exponent(t, below.base) : std::nullopt;
    if (!part || t[*part].kind != ValueKind::Fn || t[*part].fn != ScalarFn::Select) continue;  // of what is finite or -inf, the finite part
    const Value x = t[*part].kids[1];
    if (!below_infinity(t, x)) continue;
    const auto above = std::find_if(factors.begin(), factors.end(), [&](const Factor& f) { return exponent(t, f.base) == x && f.exponent == -below.exponent; });
    if (above == factors.end()) continue;
    std::vector<Factor> rest;
    std::copy_if(factors.begin(), factors.end(), std::back_inserter(rest), [&](const Factor& f) { return !(f == below) && !(f == *above); });
    const Value test = apply(t, ScalarFn::CompareEq, ElementType::Pred, ElementType::F64, {special(t, ValueKind::NegInf), x});
    return product(t, choose(t, test, number(t, 0), number(t, 1)), from_part(t, {t.intern(std::move(rest)), coef}));
  }
  return std::nullopt;
}

std::optional<std::vector<Literal>> without_lowest(Terms& t, const std::vector<Var>& vars, const std::vector<Literal>& path, Monomial body) {
  for (std::size_t k = 0; k < path.size(); ++k) {
    const auto x = path[k].holds ? std::nullopt : lowest(t, path[k].test, false);
    if (!x) continue;
    std::vector<Literal> rest = path;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    const Path known = t.intern(std::vector<Literal>(rest));
    const ValueNode maximum = t[*x];
    if (std::any_of(vars.begin(), vars.end(), [&](Var v) { return element_at(t, maximum, v, known, body); })) return rest;
  }
  return std::nullopt;
}

}  // namespace gg::checker
