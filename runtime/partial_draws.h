// Summands of a partial input whose range is given for the value that they make.
#pragma once

#include "kernels/plan/plan.h"
#include "models/relation/relation.h"

namespace gg {

/// `summands` holds free draws, the summand's number first. Changes one of each value's so that what they make (sum, maximum,
/// minimum, product, mean) is, exactly, a number of the input's range.
void combine_into_range(const FreeInput& input, std::uint64_t seed, std::uint32_t number, Buffer& summands);

}  // namespace gg
