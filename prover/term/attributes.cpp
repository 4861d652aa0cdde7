// What is known of the value of a term for all assignments (certificate.md, section 5). `nonnegative` and `positive`
// exclude NaN; they allow +inf unless `finite`.
#include <algorithm>

#include "prover/term/quantised.h"
#include "prover/term/wide.h"

namespace gg::prover {
namespace {

Attributes literal(int sign) { return {true, sign >= 0, sign > 0, sign != 0, true, true, sign >= 0}; }

Attributes both(const Attributes& a, const Attributes& b) {
  return {a.finite && b.finite, a.nonnegative && b.nonnegative, a.positive && b.positive, a.nonzero && b.nonzero,
          a.below_inf && b.below_inf, a.ordered && b.ordered, a.not_below && b.not_below, a.no_inf && b.no_inf};
}

Attributes scalar(ScalarFn f, std::span<const Attributes> kids) {
  Attributes a;
  const auto all = [&](bool Attributes::*what) { return std::ranges::all_of(kids, what); };
  const auto any = [&](bool Attributes::*what) { return std::ranges::any_of(kids, what); };
  const bool finite = all(&Attributes::finite);
  a.finite = a.below_inf = finite && (info(f).is(ScalarFact::Total) || f == ScalarFn::Max || f == ScalarFn::Min);
  if (f == ScalarFn::Exp) {
    a.nonnegative = kids[0].below_inf || kids[0].nonnegative;
    a.positive = a.nonzero = kids[0].finite || kids[0].nonnegative;
    a.finite = a.below_inf = kids[0].below_inf;
    a.ordered = kids[0].ordered;
    a.not_below = true;
    a.no_inf = kids[0].no_inf;
  } else if (f == ScalarFn::Max || f == ScalarFn::Min) {
    const bool max = f == ScalarFn::Max;
    a.below_inf = all(&Attributes::below_inf);
    a.ordered = all(&Attributes::ordered);
    a.nonnegative = max ? a.ordered && any(&Attributes::nonnegative) : all(&Attributes::nonnegative);
    a.positive = a.nonzero = max ? a.ordered && any(&Attributes::positive) : all(&Attributes::positive);
    a.not_below = all(&Attributes::not_below);
    a.no_inf = all(&Attributes::no_inf);
    a.finite = a.finite || (max && a.below_inf && any(&Attributes::finite));
  } else if (f == ScalarFn::Log) {
    a.finite = kids[0].finite && kids[0].positive;
    a.below_inf = kids[0].finite && kids[0].nonnegative;
    a.ordered = kids[0].nonnegative;
  } else if (finite) {
    switch (info(f).range) {
      case ScalarRange::NonNegative:
      case ScalarRange::UnitInterval: a.nonnegative = true; break;
      case ScalarRange::Positive: a.positive = a.nonnegative = a.nonzero = true; break;
      default: break;
    }
    if (f == ScalarFn::Logistic) a.positive = a.nonzero = true;
  }
  return a;
}

/// What bounds of a value that is not NaN say of it.
void bound(Attributes& a, const Bounds& b, Rationals& q) {
  a.below_inf = a.below_inf || b.hi.has_value();
  a.finite = a.finite || (a.below_inf && b.lo);
  a.nonnegative = a.nonnegative || (b.lo && q.sign(*b.lo) >= 0);
  a.positive = a.positive || (b.lo && q.sign(*b.lo) > 0);
  a.nonzero = a.nonzero || a.positive || (b.hi && q.sign(*b.hi) < 0);
}

}  // namespace

Attributes Terms::attributes(TermId id) {
  if (const auto known = store_->attribute_memo.get(raw(id))) return *known;
  Attributes a = compute_attributes(id);
  if (a.positive) a.nonnegative = a.nonzero = true;
  if (a.finite) a.below_inf = a.no_inf = true;
  if (a.below_inf || a.nonnegative) a.ordered = true;
  a.not_below = a.not_below || a.nonnegative;
  const Kind kind = (*this)[id].kind;
  if ((kind == Kind::Poly || kind == Kind::Fn) && a.ordered && !a.nonnegative) bound(a, bounds(id), q);
  store_->attribute_memo.set(raw(id), a);
  return a;
}

namespace {

/// The attributes of f^e.
Attributes powered(const Attributes& f, int sign, bool integer, bool even) {
  Attributes a;
  if (sign > 0) {
    a.finite = f.finite && (integer || f.nonnegative);
    a.positive = f.positive || (even && f.nonzero && f.finite);
    a.nonnegative = f.nonnegative || (even && f.finite);
    a.nonzero = f.nonzero && (integer || f.nonnegative);
  } else {
    a.finite = f.finite && f.nonzero && (integer || f.nonnegative);
    a.nonnegative = f.nonnegative || (even && f.finite && f.nonzero);
    a.positive = (f.positive && f.finite) || (even && f.finite && f.nonzero);
    a.nonzero = a.finite;
  }
  a.below_inf = a.finite;
  a.not_below = f.not_below || even || !integer;
  a.no_inf = f.no_inf && (sign > 0 || f.nonzero);
  return a;
}

}  // namespace

Attributes Terms::compute_attributes(TermId id) {
  const TermNode n = (*this)[id];
  switch (n.kind) {
    case Kind::Lit: return literal(q.sign(rat(id)));
    case Kind::Special: return {false, n.is(Special::PosInf), n.is(Special::PosInf), !n.is(Special::NaN), n.is(Special::NegInf), !n.is(Special::NaN), false, n.is(Special::NaN)};
    case Kind::FromInt: {
      const LinNode l = (*this)[lin(id)];
      return {true, l.lo >= 0, l.lo > 0, l.lo > 0 || l.hi < 0, true, true};
    }
    case Kind::Read: return anchor(anchor_of(id)).attributes;
    case Kind::Mono: {
      Attributes a = literal(1);
      a.no_inf = true;
      const std::vector<Factor> list = factors(id);
      if (list.size() == 1 && list[0].exp == RatId::One) return attributes(list[0].term);
      for (const Factor& f : list) {
        const auto e = q.integer(f.exp);
        const Attributes p = f.exp == RatId::One ? attributes(f.term)
                                                 : powered(attributes(f.term), q.sign(f.exp), e.has_value(), e && *e % 2 == 0);
        // A product of a zero and an infinity is NaN: signs need finite factors.
        a = {a.finite && p.finite, a.finite && p.finite && a.nonnegative && p.nonnegative,
             a.positive && p.positive, a.nonzero && p.nonzero, a.finite && p.finite, false, a.not_below && p.not_below, a.no_inf && p.no_inf};
      }
      if (!a.no_inf && !a.finite && bounds_of_share(*this, list).hi) count(LemmaId::ShareOfLength), a.no_inf = true;
      return a;
    }
    case Kind::Poly: {
      const std::vector<Summand> list = summands(id);
      Attributes a{true, true, false, false, true, true, true, true};
      bool any_positive = false;
      int open = 0;  // an infinity at most, beside finite summands, is no NaN
      for (const IntegerGroup& g : integer_groups(list)) {
        const Attributes m = attributes(g.mono);
        const int low = q.sign(g.low), high = q.sign(g.high);
        a.finite = a.finite && m.finite;
        a.no_inf = a.no_inf && m.no_inf;
        a.ordered = a.ordered && (m.finite || (m.ordered && ++open == 1));
        a.nonnegative = a.nonnegative && low >= 0 && m.nonnegative;
        a.not_below = a.not_below && low >= 0 && m.not_below;
        any_positive = any_positive || (low > 0 && m.positive);
        a.below_inf = a.below_inf && (m.finite || (low > 0 && m.below_inf));
        if (list.size() == 1) a.nonzero = m.nonzero && (low > 0 || high < 0);
      }
      a.positive = a.nonnegative && any_positive;
      return a;
    }
    case Kind::Fn: {
      std::vector<Attributes> kids;
      for (std::size_t k = 0; k < n.n; ++k) kids.push_back(attributes(kid(id, k)));
      return scalar(static_cast<ScalarFn>(n.op), kids);
    }
    case Kind::Case: return both(attributes_where(kid(id, 0), true, kid(id, 1)), attributes_where(kid(id, 0), false, kid(id, 2)));
    case Kind::Fold: {
      const FoldParts p = fold_parts(id);
      const Attributes b = attributes(p.body);
      const bool masked = (*this)[p.body].kind == Kind::Read && anchor(anchor_of(p.body)).transparent;
      if (masked && !b.finite && p.op == ScalarFn::Max) {  // of what is not masked
        const TermId wide = expand_all(id, 1);
        if (wide != id) return attributes(wide);
      }
      const bool whole = p.guard == TermId::True || !ends(p).empty();
      switch (p.op) {
        case ScalarFn::Add: {
          const bool some = (whole && b.positive) || positive_at_end(p);
          return {b.finite, b.nonnegative, some, some, b.below_inf, false, b.not_below, b.no_inf};
        }
        case ScalarFn::Max:
          return {whole && b.finite, whole && b.nonnegative, whole && b.positive, whole && b.positive, b.below_inf, b.ordered, whole && b.not_below, whole && b.no_inf};
        case ScalarFn::Min:
          return {whole && b.finite, b.nonnegative, b.positive, b.positive, whole && b.below_inf, b.ordered, false, whole && b.no_inf};
        case ScalarFn::Multiply: return {b.finite, b.finite && b.nonnegative, b.positive, b.nonzero && b.finite, b.finite, false, false, b.no_inf};
        default: return {};
      }
    }
    case Kind::Row: {
      const RowParts p = row_parts(id);
      std::vector<TermId> places;
      if ((p.signature & kKeeps) != 0 && p.leaf < p.bodies.size()) return attributes(p.bodies[p.leaf]);
      if (const auto element = [&](TermId array) { return attributes(row_parts(array).bodies[0]).finite; }; (p.signature & (kOrder | kSums)) == kSums)
        return std::all_of(p.bodies.begin() + 1, p.bodies.end(), element) ? Attributes{.finite = true, .below_inf = true, .ordered = true} : Attributes();
      if ((p.signature & kJoin) == 0 || p.bodies.size() != 1) return {};
      places_of(p.bodies[0], p.leaf, places);
      Attributes a = attributes(places[0]);
      for (const TermId place : places) a = both(a, attributes(place));
      return a;
    }
    default: return {};
  }
}

/// The first and the last point of the box, and where one condition ends (b <= L at b = L, 0 elsewhere), if the guard holds there whatever the free variables are.
std::vector<Terms::Map> Terms::ends(const FoldParts& p) {
  const std::vector<std::int64_t>& extents = p.extents;
  const auto binder = [&](std::size_t k) { return static_cast<VarId>(p.first + k); };
  Map first, last;
  VarSet binders = 0;
  for (std::size_t k = 0; k < extents.size(); ++k) {
    first.set(binder(k), LinId::Zero);
    last.set(binder(k), num(extents[k] - 1));
    binders |= bit(binder(k));
  }
  std::vector<Map> result{first, last};
  for (const TermId g : conjuncts(p.guard)) {
    for (std::size_t k = 0; k < extents.size() && (*this)[g].kind == Kind::Ge; ++k) {
      const LinId b = var(binder(k), extents[k]);
      for (const LinId end : {add(lin(g), b), sub(b, lin(g))}) {
        if (((*this)[end].free & binders) != 0 || (*this)[end].lo < 0 || (*this)[end].hi >= extents[k]) continue;
        result.push_back(first);
        result.back().set(binder(k), end);
      }
    }
  }
  std::erase_if(result, [&](const Map& end) { return substitute(p.guard, end) != TermId::True; });
  return result;
}

namespace {

/// The bits of two numbers that are not negative together: at least each of them, below the next power of two. `all`: of any others.
std::pair<std::int64_t, std::int64_t> joined_bits(std::pair<std::int64_t, std::int64_t> all, std::pair<std::int64_t, std::int64_t> a,
                                                  std::pair<std::int64_t, std::int64_t> b) {
  constexpr std::int64_t kFar = std::int64_t{1} << 61;
  const std::int64_t highest = std::max(a.second, b.second);
  if (a.first < 0 || b.first < 0 || highest >= kFar) return all;
  std::int64_t power = 1;
  while (power <= highest) power *= 2;
  return {std::max(a.first, b.first), std::min(all.second, power - 1)};
}

}  // namespace

std::pair<std::int64_t, std::int64_t> Terms::int_range(TermId id) {
  const TermNode n = (*this)[id];
  if (n.kind == Kind::Int) return {(*this)[lin(id)].lo, (*this)[lin(id)].hi};
  if (n.kind == Kind::Read) return {anchor(anchor_of(id)).lo, anchor(anchor_of(id)).hi};
  if (const auto* known = store_->range_memo.find(raw(id))) return *known;
  std::pair<std::int64_t, std::int64_t> r{INT64_MIN, INT64_MAX};
  if (n.kind == Kind::Case) {
    r = range_where(id, {});
  } else if (n.kind == Kind::Wrap || (n.kind == Kind::Fn && n.sort == Sort::Int)) {
    r = integer_bounds(static_cast<ElementType>(n.type));
    if (n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Remainder) r = range_of_remainder(*this, id, r);
    if (n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Or) r = joined_bits(r, int_range(kid(id, 0)), int_range(kid(id, 1)));
  } else if (n.kind == Kind::Fold) {
    const FoldParts p = fold_parts(id);
    const auto b = int_range(p.body);
    if (p.op == ScalarFn::Max || p.op == ScalarFn::Min) {
      r = b;
      if (p.guard != TermId::True) r = p.op == ScalarFn::Max ? std::pair{INT64_MIN, b.second} : std::pair{b.first, INT64_MAX};
    } else if (p.op == ScalarFn::Add) {
      std::int64_t count = 1;
      for (const std::int64_t e : p.extents) count = saturate_mul(count, e);
      r = {saturate_mul(count, std::min<std::int64_t>(b.first, 0)), saturate_mul(count, std::max<std::int64_t>(b.second, 0))};
      if (b.first >= 0) {  // at least the first one, and the last
        for (const Map& end : ends(p)) r.first = std::max(r.first, int_range(substitute(p.body, end)).first);
      }
    }
  } else if (n.kind == Kind::Row) {
    r = row_range(id);
  }
  store_->range_memo.add(raw(id), r);
  return r;
}

/// Bounds where facts hold: of each branch under its guard, of forms that differ from a fact's by less, of wraps that these keep in the type.
std::pair<std::int64_t, std::int64_t> Terms::range_where(TermId id, const std::vector<TermId>& facts) {
  const TermNode n = (*this)[id];
  if (n.kind == Kind::Case) {
    const auto branch = [&](TermId guard, std::size_t k) {
      std::vector<TermId> known = facts;
      for (const TermId f : conjuncts(guard)) known.push_back(f);
      return range_where(kid(id, k), known);
    };
    const auto a = branch(kid(id, 0), 1), b = branch(negate(kid(id, 0)), 2);
    return {std::min(a.first, b.first), std::max(a.second, b.second)};
  }
  auto r = int_range(id);
  if (n.kind == Kind::Unknown) return r;
  const LinId form = n.kind == Kind::Wrap ? lin(id) : as_lin(id);
  std::int64_t lo = (*this)[form].lo, hi = (*this)[form].hi;
  for (const TermId f : facts) {
    const bool equal = (*this)[f].kind == Kind::Eq;
    if (!equal && (*this)[f].kind != Kind::Ge) continue;
    for (const LinTerm& s : term_list(form)) {
      for (const LinTerm& t : term_list(lin(f))) {
        if (s.atom != t.atom || s.coef % t.coef != 0) continue;
        const std::int64_t k = s.coef / t.coef;
        const LinNode rest = (*this)[axpy(-k, lin(f), form)];
        if (k > 0 || equal) lo = std::max(lo, rest.lo);
        if (k < 0 || equal) hi = std::min(hi, rest.hi);
      }
    }
  }
  constexpr std::int64_t kFar = std::int64_t{1} << 60;  // sums beyond are not followed
  if (lo > (*this)[form].lo || hi < (*this)[form].hi) count(n.kind == Kind::Wrap ? LemmaId::WrapRange : LemmaId::BranchRange);
  if (n.kind == Kind::Wrap && (lo < std::max(r.first, -kFar) || hi > std::min(r.second, kFar))) return r;
  return {std::max(lo, r.first), std::min(hi, r.second)};
}

/// Of the operand that the leaf comes from; of a join that of its tuples.
std::pair<std::int64_t, std::int64_t> Terms::row_range(TermId id) {
  const RowParts p = row_parts(id);
  std::vector<TermId> sources;
  if ((p.signature & kOrder) != 0) {  // places: in the row, and in the order of a part, no further than in that of all
    const std::int64_t last = p.extents.back() - 1;
    return {0, p.leaf == kPlace ? last : std::max<std::int64_t>(0, std::min(last, (*this)[p.index[0]].hi))};
  }
  if ((p.signature & kJoin) != 0 && p.bodies.size() == 1) places_of(p.bodies[0], p.leaf, sources);
  else sources.push_back(p.leaf < p.bodies.size() ? p.bodies[p.leaf] : TermId::Unknown);
  std::pair<std::int64_t, std::int64_t> all{INT64_MAX, INT64_MIN};
  for (const TermId s : sources) {
    if (s == TermId::Unknown || (*this)[s].sort != Sort::Int) return {INT64_MIN, INT64_MAX};
    const auto r = int_range(s);
    all = {std::min(all.first, r.first), std::max(all.second, r.second)};
  }
  return all;
}

}  // namespace gg::prover
