// Comparisons of two values, by the attributes of `compare`.
#pragma once

#include "models/op/op.h"

namespace gg {

/// a `direction` b as a pred. type=TOTALORDER is taken where it is an order over the numbers that bodies know:
/// integers, and floats whose zeros and NaNs are canonical (`select(x != x, nan, select(x == 0, 0, x))`, as JAX writes
/// sort comparators); then NaN is the largest value. Otherwise throws TypeError(UnsupportedForm): signs of zeros and of
/// NaNs would decide.
ExprId compare_values(Arena& arena, const Attributes& attributes, ExprId a, ExprId b);
/// The same of floats that are known to be canonical, whatever they are written as.
ExprId compare_canonical(Arena& arena, const Attributes& attributes, ExprId a, ExprId b);

/// The x of select(x != x, nan, select(x == 0, 0, x)), also with the two selects exchanged.
std::optional<ExprId> canonical_operand(const Arena& arena, ExprId e);

/// The body of a total order of floats whose zeros and NaNs are known to be canonical (models/ir/canonical.h).
Body canonical_compare_body(Arena& arena, const Call& call);

}  // namespace gg
