// Internal to prover/term: integers of 64 bits, of which no index form says all.
#pragma once

#include <optional>

#include "prover/term/store.h"

namespace gg::prover {

/// What `make` makes, or `otherwise` where a number of a form would overflow.
template <class Make, class Otherwise>
auto formed(const Make& make, const Otherwise& otherwise) {
  try {
    return make();
  } catch (const Overflow&) {
    return otherwise();
  }
}

inline constexpr std::int64_t kMaxPower = 64;  ///< of an integer that a product repeats

inline LinId repeated_product(Terms& t, LinId factor, std::int64_t times) {
  if (times > kMaxPower) throw TermLimit("power of an integer fold");
  LinId power = t.num(1);
  for (std::int64_t n = 0; n < times; ++n) power = t.mul(power, factor);
  return power;
}

/// Does no element of `all` lie below `value` (above it where the `largest` is not looked for)? None lies below the least number of 64 bits.
inline bool beyond_all(Terms& t, LinId value, LinId all, bool largest) {
  return largest ? value == t.num(INT64_MIN) || t[t.sub(all, value)].lo >= 0 : t[t.sub(value, all)].lo >= 0;
}

/// The range of a remainder by a constant, within that of its type: less than the divisor, on its own side of 0.
inline std::pair<std::int64_t, std::int64_t> range_of_remainder(Terms& t, TermId id, std::pair<std::int64_t, std::int64_t> type) {
  const LinId by = t.as_lin(t.kid(id, 1));
  if (by == LinId::Zero || !t.is_num(by) || t[by].c0 <= -kFarEnd || t[by].c0 >= kFarEnd) return type;
  const std::int64_t most = std::abs(t[by].c0) - 1;
  return {std::max(type.first, t.int_range(t.kid(id, 0)).first < 0 ? -most : 0), std::min(type.second, most)};
}

/// a + b*case(g, x, y) of numbers as a case, where one of its branches is 0: 1 - case(g, 1, 0).
inline std::optional<TermId> complement(Terms& t, const std::vector<Summand>& sum) {
  for (std::size_t k = 0; sum.size() == 2 && k < 2; ++k) {
    const std::vector<Factor> none = t.factors(sum[k].mono), one = t.factors(sum[1 - k].mono);
    if (!none.empty() || one.size() != 1 || one[0].exp != RatId::One || t[one[0].term].kind != Kind::Case) continue;
    const TermId x = t.kid(one[0].term, 1), y = t.kid(one[0].term, 2);
    if (!t.is_lit(x) || !t.is_lit(y)) continue;
    const TermId yes = t.add(t.lit(sum[k].coef), t.scale(sum[1 - k].coef, x)), no = t.add(t.lit(sum[k].coef), t.scale(sum[1 - k].coef, y));
    if (yes != TermId::Zero && no != TermId::Zero) continue;
    t.count(LemmaId::ChoiceOfFunction);
    return t.choose(t.kid(one[0].term, 0), yes, no);
  }
  return std::nullopt;
}

/// Of a form with c*(X div m) - c*d*(X div d*m), of which `high` is the second, that is c*((X div m) mod d): the range, by that of the rest.
template <class Widen>
bool widened_by_digit(Terms& t, LinId form, const LinTerm& high, const Widen& widen, std::int64_t& low_end, std::int64_t& high_end) {
  const AtomNode a = t[high.atom];
  for (const LinTerm& s : t.term_list(form)) {
    const AtomNode b = t[s.atom];
    if (b.kind != AtomKind::Div || b.arg != a.arg || b.m >= a.m || a.m % b.m != 0 || high.coef != -saturate_mul(s.coef, a.m / b.m)) continue;
    const LinId rest = t.axpy(-high.coef, t.atom_form(high.atom), t.axpy(-s.coef, t.atom_form(s.atom), form));
    low_end = t[rest].lo;
    high_end = t[rest].hi;
    widen(s.coef, 0, a.m / b.m - 1, low_end, high_end);
    return true;
  }
  return false;
}

}  // namespace gg::prover
