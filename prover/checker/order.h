// Rows in descending order (docs/certificate.md, section 4, R).
#pragma once

#include <optional>
#include <vector>

#include "prover/checker/index.h"
#include "prover/checker/terms.h"

namespace gg::checker {

/// What is asked of the element that comes to a place of the order, in which equal ones stand by their place in the row: its place in the row,
/// and, of a row that is put together of parts (two binders), its place in the order of its part alone.
enum class Sorted : std::uint8_t { Place,
                                   OwnPlace };

/// The row function of a row of numbers; `nan_first`: NaN stands before all numbers, else after them.
std::uint32_t order_function(Terms& t, bool nan_first);
/// A simpler term for what is asked of the row of `kid` over `vars` (Space::Temp) at the place `at`.
std::optional<Value> ordered(Terms& t, std::uint32_t order, Sorted what, const std::vector<Var>& vars, Value kid, Index at);
/// Each place of a row is taken once: of P(v) = L, L in the row, one of `vars` and what it is, v = P(L; -P(.)).
std::optional<std::pair<Var, Index>> taken_at(Terms& t, Index zero, const std::vector<Var>& vars);
/// The range of what is asked.
Range range_of_place(const Terms& t, const ValueNode& row);

}  // namespace gg::checker
