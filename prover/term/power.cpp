// Powers of monomials and sums (certificate.md, P3 and P4).
#include <algorithm>

#include "prover/term/store.h"

namespace gg::prover {

TermId Terms::pow_mono(const Summand& m, RatId e) {
  const std::vector<Factor> list = factors(m.mono);
  const bool positive_coef = q.sign(m.coef) > 0;
  bool all_nn = positive_coef, all_nz = true, fits = true;
  for (const Factor& f : list) {
    const Attributes a = attributes(f.term);
    all_nn = all_nn && (a.not_below || !q.is_integer(f.exp));  // a root is not negative, or NaN
    all_nz = all_nz && a.nonzero && a.finite;
  }
  const std::optional<std::int64_t> n = q.integer(e);
  if (n && *n > 0) {
    fits = true;
  } else if (n) {
    fits = all_nn || all_nz || (list.size() == 1 && positive_coef);
  } else {
    fits = all_nn || (list.size() == 1 && positive_coef);
  }
  // (f^k)^e = f^(k*e): k = 1 by definition; otherwise integer powers of nonnegative or nonzero values. On [0, inf] powers
  // are multiplicative, zeros and infinities included (0*inf is NaN on both sides).
  for (const Factor& f : list) {
    if (f.exp == RatId::One) continue;
    const Attributes a = attributes(f.term);
    if (!q.is_integer(f.exp)) continue;  // a root: NaN where the base is negative, which its powers stay
    const bool ints = q.is_integer(f.exp) && n.has_value();
    fits = fits && ((ints && (*n > 0 || (a.finite && a.nonzero) || (q.sign(f.exp) > 0))) || a.not_below) &&
           (q.sign(f.exp) > 0 || (n && *n > 0) || (a.finite && a.positive) || all_nn);
  }
  if (!fits) {
    const RatId size = positive_coef ? m.coef : q.neg(m.coef);
    const TermId rest = monomial(q.div(m.coef, size), m.mono);
    RatId out = RatId::One;
    std::vector<Factor> parts = combine({{lit(size), e}}, out);
    parts.push_back({rest, e});
    return monomial(out, mono(std::move(parts)));
  }
  if (list.size() > 1) count(!n ? LemmaId::RootOfProduct : all_nn ? LemmaId::InverseOfNonnegative
                                                                  : LemmaId::InverseOfNonzero);
  else if (m.coef != RatId::One) count(LemmaId::InverseCoefficient);
  for (const Factor& f : list)
    if (f.exp != RatId::One) count(!q.is_integer(f.exp) ? LemmaId::RootOfRoot : n && *n < 0 ? LemmaId::InverseOfPower
                                                                                            : LemmaId::PowerOfPower);
  RatId coef = RatId::One;
  std::vector<Factor> parts{{lit(m.coef), e}};
  for (const Factor& f : list) {
    const RatId whole = q.mul(f.exp, e), half = q.of(q.sign(whole), 2);
    const bool root = !q.is_integer(f.exp) && q.is_integer(whole);  // of what may be negative it stays one
    if (root) parts.push_back({f.term, half});
    parts.push_back({f.term, root ? q.sub(whole, half) : whole});
  }
  parts = combine(std::move(parts), coef);
  if (const auto outside = choice_outside(coef, parts)) return *outside;
  return monomial(coef, mono(std::move(parts)));
}

/// The powers of finite positive factors without which no monomial of a sum has such a factor below the line, and not all have one above it.
std::vector<Factor> Terms::common_units(const std::vector<Summand>& sum) {
  std::vector<Factor> units;
  for (const Summand& s : sum)
    for (const Factor& f : factors(s.mono)) {
      const Attributes a = attributes(f.term);
      const bool known = std::ranges::find(units, f.term, &Factor::term) != units.end();
      if (!known && a.finite && a.positive && !is_lit(f.term)) units.push_back(f);
    }
  for (const Summand& s : sum) {
    const std::vector<Factor> own = factors(s.mono);
    for (Factor& u : units) {
      const auto same = std::ranges::find(own, u.term, &Factor::term);
      const RatId here = same == own.end() ? RatId::Zero : same->exp;
      if (q.compare(here, u.exp) < 0) u.exp = here;
    }
  }
  std::erase_if(units, [](const Factor& u) { return u.exp == RatId::Zero; });
  return units;
}

/// The sum without these factors.
TermId Terms::without_units(TermId sum, const std::vector<Factor>& units) {
  for (const Factor& u : units) {
    std::vector<TermId> parts;
    for (const Summand& s : summands(sum)) parts.push_back(mul_monos(s, {RatId::One, mono({{u.term, q.neg(u.exp)}})}));
    sum = add(parts);
  }
  return sum;
}

TermId Terms::pow(TermId a, RatId e) {
  if (e == RatId::One || a == TermId::Unknown) return a;
  if (e == RatId::Zero) return TermId::One;
  const PairKey key{raw(a), raw(e)};
  if (const TermId* known = store_->pow_memo.find(key)) return *known;
  const std::optional<std::int64_t> n = q.integer(e);
  const std::vector<Summand> s = summands(a);
  TermId result = TermId::Unknown;
  if (a == TermId::Zero) {
    count(LemmaId::InverseOfZero);
    result = q.sign(e) > 0 ? a : special(Special::PosInf);
  } else if (is_lit(a) && q.sign(rat(a)) < 0 && !n) {
    result = special(Special::NaN);
  } else if (const auto outside = function_of_choice(a, [&](TermId x) { return pow(x, e); })) {
    result = *outside;
  } else if (n && *n > 1 && s.size() > 1) {
    count(LemmaId::PowerOfSum);
    result = a;
    for (std::int64_t k = 1; k < *n; ++k) result = mul(result, a);
  } else if (s.size() == 1) {
    result = pow_mono(s[0], e);
  } else if (const std::vector<Factor> units = common_units(s); !units.empty()) {
    TermId out = TermId::One;
    for (const Factor& u : units) out = mul(out, monomial(RatId::One, mono({{u.term, q.mul(u.exp, e)}})));
    result = mul(out, pow(without_units(a, units), e));
  } else {
    const auto [c, rest] = content(a);
    const bool invert = n.has_value() && attributes(rest).nonzero && attributes(rest).finite;
    const RatId out = q.sign(c) > 0 || invert ? c : q.neg(c);
    RatId coef = RatId::One;
    std::vector<Factor> parts = combine({{lit(out), e}}, coef);
    parts.push_back({scale(q.div(c, out), rest), e});
    result = monomial(coef, mono(std::move(parts)));
  }
  store_->pow_memo.set(key, result);
  return result;
}

}  // namespace gg::prover
