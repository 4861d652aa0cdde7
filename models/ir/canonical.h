// What order comparisons and sorts define: of floats whose zeros and NaNs are canonical by what the program does with them, and of equal keys.
#pragma once

#include <optional>
#include <utility>

#include "models/ir/module.h"

namespace gg {

/// Is it a compare of floats by type=TOTALORDER whose operands are both `select(x != x, nan, select(x == 0, 0, x))`, the selects in either
/// order, as JAX writes comparisons of sorted values (searchsorted)? Then it is the order of numbers in which NaN is the largest.
bool orders_canonical(const Module& module, InstructionId id);

/// The floats of which a comparison of integers is the order of type=TOTALORDER, as XLA writes that out: both integers are
/// `select(b < 0, largest ^ b, b)` of the bits b of a float. Nothing for other comparisons.
std::optional<std::pair<InstructionId, InstructionId>> ordered_by_bits(const Module& module, InstructionId id);

/// Is there a sort of several operands that is not stable? What it gives beside equal keys is not defined.
bool orders_freely(const Module& module);

}  // namespace gg
