// Ranks as processes of an MPI job, started by mpirun: process 0 decides, all processes run their rank on its inputs.
// Every wait has a deadline; every message says which instruction it belongs to, so that a rank that is elsewhere is named.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/backend.h"
#include "runtime/communicator.h"

namespace gg {

/// Was this program built with MPI?
bool mpi_available();

struct MpiOptions {
  double deadline_seconds = 60;  ///< how long a rank waits for another one
  bool nccl = false;             ///< collectives through NCCL; MPI starts the job and carries inputs and outputs
  bool oversubscribe = false;    ///< with nccl: several ranks on one GPU
};

/// The job that this process belongs to. At most one a process: MPI is initialised with it and finalised behind it.
class MpiJob {
 public:
  virtual ~MpiJob() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Collectives of this rank of a program of this layout. Throws RuntimeFailure(Communication).
  virtual std::unique_ptr<Communicator> communicator(RankLayout layout, Arena& arena) = 0;
  /// On process 0: runs on all processes.
  virtual RankBackend& backend() = 0;
  /// On the others: runs the cases that process 0 asks for until it ends. `find` gives the case with these hashes, null
  /// if this process has no such case: then all stop with a message that names the rank.
  virtual void serve(const std::function<Case*(const CaseHashes&)>& find) = 0;
  /// Prints the message and ends the whole job with this exit code.
  [[noreturn]] virtual void stop(const std::string& message, int code) = 0;
};

/// Throws InputError(NotYet) where the program was built without MPI, InputError(Usage) where it was not started by
/// mpirun.
std::unique_ptr<MpiJob> join_mpi(const MpiOptions& options);

}  // namespace gg
