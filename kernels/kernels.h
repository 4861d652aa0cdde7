// Fast versions and executors beside the bodies: matrix products through Eigen, scatters in time linear in the updates,
// and operators that have no body (sort, topk, reductions whose region is no monoid). Every kernel with a body is
// tested against it, the others against written-out values. kernels.cpp has the table.
#pragma once

#include <span>

#include "kernels/plan/plan.h"
#include "models/ir/region.h"

namespace gg {

/// A kernel computes all array leaves of an instruction's lifted result. `ranks` >= 1 is the number of lifted copies.
/// Results have the storage of their leaf's type in `mode` and ranks * its elements; their old values are ignored.
using Kernel = void (*)(const Arena& arena, const Call& call, std::int64_t ranks, NumberMode mode,
                        std::span<const Operand> operands, std::span<Buffer> results, TieCounter& ties);

/// The kernel for this call in this mode, or null: then the plan of its body runs. The call has operand types and
/// regions; digits are not looked at, so collectives have no kernels.
Kernel find_kernel(const Call& call, NumberMode mode);

/// One operand of a dot: its dimensions in the order of a product of matrices, [batch..., free..., inner...] of the left one and
/// [batch..., inner..., free...] of the right one, and how many elements each part has.
struct DotSide {
  std::vector<std::int64_t> order;
  std::int64_t free = 1, inner = 1, batch = 1;
};
DotSide dot_side(const Call& call, std::size_t operand);

}  // namespace gg
