// What counts as a difference between programs that are those of one recorded run.
#pragma once

#include "runtime/differential.h"

namespace gg {

/// Is an output that differs shown to do so by more than a millionth of its largest element? Floats that Python took from values of the run are numbers of
/// its programs, each rounded for itself: what they make differ is no difference of the steps. A hang is one.
bool differs_clearly(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Budget& budget);

}  // namespace gg
