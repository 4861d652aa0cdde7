// Theorems about all sizes: the pair as one of a family (runtime/reduce), proved at sizes that no other number meets by chance, and the
// certificate checked over polynomials in the sizes (prover/checker/sized).
#pragma once

#include <string>

#include "models/pair/case.h"
#include "models/pair/sizes_theorem.h"

namespace gg {

/// Does the pair compute the same whatever its sizes are: over digits, mesh sizes included (prover/sizes), else over its free sizes, with
/// ranks and groups as they are. `file` takes the text on which a theorem over free sizes rests, where it is not null.
SizesTheorem theorem_over_sizes(Case& c, std::string* file = nullptr);
SizesTheorem prove_free_sizes(const Case& c, std::string* file = nullptr);

}  // namespace gg
