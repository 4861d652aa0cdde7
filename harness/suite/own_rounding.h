// A pass may round: constants are folded in their own types, divisions become products. What it changed is compared with
// what rounding does to the same module anyway: the difference between a run in its own types and one in f64.
#pragma once

#include "models/pair/case.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// How much of its own rounding the program of `now` (the distributed one) moved away from that of `good`: the largest
/// quotient over all outputs; up to 1 it is lost in the rounding. Infinite where an exact or not finite value changed.
/// `sequential_good`: the program to compare with is the sequential one of `now`. Throws RuntimeFailure.
double share_of_rounding(Case& now, Case& good, bool sequential_good, const InputSet& inputs, const Budget& budget);

}  // namespace gg
