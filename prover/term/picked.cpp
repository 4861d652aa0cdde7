// Values of which an integer of the data picks one, number by number, as one value of this integer (certificate.md, C13).
#include "prover/term/picked.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "prover/term/piecewise_steps.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxPicks = 200;  ///< of one sum that are compared with each other

/// What a summand adds: a value where a condition holds, over a box; none where it is no sum.
struct Chosen {
  std::vector<std::int64_t> extents;
  VarId first = 0;  ///< its binders
  TermId guard, value;
};

/// The value counts where a number of the data, without its constant, lies in [lo, hi], and others of the conditions hold.
struct Picked {
  LinId number;
  std::int64_t lo, hi;
  TermId others, value;
  bool one() const { return lo == hi; }
};

std::optional<Chosen> chosen_in(Terms& t, const Summand& s) {
  if ((t[s.mono].flags & kHasGuards) == 0) return std::nullopt;
  const std::vector<Factor> list = t.factors(s.mono);
  if (list.size() == 1 && list[0].exp == RatId::One && t.choice(list[0].term)) {
    const TermId choice = list[0].term;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      if (t.kid(choice, 3 - k) != TermId::Zero) continue;
      const TermId guard = t.kid(choice, 0);
      return Chosen{{}, 0, k == 1 ? guard : t.negate(guard), t.scale(s.coef, t.kid(choice, k))};
    }
    return std::nullopt;
  }
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k].exp != RatId::One || t[list[k].term].kind != Kind::Fold || t[list[k].term].sort != Sort::Real) continue;
    const FoldParts p = t.fold_parts(list[k].term);
    if (p.op != ScalarFn::Add || !t.index_guard(p.guard) || (t[p.guard].flags & (kHasReads | kHasInputs)) == 0) continue;
    const TermId beside = t.monomial(s.coef, t.mono(without(list, k)));
    if (!t.attributes(beside).finite) continue;
    return Chosen{p.extents, p.first, p.guard, t.mul(p.body, beside)};
  }
  return std::nullopt;
}

/// By each number of the data that the conditions compare.
std::vector<Picked> picked_in(Terms& t, TermId guard, TermId value) {
  struct Bound {
    TermId part;
    LinId number;
    std::int64_t lo, hi;
    bool fails;  ///< all but there
  };
  std::vector<Bound> bounds;
  for (const TermId whole : t.conjuncts(guard)) {
    const bool fails = t[whole].kind == Kind::Not;
    const TermId part = fails ? t.kid(whole, 0) : whole;
    const Kind kind = t[part].kind;
    if ((fails && kind != Kind::Eq) || (kind != Kind::Ge && kind != Kind::Eq) || !t[t.lin(part)].data) continue;
    const LinId form = t.lin(part);
    const std::int64_t c = t[form].c0, sign = t.terms(form)[0].coef < 0 ? -1 : 1;
    const LinId number = t.scale(sign, t.offset(form, -c));
    const bool least = kind == Kind::Eq || sign > 0, most = kind == Kind::Eq || sign < 0;
    bounds.push_back({whole, number, least ? -sign * c : t[number].lo, most ? -sign * c : t[number].hi, fails});
  }
  std::vector<Picked> all;
  for (const Bound& b : bounds) {
    if (std::ranges::any_of(all, [&](const Picked& p) { return p.number == b.number; })) continue;
    Picked p{b.number, t[b.number].lo, t[b.number].hi, TermId::True, value};
    std::vector<TermId> others = t.conjuncts(guard);
    for (const Bound& other : bounds) {
      if (other.number != b.number || other.fails) continue;
      p.lo = std::max(p.lo, other.lo);
      p.hi = std::min(p.hi, other.hi);
      std::erase(others, other.part);
    }
    const auto at_end = [&](const Bound& other) {
      if (other.number != p.number || !other.fails || (other.lo != p.lo && other.lo != p.hi)) return false;
      (other.lo == p.lo ? p.lo : p.hi) += other.lo == p.lo ? 1 : -1;
      return std::erase(others, other.part) > 0;
    };
    while (std::ranges::any_of(bounds, at_end)) continue;
    p.others = t.conj(others);
    all.push_back(p);
  }
  return all;
}

/// h(number - k) of values h(0) and h(1) that read the same at places as far apart each; what both add stays beside it.
std::optional<TermId> between(Terms& t, TermId a, TermId b, LinId from) {
  std::vector<Summand> x = t.summands(a), y = t.summands(b), both;
  const auto in = [](const std::vector<Summand>& list, const Summand& s) { return std::ranges::any_of(list, [&](const Summand& other) { return other.mono == s.mono && other.coef == s.coef; }); };
  std::ranges::copy_if(x, std::back_inserter(both), [&](const Summand& s) { return in(y, s); });
  for (std::vector<Summand>* side : {&x, &y}) std::erase_if(*side, [&](const Summand& s) { return in(both, s); });
  if (x.empty() || x.size() != y.size()) return std::nullopt;
  const TermId low = t.sum(std::move(x)), high = t.sum(std::move(y));
  const auto steps = t[low].reads == t[high].reads ? steps_between(constants_in(t, low), constants_in(t, high)) : std::nullopt;
  if (!steps || std::ranges::none_of(*steps, [](const auto& all) { return std::ranges::any_of(all.second, [](std::int64_t step) { return step != 0; }); })) return std::nullopt;
  const Fresh c = t.fresh(2);
  const TermId h = moved(t, low, *steps, c[0]);
  if (at_value(t, h, c[0], 0) != low || at_value(t, h, c[0], 1) != high) return std::nullopt;
  return t.add(t.sum(std::move(both)), t.substitute(h, Terms::Map(t[t.terms(c[0])[0].atom].var, from)));
}

/// A value where the number is k: it is known of one of the integers in it what it is.
TermId where_it_is(Terms& t, TermId value, LinId number, std::int64_t k) {
  for (const LinTerm& s : t.term_list(number)) {
    if (t[s.atom].kind != AtomKind::Data || std::abs(s.coef) != 1) continue;
    const LinId others = t.axpy(-s.coef, t.atom_form(s.atom), number);
    SmallMap<TermId> by;
    by.add(static_cast<std::uint32_t>(t[s.atom].arg), t.integer(t.scale(s.coef, t.sub(t.num(k), others))));
    return t.exchange(value, std::move(by));
  }
  return value;
}

/// What both are where the number lies in one of the two ranges, the first of which ends before the second.
std::optional<TermId> value_of_both(Terms& t, const Picked& p, const Picked& q) {
  if (p.value == q.value) return p.value;
  if (const auto h = p.one() && q.one() ? between(t, p.value, q.value, t.offset(p.number, -p.lo)) : std::nullopt) return h;
  if (q.one() && where_it_is(t, p.value, p.number, q.lo) == q.value) return p.value;
  if (p.one() && where_it_is(t, q.value, q.number, p.lo) == p.value) return q.value;
  return std::nullopt;
}

std::optional<TermId> as_one(Terms& t, const Summand& a, const Summand& b) {
  const auto x = chosen_in(t, a), y = x ? chosen_in(t, b) : std::nullopt;
  if (!y || x->extents != y->extents) return std::nullopt;
  const Fresh vars = t.fresh(x->extents);
  const auto picked = [&](const Chosen& c) {
    Terms::Map map;
    for (std::size_t k = 0; k < vars.size(); ++k) map.set(static_cast<VarId>(c.first + k), vars[k]);
    return picked_in(t, t.substitute(c.guard, map), t.substitute(c.value, map));
  };
  const std::vector<Picked> first = picked(*x), second = picked(*y);
  for (const Picked& p : first) {
    for (const Picked& q : second) {
      if (p.number != q.number || p.others != q.others || (p.hi + 1 != q.lo && q.hi + 1 != p.lo)) continue;
      const Picked &low = p.lo < q.lo ? p : q, &high = p.lo < q.lo ? q : p;
      const auto value = value_of_both(t, low, high);
      if (!value) continue;
      t.count(LemmaId::PickedByNumber);
      const TermId guard = t.conj(std::array{p.others, t.ge(t.offset(p.number, -low.lo)), t.ge(t.offset(t.scale(-1, p.number), high.hi))});
      return vars.size() == 0 ? t.choose(guard, *value, TermId::Zero) : t.fold(ScalarFn::Add, vars, guard, *value);
    }
  }
  return std::nullopt;
}

}  // namespace

bool join_picked(Terms& t, std::vector<Summand>& list) {
  for (std::size_t i = 0, tries = 0; i < list.size() && tries < kMaxPicks; ++i) {
    for (std::size_t j = i + 1; j < list.size() && (t[list[i].mono].flags & kHasGuards) != 0 && tries < kMaxPicks; ++j) {
      if (t[list[i].mono].reads != t[list[j].mono].reads || (t[list[j].mono].flags & kHasGuards) == 0) continue;
      ++tries;
      const auto one = as_one(t, list[i], list[j]);
      if (!one) continue;
      list = without(without(std::move(list), j), i);
      for (const Summand& s : t.summands(*one)) list.push_back(s);
      return true;
    }
  }
  return false;
}

}  // namespace gg::prover
