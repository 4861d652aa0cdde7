// Decisions whose distributed program runs as real processes: --backend mpi, tcp or nccl.
#pragma once

#include "harness/decide/decide.h"

namespace gg {

/// `check` and `run` with --backend mpi, tcp or nccl, started by mpirun, srun or torchrun, or starting its own processes (--ranks).
/// Gives the exit code.
int decide_with_processes(const Options& options, Parts parts);

/// Was this process started by --ranks of another one?
bool started_as_rank();

}  // namespace gg
