// Theorems about all sizes: the pair as one of a family (runtime/reduce), proved at sizes that no other number meets by chance, and the
// certificate checked over polynomials in the sizes (prover/checker/sized).
#pragma once

#include "models/pair/case.h"
#include "prover/sizes/sizes.h"

namespace gg {

/// Does the pair compute the same whatever its free sizes are? Ranks and groups stay as they are.
SizesTheorem prove_free_sizes(const Case& c);

}  // namespace gg
