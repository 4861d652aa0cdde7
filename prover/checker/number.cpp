#include "prover/checker/number.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/integer.h"
#include "prover/checker/inverse.h"
#include "prover/checker/lowest.h"
#include "prover/checker/nan_where.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMaxMonomials = 64;

bool is(const Terms& t, Value v, ValueKind kind) { return t[v].kind == kind; }
bool infinite(const Terms& t, Value v) { return is(t, v, ValueKind::PosInf) || is(t, v, ValueKind::NegInf); }

// 0 or NaN: every multiple of it is it.
bool nothing(const Terms& t, Value v) {
  const ValueNode& node = t[v];
  return is_nothing(node) || (node.kind == ValueKind::Fold && node.fn == ScalarFn::Add && node.type == ElementType::Token && nothing(t, node.kids[0]));
}

// Monomials with the factor +inf have coefficient 1 or -1; a monomial that is nothing else swallows what it can.
std::optional<Value> with_infinities(Terms& t, std::vector<PolyPart>& parts) {
  const Factor infinity{special(t, ValueKind::PosInf), 1};
  const Monomial alone = t.intern(std::vector<Factor>{infinity});
  std::uint8_t total = 0;
  for (PolyPart& p : parts) {
    const auto& factors = t[p.monomial].factors;
    if (std::ranges::any_of(factors, [&](const Factor& f) { return f.exponent.sign() > 0 && nothing(t, f.base); })) p.coef = 1;
    if (std::find(factors.begin(), factors.end(), infinity) == factors.end()) continue;
    p.coef = p.coef.sign();
    if (p.monomial == alone) total = static_cast<std::uint8_t>(total | (p.coef.sign() > 0 ? Classes::kPosInf : Classes::kNegInf));
  }
  if (total == 0) return std::nullopt;
  if (total == (Classes::kPosInf | Classes::kNegInf)) return special(t, ValueKind::NaN);
  const auto swallowed = static_cast<std::uint8_t>(Classes::kReal | total);
  std::erase_if(parts, [&](const PolyPart& p) {
    return p.monomial != alone && product(Classes::of_sign(p.coef.sign()), classes_of(t, p.monomial)).within(swallowed);
  });
  if (parts.size() > 1) return std::nullopt;
  return special(t, total == Classes::kPosInf ? ValueKind::PosInf : ValueKind::NegInf);
}

Value make_poly(Terms& t, std::vector<PolyPart> parts) {
  std::erase_if(parts, [](const PolyPart& p) { return p.coef.is_zero(); });
  if (const auto infinite = with_infinities(t, parts)) return *infinite;
  std::sort(parts.begin(), parts.end(), [](const PolyPart& a, const PolyPart& b) {
    return a.monomial == b.monomial ? a.coef.sign() < b.coef.sign() : a.monomial < b.monomial;
  });
  if (parts.size() == 1 && parts[0].coef.is_one()) {
    const auto& factors = t[parts[0].monomial].factors;
    if (factors.size() == 1 && factors[0].exponent.is_one()) return factors[0].base;
  }
  return t.intern(ValueNode{.kind = ValueKind::Poly, .summands = std::move(parts)});
}

std::optional<Value> absorbed(Terms& t, Value a, Value b) {
  for (const ValueKind kind : {ValueKind::Unknown, ValueKind::NaN})
    if (is(t, a, kind) || is(t, b, kind)) return special(t, kind);
  return std::nullopt;
}

bool all_finite(Terms& t, const std::vector<PolyPart>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const PolyPart& p) { return classes_of(t, p.monomial).finite(); });
}

// Value = content * primitive, the first coefficient of the primitive is 1.
std::pair<Rational, Value> primitive(Terms& t, const std::vector<PolyPart>& parts) {
  const Rational content = parts[0].coef;
  std::vector<PolyPart> scaled_parts = parts;
  for (PolyPart& p : scaled_parts) p.coef = p.coef * content.inverse();
  return {content, make_poly(t, std::move(scaled_parts))};
}

// The exponents with which one base occurs in a product, joined where that keeps the value (P3).
std::vector<Rational> joined(Classes c, const std::vector<Rational>& exponents) {
  const bool whole = std::all_of(exponents.begin(), exponents.end(), [](const Rational& e) { return e.integer(); });
  Rational up, down;
  std::vector<Rational> apart;
  bool root_up = false, root_down = false;  // of what may be negative: then NaN
  for (const Rational& e : exponents) {
    (e.sign() > 0 ? up : down) = (e.sign() > 0 ? up : down) + e;
    if (!c.nonnegative() && !e.integer()) (e.sign() > 0 ? root_up : root_down) = true;
  }
  for (const bool above : {true, false}) {
    Rational& total = above ? up : down;
    if (!(above ? root_up : root_down) || !total.integer()) continue;
    const Rational half = Rational::ratio(above ? 1 : -1, 2);  // not the whole power, which is no NaN
    apart.push_back(half);
    total = total - half;
  }
  const bool cancels = c.finite() && (c.positive() || (c.nonzero() && whole));
  if (cancels) up = up + down, down = 0;
  if (!up.is_zero()) apart.push_back(up);
  if (!down.is_zero()) apart.push_back(down);
  std::sort(apart.begin(), apart.end());
  return apart;
}

Value from_factors(Terms& t, Rational coef, std::vector<Factor> factors) {
  std::sort(factors.begin(), factors.end());
  std::vector<Factor> result;
  std::vector<Value> expand;  // sums whose power has become a positive integer, and literals
  for (std::size_t k = 0; k < factors.size();) {
    const Value base = factors[k].base;
    std::vector<Rational> exponents;
    for (; k < factors.size() && factors[k].base == base; ++k) exponents.push_back(factors[k].exponent);
    const auto literal = number_of(t, base);
    const std::size_t before = exponents.size();
    if (before > 1) exponents = joined(classes_of(t, base), exponents);
    for (const Rational& e : exponents) {
      const bool proper = e.sign() > 0 && e < Rational(1);
      if ((literal && !proper) || (before > 1 && expands(t, base, e)) || (is(t, base, ValueKind::PosInf) && !e.is_one())) {
        expand.push_back(power(t, base, e));
      } else {
        result.push_back({base, e});
      }
    }
  }
  while (drop_share(t, result)) continue;
  if (const auto lowest = expand.empty() ? lowest_share(t, coef, result) : std::nullopt) return *lowest;
  Value value = make_poly(t, {{t.intern(std::move(result)), std::move(coef)}});
  for (const Value factor : expand) value = product(t, value, factor);
  return value;
}

// The product of a monomial with a sum: joined with an equal factor, distributed, or with the sum as a factor.
Value times_sum(Terms& t, const PolyPart& a, const std::vector<PolyPart>& b) {
  const auto [content, base] = primitive(t, b);
  std::vector<Factor> factors = t[a.monomial].factors;
  const bool meets = std::any_of(factors.begin(), factors.end(), [&, p = base](const Factor& f) { return f.base == p; });
  if (!meets && classes_of(t, a.monomial).finite() && b.size() <= kMaxMonomials) {
    Value total = number(t, 0);
    for (const PolyPart& p : b) {
      std::vector<Factor> all = factors;
      all.insert(all.end(), t[p.monomial].factors.begin(), t[p.monomial].factors.end());
      total = sum(t, total, from_factors(t, a.coef * p.coef, std::move(all)));
    }
    return total;
  }
  factors.push_back({base, 1});
  return from_factors(t, a.coef * content, std::move(factors));
}

// Two summands that are one (F7), which are taken out of the lists.
std::optional<Value> joined_parts(Terms& t, std::vector<PolyPart>& left, std::vector<PolyPart>& right) {
  for (auto p = left.begin(); p != left.end(); ++p) {
    for (auto q = right.begin(); q != right.end(); ++q) {
      if (t[p->monomial].reads != t[q->monomial].reads) continue;
      const auto whole = join(t, ScalarFn::Add, from_part(t, *p), from_part(t, *q));
      if (!whole) continue;
      left.erase(p);
      right.erase(q);
      return whole;
    }
  }
  return std::nullopt;
}

}  // namespace

Value number(Terms& t, const Rational& value) { return make_poly(t, {{Monomial{}, value}}); }

std::optional<Rational> number_of(const Terms& t, Value v) {
  const ValueNode& node = t[v];
  if (node.kind != ValueKind::Poly || node.summands.size() > 1) return std::nullopt;
  if (node.summands.empty()) return Rational(0);
  if (node.summands[0].monomial != Monomial{}) return std::nullopt;
  return node.summands[0].coef;
}

std::vector<PolyPart> poly_parts(Terms& t, Value v) {
  if (is(t, v, ValueKind::Poly)) return t[v].summands;
  if (is(t, v, ValueKind::NegInf)) return {{t.intern(std::vector<Factor>{{special(t, ValueKind::PosInf), 1}}), -1}};
  return {{t.intern(std::vector<Factor>{{v, 1}}), 1}};
}

Value from_part(Terms& t, const PolyPart& part) { return make_poly(t, {part}); }
Value from_places(Terms& t, std::vector<PolyPart> parts) { return make_poly(t, std::move(parts)); }

Value sum(Terms& t, Value a, Value b) {
  if (is_case(t, a) || is_case(t, b))
    return lift(t, {a, b}, [&](const auto& x) { return sum(t, x[0], x[1]); });
  t.step();
  if (const auto value = absorbed(t, a, b)) return *value;
  std::vector<PolyPart> parts = poly_parts(t, a), others = poly_parts(t, b);
  if (const auto joined = joined_parts(t, parts, others))
    return sum(t, sum(t, make_poly(t, std::move(parts)), make_poly(t, std::move(others))), *joined);
  for (const PolyPart& p : others) {
    const bool cancels = classes_of(t, p.monomial).finite();
    const auto like = std::find_if(parts.begin(), parts.end(), [&](const PolyPart& q) {
      return q.monomial == p.monomial && (cancels || q.coef.sign() == p.coef.sign());
    });
    if (like == parts.end()) {
      parts.push_back(p);
    } else {
      like->coef = like->coef + p.coef;
    }
  }
  if (const auto row = join_points(t, parts)) return sum(t, make_poly(t, std::move(parts)), *row);
  const Value whole = make_poly(t, std::move(parts));
  if (const auto one = merged(t, whole)) return *one;
  if (const auto one = without_zeros(t, whole)) return *one;
  if (const auto one = neighbours(t, whole)) return *one;
  return in_both_orders(t, whole).value_or(whole);
}

bool expands(Terms& t, Value a, const Rational& exponent) {
  const auto n = exponent.integer();
  if (!is(t, a, ValueKind::Poly) || !n || *n < 2 || !small(*n, 6) || !classes_of(t, a).finite()) return false;
  std::size_t monomials = 1;
  for (std::int64_t k = 0; k < at_text(*n); ++k) monomials *= std::min(t[a].summands.size(), kMaxMonomials + 1);
  return monomials <= kMaxMonomials;
}

Value scaled(Terms& t, const Rational& factor, Value a) { return product(t, number(t, factor), a); }
Value minus(Terms& t, Value a) { return scaled(t, -1, a); }

Value product(Terms& t, Value a, Value b) {
  if (is_case(t, a) || is_case(t, b))
    return lift(t, {a, b}, [&](const auto& x) { return product(t, x[0], x[1]); });
  t.step();
  if (const auto value = absorbed(t, a, b)) return *value;
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    const auto c = number_of(t, x);
    if (c && c->is_one()) return y;
    if (c && c->is_zero()) {
      if (infinite(t, y)) return special(t, ValueKind::NaN);
      if (classes_of(t, y).finite()) return x;
      return uninterpreted(t, ScalarFn::Multiply, ElementType::Token, {x, primitive(t, poly_parts(t, y)).second});  // 0 has one sign
    }
    if (!infinite(t, x)) continue;
    const Classes y_class = classes_of(t, y);
    const bool up = y_class.within(Classes::kPos | Classes::kPosInf);
    if (up || y_class.within(Classes::kNeg | Classes::kNegInf))
      return special(t, up == is(t, x, ValueKind::PosInf) ? ValueKind::PosInf : ValueKind::NegInf);
  }
  for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    const auto c = number_of(t, x);
    if (!c) continue;
    std::vector<PolyPart> parts = poly_parts(t, y);
    for (PolyPart& p : parts) p.coef = p.coef * *c;
    return make_poly(t, std::move(parts));
  }
  const std::vector<PolyPart> left = poly_parts(t, a), right = poly_parts(t, b);
  if (left.size() == 1 && right.size() == 1) {
    std::vector<Factor> factors = t[left[0].monomial].factors;
    factors.insert(factors.end(), t[right[0].monomial].factors.begin(), t[right[0].monomial].factors.end());
    return from_factors(t, left[0].coef * right[0].coef, std::move(factors));
  }
  if (left.size() == 1) return times_sum(t, left[0], right);
  if (right.size() == 1) return times_sum(t, right[0], left);
  if (left.size() * right.size() <= kMaxMonomials && all_finite(t, left) && all_finite(t, right)) {
    Value total = number(t, 0);
    for (const PolyPart& p : left) total = sum(t, total, times_sum(t, p, right));
    return total;
  }
  const auto [c, p] = primitive(t, left);
  const auto [d, q] = primitive(t, right);
  return from_factors(t, c * d, {{p, 1}, {q, 1}});
}

}  // namespace gg::checker
