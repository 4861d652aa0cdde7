// Internal to prover/term: one number before another, by their digits (certificate.md, B7).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// H > 0 or (H = 0 and R >= 0), `all`: H >= 0 and (H not 0 or R >= 0), as g*H + R >= 0 with the least g by which H decides wherever it is not 0.
std::optional<TermId> lexicographic(Terms& t, const std::vector<TermId>& list, bool all);

}  // namespace gg::prover
