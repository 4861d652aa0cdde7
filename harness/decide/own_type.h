// Differences that are none in the type that the programs themselves compute in.
#pragma once

#include <string>
#include <vector>

#include "runtime/differential.h"

namespace gg {

/// Programs are compared over the reals, or in f64, whatever their types. Where no compared element of a draw that differs does so by as much as half a unit in the last
/// place of its own type, a note says so: the programs as they are may print the same.
void note_below_own_type(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget, std::vector<std::string>& notes);

}  // namespace gg
