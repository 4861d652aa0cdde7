// One draw of a differential run: what each output says on these inputs, raised in precision as far as that says more.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runtime/differential.h"
#include "runtime/pair_runner.h"

namespace gg {

bool is_compared(const Case& c, std::size_t output);
/// Does an output differ, or do ranks part for good?
bool differs(const DrawOutcome& draw);

struct DecidedDraw {
  DrawOutcome outcome;
  std::vector<std::string> fingerprints;  ///< of each output's sequential values
};

/// `left_open`: outputs that the last precision left open in an earlier draw; they are not raised again. Written too. Throws RuntimeFailure,
/// except for ranks that part, which is an outcome.
DecidedDraw decide_draw(PairRunner& runner, const InputSet& inputs, const DifferentialOptions& options, std::set<std::size_t>& left_open);

}  // namespace gg
