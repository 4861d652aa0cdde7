#include "prover/checker/quantised.h"

#include "prover/checker/bounds.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/integer.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr int kShareLevels = 4;  // definitions opened one inside the other

bool is_function(const ValueNode& n, ScalarFn fn) { return n.kind == ValueKind::Fn && n.fn == fn && n.type == ElementType::Token; }
bool gives_whole(ScalarFn fn) { return fn == ScalarFn::RoundEven || fn == ScalarFn::RoundAfz || fn == ScalarFn::Floor || fn == ScalarFn::Ceil; }

std::optional<Value> inside_of(Terms& t, Value v) {
  const ValueNode node = t[v];
  return node.kind == ValueKind::Read ? definition_at(t, node.ref, node.index, {}) : std::nullopt;
}

// A value that is one multiple: the value and its coefficient.
std::pair<Rational, Value> as_multiple(Terms& t, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  if (parts.size() != 1) return {1, v};
  return {parts[0].coef, from_part(t, {parts[0].monomial, 1})};
}

// A number that the root of c > 0 is no less than.
Rational under_root(const Rational& c) { return c < Rational(1) ? c : Rational(1); }

// c > 0 for which c |x| is no more than the root of `squares`, a sum over a box of multiples of squares.
std::optional<Rational> share_in_root(Terms& t, Value squares, Value x, int levels) {
  const auto [coef, whole] = as_multiple(t, squares);
  if (coef.sign() <= 0 || levels == 0) return std::nullopt;
  const auto times = [factor = under_root(coef)](const std::optional<Rational>& c) { return c ? std::optional(factor * *c) : std::nullopt; };
  const ValueNode node = t[whole];
  if (const auto inside = inside_of(t, whole)) return times(share_in_root(t, *inside, x, levels - 1));
  if (node.kind != ValueKind::Fold || node.fn != ScalarFn::Add || node.type != ElementType::Token || !t[node.path].literals.empty()) return std::nullopt;
  const Opened box(t, node);
  const std::vector<PolyPart> element = poly_parts(t, inside_of(t, box.kids[0]).value_or(box.kids[0]));
  if (element.size() != 1 || element[0].coef.sign() <= 0) return std::nullopt;
  const std::vector<Factor> square = t[element[0].monomial].factors;
  if (square.size() != 1 || !(square[0].exponent == Rational(2)) || !point_of(t, box.vars, square[0].base, x)) return std::nullopt;
  return times(under_root(element[0].coef));
}

// The base of a square root.
std::optional<Value> under_the_root(Terms& t, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  if (parts.size() != 1 || !parts[0].coef.is_one()) return std::nullopt;
  const std::vector<Factor> factors = t[parts[0].monomial].factors;
  return factors.size() == 1 && factors[0].exponent == Rational::ratio(1, 2) ? std::optional(factors[0].base) : std::nullopt;
}

// c > 0 for which c |x| is no more than `all`.
std::optional<Rational> share_in(Terms& t, Value all, Value x, int levels) {
  const auto [coef, whole] = as_multiple(t, all);
  if (coef.sign() <= 0 || levels == 0) return std::nullopt;
  const auto times = [factor = coef](const std::optional<Rational>& c) { return c ? std::optional(factor * *c) : std::nullopt; };
  const ValueNode node = t[whole];
  if (const auto inside = inside_of(t, whole)) return times(share_in(t, *inside, x, levels - 1));
  if (const auto squares = under_the_root(t, whole)) return times(share_in_root(t, *squares, x, levels));
  if (is_function(node, ScalarFn::Max)) {
    for (const Value kid : node.kids)
      if (const auto c = share_in(t, kid, x, levels)) return times(c);
    return std::nullopt;
  }
  if (node.kind != ValueKind::Fold || node.fn != ScalarFn::Max || node.type != ElementType::Token || !t[node.path].literals.empty()) return std::nullopt;
  const Opened box(t, node);
  const auto [inner, element] = as_multiple(t, inside_of(t, box.kids[0]).value_or(box.kids[0]));
  const bool absolute = is_function(t[element], ScalarFn::Abs);
  if (inner.sign() <= 0 || (!absolute && !classes_of(t, element).nonnegative())) return std::nullopt;
  const auto [size, read] = as_multiple(t, absolute ? t[element].kids[0] : element);
  if (!point_of(t, box.vars, read, x)) return std::nullopt;
  return times(inner * (size.sign() < 0 ? -size : size));
}

// Is it a whole number, or not finite?
bool whole_or_infinite(Terms& t, Value v, int levels = 2) {
  if (const auto n = number_of(t, v)) return n->integer().has_value();
  if (const auto inside = inside_of(t, v)) return levels > 0 && whole_or_infinite(t, *inside, levels - 1);
  const auto [coef, rest] = as_multiple(t, v);
  if (rest != v) return coef.integer() && whole_or_infinite(t, rest, levels);
  const ValueNode node = t[v];
  if (node.kind != ValueKind::Fn || node.type != ElementType::Token) return false;
  if (node.fn != ScalarFn::Max) return gives_whole(node.fn);
  return std::all_of(node.kids.begin(), node.kids.end(), [&](Value kid) { return whole_or_infinite(t, kid, levels); });
}

}  // namespace

std::optional<std::vector<std::pair<Var, Index>>> point_of(Terms& t, const std::vector<Var>& box, Value element, Value x) {
  const ValueNode &from = t[element], &to = t[x];
  if (from.kind != ValueKind::Read || to.kind != ValueKind::Read || from.ref != to.ref) return std::nullopt;
  const std::vector<Index> own = from.index, its = to.index;
  std::vector<std::pair<Var, Index>> point;
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (!uses(t, t[own[k]].free, box)) {
      if (own[k] != its[k]) return std::nullopt;
      continue;
    }
    const auto at = [&](Var v) { return add(t, variable(t, v), sub(t, its[k], own[k])); };
    const auto v = std::find_if(box.begin(), box.end(), [&](Var b) {
      const bool twice = std::any_of(point.begin(), point.end(), [&](const auto& e) { return e.first == b; });
      const Index place = at(b);
      return !twice && !uses(t, t[place].free, box) && t[place].lo >= 0 && t[place].hi < t[b].extent;
    });
    if (v == box.end()) return std::nullopt;
    point.emplace_back(*v, at(*v));
  }
  return point;
}

Bounds bounds_of_share(Terms& t, const std::vector<Factor>& factors) {
  if (factors.size() != 2) return {};
  const bool first = factors[0].exponent.is_one();
  const Factor x = factors[first ? 0 : 1], all = factors[first ? 1 : 0];
  const bool root = all.exponent == Rational::ratio(-1, 2);
  if (!x.exponent.is_one() || (!root && !(all.exponent == Rational(-1)))) return {};
  const auto c = root ? share_in_root(t, all.base, x.base, kShareLevels) : share_in(t, all.base, x.base, kShareLevels);
  return c ? Bounds{-c->inverse(), c->inverse()} : Bounds{};
}

Bounds bounds_of_rounded(Terms& t, const ValueNode& node) {
  if (!gives_whole(node.fn)) return {};
  Bounds b = bounds_of(t, node.kids[0]);
  for (std::optional<Rational>* end : {&b.lo, &b.hi})
    if (*end && !(*end)->integer()) end->reset();
  return b;
}

Value as_real(Terms& t, Value v) {
  const ValueNode node = t[v];
  if (node.kind == ValueKind::Poly) {
    Value total = number(t, 0);
    for (const PolyPart& p : node.summands) {
      const std::vector<Factor> factors = t[p.monomial].factors;
      const bool alone = factors.size() == 1 && factors[0].exponent.is_one();
      total = sum(t, total, alone ? scaled(t, p.coef, as_real(t, factors[0].base)) : from_part(t, p));
    }
    return total;
  }
  if (node.kind == ValueKind::Case) {
    const Value yes = as_real(t, node.kids[0]);
    return choose(t, condition(t, {node.test, true}), yes, as_real(t, node.kids[1]));
  }
  if (node.kind == ValueKind::Fold && node.fn == ScalarFn::Add && node.type == ElementType::Token) {
    const Opened open(t, node);
    return fold(t, ScalarFn::Add, ElementType::Token, open.vars, open.guard, as_real(t, open.kids[0]));
  }
  if (node.kind != ValueKind::Fn || node.fn != ScalarFn::Convert || node.leaf != 0 || !is_integral(node.type)) return v;
  const Value r = node.kids[0];
  const Bounds b = bounds_of(t, r);
  const Range all = range_of_type(node.type);
  const auto least = b.lo ? b.lo->integer() : std::nullopt, most = b.hi ? b.hi->integer() : std::nullopt;
  if (!least || !most || *least < all.lo || *most > all.hi || !within(*least, t.exact_integers) || !within(*most, t.exact_integers) || !whole_or_infinite(t, r)) return v;
  const Value none = uninterpreted(t, ScalarFn::Convert, node.type, {special(t, ValueKind::NaN)});
  return choose(t, apply(t, ScalarFn::CompareEq, ElementType::Pred, ElementType::F64, {r, r}), r, none);
}

}  // namespace gg::checker
