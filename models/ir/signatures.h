// What an operator demands of the computations it calls: parameter and result types of loop bodies, branches, reducers,
// comparators. For verify.cpp.
#pragma once

#include <optional>
#include <string>

#include "models/ir/module.h"

namespace gg {

/// The first disagreement between an instruction and a computation it calls, as a clause, or nothing.
std::optional<std::string> check_signature(const Module& module, InstructionId id);

}  // namespace gg
