// All sizes: does the pair compute the same whatever its sizes are? The theorem speaks of the family of pairs that the text
// is one of: every dimension is a product of digits (digits.h), every digit has any number of values, except those that
// something in the text ties. docs/sizes.md says what the family is and what is assumed.
#pragma once

#include "models/pair/case.h"
#include "models/pair/sizes_theorem.h"

namespace gg {

/// Throws nothing for a well-formed case: what has no reading is a reason.
SizesTheorem prove_all_sizes(Case& c);

}  // namespace gg
