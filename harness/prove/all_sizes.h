// Theorems about all sizes: the pair as one of a family (runtime/shapes), proved at sizes that no other number meets by chance, and the
// certificate checked over polynomials in the sizes (prover/checker/sized).
#pragma once

#include <string>

#include "models/pair/case.h"
#include "models/pair/sizes_theorem.h"

namespace gg {

/// Does the pair compute the same whatever its sizes are, the number of ranks along an axis among them; where that is not shown, with
/// the ranks of one axis as they are, or over its other sizes, with all ranks and what is two as they are. `file` takes the text of the theorem, where it is not null.
SizesTheorem theorem_over_sizes(const Case& c, std::string* file = nullptr);

}  // namespace gg
