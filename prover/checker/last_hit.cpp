#include "prover/checker/last_hit.h"

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/memo.h"
#include "prover/checker/number.h"
#include "prover/checker/visit.h"

namespace gg::checker {

std::optional<Value> last_hit(Terms& t, Index a, Size lo, Size hi) {
  const std::vector<Part> parts = t[a].parts;
  for (const Part& s : parts) {
    if (!same(s.coef, 1) || t[s.atom].kind != AtomKind::Data) continue;
    const ValueNode largest = t[t[s.atom].value];
    if (largest.kind != ValueKind::Fold || largest.fn != ScalarFn::Max || largest.type != ElementType::Token || t[largest.path].literals.empty()) continue;
    const Range place = integer_range(t, largest.kids[0]);
    const Index beside = axpy(t, -1, atom_form(t, s.atom), a);
    if (!near(place.lo) || !near(place.hi) || !near(t[beside].lo) || !near(t[beside].hi)) continue;
    if (t[beside].lo + place.lo < lo || t[beside].hi + place.hi > hi || (beside == constant(t, 0) && same(lo, place.lo))) continue;
    const Opened open(t, largest);
    const Value some = fold(t, ScalarFn::Or, ElementType::Token, open.vars, boolean(t, true), open.guard);
    return choose(t, some, from_index(t, add(t, beside, clamp(t, atom_form(t, s.atom), place.lo, place.hi))), from_index(t, constant(t, lo)));
  }
  return std::nullopt;
}

}  // namespace gg::checker
