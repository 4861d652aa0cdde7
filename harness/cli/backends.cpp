#include "harness/cli/backends.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "harness/explain/shapes.h"
#include "harness/options/load.h"
#include "models/base/frame.h"
#include "runtime/job/job.h"
#include "runtime/nccl/nccl_communicator.h"
#include "runtime/transport/bootstrap.h"

namespace gg {
namespace {

bool same(const CaseHashes& a, const CaseHashes& b) {
  return a.sequential == b.sequential && a.distributed == b.distributed && a.relation == b.relation;
}

/// A process other than 0: its own case, or that case at reduced shapes if process 0 runs that.
void serve(Job& job, Case& own) {
  std::unique_ptr<Case> small;
  job.serve([&](const CaseHashes& wanted) -> Case* {
    if (same(wanted, own.hashes)) return &own;
    if (!small) small = shrink(own);
    return same(wanted, small->hashes) ? small.get() : nullptr;
  });
}

/// Throws InputError(RankCount) where the program has another number of ranks than there are processes.
void check_ranks(const Case& c, std::int64_t processes) {
  const std::int64_t ranks = c.relation.layout.ranks();
  if (ranks == processes) return;
  throw InputError(DiagCode::RankCount, {c.relation.file},
                   "the program has " + std::to_string(ranks) + " ranks, the job has " + std::to_string(processes) + " processes");
}

constexpr const char* kLaunched = "GG_HARNESS_RANK_OF_LAUNCHER";
constexpr double kGraceSeconds = 3;  ///< for the other ranks' messages when one has failed

int decide_in_job(const Options& options, Parts parts) {
  JobOptions own_options;
  if (options.backend == "mpi") own_options.transport = Transport::Mpi;
  if (options.backend == "tcp") own_options.transport = Transport::Tcp;
  own_options.deadline_seconds = std::min(options.deadline_seconds, options.budget_seconds);
  own_options.listen = options.listen;
  own_options.nccl = options.backend == "nccl";
  own_options.oversubscribe = options.oversubscribe;
  own_options.device = options.device;
  const auto job = join_job(own_options);
  try {
    Case c = load_case(options);
    check_ranks(c, job->size());
    job->admit(c);
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

bool started_as_rank() { return std::getenv(kLaunched) != nullptr; }

int decide_with_processes(const Options& options, Parts parts) {
  if (options.backend == "nccl" && !nccl_available()) {
    throw InputError(DiagCode::NotYet, {}, "this program was built without CUDA and NCCL (cmake --preset device)");
  }
  if (options.ranks > 0 && !started_as_rank()) {
    if (options.backend == "mpi") throw InputError(DiagCode::Usage, {}, "ranks with MPI are started by mpirun; --ranks goes with --backend tcp or nccl");
    check_ranks(load_case(options), options.ranks);  // before there are so many processes
    set_bounds(0, 0);                                // each of them is watched itself
    setenv(kLaunched, "1", 1);
    return job::run_ranks(options.ranks, options.arguments, kGraceSeconds);
  }
  try {
    return decide_in_job(options, parts);
  } catch (const RuntimeFailure& failure) {  // the ranks did not meet
    std::cerr << "gg-harness: error: " << failure.what() << std::endl;
    std::cout << "unknown reason=budget backend=" << options.backend << std::endl;
    return 2;
  }
}

}  // namespace gg
