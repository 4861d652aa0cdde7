#include "prover/checker/counted.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/number.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// The number that a sum over a box has under its conditions, if it is above zero.
std::optional<Rational> element_of(const Terms& t, const ValueNode& sum) {
  if (sum.kind != ValueKind::Fold || sum.fn != ScalarFn::Add || sum.type != ElementType::Token || t[sum.path].literals.empty()) return std::nullopt;
  const auto element = number_of(t, sum.kids[0]);
  return element && element->sign() > 0 ? element : std::nullopt;
}

// Does any of the conditions hold, at any point of any box; or do they `all`?
Value holds(Terms& t, const std::vector<ValueNode>& sums, bool all) {
  Value result = boolean(t, all);
  for (const ValueNode& sum : sums) {
    const Opened open(t, sum);
    const Value some = fold(t, ScalarFn::Or, ElementType::Token, open.vars, boolean(t, true), all ? negate(t, open.guard) : open.guard);
    result = all ? both(t, result, negate(t, some)) : either(t, result, some);
  }
  return result;
}

}  // namespace

std::optional<Value> counted(Terms& t, ScalarFn compared, Value sum, const Rational& bound) {
  std::vector<ValueNode> sums;
  Rational least = 0, most = 0;
  const std::vector<PolyPart> parts = poly_parts(t, sum);
  if (!parts.empty() && std::ranges::all_of(parts, [](const PolyPart& p) { return p.coef.sign() < 0; })) {
    if (compared == ScalarFn::CompareEq) return counted(t, compared, minus(t, sum), -bound);
    const auto below = counted(t, compared == ScalarFn::CompareGe ? ScalarFn::CompareGt : ScalarFn::CompareGe, minus(t, sum), -bound);
    return below ? std::optional(negate(t, *below)) : std::nullopt;
  }
  for (const PolyPart& p : parts) {
    const std::vector<Factor> factors = t[p.monomial].factors;
    if (factors.size() != 1 || !factors[0].exponent.is_one() || p.coef.sign() < 0) return std::nullopt;
    const auto element = element_of(t, t[factors[0].base]);
    if (!element) return std::nullopt;
    sums.push_back(t[factors[0].base]);
    Rational own = p.coef * *element;
    if (least.is_zero() || own < least) least = own;
    for (const Var v : sums.back().vars) own = own * Rational(t[v].extent);
    most = most + own;
  }
  if (sums.empty()) return std::nullopt;
  if (compared == ScalarFn::CompareEq) {
    if (bound.is_zero()) return negate(t, holds(t, sums, false));
    return bound == most ? std::optional(holds(t, sums, true)) : std::nullopt;
  }
  const auto from = [&](const Rational& low, const Rational& high) {  // is high the first number that is large enough, low the one before it?
    return compared == ScalarFn::CompareGe ? low < bound && !(high < bound) : !(bound < low) && bound < high;
  };
  if (from(0, least)) return holds(t, sums, false);
  return from(most + -least, most) ? std::optional(holds(t, sums, true)) : std::nullopt;
}

}  // namespace gg::checker
