// Replica claims: where a manual region (shard_map) ends in a value that is replicated over some ranks, the program itself
// claims that those ranks agree. A run checks it, with and without a second program (docs/design.md).
#pragma once

#include <string>
#include <vector>

#include "harness/options/options.h"
#include "models/pair/case.h"
#include "runtime/executor.h"

namespace gg {

/// A claim that a run violates.
struct ReplicaViolation {
  InstructionId border;    ///< the SPMDShardToFullShape
  InstructionId producer;  ///< what computed the value inside
  std::string text;        ///< one sentence
};

/// Runs a module with manual regions over its ranks on `inputs` (one copy, as the program sees them) and compares the
/// copies. Throws RuntimeFailure.
std::vector<ReplicaViolation> check_replicas(BodyTable& bodies, const Mesh& mesh, const std::vector<Buffer>& inputs,
                                             const RunOptions& options);

/// `check --replicas MODULE`: refuted, or unknown "agrees"; prints and returns the exit code.
int check_replicas_command(const Options& options);

}  // namespace gg
