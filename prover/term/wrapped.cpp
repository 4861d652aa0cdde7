// Comparisons of integers that wrap in an unsigned type (certificate.md, B8).
#include "prover/term/wrapped.h"

namespace gg::prover {

std::optional<TermId> wrap_compared(Terms& t, LinId a, bool equality) {
  for (const LinTerm& s : t.term_list(a)) {
    const AtomNode atom = t[s.atom];
    if (atom.kind != AtomKind::Data || (s.coef != 1 && s.coef != -1)) continue;
    const auto value = static_cast<TermId>(atom.arg);
    const auto type = static_cast<ElementType>(t[value].type);
    if (t[value].kind != Kind::Wrap || is_signed(type) || info(type).bits > 32) continue;
    const std::int64_t all = std::int64_t{1} << info(type).bits;
    const LinId inner = t.lin(value), wrap = t.atom_form(s.atom);
    const bool turned = s.coef > 0 && !equality;  // not: at most one less
    const LinId other = t.offset(s.coef < 0 ? t.add(a, wrap) : t.sub(wrap, a), turned ? -1 : 0);
    if (t[inner].hi >= all || t[inner].lo <= t[other].hi - all) continue;
    t.count(LemmaId::WrapCompared);
    const LinId less = t.sub(other, inner);
    const TermId told = t.conj(t.ge(inner), equality ? t.eq(less) : t.ge(less));
    return turned ? t.negate(told) : told;
  }
  return std::nullopt;
}

std::int64_t multiple_of_all(Terms& t, ElementType type, std::int64_t coef) {
  if (info(type).bits > 32 || coef % (std::int64_t{1} << info(type).bits) != 0) return 0;
  t.count(LemmaId::WrapOfMultiples);
  return coef;
}

}  // namespace gg::prover
