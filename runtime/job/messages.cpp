// What messages of all transports share (runtime/job/messages.h).
#include "runtime/job/messages.h"

#include <algorithm>
#include <cstring>

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
  std::size_t at = 0;
  for (Buffer* buffer : buffers) {
    if (buffer->bytes() != 0) std::memcpy(buffer->data(), bytes.data() + at, buffer->bytes());
    at += buffer->bytes();
  }
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
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(ranks[k]);
  return text;
}

std::string did_not_arrive(const std::string& what, std::vector<std::int64_t> ranks, double seconds) {
  return what + ": " + list_of_ranks(std::move(ranks)) + " did not arrive within " +
         std::to_string(static_cast<long>(seconds)) + " s";
}

}  // namespace gg::job
