// Programs that raise on some inputs (torch, of indices out of range).
#pragma once

#include "runtime/differential.h"

namespace gg {

/// Does the sequential program raise on these inputs: is an index that it computes from them none that it takes (Case::accepted)? Throws RuntimeFailure.
bool raises(Case& c, const InputSet& inputs, const Budget& budget);

/// Nothing is said of such inputs: what was decided on them is taken back.
void say_nothing(DrawOutcome& draw);

}  // namespace gg
