#include "prover/checker/bounds.h"

#include <algorithm>

#include "prover/checker/memo.h"
#include "prover/checker/number.h"
#include "prover/checker/quantised.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxCount = std::int64_t{1} << 40;  // integers whose ranges are added

using Bound = std::optional<Rational>;

Bound added(const Bound& a, const Bound& b) { return a && b ? Bound(*a + *b) : std::nullopt; }
const Bound& lower(const Bound& a, const Bound& b) { return *b < *a ? b : a; }
const Bound& higher(const Bound& a, const Bound& b) { return *a < *b ? b : a; }

Bounds scaled(const Rational& c, const Bounds& b) {
  const Bound x = b.lo ? Bound(c * *b.lo) : std::nullopt, y = b.hi ? Bound(c * *b.hi) : std::nullopt;
  return c.sign() < 0 ? Bounds{y, x} : Bounds{x, y};
}

Bounds of_integers(const Range& r) {
  if (!within(r.lo, kMaxCount) || !within(r.hi, kMaxCount)) return {};
  return {Rational(r.lo), Rational(r.hi)};
}

// A factor by itself, its inverse above a positive number, else what the sign says.
Bounds of_product(Terms& t, Monomial m) {
  const std::vector<Factor> factors = t[m].factors;
  if (factors.size() == 1 && factors[0].exponent.is_one()) return bounds_of(t, factors[0].base);
  Bounds result;
  if (classes_of(t, m).nonnegative()) result.lo = 0;
  if (factors.size() == 2 && !result.lo) return bounds_of_share(t, factors);
  if (factors.size() > 1 || !(factors[0].exponent == Rational(-1))) return result;
  const Bounds base = bounds_of(t, factors[0].base);
  if (base.lo && base.lo->sign() > 0) result = {base.hi && base.hi->sign() > 0 ? base.hi->inverse() : Rational(0), base.lo->inverse()};
  return result;
}

// Is it a read of which nothing is known? Most sums have one.
bool unbounded(const Terms& t, const PolyPart& p) {
  const std::vector<Factor>& factors = t[p.monomial].factors;
  if (factors.size() != 1 || !factors[0].exponent.is_one() || t[factors[0].base].kind != ValueKind::Read) return false;
  const Anchor& a = t.anchors[t[factors[0].base].ref];
  return !is_integral(a.type) && !a.bounds.lo && !a.bounds.hi;
}

Bounds of_sum(Terms& t, const ValueNode& node) {
  if (std::any_of(node.summands.begin(), node.summands.end(), [&](const PolyPart& p) { return unbounded(t, p); })) return {};
  Bounds total{Rational(0), Rational(0)};
  for (const Group& g : groups(t, node)) {
    const bool number = t[g.rest].factors.empty();
    if (!number && !(g.low == g.high)) return {};
    const Bounds part = number ? Bounds{g.low, g.high} : scaled(g.low, of_product(t, g.rest));
    total = {added(total.lo, part.lo), added(total.hi, part.hi)};
    if (!total.lo && !total.hi) return {};
  }
  return total;
}

// Of functions: their range (scalar.def; that of an exponential holds of all), and logarithms of what lies on one side of 1.
Bounds of_function(Terms& t, const ValueNode& node) {
  if (node.type != ElementType::Token) return {};
  if (node.fn == ScalarFn::Max) {
    Bounds largest = bounds_of(t, node.kids[0]);
    for (const Value kid : node.kids) {
      const Bounds b = bounds_of(t, kid);
      largest.hi = largest.hi && b.hi ? higher(largest.hi, b.hi) : std::nullopt;
      largest.lo = largest.lo && b.lo ? higher(largest.lo, b.lo) : largest.lo ? largest.lo
                                                                              : b.lo;
    }
    return largest;
  }
  const Bounds inner = bounds_of(t, node.kids[0]);
  Bounds result = bounds_of_rounded(t, node);
  if (node.fn == ScalarFn::Exp) result.lo = 0;
  if (node.fn == ScalarFn::Log) {
    if (inner.hi && !(Rational(1) < *inner.hi)) result.hi = 0;
    if (inner.lo && !(*inner.lo < Rational(1))) result.lo = 0;
  } else if (info(node.fn).range == ScalarRange::UnitInterval || info(node.fn).range == ScalarRange::SignedUnit) {
    const bool finite = std::all_of(node.kids.begin(), node.kids.end(), [&](Value kid) { return classes_of(t, kid).finite(); });
    if (finite) result = {Rational(info(node.fn).range == ScalarRange::UnitInterval ? 0 : -1), Rational(1)};
  }
  return result;
}

Bounds bounds_by_kind(Terms& t, Value v) {
  const ValueNode& node = t[v];
  switch (node.kind) {
    case ValueKind::Poly: return of_sum(t, node);
    case ValueKind::Int: return of_integers(integer_range(t, v));
    case ValueKind::Read: return is_integral(t.anchors[node.ref].type) ? of_integers(integer_range(t, v)) : t.anchors[node.ref].bounds;
    case ValueKind::Fn: return node.type == ElementType::Token ? of_function(t, node) : of_integers(integer_range(t, v));
    case ValueKind::Case: {
      const Bounds a = bounds_of(t, node.kids[0]), b = bounds_of(t, node.kids[1]);
      return {a.lo && b.lo ? lower(a.lo, b.lo) : std::nullopt, a.hi && b.hi ? higher(a.hi, b.hi) : std::nullopt};
    }
    default: return {};
  }
}

}  // namespace

Bounds bounds_of(Terms& t, Value v) {
  return remembered(t, t.memo().bounds, v.id, [&] {
    const Deeper level(t.depth);
    Bounds result = bounds_by_kind(t, v);
    for (Bound* b : {&result.lo, &result.hi})
      if (*b && (*b)->long_to_write()) b->reset();
    return result;
  });
}

Classes within(Classes all, const Bounds& bounds) {
  int none = 0;
  if (bounds.hi && bounds.hi->sign() <= 0) none |= Classes::kPos | Classes::kPosInf;
  if (bounds.hi && bounds.hi->sign() < 0) none |= Classes::kZero;
  if (bounds.lo && bounds.lo->sign() >= 0) none |= Classes::kNeg | Classes::kNegInf;
  if (bounds.lo && bounds.lo->sign() > 0) none |= Classes::kZero;
  return Classes(static_cast<std::uint8_t>(all.set() & ~none));
}

std::vector<Group> groups(Terms& t, const ValueNode& sum) {
  std::vector<Group> result;
  for (const PolyPart& p : sum.summands) {
    Group own{p.monomial, p.coef, p.coef};
    std::vector<Factor> others = t[p.monomial].factors;
    const auto integral = std::find_if(others.begin(), others.end(), [&](const Factor& f) {
      return t[f.base].kind == ValueKind::Int && f.exponent.is_one();
    });
    if (sum.summands.size() > 1 && integral != others.end()) {
      const Range r = integer_range(t, integral->base);
      if (within(r.lo, kMaxCount) && within(r.hi, kMaxCount)) {
        others.erase(integral);
        own = {t.intern(std::move(others)), p.coef * Rational(r.lo), p.coef * Rational(r.hi)};
        if (p.coef.sign() < 0) std::swap(own.low, own.high);
      }
    }
    const auto same = std::find_if(result.begin(), result.end(), [&](const Group& g) { return g.rest == own.rest; });
    if (!classes_of(t, own.rest).finite()) {
      result.push_back({p.monomial, p.coef, p.coef});
    } else if (same == result.end()) {
      result.push_back(own);
    } else {
      same->low = same->low + own.low;
      same->high = same->high + own.high;
    }
  }
  return result;
}

}  // namespace gg::checker
