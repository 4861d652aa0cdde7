// The order of a program's loops. Internal to kernels/plan.
#pragma once

#include <cstdint>

#include "kernels/plan/program.h"

namespace gg::plan {

/// On which levels forms, guards and nodes depend, and which nodes are no more than a read.
void fill_masks(Program& program);

/// One loop in place of two neighbouring output levels, or fold variables, wherever every form takes a step of the outer one as a full
/// turn of the inner.
void merge_outputs(Piece& piece);
void merge_fold_vars(Program& program);

/// The row of a piece: long enough to pay, contiguous in the output if possible, a level that the value depends on. Needs masks.
void choose_row(Piece& piece);

/// Folds along rows where the row that they stand in is short; nodes under a fold that do not move with it are kept. Needs masks.
void order_folds(Program& program, int root, int row, std::int64_t extent);

}  // namespace gg::plan
