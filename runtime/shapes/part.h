// Pairs with some instructions of the entry computations only; those keep their names.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "models/pair/case.h"

namespace gg {

/// What stays of an entry computation.
struct Kept {
  std::vector<bool> stays;  ///< by position; the root always does, without those of its operands that do not
  /// What `reader` reads in the place of `read`, which does not stay; kNone: there is nothing. May be empty if everything stays that is read.
  std::function<InstructionId(InstructionId read, InstructionId reader)> in_place_of;
};

/// Parameters and results one by one on both sides, and placements that do not name others: a pair that can be taken apart.
bool has_parts(const Case& c);

/// The pair with what stays of each program. Nothing where not the same inputs and outputs stay in both, or what stays is no pair.
std::optional<Case> part_of(const Case& c, const Kept& sequential, const Kept& distributed);

/// The pair with these of its outputs, and what they hang on.
std::optional<Case> with_outputs(const Case& c, const std::vector<std::size_t>& outputs);

/// Inputs and outputs of a module whose root is a tuple.
inline const std::vector<InstructionId>& entry_inputs(const Module& module) { return module.computation(module.entry()).parameters; }
inline std::span<const InstructionId> entry_outputs(const Module& module) { return module.operands(module.computation(module.entry()).root); }

}  // namespace gg
