// A build without MPI.
#include "models/base/diag.h"
#include "runtime/mpi/mpi_messages.h"

namespace gg {

bool mpi_available() { return false; }
bool started_by_mpi() { return false; }

std::unique_ptr<job::Messages> mpi_messages(double) {
  throw InputError(DiagCode::NotYet, {}, "this program was built without MPI");
}

}  // namespace gg
