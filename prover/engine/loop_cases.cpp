// Steps of loops that hold case by case: halos of a ring, whose rows come from one rank or another.
#include <algorithm>

#include "prover/engine/cases.h"
#include "prover/engine/loop.h"

namespace gg::prover {

/// Does the body make of a carry what is stated of it after an iteration, as it stands or for each value of a few index variables?
bool LoopSearch::steps_to(Carry& c, TermId stated) {
  if (meets(c, stated, c.result)) return true;
  if (e_.attempt != Engine::Attempt::UnrollLost) return false;  // a guess that holds of all iterations as it stands comes first
  const auto cases = e_.meet_by_cases(c.extents, stated, c.result, kDeepLevels);
  const auto each_value = [](const std::vector<std::int64_t>& starts) { return starts.empty(); };
  if (!cases || !cases->opened.empty() || !std::ranges::all_of(cases->starts, each_value)) return false;
  c.leaf.left = std::max(cases->left, cases->right);
  c.leaf.split = cases->split;
  return true;
}

}  // namespace gg::prover
