// Both programs of a case, ready to run on the same inputs.
#pragma once

#include <memory>

#include "models/pair/case.h"
#include "runtime/backend.h"
#include "runtime/compare.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// Runs a sequential program with manual regions over `ranks` ranks on inputs that all of them share; the outputs are
/// those of the first rank.
RunResult run_manual(Executor& executor, std::int64_t ranks, std::vector<Buffer> inputs, const RunOptions& options);

class PairRunner {
 public:
  explicit PairRunner(Case& c);
  /// Runs both programs. Throws RuntimeFailure.
  PairRun run(const InputSet& inputs, const RunOptions& options);
  RunResult run_sequential(const InputSet& inputs, const RunOptions& options);
  RunResult run_distributed(const InputSet& inputs, const RunOptions& options);
  /// After the sequential program: stopped where it executes far more instructions than that did, in a loop that does not end as it seems. Throws
  /// RuntimeFailure, then one that is `endless`.
  RunResult run_distributed_after(const RunResult& sequential, const InputSet& inputs, RunOptions options);
  /// From now on the distributed program runs there; null: in this process.
  void use(RankBackend* backend) { backend_ = backend; }
  Case& pair() { return case_; }

 private:
  Case& case_;
  std::unique_ptr<Communicator> communicator_;
  Executor sequential_, distributed_;
  std::unique_ptr<Executor> manual_;  ///< of a sequential program with manual regions: over all ranks
  RankBackend* backend_ = nullptr;
  std::int64_t patience_;  ///< instructions of the sequential program
};

}  // namespace gg
