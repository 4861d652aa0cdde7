#include "harness/backends.h"

#include <iostream>
#include <map>

#include "harness/shapes.h"
#include "runtime/mpi/mpi_backend.h"
#include "runtime/nccl/nccl_communicator.h"

namespace gg {
namespace {

bool same(const CaseHashes& a, const CaseHashes& b) {
  return a.sequential == b.sequential && a.distributed == b.distributed && a.relation == b.relation;
}

/// A process other than 0: its own case, or that case at reduced shapes if process 0 runs that.
void serve(MpiJob& job, Case& own) {
  std::unique_ptr<Case> small;
  job.serve([&](const CaseHashes& wanted) -> Case* {
    if (same(wanted, own.hashes)) return &own;
    if (!small) small = shrink(own);
    return same(wanted, small->hashes) ? small.get() : nullptr;
  });
}

int decide_with_mpi(const Options& options, Parts parts) {
  MpiOptions own_options;
  own_options.deadline_seconds = options.deadline_seconds;
  own_options.nccl = options.backend == "nccl";
  own_options.oversubscribe = options.oversubscribe;
  if (own_options.nccl && !nccl_available()) {
    throw InputError(DiagCode::NotYet, {}, "this program was built without CUDA and NCCL (cmake --preset device)");
  }
  const auto job = join_mpi(own_options);
  try {
    Case c = load_case(options);
    if (c.relation.layout.ranks() != job->size()) {
      throw InputError(DiagCode::RankCount, {c.relation.file},
                       "the program has " + std::to_string(c.relation.layout.ranks()) + " ranks, mpirun started " +
                           std::to_string(job->size()) + " processes");
    }
    if (job->rank() != 0) {
      serve(*job, c);
      return 0;
    }
    Options own = options;
    own.rank_backend = &job->backend();
    return publish(decide(c, own, parts), own);
  } catch (const InputError& error) {
    if (job->rank() != 0) job->stop(error.what(), 3);
    throw;
  }
}

}  // namespace

int decide_with_processes(const Options& options, Parts parts) {
  return decide_with_mpi(options, parts);
}

}  // namespace gg
