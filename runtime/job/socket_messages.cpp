// The rendezvous and the mesh of connections (runtime/job/socket_messages.h). Messages are frames [kind, bytes, payload];
// one loop sends what is pending and sorts what comes, so that two ranks that send to each other never block.
#include "runtime/job/socket_messages.h"

#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <functional>

#include "models/base/check.h"
#include "runtime/job/socket.h"

namespace gg::job {
namespace {

constexpr std::uint64_t kMagic = 0x676768617273'01ULL;  ///< also the version of the frames

/// What a rank says of itself to rank 0, and (with the rank of the sender) to its other peers.
struct Hello {
  std::uint64_t magic = kMagic;
  std::int32_t rank = 0, size = 0, port = 0, reserved = 0;
};

/// Where a rank listens.
struct Contact {
  std::uint32_t address = 0;
  std::int32_t port = 0;
};

enum class Kind : std::uint64_t { Collective = 1, Control = 2 };
struct Frame {
  std::uint64_t kind = 0, bytes = 0;
};

template <class T>
std::span<std::byte> bytes_of(T& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

class SocketMessages final : public Messages {
 public:
  SocketMessages(const Place& place, double deadline_seconds)
      : rank_(place.rank), size_(place.size), deadline_(deadline_seconds), peers_(static_cast<std::size_t>(place.size)) {
    if (size_ == 1) return;
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(deadline_));
    if (rank_ == 0) gather(place, end);
    else join(place, end);
    for (const Peer& peer : peers_) {
      if (peer.socket.open()) set_nonblocking(peer.socket);
    }
  }

  std::string name() const override { return "tcp"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string host() const override {
    char text[256] = {};
    gethostname(text, sizeof(text) - 1);
    return text;
  }

  std::vector<Bytes> exchange(std::span<const std::int64_t> to, std::span<const std::int64_t> from,
                              std::span<const std::byte> mine, Header header) override {
    header.bytes = mine.size();
    for (const std::int64_t peer : to) {
      post(peer, Kind::Collective, std::as_bytes(std::span(&header, 1)), mine);
    }
    const auto missing = [&] {
      std::vector<std::int64_t> late;
      for (const std::int64_t peer : from) {
        if (at(peer).collectives.empty()) late.push_back(peer);
      }
      for (const std::int64_t peer : to) {
        if (!at(peer).out.empty()) late.push_back(peer);
      }
      return late;
    };
    pump(missing, header.place, true);
    std::vector<Bytes> received;
    for (const std::int64_t peer : from) {
      Bytes bytes = take(at(peer).collectives);
      Header theirs;
      GG_CHECK(bytes.size() >= sizeof(theirs), "a collective's message is cut short");
      std::memcpy(&theirs, bytes.data(), sizeof(theirs));
      theirs.place[sizeof(theirs.place) - 1] = 0;
      check_header(peer, theirs, header);
      bytes.erase(bytes.begin(), bytes.begin() + sizeof(theirs));
      received.push_back(std::move(bytes));
    }
    return received;
  }

  void send(int to, std::span<const std::byte> bytes) override {
    post(to, Kind::Control, bytes, {});
    pump([&] { return at(to).out.empty() ? std::vector<std::int64_t>() : std::vector<std::int64_t>{to}; },
         "between runs", true);
  }

  Bytes receive(int from, bool wait_for_ever) override {
    const auto missing = [&] {
      return at(from).controls.empty() ? std::vector<std::int64_t>{from} : std::vector<std::int64_t>();
    };
    pump(missing, wait_for_ever ? "between runs" : "outputs", !wait_for_ever);
    return take(at(from).controls);
  }

  // The others see the closed connections and end too.
  [[noreturn]] void abort(int code) override { _exit(code); }

 private:
  struct Peer {
    Socket socket;
    bool ended = false;
    Bytes in;                           ///< the beginning of a frame
    std::deque<Bytes> out;              ///< frames to be sent
    std::size_t sent = 0;               ///< of the first of them
    std::deque<Bytes> collectives, controls;
  };
  Peer& at(std::int64_t rank) { return peers_.at(static_cast<std::size_t>(rank)); }

  static Bytes take(std::deque<Bytes>& list) {
    Bytes first = std::move(list.front());
    list.pop_front();
    return first;
  }

  void post(std::int64_t to, Kind kind, std::span<const std::byte> head, std::span<const std::byte> body) {
    const Frame frame{static_cast<std::uint64_t>(kind), head.size() + body.size()};
    Bytes bytes(sizeof(frame));
    std::memcpy(bytes.data(), &frame, sizeof(frame));
    bytes.insert(bytes.end(), head.begin(), head.end());
    bytes.insert(bytes.end(), body.begin(), body.end());
    at(to).out.push_back(std::move(bytes));
  }

  // Sends and receives until nobody is missing.
  void pump(const std::function<std::vector<std::int64_t>()>& missing, const std::string& what, bool limited) {
    const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(deadline_));
    for (;;) {
      const std::vector<std::int64_t> late = missing();
      if (late.empty()) return;
      for (const std::int64_t peer : late) {
        if (at(peer).ended) throw PeerFailure{what + ": rank " + std::to_string(peer) + " has ended"};
      }
      if (limited && Clock::now() > end) throw PeerFailure{did_not_arrive(what, late, deadline_)};
      std::vector<pollfd> entries;
      std::vector<Peer*> open;
      for (Peer& peer : peers_) {
        if (!peer.socket.open() || peer.ended) continue;
        const int events = peer.out.empty() ? POLLIN : POLLIN | POLLOUT;
        entries.push_back({peer.socket.fd(), static_cast<short>(events), 0});
        open.push_back(&peer);
      }
      poll(entries.data(), entries.size(), 100);
      for (std::size_t k = 0; k < open.size(); ++k) {
        if ((entries[k].revents & POLLOUT) != 0) flush(*open[k]);
        if ((entries[k].revents & (POLLIN | POLLHUP | POLLERR)) != 0) fill(*open[k]);
      }
    }
  }

  static void flush(Peer& peer) {
    while (!peer.out.empty()) {
      const Bytes& first = peer.out.front();
      const ssize_t count = ::send(peer.socket.fd(), first.data() + peer.sent, first.size() - peer.sent, MSG_NOSIGNAL);
      if (count < 0) {
        peer.ended = errno != EAGAIN && errno != EINTR;
        return;
      }
      peer.sent += static_cast<std::size_t>(count);
      if (peer.sent < first.size()) return;
      peer.out.pop_front();
      peer.sent = 0;
    }
  }

  static void fill(Peer& peer) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    const std::size_t old = peer.in.size();
    peer.in.resize(old + kPiece);
    const ssize_t count = recv(peer.socket.fd(), peer.in.data() + old, kPiece, 0);
    peer.in.resize(old + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) peer.ended = true;
    std::size_t at = 0;
    Frame frame;
    while (peer.in.size() - at >= sizeof(frame)) {
      std::memcpy(&frame, peer.in.data() + at, sizeof(frame));
      if (peer.in.size() - at - sizeof(frame) < frame.bytes) break;
      const auto first = peer.in.begin() + static_cast<std::ptrdiff_t>(at + sizeof(frame));
      const auto last = first + static_cast<std::ptrdiff_t>(frame.bytes);
      auto& list = frame.kind == static_cast<std::uint64_t>(Kind::Collective) ? peer.collectives : peer.controls;
      list.emplace_back(first, last);
      at += sizeof(frame) + frame.bytes;
    }
    peer.in.erase(peer.in.begin(), peer.in.begin() + static_cast<std::ptrdiff_t>(at));
  }

  [[noreturn]] void not_met(std::vector<std::int64_t> late) const {
    throw PeerFailure{did_not_arrive("start", std::move(late), deadline_)};
  }

  // Rank 0: everybody says where he listens, then everybody is told of all.
  void gather(const Place& place, Clock::time_point end) {
    const Socket listener = listen_on(place.port, size_);
    if (!listener.open()) {
      throw PeerFailure{"port " + std::to_string(place.port) + " of this host is taken (MASTER_PORT)"};
    }
    std::vector<Contact> contacts(peers_.size());
    for (int met = 1; met < size_;) {
      std::uint32_t address = 0;
      Socket socket = accept_from(listener, end, &address);
      if (!socket.open()) {
        std::vector<std::int64_t> late;
        for (int rank = 1; rank < size_; ++rank) {
          if (!at(rank).socket.open()) late.push_back(rank);
        }
        not_met(late);
      }
      Hello hello;
      const auto soon = std::min(end, Clock::now() + std::chrono::seconds(5));
      if (!read_all(socket, bytes_of(hello), soon) || hello.magic != kMagic) continue;  // a stranger
      if (hello.size != size_ || hello.rank < 1 || hello.rank >= size_ || at(hello.rank).socket.open()) {
        throw PeerFailure{"rank " + std::to_string(hello.rank) + " of " + std::to_string(hello.size) +
                          " came to a job of " + std::to_string(size_)};
      }
      contacts[static_cast<std::size_t>(hello.rank)] = {address, hello.port};
      at(hello.rank).socket = std::move(socket);
      ++met;
    }
    for (int rank = 1; rank < size_; ++rank) {
      if (!write_all(at(rank).socket, std::as_bytes(std::span(contacts)), end)) not_met({rank});
    }
  }

  // The others: to rank 0 until it listens, then to all of lower rank, then from all of higher rank.
  void join(const Place& place, Clock::time_point end) {
    const std::uint32_t root = resolve(place.address);
    if (root == 0) throw PeerFailure{"the host '" + place.address + "' (MASTER_ADDR) is not known"};
    const Socket listener = listen_on(0, size_);
    Hello hello;
    hello.rank = rank_;
    hello.size = size_;
    hello.port = port_of(listener);
    std::vector<Contact> contacts(peers_.size());
    for (;;) {
      Socket socket = connect_to(root, place.port);
      if (socket.open()) {
        if (!write_all(socket, bytes_of(hello), end) || !read_all(socket, std::as_writable_bytes(std::span(contacts)), end)) {
          not_met({0});
        }
        at(0).socket = std::move(socket);
        break;
      }
      if (Clock::now() > end) not_met({0});
      const timespec duration{0, 20'000'000};
      nanosleep(&duration, nullptr);
    }
    for (int peer = 1; peer < rank_; ++peer) {
      const Contact& contact = contacts[static_cast<std::size_t>(peer)];
      at(peer).socket = connect_to(contact.address, contact.port);
      if (!at(peer).socket.open() || !write_all(at(peer).socket, bytes_of(hello), end)) not_met({peer});
    }
    for (int met = rank_ + 1; met < size_;) {
      Socket socket = accept_from(listener, end, nullptr);
      if (!socket.open()) not_met({met});
      Hello theirs;
      if (!read_all(socket, bytes_of(theirs), end) || theirs.magic != kMagic || theirs.rank <= rank_ || theirs.rank >= size_) continue;
      at(theirs.rank).socket = std::move(socket);
      ++met;
    }
  }

  int rank_, size_;
  double deadline_;
  std::vector<Peer> peers_;
};

}  // namespace

std::unique_ptr<Messages> socket_messages(const Place& place, double deadline_seconds) {
  return std::make_unique<SocketMessages>(place, deadline_seconds);
}

}  // namespace gg::job
