// Real terms as polynomials with rational coefficients and exponents (certificate.md, P1-P4). Every law checks the premise
// that makes it exact over the extended reals: distribution needs finite factors, cancelling needs finite nonzero ones.
#include <algorithm>

#include "prover/term/exponents.h"
#include "prover/term/filled.h"
#include "prover/term/join.h"
#include "prover/term/lowest.h"
#include "prover/term/merged.h"
#include "prover/term/neighbours.h"
#include "prover/term/picked.h"
#include "prover/term/wide.h"

namespace gg::prover {
namespace {

constexpr std::size_t kMaxMonomials = 64;

}  // namespace

TermId Terms::lit(RatId value) {
  const std::uint32_t kid = raw(value);
  return make({.kind = Kind::Lit, .sort = Sort::Real}, std::span(&kid, 1));
}

TermId Terms::special(Special s) { return make({.kind = Kind::Special, .sort = Sort::Real, .op = static_cast<std::uint8_t>(s)}, {}); }

TermId Terms::mono(std::vector<Factor> list) {
  std::sort(list.begin(), list.end());
  TermNode node{.kind = Kind::Mono, .sort = Sort::Real};
  std::vector<std::uint32_t> raws;
  for (const Factor& f : list) {
    absorb(node, f.term);
    if (may_count(*this, f)) node.flags |= kHasInverse;
    raws.push_back(raw(f.term));
    raws.push_back(raw(f.exp));
  }
  return make(node, raws);
}

std::vector<Factor> Terms::factors(TermId mono) const {
  std::vector<Factor> out;
  const auto k = kids(mono);
  for (std::size_t i = 0; i < k.size(); i += 2) out.push_back({static_cast<TermId>(k[i]), static_cast<RatId>(k[i + 1])});
  return out;
}

std::vector<Summand> Terms::summands(TermId id) const {
  const TermNode& n = (*this)[id];
  if (n.kind == Kind::Poly) {
    std::vector<Summand> out;
    const auto k = kids(id);
    for (std::size_t i = 0; i < k.size(); i += 2)
      out.push_back({static_cast<RatId>(k[i]), static_cast<TermId>(k[i + 1])});
    return out;
  }
  auto& self = const_cast<Terms&>(*this);  // interning does not change what terms mean
  if (n.kind == Kind::Lit) {
    if (id == TermId::Zero) return {};
    return {{rat(id), self.mono({})}};
  }
  return {{RatId::One, self.mono({{id, RatId::One}})}};
}

TermId Terms::monomial(RatId coef, TermId m) {
  if (coef == RatId::Zero) return TermId::Zero;
  const std::vector<Factor> f = factors(m);
  if (f.empty()) return lit(coef);
  if (f.size() == 1 && f[0].exp == RatId::One) {
    const TermNode n = (*this)[f[0].term];
    if (coef == RatId::One) return f[0].term;
    if (n.kind == Kind::Special) {
      if (n.is(Special::NaN) || q.sign(coef) > 0) return f[0].term;
      return special(n.is(Special::PosInf) ? Special::NegInf : Special::PosInf);
    }
    if (n.kind == Kind::Poly) return scale(coef, f[0].term);
  }
  TermNode node{.kind = Kind::Poly, .sort = Sort::Real};
  absorb(node, m);
  const std::uint32_t kids[2] = {raw(coef), raw(m)};
  return without_nan_tests(make(node, kids));
}

TermId Terms::sum(std::vector<Summand> list) {
  std::sort(list.begin(), list.end(), [](const Summand& a, const Summand& b) { return a.mono < b.mono; });
  std::vector<Summand> out;
  std::vector<Summand> held;  // opposite signs of a value that may be infinite do not cancel
  for (const Summand& s : list) {
    if (s.coef == RatId::Zero) continue;
    if (!out.empty() && out.back().mono == s.mono) {
      if (q.sign(out.back().coef) != q.sign(s.coef) && !attributes(s.mono).finite) {
        held.push_back(s);
        continue;
      }
      const bool opposite = q.sign(out.back().coef) != q.sign(s.coef);
      out.back().coef = q.add(out.back().coef, s.coef);
      count(out.back().coef == RatId::Zero ? LemmaId::Cancel : opposite ? LemmaId::OppositeSigns
                                                                        : LemmaId::LikeTerms);
      if (out.back().coef == RatId::Zero) out.pop_back();
    } else {
      out.push_back(s);
    }
  }
  if (!held.empty()) {
    TermId parts[2] = {sum(std::move(out)), sum(std::move(held))};
    if (parts[1] < parts[0]) std::swap(parts[0], parts[1]);
    return opaque_fn(ScalarFn::Add, Sort::Real, 0, parts);
  }
  if (out.empty()) return TermId::Zero;
  if (out.size() == 1) return monomial(out[0].coef, out[0].mono);
  if (Joiner(*this).summands(out) || Joiner(*this).points(out) || join_neighbours(*this, out) || join_choices(out) || join_picked(*this, out) || join_positions(out)) return sum(std::move(out));
  std::optional<TermId> infinite;
  bool others_finite = true;
  for (const Summand& s : out) {
    const std::vector<Factor> f = factors(s.mono);
    if (f.size() == 1 && (*this)[f[0].term].kind == Kind::Special) {
      if ((*this)[f[0].term].is(Special::NaN)) return count(LemmaId::SumNaN), f[0].term;
      others_finite = others_finite && !infinite;
      infinite = monomial(s.coef, s.mono);
    } else {
      others_finite = others_finite && attributes(s.mono).finite;
    }
  }
  if (infinite && others_finite) return count(LemmaId::SumInfinity), *infinite;
  if (const auto one = complement(*this, out)) return *one;
  if (const auto one = merged(*this, out)) return *one;
  const TermId made = poly(out);
  if (const auto one = in_both_orders(made, out)) return *one;
  return without_nan_tests(made);
}

TermId Terms::poly(const std::vector<Summand>& out) {
  TermNode node{.kind = Kind::Poly, .sort = Sort::Real};
  std::vector<std::uint32_t> raws;
  for (const Summand& s : out) {
    absorb(node, s.mono);
    raws.push_back(raw(s.coef));
    raws.push_back(raw(s.mono));
  }
  return make(node, raws);
}

/// A case one of whose branches is unknown goes outside: f(case(g, a, ?)) is case(g, f(a), ?).
template <class F>
std::optional<TermId> Terms::partly_unknown(TermId t, F f) {
  if (((*this)[t].flags & kHasUnknown) == 0) return std::nullopt;
  const auto [coef, shape] = content(t);
  if ((*this)[shape].kind != Kind::Case) return std::nullopt;
  const TermId g = kid(shape, 0), a = kid(shape, 1), b = kid(shape, 2);
  if (a != TermId::Unknown && b != TermId::Unknown) return std::nullopt;
  return choose(g, a == TermId::Unknown ? a : f(scale(coef, a)), b == TermId::Unknown ? b : f(scale(coef, b)));
}

TermId Terms::add(std::span<const TermId> list) {
  for (const TermId& t : list) {
    const auto lifted = list.size() < 2 ? std::nullopt : partly_unknown(t, [&](TermId known) {
      std::vector<TermId> with(list.begin(), list.end());
      with[static_cast<std::size_t>(&t - list.data())] = known;
      return add(with);
    });
    if (lifted) return *lifted;
  }
  std::vector<Summand> all;
  for (const TermId t : list) {
    if ((*this)[t].kind == Kind::Unknown) return t;
    for (const Summand& s : summands(t)) all.push_back(s);
  }
  return sum(std::move(all));
}

TermId Terms::scale(RatId c, TermId a) {
  if (c == RatId::One || a == TermId::Unknown) return a;
  if (a == TermId::Zero) return a;
  if (c == RatId::Zero) {
    if (attributes(a).finite) return count(LemmaId::TimesZero), TermId::Zero;
    if ((*this)[a].kind == Kind::Special) return count(LemmaId::ZeroTimesInfinity), special(Special::NaN);
    const TermId kids[2] = {TermId::Zero, content(a).second};  // 0 has one sign
    return opaque_fn(ScalarFn::Multiply, Sort::Real, 0, kids);
  }
  std::vector<Summand> list = summands(a);
  if (list.size() == 1) return monomial(q.mul(c, list[0].coef), list[0].mono);
  for (Summand& s : list) s.coef = q.mul(c, s.coef);
  return sum(std::move(list));
}

std::pair<RatId, TermId> Terms::content(TermId id) {
  const TermNode n = (*this)[id];
  if (n.kind == Kind::Lit && id != TermId::Zero) return {rat(id), TermId::One};
  if (n.kind != Kind::Poly) return {RatId::One, id};
  const auto c = static_cast<RatId>(kids(id)[0]);
  return {c, scale(q.inv(c), id)};
}

namespace {

/// (p/q)^(n/2) of a positive literal, n odd, pq at most 2^32, as (pq)^(1/2) with a coefficient.
void write_as_root(Terms& t, Factor& f, RatId& coef) {
  Rationals& q = t.q;
  if (!t.is_lit(f.term) || q.sign(t.rat(f.term)) <= 0) return;
  const auto e = q.fraction(f.exp), base = q.fraction(t.rat(f.term));
  if (!e || !base || e->second != 2 || std::abs(e->first) > 64 || base->first > (std::int64_t{1} << 32) / base->second) return;
  const RatId below = q.of(base->second);
  coef = q.mul(coef, q.div(q.pow(t.rat(f.term), (e->first - 1) / 2), below));
  f = {t.lit(q.mul(t.rat(f.term), q.mul(below, below))), q.of(1, 2)};
}

}  // namespace

std::vector<Factor> Terms::combine(std::vector<Factor> list, RatId& coef) {
  for (Factor& f : list) write_as_root(*this, f, coef);
  std::sort(list.begin(), list.end());
  std::vector<Factor> out;
  for (const Factor& f : list) {
    if (f.exp == RatId::Zero) continue;
    bool merged = false;
    for (std::size_t i = out.size(); i-- > 0 && out[i].term == f.term && !merged;) {
      const RatId e = out[i].exp;
      const bool ints = q.is_integer(e) && q.is_integer(f.exp), same = q.sign(e) == q.sign(f.exp);
      bool allowed = ints && same, ordered = true;
      if (!allowed) {
        const Attributes a = attributes(f.term);
        ordered = a.nonnegative;
        allowed = (a.positive && a.finite) || (ints && a.finite && a.nonzero) || (same && a.not_below);
      }
      if (!allowed) continue;
      out[i].exp = q.add(e, f.exp);
      count(!same ? (ints ? LemmaId::ExponentsCancel : LemmaId::ExponentsOfPositive) : ints  ? LemmaId::ExponentsOfOneSign
                                                                                   : ordered ? LemmaId::RootsOfOneSign
                                                                                             : LemmaId::RootsOfSquares);
      if (out[i].exp == RatId::Zero) out = without(std::move(out), i);
      merged = true;
    }
    if (!merged) out.push_back(f);
  }
  join_roots(out);
  join_exponentials(*this, out);
  for (std::size_t i = 0; i < out.size(); ++i) {  // literals with equal exponents are one
    for (std::size_t j = i + 1; j < out.size();) {
      if (out[i].exp != out[j].exp || !is_lit(out[i].term) || !is_lit(out[j].term) || q.sign(rat(out[i].term)) <= 0 ||
          q.sign(rat(out[j].term)) <= 0) {
        ++j;
        continue;
      }
      out[i].term = lit(q.mul(rat(out[i].term), rat(out[j].term)));
      out = without(std::move(out), j);
    }
  }
  std::erase_if(out, [&](const Factor& f) {  // literals with integer exponents, or rational roots
    if (!is_lit(f.term) || f.term == TermId::Zero) return false;
    const RatId base = rat(f.term);
    std::optional<RatId> value;
    if (base == RatId::One) value = base;
    if (const auto n = q.integer(f.exp); n && std::abs(*n) <= 64) value = q.pow(base, *n);
    if (const auto e = q.fraction(f.exp); !value && e && e->second == 2 && std::abs(e->first) <= 64)
      if (const auto r = q.root(base)) value = q.pow(*r, e->first);
    if (!value) return false;
    count(LemmaId::LiteralPowers);
    coef = q.mul(coef, *value);
    return true;
  });
  return out;
}

TermId Terms::mul_monos(const Summand& a, const Summand& b) {
  RatId coef = q.mul(a.coef, b.coef);
  std::vector<Factor> list = factors(a.mono);
  for (const Factor& f : factors(b.mono)) list.push_back(f);
  list = combine(std::move(list), coef);
  while (drop_share(list)) continue;
  if (const auto lowest = lowest_share(*this, coef, list)) return *lowest;
  // A sum that had to wait for a factor that cancelled is distributed now.
  for (std::size_t i = 0; i < list.size(); ++i) {
    const TermId t = list[i].term;
    if ((*this)[t].kind != Kind::Poly || list[i].exp != RatId::One) continue;
    std::vector<Factor> rest = without(list, i);
    const TermId other = mono(std::move(rest));
    if (!attributes(other).finite || summands(t).size() * summands(monomial(coef, other)).size() > kMaxMonomials) continue;
    return mul(t, monomial(coef, other));
  }
  if (const auto outside = choice_outside(coef, list)) return *outside;
  return monomial(coef, mono(std::move(list)));
}

TermId Terms::mul(TermId a, TermId b) {
  if (a == TermId::Unknown || b == TermId::Unknown) return TermId::Unknown;
  if (is_lit(a)) return scale(rat(a), b);
  if (is_lit(b)) return scale(rat(b), a);
  if (const auto lifted = partly_unknown(a, [&](TermId known) { return mul(known, b); })) return *lifted;
  if (const auto lifted = partly_unknown(b, [&](TermId known) { return mul(a, known); })) return *lifted;
  if (b < a) std::swap(a, b);
  const PairKey key{raw(a), raw(b)};
  if (const TermId* known = store_->mul_memo.find(key)) return *known;
  const std::vector<Summand> x = summands(a), y = summands(b);
  const auto whole = [&](TermId t, const std::vector<Summand>& s) -> Summand {
    if (s.size() == 1) return s[0];
    const auto [c, rest] = content(t);
    if (c != RatId::One) count(LemmaId::ContentOut);
    return {c, mono({{rest, RatId::One}})};
  };
  TermId result = TermId::Unknown;
  const bool a_finite = attributes(a).finite, b_finite = attributes(b).finite;
  const auto meets = [&](TermId sum, const std::vector<Summand>& other) {  // as a factor it may cancel
    if (other.size() > 1) return false;
    const std::vector<Factor> f = factors(other[0].mono);
    return std::ranges::any_of(f, [&](const Factor& g) { return (*this)[g.term].kind == Kind::Poly && g.term == content(sum).second; });
  };
  if ((x.size() == 1 && y.size() == 1) || meets(a, y) || meets(b, x)) {
    result = mul_monos(whole(a, x), whole(b, y));
  } else if (x.size() * y.size() > kMaxMonomials || (!(a_finite && y.size() > 1) && !(b_finite && x.size() > 1))) {
    result = mul_monos(whole(a, x), whole(b, y));
  } else {  // the finite side goes into each summand of the other
    const bool into_b = a_finite && y.size() > 1;
    count(LemmaId::Distribute);
    const TermId factor = into_b ? a : b;
    std::vector<TermId> parts;
    for (const Summand& s : into_b ? y : x) parts.push_back(mul(factor, monomial(s.coef, s.mono)));
    result = add(parts);
  }
  store_->mul_memo.set(key, result);
  return result;
}

}  // namespace gg::prover
