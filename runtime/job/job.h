// Ranks as processes of a job, started by mpirun, torchrun, srun or --ranks: process 0 decides, all processes run their rank
// on its inputs. Every wait has a deadline; every message says which instruction it belongs to, so that a rank that is
// elsewhere is named.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "runtime/backend.h"
#include "runtime/communicator.h"

namespace gg {

/// What carries the messages of a job.
enum class Transport : std::uint8_t {
  Any,  ///< MPI where mpirun started a program that has it, else sockets
  Mpi,
  Tcp,
};

struct JobOptions {
  Transport transport = Transport::Any;
  double deadline_seconds = 60;  ///< how long a rank waits for another one
  bool nccl = false;             ///< collectives through NCCL; the job carries inputs and outputs
  bool oversubscribe = false;    ///< with nccl: several ranks on one GPU
  std::string listen = "";       ///< sockets: the address to listen on; "": the loopback
  std::string device = "none";   ///< of every process: where a run on devices runs operators (make_device)
};

/// The job that this process belongs to. At most one a process: MPI is initialised with it and finalised behind it.
class Job {
 public:
  virtual ~Job() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Collectives of this rank of a program of this layout. Throws RuntimeFailure(Communication).
  virtual std::unique_ptr<Communicator> communicator(RankLayout layout, Arena& arena) = 0;
  /// Messages as long as this case's programs send them are taken in from now on.
  virtual void admit(const Case& c) = 0;
  /// On process 0: runs on all processes.
  virtual RankBackend& backend() = 0;
  /// On the others: runs the cases that process 0 asks for until it ends. `find` gives the case with these hashes, null
  /// if this process has no such case: then all stop with a message that names the rank.
  virtual void serve(const std::function<Case*(const CaseHashes&)>& find) = 0;
  /// Prints the message and ends the whole job with this exit code.
  [[noreturn]] virtual void stop(const std::string& message, int code) = 0;
};

/// Throws InputError(NotYet) where the program was built without MPI and needs it, InputError(Usage) where no launcher's
/// variables are set, RuntimeFailure(Communication) where the ranks do not meet.
std::unique_ptr<Job> join_job(const JobOptions& options);

}  // namespace gg
