// Tables that permute places (docs/certificate.md, I6 and F15).
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "prover/checker/index.h"
#include "prover/checker/terms.h"

namespace gg::checker {

/// A table of a form of one variable of few values that has another value at each of them: the table of the variable itself.
std::optional<Index> table_of_variable(Terms& t, const std::vector<Size>& values, Index a);
/// Where all reads inside these values have the variable itself or looked up in a permutation in their indices: the inverse of that in which the
/// first of them has it, by what is read and the place of the index.
std::optional<std::vector<Size>> permutation_back(const Terms& t, const std::set<Value>& values, Var v);
/// Is a row over `v` one of integers that hang on it alone, no two the same?
bool distinct_numbers(Terms& t, Var v, Value element);
/// Of a row of such integers, some perhaps the same, over `v`, the numbers of the places in descending order, equal ones as they stand.
std::optional<std::vector<Size>> order_of_numbers(Terms& t, Var v, Value element);

}  // namespace gg::checker
