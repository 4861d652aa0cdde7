// Comparisons that ask whether a maximum is attained, as gradients of maxima do.
#pragma once

#include <array>
#include <optional>

#include "models/ir/module.h"

namespace gg {

/// What may be asked in place of a comparison: its first operand is one of the comparison's, the second one of the maximum's.
struct BoundTest {
  std::array<InstructionId, 2> operands;
  Attributes attributes;
};

/// Of floats `x == maximum(x, c)` is `x >= c`, and `x == minimum(x, c)` is `x <= c`, NaN included: there a number stands once, so that a run that knows numbers as balls, or with a bound of
/// their error, decides it wherever it knows which of the two is larger. Nothing for other instructions.
std::optional<BoundTest> asks_for_bound(const Module& module, InstructionId id);

}  // namespace gg
