// The smallest inputs that still make the outputs differ: zeros and small whole numbers wherever they suffice.
#pragma once

#include "runtime/differential.h"
#include "runtime/pair_runner.h"

namespace gg::pinpoint {

struct SmallWitness {
  InputSet inputs;
  DrawOutcome outcome;       ///< of these inputs, over the reals
  std::int64_t nonzero = 0;  ///< input elements that are not zero
  std::int64_t elements = 0;
  std::shared_ptr<const RecordedPair> recorded = nullptr;  ///< the runs on these inputs; null where they were not kept
};

/// Starts from inputs on which the pair differs (`outcome`); what comes back differs too. Stated ranges are kept; the
/// default ones are not. The number of runs is bounded by the size of the programs.
SmallWitness minimize(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const DifferentialOptions& options);

}  // namespace gg::pinpoint
