// Powers, exponentials and logarithms (P4, P5).
#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/integer.h"
#include "prover/checker/number.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxExponent = 2048;  // of a literal
constexpr std::int64_t kMaxExpanded = 4;     // of a monomial

Value one_factor(Terms& t, Value base, const Rational& exponent) { return from_part(t, {t.intern(std::vector<Factor>{{base, exponent}}), 1}); }

Value power_of_special(Terms& t, ValueKind kind, const Rational& e) {
  if (kind == ValueKind::NegInf && !e.integer()) return special(t, ValueKind::NaN);
  if (e.sign() < 0) return number(t, 0);
  if (kind == ValueKind::PosInf) return special(t, kind);
  return special(t, divides(2, *e.integer()) ? ValueKind::PosInf : ValueKind::NegInf);
}

Value power_of_literal(Terms& t, const Rational& c, const Rational& e) {
  if (c.is_zero()) return e.sign() > 0 ? number(t, c) : special(t, ValueKind::PosInf);
  if (c.is_one()) return number(t, c);
  const std::int64_t whole = e.floor();
  if (std::abs(whole) > kMaxExponent) throw Limit("exponent of a literal");
  const Rational rest = e - Rational(whole);
  if (rest.is_zero()) return number(t, c.power(whole));
  if (c.sign() < 0) return special(t, ValueKind::NaN);
  if (const auto root = c.square_root(); root && rest == Rational::ratio(1, 2)) return number(t, c.power(whole) * *root);
  const auto parts = rest == Rational::ratio(1, 2) ? c.parts() : std::nullopt;
  if (!parts || parts->first > (std::int64_t{1} << 32) / parts->second) return scaled(t, c.power(whole), one_factor(t, number(t, c), rest));
  const Rational below(parts->second);  // (p/q)^1/2 is (pq)^1/2 / q
  return scaled(t, c.power(whole) * below.inverse(), one_factor(t, number(t, c * below * below), rest));
}

// (coef * product of b^e) ^ exponent, where the power of the product is the product of the powers.
bool splits(Terms& t, const PolyPart& part, const Rational& exponent) {
  const std::vector<Factor>& all = t[part.monomial].factors;
  bool nonnegative = part.coef.sign() > 0, nonzero = true, one = nonnegative && all.size() == 1 && all[0].exponent.sign() > 0;  // 0 has one sign
  for (const Factor& f : all) {
    const Classes c = classes_of(t, f.base);
    nonnegative = nonnegative && (!f.exponent.integer() || c.nonnegative());  // a root is never negative
    nonzero = nonzero && classes_of(t, t.intern(std::vector<Factor>{f})).nonzero();
  }
  return nonnegative || (exponent.integer() && (nonzero || exponent.sign() > 0 || one));
}

Value power_of_monomial(Terms& t, const PolyPart& part, const Rational& e) {
  if (splits(t, part, e)) {
    Value value = power(t, number(t, part.coef), e);
    for (const Factor& f : std::vector<Factor>(t[part.monomial].factors)) {
      Rational exponent = f.exponent * e;
      if (!f.exponent.integer() && exponent.integer() && !classes_of(t, f.base).nonnegative()) {  // (x^1/2)^2 is not x
        const Rational half = Rational::ratio(exponent.sign(), 2);
        value = product(t, value, one_factor(t, f.base, half));
        exponent = exponent - half;
      }
      value = product(t, value, number_of(t, f.base) || expands(t, f.base, exponent) ? power(t, f.base, exponent) : one_factor(t, f.base, exponent));
    }
    return value;
  }
  if (const auto n = e.integer(); n && *n > 0 && small(*n, kMaxExpanded)) {
    Value value = from_part(t, part);
    for (std::int64_t k = 1; k < at_text(*n); ++k) value = product(t, value, from_part(t, part));
    return value;
  }
  const bool negative = part.coef.sign() < 0;
  const Rational size = negative ? -part.coef : part.coef;
  const Value base = from_part(t, {part.monomial, negative ? -1 : 1});
  return product(t, power(t, number(t, size), e), one_factor(t, base, e));
}

// The largest product of powers of finite positive factors that divides every monomial.
Value common_units(Terms& t, const std::vector<PolyPart>& parts) {
  std::vector<Factor> units;
  for (const PolyPart& p : parts) {
    for (const Factor& f : t[p.monomial].factors) {
      const Classes c = classes_of(t, f.base);
      const bool known = std::any_of(units.begin(), units.end(), [&](const Factor& u) { return u.base == f.base; });
      if (!known && c.finite() && c.positive()) units.push_back({f.base, 0});
    }
  }
  Value common = number(t, 1);
  for (const Factor& u : units) {
    std::optional<Rational> least;
    for (const PolyPart& p : parts) {
      Rational e = 0;
      for (const Factor& f : t[p.monomial].factors)
        if (f.base == u.base) e = f.exponent;
      if (!least || e < *least) least = e;
    }
    if (!least->is_zero()) common = product(t, common, one_factor(t, u.base, *least));
  }
  return common;
}

Value inverse_of_units(Terms& t, Value units) {
  Value result = number(t, 1);
  const std::vector<Factor> factors = t[poly_parts(t, units)[0].monomial].factors;
  for (const Factor& f : factors) result = product(t, result, one_factor(t, f.base, -f.exponent));
  return result;
}

Value power_of_sum(Terms& t, Value a, const Rational& e) {
  std::vector<PolyPart> parts = t[a].summands;
  const Value units = common_units(t, parts);
  if (!number_of(t, units))
    return product(t, power(t, units, e), power(t, product(t, a, inverse_of_units(t, units)), e));
  if (expands(t, a, e)) {
    Value value = a;
    for (std::int64_t k = 1; k < at_text(*e.integer()); ++k) value = product(t, value, a);
    return value;
  }
  const bool sign_leaves = e.integer() && (e.sign() > 0 || classes_of(t, a).nonzero());
  const Rational size = parts[0].coef.sign() < 0 && !sign_leaves ? -parts[0].coef : parts[0].coef;
  const Value base = scaled(t, size.inverse(), a);
  return product(t, power(t, number(t, size), e), one_factor(t, base, e));
}

}  // namespace

Value power(Terms& t, Value a, const Rational& e) {
  if (e.is_one()) return a;
  if (e.is_zero()) return number(t, 1);
  if (is_case(t, a)) return lift(t, {a}, [&](const auto& x) { return power(t, x[0], e); });
  t.step();
  const ValueNode& node = t[a];
  if (node.kind == ValueKind::Unknown || node.kind == ValueKind::NaN) return a;
  if (node.kind == ValueKind::PosInf || node.kind == ValueKind::NegInf) return power_of_special(t, node.kind, e);
  if (const auto c = number_of(t, a)) return power_of_literal(t, *c, e);
  if (node.kind != ValueKind::Poly) return one_factor(t, a, e);
  if (node.summands.size() == 1) return power_of_monomial(t, node.summands[0], e);
  return power_of_sum(t, a, e);
}

Value exponential(Terms& t, Value a) {
  if (is_case(t, a)) return lift(t, {a}, [&](const auto& x) { return exponential(t, x[0]); });
  t.step();
  const ValueNode& node = t[a];
  if (node.kind == ValueKind::Unknown || node.kind == ValueKind::NaN || node.kind == ValueKind::PosInf) return a;
  if (node.kind == ValueKind::NegInf) return number(t, 0);
  const auto unit_of = [&](Value v, const Rational& exponent) {
    const ValueNode& inner = t[v];
    if (inner.kind == ValueKind::Fn && inner.fn == ScalarFn::Log && classes_of(t, inner.kids[0]).nonnegative())
      return power(t, inner.kids[0], exponent);
    return one_factor(t, uninterpreted(t, ScalarFn::Exp, ElementType::Token, {v}), exponent);
  };
  if (node.kind != ValueKind::Poly) return unit_of(a, 1);
  Value result = number(t, 1);
  for (const PolyPart& p : node.summands) {
    const Value exponent = from_part(t, {p.monomial, 1});
    const bool infinite = t[exponent].kind == ValueKind::PosInf;
    result = product(t, result, infinite ? exponential(t, from_part(t, p)) : unit_of(exponent, p.coef));
  }
  return result;
}

Value logarithm(Terms& t, Value a) {
  if (is_case(t, a)) return lift(t, {a}, [&](const auto& x) { return logarithm(t, x[0]); });
  t.step();
  const ValueNode& node = t[a];
  if (node.kind == ValueKind::Unknown || node.kind == ValueKind::NaN || node.kind == ValueKind::PosInf) return a;
  if (node.kind == ValueKind::NegInf) return special(t, ValueKind::NaN);
  const auto log_of = [&](Value v) {
    const auto c = number_of(t, v);
    if (c && c->is_one()) return number(t, 0);
    if (c && c->sign() <= 0) return special(t, c->is_zero() ? ValueKind::NegInf : ValueKind::NaN);
    const ValueNode& inner = t[v];
    if (inner.kind == ValueKind::Fn && inner.fn == ScalarFn::Exp && classes_of(t, inner.kids[0]).finite())
      return inner.kids[0];
    return uninterpreted(t, ScalarFn::Log, ElementType::Token, {v});
  };
  if (node.kind == ValueKind::Poly && node.summands.size() > 1) {  // what all summands have, and what some have below the line
    const Value units = common_units(t, std::vector<PolyPart>(node.summands));
    if (!number_of(t, units)) return sum(t, logarithm(t, units), logarithm(t, product(t, a, inverse_of_units(t, units))));
  }
  if (number_of(t, a) || t[a].kind != ValueKind::Poly || t[a].summands.size() != 1) return log_of(a);
  const PolyPart part = t[a].summands[0];
  const bool negative = part.coef.sign() < 0;
  Value total = log_of(number(t, negative ? -part.coef : part.coef));  // finite positive factors come out; the rest stays together
  Value rest = number(t, negative ? -1 : 1);
  for (const Factor& f : std::vector<Factor>(t[part.monomial].factors)) {
    const Classes c = classes_of(t, f.base);
    if (c.finite() && c.positive()) {
      total = sum(t, total, scaled(t, f.exponent, log_of(f.base)));
    } else {
      rest = product(t, rest, one_factor(t, f.base, f.exponent));
    }
  }
  return sum(t, total, log_of(rest));
}

}  // namespace gg::checker
