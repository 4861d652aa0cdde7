// Messages by MPI, where the program was built with it.
#pragma once

#include <memory>

#include "runtime/transport/messages.h"

namespace gg {

/// Was this program built with MPI?
bool mpi_available();
/// Was this process started by an MPI launcher (mpirun, or srun with PMI)? False in a build without MPI.
bool started_by_mpi();
/// Initialises MPI, and finalises it at the end: at most one a process. Throws InputError(NotYet) in a build without MPI.
std::unique_ptr<job::Messages> mpi_messages(double deadline_seconds);

}  // namespace gg
