// A build without MPI.
#include "runtime/mpi/mpi_backend.h"

#include "models/base/diag.h"

namespace gg {

bool mpi_available() { return false; }

std::unique_ptr<MpiJob> join_mpi(const MpiOptions&) {
  throw InputError(DiagCode::NotYet, {}, "this program was built without MPI");
}

}  // namespace gg
