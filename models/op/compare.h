// Comparisons of two values, by the attributes of `compare`.
#pragma once

#include "models/op/op.h"

namespace gg {

/// a `direction` b as a pred. type=TOTALORDER is taken where it is an order over the numbers that bodies know:
/// integers, and floats whose zeros and NaNs are canonical (`select(x != x, nan, select(x == 0, 0, x))`, as JAX writes
/// sort comparators); then NaN is the largest value. Otherwise throws TypeError(UnsupportedForm): signs of zeros and of
/// NaNs would decide.
ExprId compare_values(Arena& arena, const Attributes& attributes, ExprId a, ExprId b);

}  // namespace gg
