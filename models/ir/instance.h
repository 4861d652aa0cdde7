// Instruction instances: a call path and an instruction, `main/layer.3/silu/%mul.2`. A computation called several times
// has several instances of each of its instructions.
#pragma once

#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// The chain of call-like instructions from the entry computation, and the instruction itself. `iteration` counts the
/// trips of the innermost enclosing while loop (-1: in no loop). `branches`: for each conditional of the path, in order, the
/// branch (two may call one computation); empty where nobody asks (runs).
struct Instance {
  std::vector<InstructionId> path;
  InstructionId instruction = 0;
  std::int64_t iteration = -1;
  std::vector<std::uint32_t> branches{};
};

/// `main/layer.3/%mul.2` (`%mul.2#4` in iteration 4 of a loop, `main/cond.5@1/%mul.2` in branch 1 of a conditional): entry's
/// name, names of the calls, the instruction.
std::string to_string(const Module& module, const Instance& instance);

}  // namespace gg
