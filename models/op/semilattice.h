// Reductions of several values at once (argmax with its index): when their region is a join of tuples.
#pragma once

#include <optional>

#include "models/body/arena.h"
#include "models/op/op.h"

namespace gg {

/// Is the region associative, commutative and idempotent on tuples without NaN? Its results must be built from its arguments by
/// selections, and by comparisons of arguments of one place: then it commutes with increasing maps of each place, and a law in three
/// tuples holds of all values if it holds of all tuples over three of them.
bool is_semilattice(const Arena& arena, const Region& region);

/// Of two values, does it keep those with the larger (true) or smaller (false) one in the first place, and of equal ones those with the smaller
/// one in the second? Nothing of other regions.
std::optional<bool> keeps_largest(const Arena& arena, const Region& region);

}  // namespace gg
