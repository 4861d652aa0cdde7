// Messages between the processes of a job, one a rank: carried by MPI (runtime/mpi) or by sockets, with headers that say
// where the sender is and a deadline on every wait.
#pragma once

#include <cstdint>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/numbers/buffer.h"

namespace gg::job {

/// What stands before every payload of a collective: where the sender is.
struct Header {
  std::uint64_t sequence = 0;  ///< collectives of this process so far
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;     ///< hash of the instruction's operator, groups and types
  char place[104] = {};        ///< `main/%all-reduce.3`, cut
};

/// A peer failed to arrive or is elsewhere; the sentence names it.
struct PeerFailure {
  std::string message;
};

using Bytes = std::vector<std::byte>;

/// Messages between this process and others. Not thread safe. All waits but that of receive(.., true) end at the deadline.
class Messages {
 public:
  virtual ~Messages() = default;
  virtual std::string name() const = 0;  ///< mpi, tcp
  virtual std::string host() const = 0;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Sends `mine` to every rank of `to` and receives one message of every rank of `from`, whose header must agree with
  /// the own one. Throws PeerFailure.
  virtual std::vector<Bytes> exchange(std::span<const std::int64_t> to, std::span<const std::int64_t> from,
                                      std::span<const std::byte> mine, Header header) = 0;
  virtual void send(int to, std::span<const std::byte> bytes) = 0;
  virtual Bytes receive(int from, bool wait_for_ever) = 0;
  /// Ends the whole job, as far as this process can.
  [[noreturn]] virtual void abort(int code) = 0;
};

Bytes pack(std::span<const Buffer* const> buffers);
/// Copies the bytes into the buffers, which have the right sizes.
void unpack(std::span<const std::byte> bytes, std::span<Buffer* const> buffers);

/// Throws PeerFailure unless both headers tell of the same collective.
void check_header(std::int64_t peer, const Header& theirs, const Header& mine);

/// `rank 3` or `ranks 1, 3`
std::string list_of_ranks(std::vector<std::int64_t> ranks);
/// `main/%sum: rank 3 did not arrive within 5 s`
std::string did_not_arrive(const std::string& what, std::vector<std::int64_t> ranks, double seconds);

}  // namespace gg::job
