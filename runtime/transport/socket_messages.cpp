// The rendezvous and the mesh of connections (runtime/transport/messages.h). Messages are frames [kind, bytes, payload];
// one loop sends what is pending and sorts what comes, so that two ranks that send to each other never block.
#include <poll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>

#include "models/base/diag.h"
#include "models/base/progress.h"
#include "runtime/transport/greeting.h"
#include "runtime/transport/messages.h"
#include "runtime/transport/socket.h"

namespace gg::job {
namespace {

/// Where a rank listens.
struct Contact {
  std::uint32_t address = 0;
  std::int32_t port = 0;
};

constexpr int kBacklog = 4096;  ///< connections that wait to be answered; the system's own limit is below it

/// The address of `--listen`; without it the loopback, on which nobody of another host can reach this one.
std::uint32_t listen_address(const Place& place) {
  const std::uint32_t root = resolve(place.address);
  if (place.listen.empty()) {
    if (place.rank == 0 && is_loopback(root)) return root;
    return resolve("127.0.0.1");
  }
  return resolve(place.listen);
}

enum class Kind : std::uint64_t { Collective = 1,
                                  Control = 2 };
struct Frame {
  std::uint64_t kind = 0, bytes = 0;
};

class SocketMessages final : public Messages {
 public:
  SocketMessages(const Place& place, double deadline_seconds)
      : rank_(place.rank), size_(place.size), deadline_(deadline_seconds), peers_(static_cast<std::size_t>(place.size)) {
    for (std::size_t rank = 0; rank < peers_.size(); ++rank) peers_[rank].rank = static_cast<std::int64_t>(rank);
    if (size_ == 1) return;
    check_place(place);
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
      if (bytes.size() < sizeof(theirs)) throw PeerFailure{"rank " + std::to_string(peer) + " sent a collective's message that is cut short"};
      std::memcpy(&theirs, bytes.data(), sizeof(theirs));
      theirs.place[sizeof(theirs.place) - 1] = 0;
      theirs.bytes = bytes.size() - sizeof(theirs);
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
  /// Throws InputError(Usage) where the ranks would not find each other, or anybody could be one.
  static void check_place(const Place& place) {
    if (place.token.size() < kLeastToken) {
      throw InputError(DiagCode::Usage, {}, "GG_JOB_TOKEN has " + std::to_string(place.token.size()) + " characters: ranks started by " + place.launcher + " need one of at least 32, the same for all and known to nobody else (openssl rand -hex 16)");
    }
    if (!place.listen.empty() && place.listen != "0.0.0.0" && resolve(place.listen) == 0) {
      throw InputError(DiagCode::Usage, {}, "--listen '" + place.listen + "' is no address");  // 0 would be all of them
    }
    if (place.listen.empty() && !is_loopback(resolve(place.address))) {
      throw InputError(DiagCode::Usage, {}, "MASTER_ADDR='" + place.address + "' is not the loopback: ranks on several hosts are allowed by --listen ADDRESS");
    }
  }

  struct Peer {
    std::int64_t rank = 0;
    Socket socket;
    bool ended = false;
    Bytes in;               ///< the beginning of a frame
    std::deque<Bytes> out;  ///< frames to be sent
    std::size_t sent = 0;   ///< of the first of them
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
      if ((limited && Clock::now() > end) || out_of_time()) throw PeerFailure{did_not_arrive(what, late, deadline_)};
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

  void fill(Peer& peer) {
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
      check_length(peer.rank, frame.bytes);
      if (frame.kind != static_cast<std::uint64_t>(Kind::Collective) && frame.kind != static_cast<std::uint64_t>(Kind::Control)) {
        throw PeerFailure{"rank " + std::to_string(peer.rank) + " sent no message of this program"};
      }
      if (peer.in.size() - at - sizeof(frame) < frame.bytes) break;
      const auto first = peer.in.begin() + static_cast<std::ptrdiff_t>(at + sizeof(frame));
      const auto last = first + static_cast<std::ptrdiff_t>(frame.bytes);
      auto& list = frame.kind == static_cast<std::uint64_t>(Kind::Collective) ? peer.collectives : peer.controls;
      list.emplace_back(first, last);
      at += sizeof(frame) + frame.bytes;
    }
    peer.in.erase(peer.in.begin(), peer.in.begin() + static_cast<std::ptrdiff_t>(at));
  }

  [[noreturn]] void not_met(std::vector<std::int64_t> late, int refused = 0) const {
    std::string text = did_not_arrive("start", std::move(late), deadline_);
    if (refused != 0) {
      text += "; " + std::to_string(refused) + (refused == 1 ? " connection that did" : " connections that did") +
              " not prove to be of this job (GG_JOB_TOKEN) was closed";
    }
    throw PeerFailure{text};
  }

  /// The next peer of this job, with a rank above the own one that has not come yet.
  Guest meet(Doorman& doorman, Clock::time_point end) {
    std::optional<Guest> guest = doorman.next(end);
    if (!guest) {
      std::vector<std::int64_t> late;
      for (int rank = rank_ + 1; rank < size_; ++rank) {
        if (!at(rank).socket.open()) late.push_back(rank);
      }
      not_met(late, doorman.refused());
    }
    const Greeting& who = guest->greeting;
    if (who.size != size_ || who.rank <= rank_ || who.rank >= size_ || at(who.rank).socket.open()) {
      throw PeerFailure{"rank " + std::to_string(who.rank) + " of " + std::to_string(who.size) + " came to a job of " + std::to_string(size_)};
    }
    return *std::move(guest);
  }

  // Rank 0: everybody says where he listens, then everybody is told of all.
  void gather(const Place& place, Clock::time_point end) {
    const Socket listener = listen_on(listen_address(place), place.port, kBacklog);
    if (!listener.open()) {
      throw PeerFailure{"port " + std::to_string(place.port) + " of " + (place.listen.empty() ? "this host" : place.listen) +
                        " cannot be listened on: it is taken (MASTER_PORT), or the address is not of this host"};
    }
    std::vector<Contact> contacts(peers_.size());
    Doorman doorman(listener, place.token, 0);
    for (int met = 1; met < size_; ++met) {
      Guest guest = meet(doorman, end);
      contacts[static_cast<std::size_t>(guest.greeting.rank)] = {guest.address, guest.greeting.port};
      at(guest.greeting.rank).socket = std::move(guest.socket);
    }
    for (int rank = 1; rank < size_; ++rank) {
      if (!write_all(at(rank).socket, std::as_bytes(std::span(contacts)), end)) not_met({rank});
    }
  }

  /// Connects to the rank until it answers as one of this job.
  Socket reach(int rank, std::uint32_t address, int port, Greeting greeting, const Secret& token, Clock::time_point end) {
    greeting.to = rank;
    for (int refused = 0; Clock::now() < end;) {
      Socket socket = connect_to(address, port, end);
      if (socket.open() && greet(socket, token, greeting, end)) return socket;
      if (socket.open()) ++refused;
      const timespec duration{0, std::min(500'000'000L, 20'000'000L << std::min(refused, 5))};
      nanosleep(&duration, nullptr);
    }
    throw PeerFailure{did_not_arrive("start", {rank}, deadline_) + " with the token of this job (GG_JOB_TOKEN)"};
  }

  // The others: to rank 0 until it listens, then to all of lower rank, then from all of higher rank.
  void join(const Place& place, Clock::time_point end) {
    const std::uint32_t root = resolve(place.address);
    if (root == 0) throw PeerFailure{"the host '" + place.address + "' (MASTER_ADDR) is not known"};
    const Socket listener = listen_on(listen_address(place), 0, kBacklog);
    if (!listener.open()) throw PeerFailure{"'" + place.listen + "' (--listen) is no address of this host"};
    const Greeting greeting{0, rank_, size_, port_of(listener), 0};
    at(0).socket = reach(0, root, place.port, greeting, place.token, end);
    std::vector<Contact> contacts(peers_.size());
    if (!read_all(at(0).socket, std::as_writable_bytes(std::span(contacts)), end)) not_met({0});
    for (int peer = 1; peer < rank_; ++peer) {
      const Contact& contact = contacts[static_cast<std::size_t>(peer)];
      at(peer).socket = reach(peer, contact.address, contact.port, greeting, place.token, end);
    }
    Doorman doorman(listener, place.token, rank_);
    for (int met = rank_ + 1; met < size_; ++met) {
      Guest guest = meet(doorman, end);
      at(guest.greeting.rank).socket = std::move(guest.socket);
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
