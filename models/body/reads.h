// What an expression reads, data-dependent indices included.
#pragma once

#include <functional>
#include <vector>

#include "models/body/arena.h"

namespace gg {

/// Every expression at and below `root` once, those inside data-dependent indices included.
void each_expression(const Arena& arena, ExprId root, const std::function<void(ExprId)>& visit);

/// For operands 0..count-1: does `root` read it?
std::vector<bool> operands_read(const Arena& arena, ExprId root, std::size_t count);
/// For operands 0..count-1: does a data-dependent index of `root` read it?
std::vector<bool> operands_in_indices(const Arena& arena, ExprId root, std::size_t count);
/// Does an Unknown element occur in it?
bool has_unknown(const Arena& arena, ExprId root);

}  // namespace gg
