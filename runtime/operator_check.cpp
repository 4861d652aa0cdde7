#include "runtime/operator_check.h"

#include <algorithm>
#include <cstdio>

#include "runtime/pair_runner.h"

namespace gg {

std::optional<OperatorFinding> furthest_operator(PairRunner& runner, const InputSet& inputs, const RunOptions& options) {
  std::optional<OperatorFinding> found;
  const auto look = [&](const Module& module) {
    RunOptions own = options;
    own.operator_probe = [&](const Instance& here, double share) {
      if (found || share <= 1) return;
      char number[40];
      std::snprintf(number, sizeof number, "%.3g", share);
      found = OperatorFinding{to_string(module, here) + " (" + std::string(info(module[here.instruction].op).name) + "): " + number +
                                  " times what its own rounding explains", share};
    };
    return own;
  };
  runner.use(nullptr);
  runner.run_sequential(inputs, look(*runner.pair().sequential));
  if (!found) runner.run_distributed(inputs, look(*runner.pair().distributed));
  return found;
}

}  // namespace gg
