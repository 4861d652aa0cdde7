// Who this process is in its job, read from the variables that launchers set: torchrun (RANK, WORLD_SIZE, LOCAL_RANK,
// MASTER_ADDR, MASTER_PORT), mpirun (OMPI_COMM_WORLD_*), srun (SLURM_*).
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace gg::job {

struct Place {
  int rank = 0, size = 1;
  int local_rank = 0;    ///< among the ranks of this host: chooses the GPU
  std::string address;   ///< of rank 0
  int port = 0;          ///< where rank 0 listens
  std::string launcher;  ///< torchrun, mpirun, srun: for messages
  std::string token;     ///< GG_JOB_TOKEN: proves that a connection is of this job
  std::string listen;    ///< address to listen on; "": the loopback
};

/// Value of an environment variable; null if it is not set.
using Environment = std::function<const char*(const char*)>;

/// Nothing where no launcher's variables are set. Throws InputError(Usage) where they are incomplete or no numbers.
std::optional<Place> find_place(const Environment& environment);
/// Characters that a token has at least: 128 bits in hexadecimal digits.
inline constexpr std::size_t kLeastToken = 32;

/// The same of this process.
std::optional<Place> find_place();

/// `node03` of SLURM's `node[03-07,09],other`.
std::string first_host(const std::string& list);

/// Runs `ranks` copies of the program on this host with torchrun's variables and waits for them. A rank that fails ends the
/// others after `grace_seconds`. The exit code is rank 0's, or that of the first rank that failed.
int run_ranks(int ranks, char* const* arguments, double grace_seconds);

}  // namespace gg::job
