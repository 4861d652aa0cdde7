// What is sorted by its group, beside the counts of groups (docs/certificate.md, section 4, R).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// a >= 0 of a form w - C or C - 1 - w: w the place that element L of a row of integers has when the row is put in descending order, C the number
/// of its elements that are a bound or more.
std::optional<Value> beside_count(Terms& t, Index a);

}  // namespace gg::checker
