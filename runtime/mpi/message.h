// Point-to-point messages of an MPI job with headers and deadlines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/numbers/buffer.h"

namespace gg::mpi {

/// What stands before every payload: where the sender is.
struct Header {
  std::uint64_t sequence = 0;  ///< collectives of this pair of ranks so far
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;     ///< hash of the instruction's operator, groups and types
  char place[104] = {};        ///< `main/%all-reduce.3`, cut
};

/// A peer failed to arrive or is elsewhere; the sentence names it.
struct PeerFailure {
  std::string message;
};

/// Messages between this process and others. Not thread safe.
class Messages {
 public:
  Messages(int own_rank, int job_size, double deadline_seconds)
      : rank_(own_rank), size_(job_size), deadline_(deadline_seconds) {}
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Sends `mine` to every rank of `to` and receives one message of every rank of `from`, whose header must agree with
  /// the own one. Throws PeerFailure.
  std::vector<std::vector<std::byte>> exchange(std::span<const std::int64_t> to, std::span<const std::int64_t> from,
                                               std::span<const std::byte> mine, Header header);

  void send(int to, std::span<const std::byte> bytes);
  std::vector<std::byte> receive(int from, bool wait_for_ever);

 private:

  int rank_, size_;
  double deadline_;
};

std::vector<std::byte> pack(std::span<const Buffer* const> buffers);
/// Copies the bytes into the buffers, which have the right sizes.
void unpack(std::span<const std::byte> bytes, std::span<Buffer* const> buffers);

}  // namespace gg::mpi
