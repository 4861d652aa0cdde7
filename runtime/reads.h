// Which operands an expression reads, data-dependent indices included.
#pragma once

#include <vector>

#include "models/body/arena.h"

namespace gg {

/// For operands 0..count-1: does `root` read it?
std::vector<bool> operands_read(const Arena& arena, ExprId root, std::size_t count);
/// For operands 0..count-1: does a data-dependent index of `root` read it?
std::vector<bool> operands_in_indices(const Arena& arena, ExprId root, std::size_t count);
/// Does an Unknown element occur in it?
bool has_unknown(const Arena& arena, ExprId root);

}  // namespace gg
