// What is sorted by its group, beside the counts of groups (docs/certificate.md, section 4, R).
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// a >= 0 of a form w - C or C - 1 - w: w the place that element L of a row of integers has when the row is put in descending order, C the number
/// of its elements that are a bound or more.
std::optional<Value> beside_count(Terms& t, Index a);

/// P(v) div d = L of one of `vars`: that is what comes to a place from d L on, one of d (`fresh`) that come instead.
std::optional<std::pair<std::pair<Var, Index>, Var>> part_taken(Terms& t, Index zero, const std::vector<Var>& vars, const std::function<Var(Size)>& fresh);

}  // namespace gg::checker
