// The first of the largest elements of a row (docs/certificate.md, section 4, R).
#pragma once

#include <optional>
#include <vector>

#include "prover/checker/index.h"
#include "prover/checker/terms.h"

namespace gg::checker {

/// Place `leaf` of a maximum of tuples that keeps the larger value, and of equal ones that with the smaller index (a Row with `keeps` set): the
/// largest value; the index at the first element that has it.
std::optional<Value> first_of_join(Terms& t, const RowFunction& function, std::uint32_t leaf, Value join);
/// The maximum over `var` of case(a key is the largest of all, an integer that falls from each place to the next, one that is no more): the integer
/// at the first largest key.
std::optional<Value> first_of_largest(Terms& t, Var var, Value whole);
/// The place of the first largest of a row of maxima of parts, by that of the first largest of all.
std::optional<Index> part_of_largest(Terms& t, std::uint32_t order, Var var, Value kid);

/// The form as a sum of multiples of variables, if there is one that it is wherever the literal, a condition on indices, holds.
Index affine_where(Terms& t, Index form, Literal g);

}  // namespace gg::checker
