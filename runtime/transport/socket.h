// Private to runtime/job: TCP sockets as owned values, with deadlines.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gg::job {

using Clock = std::chrono::steady_clock;
using Bytes = std::vector<std::byte>;

/// A file descriptor that is closed with its owner. Move-only.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket();
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int fd() const { return fd_; }
  bool open() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// An IPv4 address in network byte order; 0 where the name is not known.
std::uint32_t resolve(const std::string& host);
/// Is the address of this host alone (127.0.0.0/8)?
bool is_loopback(std::uint32_t address);
/// Listens on this address of the host; port 0: a free one. Not open where the port is taken or the address is another host's.
Socket listen_on(std::uint32_t address, int port, int backlog);
int port_of(const Socket& listener);
/// One attempt; not open where nobody listens, or answers before the deadline.
Socket connect_to(std::uint32_t address, int port, Clock::time_point deadline);
/// The next connection and the address that it comes from; not open at the deadline.
Socket accept_from(const Socket& listener, Clock::time_point deadline, std::uint32_t* address);
/// All bytes or false: the peer ended, or the deadline passed.
bool read_all(const Socket& socket, std::span<std::byte> bytes, Clock::time_point deadline);
bool write_all(const Socket& socket, std::span<const std::byte> bytes, Clock::time_point deadline);
/// What the two take from now on returns at once.
void set_nonblocking(const Socket& socket);

}  // namespace gg::job
