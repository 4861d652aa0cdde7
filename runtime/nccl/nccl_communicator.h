// Collectives of one rank through NCCL, one process a GPU. Floats of f64 and f32 runs use NCCL's own all-reduce,
// all-gather, reduce-scatter, all-to-all and grouped send/receive; every other number type (reals, integers, model types
// that accumulate wider) moves bytes through NCCL and is folded by the operator's body, in group order.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include "runtime/communicator.h"

namespace gg {

/// Was this program built with CUDA and NCCL?
bool nccl_available();

/// The bytes by which the ranks of a job find each other: made by rank 0, carried to the others by the job.
using NcclId = std::array<std::byte, 128>;
NcclId make_nccl_id();

struct NcclOptions {
  double deadline_seconds = 60;  ///< on every wait; then the communicator is aborted
  bool oversubscribe = false;    ///< several ranks on one GPU (NCCL_HOSTID must differ)
  int local_rank = -1;           ///< among the ranks of this host; -1: the rank
};

/// Joins the job's communicator as `rank` on device local rank % devices. Groups get communicators by ncclCommSplit, made when
/// first used. Throws RuntimeFailure(Communication).
std::unique_ptr<Communicator> nccl_communicator(const NcclId& id, std::int64_t rank, RankLayout layout,
                                                const NcclOptions& options, Arena& arena);

}  // namespace gg
