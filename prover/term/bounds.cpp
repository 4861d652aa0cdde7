// Bounds of reals (certificate.md, section 5): numbers that a value does not pass, unless it is NaN, from below.
#include <algorithm>

#include "prover/term/quantised.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMaxAdded = std::int64_t{1} << 40;  ///< of integers whose ranges are added

}  // namespace

Bounds Terms::bounds(TermId id) {
  if (const Bounds* known = store_->bounds_memo.find(raw(id))) return *known;
  Bounds b = compute_bounds(id);
  for (std::optional<RatId>* end : {&b.lo, &b.hi})
    if (*end && q.long_to_write(**end)) end->reset();
  store_->bounds_memo.add(raw(id), b);
  return b;
}

Bounds Terms::compute_bounds(TermId id) {
  const TermNode n = (*this)[id];
  switch (n.kind) {
    case Kind::Lit: return {rat(id), rat(id)};
    case Kind::FromInt: {
      const LinNode l = (*this)[lin(id)];
      if (std::max(std::abs(l.lo), std::abs(l.hi)) > kMaxAdded) return {};
      return {q.of(l.lo), q.of(l.hi)};
    }
    case Kind::Read: return anchor(anchor_of(id)).bounds;
    case Kind::Mono: return bounds_of_product(id);
    case Kind::Poly: return bounds_of_sum(summands(id));
    case Kind::Case: {
      const Bounds a = bounds(kid(id, 1)), b = bounds(kid(id, 2));
      Bounds both;
      if (a.lo && b.lo) both.lo = q.compare(*a.lo, *b.lo) < 0 ? a.lo : b.lo;
      if (a.hi && b.hi) both.hi = q.compare(*a.hi, *b.hi) > 0 ? a.hi : b.hi;
      return both;
    }
    case Kind::Fn: return bounds_of_function(static_cast<ScalarFn>(n.op), id);
    default: return {};
  }
}

Bounds Terms::bounds_of_sum(const std::vector<Summand>& list) {
  const auto added = [&](std::optional<RatId> a, std::optional<RatId> b) { return a && b ? std::optional(q.add(*a, *b)) : std::nullopt; };
  for (const Summand& s : list) {  // most sums have a read of which nothing is known
    const std::vector<Factor> rest = factors(s.mono);
    if (rest.size() != 1 || rest[0].exp != RatId::One || (*this)[rest[0].term].kind != Kind::Read) continue;
    const Bounds& b = anchor(anchor_of(rest[0].term)).bounds;
    if (!b.lo && !b.hi) return {};
  }
  Bounds total{RatId::Zero, RatId::Zero};
  for (const IntegerGroup& g : integer_groups(list)) {
    Bounds part{g.low, g.high};
    if (!factors(g.mono).empty()) {
      if (g.low != g.high) return {};
      part = bounds(g.mono);
      for (std::optional<RatId>* end : {&part.lo, &part.hi})
        if (*end) *end = q.mul(g.low, **end);
      if (q.sign(g.low) < 0) std::swap(part.lo, part.hi);
    }
    total = {added(total.lo, part.lo), added(total.hi, part.hi)};
    if (!total.lo && !total.hi) return {};
  }
  return total;
}

/// A factor by itself, its inverse above a positive number, else what the sign says.
Bounds Terms::bounds_of_product(TermId mono) {
  const std::vector<Factor> list = factors(mono);
  if (list.size() == 1 && list[0].exp == RatId::One) return bounds(list[0].term);
  Bounds result;
  if (attributes(mono).nonnegative) result.lo = RatId::Zero;
  if (list.size() == 2 && !result.lo) return bounds_of_share(*this, list);
  if (list.size() != 1 || list[0].exp != q.of(-1)) return result;
  const Bounds base = bounds(list[0].term);
  if (base.lo && q.sign(*base.lo) > 0) result = {base.hi && q.sign(*base.hi) > 0 ? q.inv(*base.hi) : RatId::Zero, q.inv(*base.lo)};
  return result;
}

/// Their range (scalar.def; that of an exponential holds of all), and logarithms of what lies on one side of 1.
Bounds Terms::bounds_of_function(ScalarFn f, TermId id) {
  const std::size_t count = (*this)[id].n;
  if ((*this)[id].sort != Sort::Real) return {};
  Bounds b = bounds(kid(id, 0));
  if (f == ScalarFn::Max) {
    for (std::size_t k = 1; k < count; ++k) {
      const Bounds next = bounds(kid(id, k));
      if (!b.lo || (next.lo && q.compare(*next.lo, *b.lo) > 0)) b.lo = next.lo;
      if (!next.hi || (b.hi && q.compare(*next.hi, *b.hi) > 0)) b.hi = next.hi;
    }
    return b;
  }
  Bounds result = bounds_of_rounded(*this, f, id);
  if (f == ScalarFn::Exp) result.lo = RatId::Zero;
  if (f == ScalarFn::Log) {
    if (b.hi && q.compare(*b.hi, RatId::One) <= 0) result.hi = RatId::Zero;
    if (b.lo && q.compare(*b.lo, RatId::One) >= 0) result.lo = RatId::Zero;
  } else if (info(f).range == ScalarRange::UnitInterval || info(f).range == ScalarRange::SignedUnit) {
    bool finite = true;
    for (std::size_t k = 0; k < count; ++k) finite = finite && attributes(kid(id, k)).finite;
    if (finite) result = {info(f).range == ScalarRange::UnitInterval ? RatId::Zero : q.of(-1), RatId::One};
  }
  return result;
}

/// Summands with equal finite other factors as one, `mono` times what lies in [low, high]: 8*x - x*f(i) is x * [1, 8] for i < 8.
std::vector<Terms::IntegerGroup> Terms::integer_groups(const std::vector<Summand>& list) {
  std::vector<IntegerGroup> groups;
  for (const Summand& s : list) {
    IntegerGroup own{s.mono, s.coef, s.coef};
    std::vector<Factor> rest = factors(s.mono);
    const auto integral = std::find_if(rest.begin(), rest.end(), [&](const Factor& f) { return (*this)[f.term].kind == Kind::FromInt; });
    if (list.size() > 1 && integral != rest.end() && integral->exp == RatId::One) {
      const LinNode n = (*this)[lin(integral->term)];
      if (std::max(std::abs(n.lo), std::abs(n.hi)) <= kMaxAdded) {
        rest.erase(integral);
        own = {mono(rest), q.mul(s.coef, q.of(n.lo)), q.mul(s.coef, q.of(n.hi))};
        if (q.sign(s.coef) < 0) std::swap(own.low, own.high);
      }
    }
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const IntegerGroup& g) { return g.mono == own.mono; });
    if (!attributes(own.mono).finite) {
      groups.push_back({s.mono, s.coef, s.coef});
    } else if (same == groups.end()) {
      groups.push_back(own);
    } else {
      same->low = q.add(same->low, own.low);
      same->high = q.add(same->high, own.high);
    }
  }
  return groups;
}

}  // namespace gg::prover
