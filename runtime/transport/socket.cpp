// TCP sockets (runtime/transport/socket.h).
#include "runtime/transport/socket.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "models/base/progress.h"

namespace gg::job {
namespace {

int milliseconds_to(Clock::time_point deadline) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 100));
}

/// Until the socket is ready; false at the deadline.
bool wait_for(const Socket& socket, short events, Clock::time_point deadline) {
  while (Clock::now() < deadline && !out_of_time()) {
    pollfd entry{socket.fd(), events, 0};
    if (poll(&entry, 1, milliseconds_to(deadline)) > 0) return true;
  }
  return false;
}

void send_at_once(const Socket& socket) {
  const int on = 1;
  setsockopt(socket.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

}  // namespace

Socket::~Socket() {
  if (fd_ >= 0) close(fd_);
}

std::uint32_t resolve(const std::string& host) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0 || found == nullptr) return 0;
  const std::uint32_t address = reinterpret_cast<const sockaddr_in*>(found->ai_addr)->sin_addr.s_addr;
  freeaddrinfo(found);
  return address;
}

bool is_loopback(std::uint32_t address) { return ntohl(address) >> 24U == 127; }

Socket listen_on(std::uint32_t host, int port, int backlog) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return {};
  if (listen(socket.fd(), backlog) != 0) return {};
  return socket;
}

int port_of(const Socket& listener) {
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

Socket connect_to(std::uint32_t host, int port, Clock::time_point deadline) {
  Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = host;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    int error = 0;
    socklen_t length = sizeof(error);
    if (errno != EINPROGRESS || !wait_for(socket, POLLOUT, deadline)) return {};
    if (getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &length) != 0 || error != 0) return {};
  }
  send_at_once(socket);
  return socket;
}

Socket accept_from(const Socket& listener, Clock::time_point deadline, std::uint32_t* from) {
  if (!wait_for(listener, POLLIN, deadline)) return {};
  sockaddr_in address{};
  socklen_t length = sizeof(address);
  Socket socket(accept4(listener.fd(), reinterpret_cast<sockaddr*>(&address), &length, SOCK_CLOEXEC));
  if (from != nullptr) *from = address.sin_addr.s_addr;
  if (socket.open()) send_at_once(socket);
  return socket;
}

bool read_all(const Socket& socket, std::span<std::byte> bytes, Clock::time_point deadline) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (!wait_for(socket, POLLIN, deadline)) return false;
    const ssize_t count = recv(socket.fd(), bytes.data() + at, bytes.size() - at, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (count > 0) at += static_cast<std::size_t>(count);
  }
  return true;
}

bool write_all(const Socket& socket, std::span<const std::byte> bytes, Clock::time_point deadline) {
  for (std::size_t at = 0; at < bytes.size();) {
    if (!wait_for(socket, POLLOUT, deadline)) return false;
    const ssize_t count = send(socket.fd(), bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (count > 0) at += static_cast<std::size_t>(count);
  }
  return true;
}

void set_nonblocking(const Socket& socket) { fcntl(socket.fd(), F_SETFL, fcntl(socket.fd(), F_GETFL) | O_NONBLOCK); }

}  // namespace gg::job
