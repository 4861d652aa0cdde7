// Circumstances of a user's inputs under which a pair that differs may agree all the same, and inputs that satisfy them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/pair/case.h"
#include "runtime/inputs.h"

namespace gg::pinpoint {

/// Conditions of one input from the weakest to the strongest; then those of values inside.
enum class Circumstance : std::uint8_t { EqualSums,
                                         SameValues,
                                         SameBlocks,
                                         NothingMasked,
                                         BoundKept };
std::string_view to_string(Circumstance circumstance);  ///< "equal-sums", ...

/// "the sum of m is the same on all dp ranks"; of an input, so not for BoundKept.
std::string told(Circumstance circumstance, const std::string& input, const std::vector<std::string>& axes);

/// The placement of a free input that is split into even blocks, or null.
const Placement* even_blocks(const Case& c, std::size_t input);

/// The inputs altered so that the condition holds, by as little as it takes; false where it cannot (the range, or a
/// placement other than even blocks).
/// BoundKept is none of an input: false.
bool satisfy(const Case& c, std::size_t input, Circumstance circumstance, const std::vector<std::string>& axes, InputSet& inputs);

}  // namespace gg::pinpoint
