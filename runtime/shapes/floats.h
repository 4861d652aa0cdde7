// The second mode for float literals: those that are made of sizes follow them, all or none.
#pragma once

#include <string>

#include "runtime/shapes/rewrite.h"

namespace gg {

/// Adds to `plan` what becomes of the float literals at the new sizes, after solve, if every one that may be made of sizes has
/// exactly one reading in context (docs/shape-reduction.md). Else returns why not and leaves the plan as it is. `ranks` of
/// the distributed program.
std::string plan_floats(const Constraints& all, std::int64_t ranks, LiteralPlan& plan);

}  // namespace gg
