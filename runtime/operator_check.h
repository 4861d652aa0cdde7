// Which operator is wrong on a device: every result against the operator's body on the operands that it had there, in units of
// the bound of that one operator.
#pragma once

#include <optional>
#include <string>

#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

class PairRunner;

/// One operator's result beyond its own rounding.
struct OperatorFinding {
  std::string text;      ///< `main/%dot.5 (dot): 1200 times its bound`
  double share = 0;      ///< largest error as a share of the operator's bound
};

/// Runs both programs again in this process; the first operator beyond its bound. Nothing where all are within.
std::optional<OperatorFinding> furthest_operator(PairRunner& runner, const InputSet& inputs, const RunOptions& options);

}  // namespace gg
