// Both programs of a case, ready to run on the same inputs.
#pragma once

#include <memory>

#include "models/pair/case.h"
#include "runtime/compare.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

class PairRunner {
 public:
  explicit PairRunner(Case& c);
  /// Runs both programs. Throws RuntimeFailure.
  PairRun run(const InputSet& inputs, const RunOptions& options);
  RunResult run_sequential(const InputSet& inputs, const RunOptions& options);
  RunResult run_distributed(const InputSet& inputs, const RunOptions& options);
  Case& pair() { return case_; }

 private:
  Case& case_;
  std::unique_ptr<Communicator> communicator_;
  Executor sequential_, distributed_;
};

}  // namespace gg
