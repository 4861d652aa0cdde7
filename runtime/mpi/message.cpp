#include "runtime/mpi/message.h"

#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace gg::mpi {
namespace {

constexpr int kHeaderTag = 11, kPayloadTag = 12, kControlTag = 13;
constexpr std::size_t kLargestPiece = std::size_t{1} << 30;  ///< MPI counts are ints

using Clock = std::chrono::steady_clock;

void nap(long nanoseconds) {
  const timespec duration{0, nanoseconds};
  nanosleep(&duration, nullptr);
}

/// Requests that are cancelled and freed when a wait fails.
class Requests {
 public:
  MPI_Request* add(std::int64_t peer) {
    peers_.push_back(peer);
    requests_.push_back(MPI_REQUEST_NULL);
    return &requests_.back();
  }
  void reserve(std::size_t count) {
    requests_.reserve(count);
    peers_.reserve(count);
  }

  /// Waits for all. Throws PeerFailure naming those that did not come.
  void wait(double seconds, const std::string& what) {
    const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
    for (int round = 0;; ++round) {
      int done = 0;
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE);
      if (done != 0) return;
      if (round > 200) nap(200'000);
      if (Clock::now() < deadline) continue;
      throw PeerFailure{what + ": " + missing() + " did not arrive within " +
                        std::to_string(static_cast<long>(seconds)) + " s"};
    }
  }

 private:
  std::string missing() {
    std::vector<std::int64_t> late;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      int done = 1;
      if (requests_[k] != MPI_REQUEST_NULL) MPI_Test(&requests_[k], &done, MPI_STATUS_IGNORE);
      if (done == 0) late.push_back(peers_[k]);
    }
    std::sort(late.begin(), late.end());
    late.erase(std::unique(late.begin(), late.end()), late.end());
    std::string text = late.size() == 1 ? "rank " : "ranks ";
    for (std::size_t k = 0; k < late.size(); ++k) text += (k == 0 ? "" : ", ") + std::to_string(late[k]);
    return text;
  }

  std::vector<MPI_Request> requests_;
  std::vector<std::int64_t> peers_;
};

std::size_t pieces(std::size_t bytes) { return (bytes + kLargestPiece - 1) / kLargestPiece; }

template <class Bytes, class Post>
void post_pieces(Bytes data, std::size_t bytes, Post post) {
  for (std::size_t at = 0; at < bytes; at += kLargestPiece) {
    post(data + at, static_cast<int>(std::min(kLargestPiece, bytes - at)));
  }
}

std::string elsewhere(std::int64_t peer, const Header& theirs, const Header& mine) {
  return std::string(mine.place) + " (collective " + std::to_string(mine.sequence) + "): rank " + std::to_string(peer) +
         " is at " + theirs.place + " (collective " + std::to_string(theirs.sequence) + ", " +
         std::to_string(theirs.bytes) + " bytes against " + std::to_string(mine.bytes) +
         "): another order of collectives, or another program";
}

}  // namespace

std::vector<std::vector<std::byte>> Messages::exchange(std::span<const std::int64_t> to,
                                                       std::span<const std::int64_t> from,
                                                       std::span<const std::byte> mine, Header header) {
  header.bytes = mine.size();
  std::vector<Header> headers(from.size());
  Requests first;
  first.reserve(to.size() + from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    MPI_Irecv(&headers[k], static_cast<int>(sizeof(Header)), MPI_BYTE, static_cast<int>(from[k]), kHeaderTag,
              MPI_COMM_WORLD, first.add(from[k]));
  }
  for (const std::int64_t peer : to) {
    MPI_Isend(&header, static_cast<int>(sizeof(Header)), MPI_BYTE, static_cast<int>(peer), kHeaderTag, MPI_COMM_WORLD,
              first.add(peer));
  }
  first.wait(deadline_, header.place);
  for (std::size_t k = 0; k < from.size(); ++k) {
    const bool same = headers[k].check == header.check && headers[k].bytes == header.bytes &&
                      std::strncmp(headers[k].place, header.place, sizeof(header.place)) == 0;
    if (!same) throw PeerFailure{elsewhere(from[k], headers[k], header)};
  }
  std::vector<std::vector<std::byte>> received(from.size());
  Requests second;
  second.reserve((to.size() + from.size()) * std::max<std::size_t>(1, pieces(mine.size())));
  for (std::size_t k = 0; k < from.size(); ++k) {
    received[k].resize(mine.size());
    post_pieces(received[k].data(), mine.size(), [&](std::byte* data, int bytes) {
      MPI_Irecv(data, bytes, MPI_BYTE, static_cast<int>(from[k]), kPayloadTag, MPI_COMM_WORLD, second.add(from[k]));
    });
  }
  for (const std::int64_t peer : to) {
    post_pieces(mine.data(), mine.size(), [&](const std::byte* data, int bytes) {
      MPI_Isend(data, bytes, MPI_BYTE, static_cast<int>(peer), kPayloadTag, MPI_COMM_WORLD, second.add(peer));
    });
  }
  second.wait(deadline_, header.place);
  return received;
}

void Messages::send(int to, std::span<const std::byte> bytes) {
  const std::uint64_t size = bytes.size();
  Requests requests;
  requests.reserve(1 + pieces(bytes.size()));
  MPI_Isend(&size, sizeof(size), MPI_BYTE, to, kControlTag, MPI_COMM_WORLD, requests.add(to));
  post_pieces(bytes.data(), bytes.size(), [&](const std::byte* data, int count) {
    MPI_Isend(data, count, MPI_BYTE, to, kControlTag, MPI_COMM_WORLD, requests.add(to));
  });
  requests.wait(deadline_, "between runs");
}

std::vector<std::byte> Messages::receive(int from, bool wait_for_ever) {
  for (int there = 0; wait_for_ever && there == 0; nap(1'000'000)) {
    MPI_Iprobe(from, kControlTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  }
  std::uint64_t size = 0;
  Requests first;
  first.reserve(1);
  MPI_Irecv(&size, sizeof(size), MPI_BYTE, from, kControlTag, MPI_COMM_WORLD, first.add(from));
  first.wait(deadline_, "outputs");
  std::vector<std::byte> bytes(size);
  Requests second;
  second.reserve(pieces(size));
  post_pieces(bytes.data(), bytes.size(), [&](std::byte* data, int count) {
    MPI_Irecv(data, count, MPI_BYTE, from, kControlTag, MPI_COMM_WORLD, second.add(from));
  });
  second.wait(deadline_, "outputs");
  return bytes;
}

std::vector<std::byte> pack(std::span<const Buffer* const> buffers) {
  std::vector<std::byte> bytes;
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

}  // namespace gg::mpi
