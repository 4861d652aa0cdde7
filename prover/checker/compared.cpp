#include "prover/checker/compared.h"

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/scalar.h"

namespace gg::checker {
namespace {

Value again(Terms& t, bool equality, Value a, Value b) {
  return apply(t, equality ? ScalarFn::CompareEq : ScalarFn::CompareLt, ElementType::Pred, ElementType::F64, {a, b});
}

// A power of a number that is not negative (of one above zero, if the exponent is below) as its factor.
std::optional<Factor> power_in(Terms& t, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  if (parts.size() != 1 || !parts[0].coef.is_one() || t[parts[0].monomial].factors.size() != 1) return std::nullopt;
  const Factor f = t[parts[0].monomial].factors[0];
  const Classes base = classes_of(t, f.base);
  return !f.exponent.is_one() && (f.exponent.sign() > 0 ? base.nonnegative() : base.positive()) ? std::optional(f) : std::nullopt;
}

// What has the power v, a number.
std::optional<Value> root_of(Terms& t, Value v, const Rational& exponent) {
  const auto c = number_of(t, v);
  if (!c || c->sign() <= 0) return std::nullopt;
  for (const std::int64_t by : {2, -1, -2}) {
    if ((exponent * Rational(by)).is_one()) return number(t, by == 2 ? *c * *c : by == -1 ? c->inverse()
                                                                                          : (*c * *c).inverse());
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> exponent_of(Terms& t, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  if (parts.size() != 1 || !parts[0].coef.is_one()) return std::nullopt;
  Value all = number(t, 0);
  for (const Factor& f : std::vector<Factor>(t[parts[0].monomial].factors)) {
    if (t[f.base].kind != ValueKind::Fn || t[f.base].fn != ScalarFn::Exp) return std::nullopt;
    all = sum(t, all, scaled(t, f.exponent, t[f.base].kids[0]));
  }
  return all;
}

std::optional<Value> maximum_inside(Terms& t, Value element, const std::function<Value(Value)>& over) {
  const std::vector<PolyPart> parts = poly_parts(t, element);
  if (parts.size() != 1 || t[parts[0].monomial].factors.empty() || !(parts[0].coef * parts[0].coef).is_one()) return std::nullopt;
  const int sign = parts[0].coef.sign();
  if (const auto u = exponent_of(t, scaled(t, sign, element))) return scaled(t, sign, exponential(t, scaled(t, sign, over(scaled(t, sign, *u)))));
  const std::vector<Factor> factors = t[parts[0].monomial].factors;
  if (factors.size() != 1 || !factors[0].exponent.is_one() || t[factors[0].base].kind != ValueKind::Int) return std::nullopt;
  const AtomNode limited = t[Atom{t[factors[0].base].ref}];
  if (limited.kind != AtomKind::Clamp) return std::nullopt;
  const Index largest = to_index(t, over(from_index(t, scale(t, sign, limited.arg))));
  return from_index(t, clamp(t, largest, sign > 0 ? limited.lo : -limited.hi, sign > 0 ? limited.hi : -limited.lo));
}

std::optional<Value> compared(Terms& t, bool equality, Value a, Value b) {
  if (!classes_of(t, a).finite() || !classes_of(t, b).finite()) return std::nullopt;
  const Value difference = sum(t, b, minus(t, a));
  if (const auto c = number_of(t, difference)) return boolean(t, equality ? c->is_zero() : c->sign() > 0);
  const std::vector<PolyPart> parts = poly_parts(t, difference);
  const auto constant = [&](const PolyPart& p) { return t[p.monomial].factors.empty(); };
  int sign = 0;
  bool both_signs = false;
  Rational largest(0);
  for (const PolyPart& p : parts) {
    if (constant(p)) continue;
    if (sign == 0) sign = p.coef.sign();
    both_signs = both_signs || p.coef.sign() != sign;
    const Rational size = p.coef.sign() < 0 ? -p.coef : p.coef;
    if (largest < size) largest = size;
  }
  const Rational unit = largest.inverse();
  Value less = number(t, 0), more = less;
  for (const PolyPart& p : parts) {
    const bool right = constant(p) && !both_signs ? sign < 0 : p.coef.sign() > 0;
    Value& side = right ? more : less;
    side = sum(t, side, scaled(t, right ? unit : -unit, from_part(t, p)));
  }
  const auto u = exponent_of(t, less), v = exponent_of(t, more);
  if (u && v) return again(t, equality, *u, *v);
  const auto p = power_in(t, less), r = power_in(t, more);
  if ((p || r) && !(p && r && !(p->exponent == r->exponent))) {
    const Rational e = p ? p->exponent : r->exponent;
    const auto x = p ? std::optional(p->base) : root_of(t, less, e), y = r ? std::optional(r->base) : root_of(t, more, e);
    if (x && y) return e.sign() > 0 ? again(t, equality, *x, *y) : again(t, equality, *y, *x);
  }
  if ((less == a && more == b) || (equality && less == b && more == a)) return std::nullopt;
  return again(t, equality, less, more);
}

}  // namespace gg::checker
