// Running the parts of a plan. Internal to kernels/plan.
#pragma once

#include "kernels/plan/executor.h"

namespace gg::plan {

/// Computes one box of the output `out`.
void run_piece(const Piece& piece, const RunContext& context, Storage storage, unsigned char* out);

/// Computes the buffer of one scatter.
Buffer run_scatter(const Scatter& scatter, const RunContext& context);

}  // namespace gg::plan
