// Defects of control flow: a collective moved where not all ranks of its groups come along. Its ranks then wait for ever, for all
// inputs or for some; whether anybody uses the result does not matter.
#pragma once

#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

struct ControlEdit {
  enum class Place : std::uint8_t {
    DeadBranch,  ///< a copy of it in a branch, the result dropped
    DeadLoop,    ///< a copy of it in a loop of at most one iteration, the result dropped
    UsedBranch,  ///< itself; in the other branch its operand is the result
  } place;
  bool rare;  ///< decided by an input's first element plus the rank's number above 1000, else by the rank's number
  InstructionId instruction;
};

/// All that apply to this module, in instruction order: collectives of one operand whose groups have two ranks at least.
std::vector<ControlEdit> control_edits(const Module& module, RankLayout layout);

/// The module with one edit: a few instructions before the collective, and new computations.
Module apply(const Module& module, RankLayout layout, const ControlEdit& edit);

/// `dead-loop-rare at %all-reduce.3`
std::string to_string(const Module& module, const ControlEdit& edit);

}  // namespace gg
