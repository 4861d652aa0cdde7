// What messages of all transports share (runtime/transport/messages.h).
#include "runtime/transport/messages.h"

#include <algorithm>
#include <cstring>

#include "models/base/text.h"

namespace gg::job {

Bytes pack(std::span<const Buffer* const> buffers) {
  Bytes bytes;
  for (const Buffer* buffer : buffers) {
    const auto* data = static_cast<const std::byte*>(buffer->data());
    bytes.insert(bytes.end(), data, data + buffer->bytes());
  }
  return bytes;
}

void unpack(std::span<const std::byte> bytes, std::span<Buffer* const> buffers) {
  std::size_t needed = 0;
  for (const Buffer* buffer : buffers) needed += buffer->bytes();
  if (needed != bytes.size()) {
    throw PeerFailure{"a message of " + std::to_string(bytes.size()) + " bytes came where the program has " + std::to_string(needed)};
  }
  std::size_t at = 0;
  for (Buffer* buffer : buffers) {
    if (buffer->bytes() != 0) std::memcpy(buffer->data(), bytes.data() + at, buffer->bytes());
    at += buffer->bytes();
  }
}

Bytes Messages::receive_exactly(int from, std::size_t bytes, bool wait_for_ever) {
  Bytes received = receive(from, wait_for_ever);
  if (received.size() == bytes) return received;
  throw PeerFailure{"rank " + std::to_string(from) + " sent " + std::to_string(received.size()) + " bytes where the program has " +
                    std::to_string(bytes)};
}

void Messages::check_length(std::int64_t peer, std::uint64_t bytes) const {
  if (bytes <= most_) return;
  throw PeerFailure{"rank " + std::to_string(peer) + " announced a message of " + std::to_string(bytes) +
                    " bytes, the longest of the program has " + std::to_string(most_)};
}

void check_header(std::int64_t peer, const Header& theirs, const Header& mine) {
  if (theirs.check == mine.check && theirs.bytes == mine.bytes &&
      std::strncmp(theirs.place, mine.place, sizeof(mine.place)) == 0) {
    return;
  }
  throw PeerFailure{std::string(mine.place) + " (collective " + std::to_string(mine.sequence) + "): rank " +
                    std::to_string(peer) + " is at " + theirs.place + " (collective " + std::to_string(theirs.sequence) +
                    ", " + std::to_string(theirs.bytes) + " bytes against " + std::to_string(mine.bytes) +
                    "): another order of collectives, or another program"};
}

std::string list_of_ranks(std::vector<std::int64_t> ranks) {
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return (ranks.size() == 1 ? "rank " : "ranks ") + joined_text(ranks);
}

std::string did_not_arrive(const std::string& what, std::vector<std::int64_t> ranks, double seconds) {
  return what + ": " + list_of_ranks(std::move(ranks)) + " did not arrive within " +
         std::to_string(static_cast<long>(seconds)) + " s";
}

}  // namespace gg::job
