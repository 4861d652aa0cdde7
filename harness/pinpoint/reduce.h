// A smaller pair with the same difference, or the same open question: one output, or a value on the way to it, cut at the last values on which both
// programs agree.
#pragma once

#include <optional>

#include "harness/pinpoint/cutter.h"
#include "harness/pinpoint/pinpoint.h"
#include "models/pair/verdict.h"

namespace gg::pinpoint {

struct ReduceOptions {
  Budget budget;
  std::uint64_t seed = 42;
  bool anonymous = false;  ///< names replaced, metadata left out
};

/// `inputs` make the outputs differ. `mended`: the distributed program with the edit that mends it (may be null); what its
/// values hold of the sequential program says what the values on the way should be. Nothing where no smaller pair differs (or the values are too many to be kept).
std::optional<Reduced> reduce(const Case& c, const InputSet& inputs, const Module* mended, const ReduceOptions& options);

/// The same for a pair that agrees on `inputs` and is not proved: the fewest instructions that agree in runs and stay
/// unknown for `reason`. Cuts are values that hold sequential ones. Nothing where no smaller pair is unknown.
std::optional<Reduced> reduce_unknown(const Case& c, const InputSet& inputs, Reason reason, const ReduceOptions& options);

}  // namespace gg::pinpoint
