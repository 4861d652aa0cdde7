// Sums that are the same in both orders of two numbers (P9).
#include <algorithm>
#include <set>

#include "prover/checker/choice.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr std::size_t kFewSummands = 8;  ///< of a sum without a logarithm in which both extrema are looked for

class Ordered : public Rewriter {
 public:
  using Rewriter::Rewriter;
  void is(Value v, Value by) { values_[v.id] = by; }

 protected:
  bool unchanged(VarSet) override { return false; }
};

// The function that a summand is, up to its coefficient.
std::optional<Value> function_in(const Terms& t, const PolyPart& part, ScalarFn fn) {
  const auto& factors = t[part.monomial].factors;
  if (factors.size() != 1 || !factors[0].exponent.is_one()) return std::nullopt;
  const ValueNode& node = t[factors[0].base];
  return node.kind == ValueKind::Fn && node.fn == fn && node.type == ElementType::Token ? std::optional(factors[0].base) : std::nullopt;
}

}  // namespace

std::optional<Value> in_both_orders(Terms& t, Value whole) {
  if (t[whole].kind != ValueKind::Poly) return std::nullopt;
  const std::vector<PolyPart>& parts = t[whole].summands;
  const auto count = [&](ScalarFn fn) { return std::count_if(parts.begin(), parts.end(), [&](const PolyPart& p) { return function_in(t, p, fn).has_value(); }); };
  if (count(ScalarFn::Log) == 0 && (parts.size() > kFewSummands || count(ScalarFn::Max) < 2)) return std::nullopt;
  std::optional<std::set<Value>> inside;
  for (const PolyPart& part : parts) {
    const auto largest = function_in(t, part, ScalarFn::Max);
    if (!largest || t[*largest].kids.size() != 2) continue;
    const Value x = t[*largest].kids[0], y = t[*largest].kids[1];
    if (!classes_of(t, x).no_nan() || !classes_of(t, y).no_nan()) continue;
    const Value difference = sum(t, x, minus(t, y)), size = absolute(t, difference);
    const std::vector<PolyPart> alone = poly_parts(t, size);  // a positive multiple of a function
    const auto function = alone.size() == 1 ? function_in(t, alone[0], ScalarFn::Abs) : std::nullopt;
    if (!function) continue;
    const std::vector<PolyPart> least = poly_parts(t, maximum(t, minus(t, x), minus(t, y)));
    const auto other = least.size() == 1 ? function_in(t, least[0], ScalarFn::Max) : std::nullopt;
    if (!inside) inside = values_inside(t, whole);
    if (inside->count(*function) == 0 && (!other || inside->count(*other) == 0)) continue;  // nothing else hangs on the order
    const auto ordered = [&](bool first) {
      Ordered order(t);
      order.is(*largest, first ? x : y);
      if (other) order.is(*other, scaled(t, -least[0].coef.inverse(), first ? y : x));
      order.is(*function, scaled(t, (first ? alone[0].coef : -alone[0].coef).inverse(), difference));
      return order(whole);
    };
    const Value one = ordered(true);
    if (one == ordered(false)) return one;
  }
  return std::nullopt;
}

}  // namespace gg::checker
