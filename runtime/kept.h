// What the runs of one pair share: its compiled bodies, and what a run is estimated to cost.
#pragma once

#include <optional>

#include "models/pair/case.h"
#include "runtime/plans.h"

namespace gg {

struct KeptByRuns {
  PlanStore plans;                   ///< of bodies in the case's arena
  std::optional<double> operations;  ///< estimated_operations
};

/// That of `c`; its programs and its arena do not change.
inline KeptByRuns& kept_by_runs(const Case& c) {
  if (!c.kept) c.kept = std::make_shared<KeptByRuns>();
  return *c.kept;
}

}  // namespace gg
