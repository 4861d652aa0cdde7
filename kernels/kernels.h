// Fast versions and executors beside the bodies: matrix products through Eigen (f64, f32), and the opaque operators that
// have no body (sort, topk, variadic reduce, custom calls of Neuron). Every row is tested against the body, or against
// written-out values where there is none.
#pragma once

#include <span>
#include <vector>

#include "kernels/plan/plan.h"
#include "models/ir/region.h"

namespace gg {

/// A kernel computes all array leaves of an instruction's lifted result. `ranks` >= 1 is the number of lifted copies.
using Kernel = void (*)(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
                        std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties);

/// The kernel for this call in this mode, or null: then the plan of its body runs.
Kernel find_kernel(const Call& call, NumberMode mode);

/// Custom calls that kernels and the printer know by target name.
bool known_custom_call(std::string_view target);

}  // namespace gg
