// The last of the places that a condition holds at, where there may be none (docs/certificate.md, I5).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// clamp(a, lo, hi) of a = f + M, M a maximum over a box under a condition, where only that there may be no point keeps it from being a itself.
std::optional<Value> last_hit(Terms& t, Index a, Size lo, Size hi);

}  // namespace gg::checker
