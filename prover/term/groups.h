// Internal to prover/term: what is sorted by its group, beside the counts of groups (certificate.md, R).
#pragma once

#include <utility>
#include <vector>

#include "prover/term/terms.h"

namespace gg::prover {

/// Is it the place of an element in the order of its row: what the places of an order are, put in ascending order?
bool own_place(const Terms& t, TermId place);
/// Is a value taken at the places of a sort of what a sort gives, or asked where a sort has a place?
bool sorted_back(const Terms& t, TermId taken);
/// Reads of integers that are places of orders or are computed, in conditions, indices and rows too, each with the levels of definitions in which nothing but such integers is read.
std::vector<std::pair<TermId, int>> numbers_in(const Terms& t, TermId id);
/// a >= 0, where a is w - C or C - 1 - w: w the place that element L of a row of integers has when the row is put in descending order, C the number of its elements that
/// are a bound or more.
std::optional<TermId> beside_count(Terms& t, LinId a);

}  // namespace gg::prover
