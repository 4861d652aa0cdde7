// Which runs of a pair are made, by what they cost: full shape or reduced shapes, which number type, how many draws.
#pragma once

#include <vector>

#include "harness/options.h"

namespace gg {

/// One way to run a pair.
struct Attempt {
  bool reduced = false;
  NumberMode mode = NumberMode::Real;
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// What a run of a pair as it is takes, by estimate; no clock is asked.
struct RunCost {
  double operations = 0;       ///< of one draw (estimated_operations)
  bool fits = true;            ///< into memory, and at all into the time given
};
RunCost cost_of_run(const Case& c, const Options& options);

/// The runs to make, in order: the next one where the one before decides nothing. `proved`: only as a guard of a proof.
std::vector<Attempt> attempts(const RunCost& cost, const Options& options, bool proved);

/// Does any run use the pair's own shapes?
bool runs_at_full_shape(const Case& c, const Options& options);

}  // namespace gg
