// Integers among reals: positions that are added are one position (certificate.md, P1).
#include <algorithm>
#include <numeric>

#include "prover/term/quantised.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kMost = std::int64_t{1} << 40;  ///< of a coefficient that is joined

}  // namespace

/// f(L) among the factors, once and to the first power, L a form without data.
std::optional<std::size_t> Terms::position_in(std::span<const Factor> list) const {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if ((*this)[list[k].term].kind != Kind::FromInt || list[k].exp != RatId::One || (*this)[lin(list[k].term)].data) continue;
    if (found) return std::nullopt;
    found = k;
  }
  return found;
}

/// x (step L + constant), x the rest, as `g step x f(V + c) + r x`: the coefficients of V have no common divisor, and c stands inside where it is an
/// integer. Of V + c and its negative the one that is not below zero, else that whose first coefficient is positive.
void Terms::put_positions(RatId step, LinId form, RatId constant, TermId rest, std::vector<Summand>& out) {
  const std::int64_t c0 = (*this)[form].c0;
  LinId varying = offset(form, -c0);
  RatId total = q.add(constant, q.mul(step, q.of(c0)));
  if (!is_num(varying)) {
    std::int64_t divisor = 0;
    for (const LinTerm& t : terms(varying)) divisor = std::gcd(divisor, t.coef);
    if (divisor != 1) {
      varying = divided(0, terms(varying), divisor);
      step = q.mul(step, q.of(divisor));
    }
    const auto inside = q.integer(q.div(total, step));
    if (inside && std::abs(*inside) <= kMost) {
      varying = offset(varying, *inside);
      total = RatId::Zero;
    }
    const LinNode n = (*this)[varying];
    if (n.hi <= 0 || (n.lo < 0 && terms(varying)[0].coef < 0)) {
      varying = scale(-1, varying);
      step = q.neg(step);
    }
    std::vector<Factor> list = factors(rest);
    list.push_back({of_form({.kind = Kind::FromInt, .sort = Sort::Real}, varying), RatId::One});
    out.push_back({step, mono(std::move(list))});
  }
  if (total != RatId::Zero) out.push_back({total, rest});
}

/// 256 x f(v0) + x f(v1) as x f(256*v0+v1), where x is finite; x alone counts as x f(1). False: nothing to join.
bool Terms::join_positions(std::vector<Summand>& list) {
  struct Group {
    TermId rest;
    std::vector<std::size_t> members;
  };
  const auto integral = [&](const Summand& s) {
    const auto parts = kids(s.mono);
    for (std::size_t k = 0; k < parts.size(); k += 2)
      if ((*this)[static_cast<TermId>(parts[k])].kind == Kind::FromInt) return true;
    return false;
  };
  if (std::none_of(list.begin(), list.end(), integral)) return false;  // most sums
  std::vector<Group> groups;
  for (std::size_t k = 0; k < list.size(); ++k) {
    std::vector<Factor> rest = factors(list[k].mono);
    const auto at = position_in(rest);
    if (!at) continue;
    rest = without(std::move(rest), *at);
    const TermId own = mono(std::move(rest));
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.rest == own; });
    if (same == groups.end()) groups.push_back({own, {k}});
    else same->members.push_back(k);
  }
  for (const Group& group : groups) {
    std::vector<Summand> before, after;
    RatId constant = RatId::Zero;
    for (const Summand& s : list)
      if (s.mono == group.rest) constant = s.coef;
    if ((group.members.size() < 2 && constant == RatId::Zero) || !attributes(group.rest).finite) continue;
    const RatId step = list[group.members[0]].coef;
    std::vector<std::pair<std::int64_t, LinId>> parts;
    std::int64_t denominator = 1;
    bool fits = true;
    for (const int round : {0, 1}) {  // the denominators first
      for (const std::size_t k : group.members) {
        const auto share = q.fraction(q.div(list[k].coef, step));
        fits = fits && share && share->second <= kMost && std::abs(share->first) <= kMost;
        if (!fits) break;
        if (round == 0) denominator = std::lcm(denominator, share->second);
        else parts.emplace_back(share->first * (denominator / share->second), position_of(list[k].mono));
        fits = fits && denominator <= kMost;
      }
    }
    if (!fits) continue;
    put_positions(q.div(step, q.of(denominator)), combine(0, parts), constant, group.rest, after);
    std::vector<Summand> others;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const bool member = list[k].mono == group.rest || std::find(group.members.begin(), group.members.end(), k) != group.members.end();
      (member ? before : others).push_back(list[k]);
    }
    const auto same = [](const Summand& a, const Summand& b) { return a.coef == b.coef && a.mono == b.mono; };
    if (std::is_permutation(before.begin(), before.end(), after.begin(), after.end(), same)) continue;
    count(LemmaId::PositionsAdded);
    others.insert(others.end(), after.begin(), after.end());
    list = std::move(others);
    return true;
  }
  return false;
}

LinId Terms::position_of(TermId mono) const {
  const std::vector<Factor> list = factors(mono);
  return lin(list[*position_in(list)].term);
}

TermId Terms::from_int(LinId a) {
  if (is_num(a)) return lit(q.of((*this)[a].c0));
  if (!(*this)[a].data) {
    std::vector<Summand> list;
    put_positions(RatId::One, a, RatId::Zero, mono({}), list);
    return sum(std::move(list));
  }
  for (const LinTerm& s : term_list(a)) {
    const auto real = unrounded(*this, s.atom);
    if (const auto whole = real ? real : exact_sum(s.atom)) return add(from_int(axpy(-s.coef, atom_form(s.atom), a)), scale(q.of(s.coef), *whole));
  }
  return of_form({.kind = Kind::FromInt, .sort = Sort::Real}, a);
}

}  // namespace gg::prover
