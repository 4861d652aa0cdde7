// A first look at repairs of a pair whose runs cost much: an edit near a source of bad values is judged where it stands. The
// edited instructions alone are evaluated on the values that the run left in their computation; an edit after which the
// source, or what is computed from it nearby, is a value of the sequential program is worth a run of the whole.
#pragma once

#include <vector>

#include "harness/pinpoint/repair.h"
#include "harness/pinpoint/trial.h"

namespace gg::pinpoint {

/// For each repair of the context's module: does it look right? `inputs` are those of the context's trace; `mode` is the arithmetic. Throws
/// RuntimeFailure (Budget, Memory).
std::vector<bool> promising(const Context& context, const std::vector<Repair>& repairs, const InputSet& inputs, Trials& trials,
                            NumberMode mode);

}  // namespace gg::pinpoint
