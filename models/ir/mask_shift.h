// What constants add to values: a mask's literal that such an addition takes away again, or that it makes the size of, is none.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "models/ir/flatten.h"

namespace gg {

/// The operator of a reduction whose computation is just this operator of its two parameters.
std::optional<Op> reducer(const Module& module, InstructionId id);

/// Bounds; none where lo > hi.
struct Shift {
  double lo = std::numeric_limits<double>::infinity(), hi = -std::numeric_limits<double>::infinity();
  bool empty() const { return lo > hi; }
};

/// Of one value: is it made of constants alone, and between what do the constants lie that were added to it? What depends on
/// inputs counts as 0, and as 1 in size where it is multiplied. Minus infinity and the masks' literals do not count.
struct ShiftFact {
  bool constant = false;
  bool uniform = false;  ///< of constants of the text alone: no positions, no rank
  Shift shift;
};

/// By node; `masks`: the constants that stand for minus infinity.
std::vector<ShiftFact> shift_facts(const Module& module, const FlatProgram& flat, const std::vector<bool>& masks);

}  // namespace gg
