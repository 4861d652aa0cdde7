// What is sorted by its group, beside the counts of groups (docs/certificate.md, section 4, R).
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "prover/checker/choice.h"
#include "prover/checker/terms.h"

namespace gg::checker {

/// a >= 0 of a form w - C or C - 1 - w: w the place that element L of a row of integers has when the row is put in descending order, C the number
/// of its elements that are a bound or more.
std::optional<Value> beside_count(Terms& t, Index a);

/// P(v) div d = L of one of `vars`: that is what comes to a place from d L on, one of d (`fresh`) that come instead.
std::optional<std::pair<std::pair<Var, Index>, Var>> part_taken(Terms& t, Index zero, const std::vector<Var>& vars, const std::function<Var(Size)>& fresh);

/// x div c where x modulo c is at most `above`: of data without the constant of x, where that is as many less.
Index quotient(Terms& t, Index x, const Size& c, const Size& above);

/// L >= 0 of one of `vars` and of data, where -L >= 0 follows too: what it is by that.
std::optional<std::pair<Var, Index>> settled(Terms& t, const std::vector<Fact>& facts, const std::vector<Var>& vars);

}  // namespace gg::checker
