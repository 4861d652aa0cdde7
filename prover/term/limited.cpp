#include "prover/term/limited.h"

#include <cstdlib>

namespace gg::prover {

std::optional<TermId> beside_itself(Terms& t, LinId a, bool equality) {
  for (const LinTerm& s : t.term_list(a)) {
    const AtomNode clamp = t[s.atom];
    if (clamp.kind != AtomKind::Clamp || std::abs(s.coef) != 1) continue;
    const auto x = static_cast<LinId>(clamp.arg);
    const LinId less = t.add(x, t.scale(s.coef, t.axpy(-s.coef, t.atom_form(s.atom), a)));  // X less what the clamp is compared with
    if (!t.is_num(less)) continue;
    const std::int64_t d = t[less].c0;
    const auto far = [](std::int64_t end) { return end <= -kFarEnd || end >= kFarEnd; };
    const auto at_most = [&](std::int64_t end) { return far(end) ? (end > 0 ? TermId::True : TermId::False) : t.ge(t.offset(t.scale(-1, x), end + d)); };
    const auto at_least = [&](std::int64_t end) { return far(end) ? (end < 0 ? TermId::True : TermId::False) : t.ge(t.offset(x, -end - d)); };
    t.count(LemmaId::ClampBesideItself);
    if (!equality) return s.coef > 0 ? at_most(d < 0 ? clamp.lo : clamp.hi) : at_least(d > 0 ? clamp.hi : clamp.lo);
    if (d == 0) return t.conj(at_least(clamp.lo), at_most(clamp.hi));
    const std::int64_t end = d < 0 ? clamp.lo : clamp.hi;
    return far(end) ? TermId::False : t.eq(t.offset(x, -end - d));
  }
  return std::nullopt;
}

}  // namespace gg::prover
