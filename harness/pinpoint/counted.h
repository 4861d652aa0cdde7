// Inputs that programs count with: masks, lengths, weights of samples.
#pragma once

#include <vector>

#include "models/pair/case.h"

namespace gg::pinpoint {

/// Free inputs that the sequential program counts with: sums of nothing but such an input (not negative, by a given or
/// inferred range) or of its comparison with a constant.
std::vector<std::size_t> counted_inputs(const Case& c);

}  // namespace gg::pinpoint
