// The premise of mask-is-minus-infinity (models/ir/mask_flow.h), decided for a certificate.
#include "models/ir/mask_flow.h"
#include "prover/checker/check.h"

namespace gg::checker {

// The constants that the certificate takes as minus infinity: all of them together must be those of masks.
void Check::find_masks(int s) {
  const Program& p = sides_[s];
  taken_[s].assign(p.nodes(), false);
  if (masks_.empty()) return;
  for (std::uint32_t node = 0; node < p.nodes(); ++node) {
    const auto it = masks_.find((p.distributed() ? "D " : "S ") + p.name(node));
    if (it == masks_.end()) continue;
    if (mask_literal(p.module(), p.instruction(node)) != it->second.literal) reject("'" + it->first + "' is no literal of this value");
    it->second.met = taken_[s][node] = true;
  }
  const std::vector<bool> masks = mask_constants(p.module(), p.flat(), taken_[s]);
  for (std::uint32_t node = 0; node < p.nodes(); ++node)
    if (taken_[s][node] && !masks[node]) reject("'" + p.name(node) + "' is no mask's literal");
}

}  // namespace gg::checker
