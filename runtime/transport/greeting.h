// How two processes of a job meet: both prove that they know the job's secret before either says or believes anything.
//
//   listener   -> connector   a nonce
//   connector  -> listener    who it is, its own nonce, a code over all of it and the listener's nonce
//   listener   -> connector   a code over both nonces
//
// A code answers a nonce that was drawn for this connection, so one that was overheard is of no use on another.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <string>

#include "runtime/transport/hmac.h"
#include "runtime/transport/socket.h"

namespace gg::job {

/// GG_JOB_TOKEN; the same text in all processes of a job.
using Secret = std::string;
using Nonce = std::array<std::byte, 16>;

/// Bytes of the system's random source. Throws PeerFailure where it has none.
void fill_with_random(std::span<std::byte> bytes);
/// 128 random bits as 32 hexadecimal digits.
Secret make_secret();

/// What a rank says of itself: also where it listens.
struct Greeting {
  std::uint64_t magic = 0;
  std::int32_t rank = 0, size = 0, port = 0, to = 0;  ///< `to`: the rank that it means to talk to
};

/// Greets the rank `greeting.to` that listens behind the socket. False where it does not prove itself before the deadline.
bool greet(const Socket& socket, const Secret& secret, Greeting greeting, Clock::time_point deadline);

/// One that has proved itself.
struct Guest {
  Socket socket;
  Greeting greeting;
  std::uint32_t address = 0;
};

/// Answers connections, many at a time. One that has not proved itself within 5 seconds is closed, and so is one that says
/// anything else; neither keeps others waiting.
class Doorman {
 public:
  Doorman(const Socket& listener, const Secret& secret, int rank) : listener_(listener), secret_(secret), rank_(rank) {}
  /// The next guest; nothing at the deadline.
  std::optional<Guest> next(Clock::time_point deadline);
  /// Connections that did not prove themselves.
  int refused() const { return refused_; }

 private:
  struct Stranger {
    Socket socket;
    std::uint32_t address = 0;
    Clock::time_point end;
    Nonce nonce{};
    Bytes said;
  };
  void admit_new();
  std::optional<Guest> hear(Stranger& stranger, bool& done);

  const Socket& listener_;
  const Secret& secret_;
  int rank_;
  int refused_ = 0;
  std::deque<Stranger> strangers_;
};

}  // namespace gg::job
