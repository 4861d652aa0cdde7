// Running the distributed program as real processes, one a rank, instead of as one lifted program in this process.
#pragma once

#include <string>

#include "models/pair/case.h"
#include "runtime/executor.h"
#include "runtime/inputs.h"

namespace gg {

/// Where the ranks of a distributed program live.
class RankBackend {
 public:
  virtual ~RankBackend() = default;
  virtual std::string name() const = 0;  ///< mpi, tcp, nccl
  /// Runs all ranks on these inputs; the outputs of all ranks, lifted. No probe. Throws RuntimeFailure;
  /// Kind::Communication when a rank did not arrive, reached another collective or runs another program.
  virtual RunResult run(Case& c, const InputSet& inputs, const RunOptions& options) = 0;
};

}  // namespace gg
