// Folds of one operation that differ by constants in the indices of reads (certificate.md, F7): sums over the microbatches of a
// batch, one after the other, are one sum.
#include <cstdlib>

#include "prover/term/join.h"
#include "prover/term/piecewise_steps.h"

namespace gg::prover {
namespace {

/// The first is positive and one of them is 1 or -1, so that slices of a longer extent join in its order.
bool neighbours(const Terms& t, const Steps& steps) {
  bool any = false, unit = false;
  for (const auto& [anchor, all] : steps) {
    for (const std::int64_t step : all) {
      if ((!any && step < 0) || (step != 0 && t.anchor(anchor).kind == AnchorKind::Array)) return false;
      any = any || step != 0;
      unit = unit || std::abs(step) == 1;
    }
  }
  return unit;
}

}  // namespace

/// fold f and fold g as the fold over c < 2 of h(c), where h(0) is f and h(1) is g.
std::optional<TermId> Joiner::slices(TermId a, TermId b) {
  const auto steps = t_[a].reads == t_[b].reads ? steps_between(constants_in(t_, a), constants_in(t_, b)) : std::nullopt;
  if (!steps || !neighbours(t_, *steps)) return std::nullopt;
  const Fresh c = t_.fresh(2);
  const TermId both = moved(t_, a, *steps, c[0]);
  if (at_value(t_, both, c[0], 0) != a || at_value(t_, both, c[0], 1) != b) return std::nullopt;
  return t_.count(LemmaId::JoinSlices), t_.fold(static_cast<ScalarFn>(t_[a].op), c, TermId::True, both);
}

}  // namespace gg::prover
