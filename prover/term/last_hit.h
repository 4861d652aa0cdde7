// Internal to prover/term: the last of the places that a condition holds at, where there may be none (certificate.md, I5).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// clamp(a, lo, hi) of a = f + M, M a maximum over a box under a condition: what is the same at all points leaves M, and where there is no point
/// it is lo.
std::optional<LinId> last_hit(Terms& t, LinId a, std::int64_t lo, std::int64_t hi);

}  // namespace gg::prover
