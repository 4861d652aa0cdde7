// Internal to prover/term: what is sorted by its group, beside the counts of groups (certificate.md, R).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// Is it the place of an element in the order of its row: what the places of an order are, put in ascending order?
bool own_place(const Terms& t, TermId place);
/// a >= 0, where a is w - C or C - 1 - w: w the place that element L of a row of integers has when the row is put in descending order, C the number of its elements that
/// are a bound or more.
std::optional<TermId> beside_count(Terms& t, LinId a);

}  // namespace gg::prover
