// One number before another, by their digits (certificate.md, B7).
#include "prover/term/lexicographic.h"

#include <algorithm>
#include <utility>

namespace gg::prover {
namespace {

/// Does a comparison of h + c with 0 hold for h in [from, to]?
std::optional<bool> told(Terms& t, TermId order, LinId h, std::int64_t from, std::int64_t to) {
  if (t[order].kind == Kind::Not) {
    const auto known = told(t, t.kid(order, 0), h, from, to);
    return known ? std::optional(!*known) : std::nullopt;
  }
  if (t[order].kind != Kind::Ge && t[order].kind != Kind::Eq) return std::nullopt;
  for (const std::int64_t sign : {1, -1}) {
    const LinId more = t.axpy(-sign, h, t.lin(order));
    if (!t.is_num(more)) continue;
    const std::int64_t least = (sign > 0 ? from : -to) + t[more].c0, most = (sign > 0 ? to : -from) + t[more].c0;
    if (t[order].kind == Kind::Ge) return least >= 0 ? std::optional(true) : most < 0 ? std::optional(false)
                                                                                      : std::nullopt;
    return least == 0 && most == 0 ? std::optional(true) : least > 0 || most < 0 ? std::optional(false)
                                                                                 : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TermId> lexicographic(Terms& t, const std::vector<TermId>& list, bool all) {
  constexpr std::int64_t kMostDigit = std::int64_t{1} << 20;
  if (list.size() != 2) return std::nullopt;
  const Kind apart = all ? Kind::Or : Kind::And;
  const TermId rest = t[list[0]].kind == apart ? list[0] : list[1], order = rest == list[0] ? list[1] : list[0];
  if (t[rest].kind != apart) return std::nullopt;
  const std::vector<std::uint32_t> two(t.kids(rest).begin(), t.kids(rest).end());
  if (two.size() != 2) return std::nullopt;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const auto low = static_cast<TermId>(two[1 - k]), same = all ? t.negate(static_cast<TermId>(two[k])) : static_cast<TermId>(two[k]);
    if (t[same].kind != Kind::Eq || t[low].kind != Kind::Ge) continue;
    const LinNode r = t[t.lin(low)];
    if (r.lo < -kMostDigit || r.hi > kMostDigit) continue;
    for (const std::int64_t sign : {1, -1}) {
      const LinId h = t.scale(sign, t.lin(same));
      const auto [least, most] = std::pair{t[h].lo, t[h].hi};
      if (least < -kMostDigit || most > kMostDigit || least > -1 || most < 1) continue;
      if (told(t, order, h, 1, most) != true || told(t, order, h, least, -1) != false || told(t, order, h, 0, 0) != all) continue;
      t.count(LemmaId::Lexicographic);
      return t.ge(t.axpy(std::max<std::int64_t>({-r.lo, r.hi + 1, 1}), h, t.lin(low)));
    }
  }
  return std::nullopt;
}

}  // namespace gg::prover
