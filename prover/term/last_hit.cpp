#include "prover/term/last_hit.h"

namespace gg::prover {

std::optional<LinId> last_hit(Terms& t, LinId a, std::int64_t lo, std::int64_t hi) {
  for (const LinTerm& s : t.term_list(a)) {
    const auto largest = static_cast<TermId>(t[s.atom].arg);
    if (s.coef != 1 || t[s.atom].kind != AtomKind::Data || t[largest].kind != Kind::Fold || t[largest].sort != Sort::Int) continue;
    if (t.fold_parts(largest).op != ScalarFn::Max || t.fold_parts(largest).guard == TermId::True) continue;
    const Opened o = t.open(largest);
    const LinId element = t.as_lin(o.bodies[0]);
    LinId place = LinId::Zero;
    for (const LinTerm& part : t.term_list(element))
      if ((t[part.atom].free & o.set) != 0) place = t.axpy(part.coef, t.atom_form(part.atom), place);
    const LinId beside = t.add(t.axpy(-1, t.atom_form(s.atom), a), t.sub(element, place));
    const LinNode p = t[place], f = t[beside];
    constexpr std::int64_t kFar = std::int64_t{1} << 40;  // what counts places is near
    if (p.lo < -kFar || p.hi > kFar || f.lo < -kFar || f.hi > kFar || f.lo + p.lo < lo || f.hi + p.hi > hi) continue;
    if (beside == LinId::Zero && lo == p.lo) continue;
    const LinId last = t.clamp(t.as_lin(t.fold(ScalarFn::Max, o.vars, o.guard, t.integer(place))), p.lo, p.hi);
    return t.as_lin(t.choose(t.fold(ScalarFn::Or, o.vars, TermId::True, o.guard), t.integer(t.add(beside, last)), t.integer(t.num(lo))));
  }
  return std::nullopt;
}

}  // namespace gg::prover
