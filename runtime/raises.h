// Programs that raise on some inputs (torch, of indices out of range).
#pragma once

#include "runtime/differential.h"

namespace gg {

/// Does the sequential program raise on these inputs: is an index that it computes from them none that it takes (Case::accepted)? `recorded`
/// (may be null): what it did on them, which then is not run again. Throws RuntimeFailure.
bool raises(Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded = nullptr);

/// Nothing is said of such inputs: what was decided on them is taken back.
void say_nothing(DrawOutcome& draw);

}  // namespace gg
