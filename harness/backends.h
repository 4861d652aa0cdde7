// Decisions whose distributed program runs as real processes: --backend mpi, --backend nccl.
#pragma once

#include "harness/decide.h"

namespace gg {

/// `check` and `run` with --backend mpi or nccl, started by mpirun, srun or torchrun. Gives the exit code.
int decide_with_processes(const Options& options, Parts parts);

}  // namespace gg
