// The error bound of a matrix product by Cauchy and Schwarz: one pass over each operand instead of further products.
#pragma once

#include "kernels/plan/plan.h"
#include "models/ir/region.h"

namespace gg {

/// For each element of the lifted result of this dot, computed in any order of its sum: a bound of
/// |computed - exact| where the operands are off by at most `error` (null = exact). With norms over the contracted
/// dimensions: c |a| |b| + |ea| |b| + (|a| + |ea|) |eb|, c = terms * unit.
Buffer dot_error(const Call& call, std::int64_t ranks, const Buffer& a, const Buffer* a_error, const Buffer& b,
                 const Buffer* b_error, std::int64_t result_count, double unit = 0x1p-52);

}  // namespace gg
