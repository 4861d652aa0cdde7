// Looking through a term without changing it.
#pragma once

#include <set>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// All index forms inside a value (in reads, tests, divisions, folds), each once.
std::set<Index> index_forms(const Terms& t, Value v);
void collect_forms(const Terms& t, Test test, std::set<Index>& out);
/// All values inside a value, itself included, each once.
std::set<Value> values_inside(const Terms& t, Value v);
/// Is one of the variables in the set?
bool uses(const Terms& t, VarSet free, const std::vector<Var>& vars);

}  // namespace gg::checker
