// Messages between the processes of a job, one a rank: carried by MPI (runtime/mpi) or by sockets, with headers that say
// where the sender is and a deadline on every wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/numbers/buffer.h"
#include "runtime/transport/bootstrap.h"
#include "runtime/transport/socket.h"

namespace gg::job {

/// What stands before every payload of a collective: where the sender is.
struct Header {
  std::uint64_t sequence = 0;  ///< collectives of this process so far
  std::uint64_t bytes = 0;
  std::uint64_t check = 0;  ///< hash of the instruction's operator, groups and types
  char place[104] = {};     ///< `main/%all-reduce.3`, cut
};

/// A peer failed to arrive or is elsewhere; the sentence names it.
struct PeerFailure {
  std::string message;
};

/// Messages between this process and others. Not thread safe. All waits but that of receive(.., true) end at the deadline; a
/// message that is longer than the programs need is refused before it is taken in.
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
  /// The same where this process knows how long the message is. Throws PeerFailure where it is not.
  Bytes receive_exactly(int from, std::size_t bytes, bool wait_for_ever);
  /// From now on messages of this many bytes are taken in. (Never fewer than before: a peer may be behind.)
  void admit(std::size_t bytes) { most_ = std::max(most_, bytes); }
  /// Ends the whole job, as far as this process can.
  [[noreturn]] virtual void abort(int code) = 0;

 protected:
  /// Throws PeerFailure where a message of the peer is longer than any of the programs.
  void check_length(std::int64_t peer, std::uint64_t bytes) const;

 private:
  std::size_t most_ = std::size_t{1} << 16;  ///< commands and ids
};

Bytes pack(std::span<const Buffer* const> buffers);
/// Copies the bytes into the buffers. Throws PeerFailure where they are not as many as the buffers hold.
void unpack(std::span<const std::byte> bytes, std::span<Buffer* const> buffers);

/// Throws PeerFailure unless both headers tell of the same collective.
void check_header(std::int64_t peer, const Header& theirs, const Header& mine);

/// `rank 3` or `ranks 1, 3`
std::string list_of_ranks(std::vector<std::int64_t> ranks);
/// `main/%sum: rank 3 did not arrive within 5 s`
std::string did_not_arrive(const std::string& what, std::vector<std::int64_t> ranks, double seconds);

/// Messages over TCP for jobs without MPI: rank 0 listens, the others find each other through it, then every pair of ranks
/// has a connection of its own. Joins the job. Throws PeerFailure where the ranks do not meet within the deadline.
std::unique_ptr<Messages> socket_messages(const Place& place, double deadline_seconds);

}  // namespace gg::job
