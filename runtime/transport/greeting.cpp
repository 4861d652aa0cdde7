// Greetings between the processes of a job (runtime/transport/greeting.h).
#include "runtime/transport/greeting.h"

#include <poll.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "models/base/progress.h"
#include "runtime/transport/messages.h"

namespace gg::job {
namespace {

constexpr std::uint64_t kMagic = 0x676768617273'02ULL;  ///< also the version of the frames
constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::size_t kMostStrangers = 256;  ///< at a time; then the oldest is closed

/// The connector's message.
struct Introduction {
  Greeting greeting;
  Nonce nonce{};
  Digest proof{};
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

enum class Side : std::uint8_t { Connector = 'c',
                                 Listener = 'l' };

Digest proof_of(const Secret& secret, Side side, const Nonce& listener, const Nonce& connector, const Greeting& greeting) {
  Bytes text = {static_cast<std::byte>(side)};
  for (const auto part : {bytes_of(listener), bytes_of(connector), bytes_of(greeting)}) text.insert(text.end(), part.begin(), part.end());
  return hmac_sha256(std::as_bytes(std::span(secret)), text);
}

}  // namespace

void fill_with_random(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t count = getrandom(bytes.data() + at, bytes.size() - at, 0);
    if (count < 0 && errno != EINTR) throw PeerFailure{"this system gives no random numbers"};
    if (count > 0) at += static_cast<std::size_t>(count);
  }
}

Secret make_secret() {
  constexpr const char* kDigits = "0123456789abcdef";
  Nonce bits{};
  fill_with_random(bits);
  Secret secret;
  for (const std::byte b : bits) {
    secret += kDigits[std::to_integer<unsigned>(b) >> 4U];
    secret += kDigits[std::to_integer<unsigned>(b) & 15U];
  }
  return secret;
}

bool greet(const Socket& socket, const Secret& secret, Greeting greeting, Clock::time_point deadline) {
  Nonce theirs{};
  if (!read_all(socket, theirs, deadline)) return false;
  greeting.magic = kMagic;
  Introduction mine{greeting, {}, {}};
  fill_with_random(mine.nonce);
  mine.proof = proof_of(secret, Side::Connector, theirs, mine.nonce, greeting);
  Digest answer{};
  return write_all(socket, bytes_of(mine), deadline) && read_all(socket, answer, deadline) &&
         same_digest(answer, proof_of(secret, Side::Listener, theirs, mine.nonce, greeting));
}

void Doorman::admit_new() {
  Stranger stranger;
  stranger.socket = accept_from(listener_, Clock::now() + std::chrono::milliseconds(1), &stranger.address);
  if (!stranger.socket.open()) return;
  stranger.end = Clock::now() + kPatience;
  fill_with_random(stranger.nonce);
  // An empty socket takes 16 bytes at once.
  if (!write_all(stranger.socket, stranger.nonce, Clock::now() + std::chrono::milliseconds(1))) return;
  if (strangers_.size() == kMostStrangers) {
    strangers_.pop_front();
    ++refused_;
  }
  strangers_.push_back(std::move(stranger));
}

/// Reads what has come. `done`: the connection needs no more attention.
std::optional<Guest> Doorman::hear(Stranger& stranger, bool& done) {
  Introduction theirs;
  std::array<std::byte, sizeof(theirs)> piece{};
  const ssize_t count = recv(stranger.socket.fd(), piece.data(), sizeof(theirs) - stranger.said.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  done = count <= 0;
  if (done) return std::nullopt;
  stranger.said.insert(stranger.said.end(), piece.begin(), piece.begin() + count);
  if (stranger.said.size() < sizeof(theirs)) return std::nullopt;
  done = true;
  std::memcpy(&theirs, stranger.said.data(), sizeof(theirs));
  const Digest expected = proof_of(secret_, Side::Connector, stranger.nonce, theirs.nonce, theirs.greeting);
  if (!same_digest(expected, theirs.proof) || theirs.greeting.magic != kMagic || theirs.greeting.to != rank_) return std::nullopt;
  const Digest answer = proof_of(secret_, Side::Listener, stranger.nonce, theirs.nonce, theirs.greeting);
  if (!write_all(stranger.socket, answer, Clock::now() + kPatience)) return std::nullopt;
  return Guest{std::move(stranger.socket), theirs.greeting, stranger.address};
}

std::optional<Guest> Doorman::next(Clock::time_point deadline) {
  while (Clock::now() < deadline && !out_of_time()) {
    std::vector<pollfd> entries = {{listener_.fd(), POLLIN, 0}};
    for (const Stranger& stranger : strangers_) entries.push_back({stranger.socket.fd(), POLLIN, 0});
    poll(entries.data(), entries.size(), 50);
    std::optional<Guest> guest;
    for (std::size_t k = strangers_.size(); k-- > 0 && !guest;) {
      bool done = Clock::now() > strangers_[k].end;
      if (!done && entries[k + 1].revents != 0) guest = hear(strangers_[k], done);
      if (!done) continue;
      refused_ += guest ? 0 : 1;
      strangers_.erase(strangers_.begin() + static_cast<std::ptrdiff_t>(k));
    }
    if (guest) return guest;
    if (entries[0].revents != 0) admit_new();
  }
  return std::nullopt;
}

}  // namespace gg::job
