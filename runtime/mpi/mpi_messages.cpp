// Messages of an MPI job, started by mpirun: point to point, tested for completion until the deadline.
#include "runtime/mpi/mpi_messages.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "models/base/diag.h"
#include "models/base/progress.h"

namespace gg {
namespace {

using job::Bytes;
using job::Header;
using job::PeerFailure;

constexpr int kHeaderTag = 11, kPayloadTag = 12, kControlTag = 13;
constexpr std::size_t kLargestPiece = std::size_t{1} << 30;  ///< MPI counts are ints

using Clock = std::chrono::steady_clock;

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
      if (round > 200) std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (Clock::now() < deadline && !out_of_time()) continue;
      throw PeerFailure{job::did_not_arrive(what, missing(), seconds)};
    }
  }

 private:
  std::vector<std::int64_t> missing() {
    std::vector<std::int64_t> late;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      int done = 1;
      if (requests_[k] != MPI_REQUEST_NULL) MPI_Test(&requests_[k], &done, MPI_STATUS_IGNORE);
      if (done == 0) late.push_back(peers_[k]);
    }
    return late;
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

class MpiMessages final : public job::Messages {
 public:
  explicit MpiMessages(double deadline_seconds) : deadline_(deadline_seconds) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiMessages() override { MPI_Finalize(); }
  MpiMessages(const MpiMessages&) = delete;
  MpiMessages& operator=(const MpiMessages&) = delete;

  std::string name() const override { return "mpi"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string host() const override {
    char text[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    MPI_Get_processor_name(text, &length);
    return {text, static_cast<std::size_t>(length)};
  }

  std::vector<Bytes> exchange(std::span<const std::int64_t> to, std::span<const std::int64_t> from,
                              std::span<const std::byte> mine, Header header) override {
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
      headers[k].place[sizeof(headers[k].place) - 1] = 0;
      job::check_header(from[k], headers[k], header);
    }
    std::vector<Bytes> received(from.size());
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

  void send(int to, std::span<const std::byte> bytes) override {
    const std::uint64_t size = bytes.size();
    Requests requests;
    requests.reserve(1 + pieces(bytes.size()));
    MPI_Isend(&size, sizeof(size), MPI_BYTE, to, kControlTag, MPI_COMM_WORLD, requests.add(to));
    post_pieces(bytes.data(), bytes.size(), [&](const std::byte* data, int count) {
      MPI_Isend(data, count, MPI_BYTE, to, kControlTag, MPI_COMM_WORLD, requests.add(to));
    });
    requests.wait(deadline_, "between runs");
  }

  Bytes receive(int from, bool wait_for_ever) override {
    for (int there = 0; wait_for_ever && there == 0; std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
      MPI_Iprobe(from, kControlTag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    }
    std::uint64_t size = 0;
    Requests first;
    first.reserve(1);
    MPI_Irecv(&size, sizeof(size), MPI_BYTE, from, kControlTag, MPI_COMM_WORLD, first.add(from));
    first.wait(deadline_, "outputs");
    check_length(from, size);
    Bytes bytes(size);
    Requests second;
    second.reserve(pieces(size));
    post_pieces(bytes.data(), bytes.size(), [&](std::byte* data, int count) {
      MPI_Irecv(data, count, MPI_BYTE, from, kControlTag, MPI_COMM_WORLD, second.add(from));
    });
    second.wait(deadline_, "outputs");
    return bytes;
  }

  [[noreturn]] void abort(int code) override {
    MPI_Abort(MPI_COMM_WORLD, code);
    _exit(code);
  }

 private:
  int rank_ = 0, size_ = 1;
  double deadline_;
};

}  // namespace

bool mpi_available() { return true; }

bool started_by_mpi() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr ||
         std::getenv("PMIX_RANK") != nullptr;
}

std::unique_ptr<job::Messages> mpi_messages(double deadline_seconds) {
  return std::make_unique<MpiMessages>(deadline_seconds);
}

}  // namespace gg
