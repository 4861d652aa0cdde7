// Internal to prover/term: shares of a sum of positive numbers that are put together (certificate.md, P11).
#pragma once

#include <optional>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

/// A sum with x S^-1 in place of x A^-1 - x A^-1 B S^-1, S = A + B; with x in place of the sum of all x A_i A^-1, A the sum of the A_i.
std::optional<TermId> merged(Terms& t, const std::vector<Summand>& sum);

}  // namespace gg::prover
