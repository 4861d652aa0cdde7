// `--ranks N`: the ranks of a job as children of this process (runtime/transport/bootstrap.h).
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "models/base/diag.h"
#include "runtime/transport/bootstrap.h"
#include "runtime/transport/greeting.h"

namespace gg::job {
namespace {

/// A port of this host that nothing listens on, below those that the system gives to whoever connects (32768 on): a rank that connects before the
/// first one listens would else be given this very port now and then.
int free_port() {
  constexpr unsigned kFirst = 20'000, kCount = 12'000;
  for (unsigned k = 0; k < kCount; ++k) {
    const unsigned port = kFirst + (static_cast<unsigned>(getpid()) * 31 + k) % kCount;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool good = fd >= 0 && bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    if (fd >= 0) close(fd);
    if (good) return static_cast<int>(port);
  }
  throw InputError(DiagCode::Usage, {}, "no port of this host is free");
}

[[noreturn]] void become_rank(int rank, int ranks, int port, pid_t parent, const Secret& token, char* const* arguments) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // no rank outlives the launcher
  if (getppid() != parent) _exit(2);
  setenv("RANK", std::to_string(rank).c_str(), 1);
  setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
  setenv("WORLD_SIZE", std::to_string(ranks).c_str(), 1);
  setenv("LOCAL_WORLD_SIZE", std::to_string(ranks).c_str(), 1);
  setenv("MASTER_ADDR", "127.0.0.1", 1);
  setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
  setenv("GG_JOB_TOKEN", token.c_str(), 1);
  unsetenv("TORCHELASTIC_USE_AGENT_STORE");
  execv("/proc/self/exe", arguments);
  _exit(127);
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 2; }

}  // namespace

int run_ranks(int ranks, char* const* arguments, double grace_seconds) {
  const int port = free_port();
  const pid_t parent = getpid();
  const Secret token = make_secret();
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    const pid_t child = fork();
    if (child == 0) become_rank(rank, ranks, port, parent, token, arguments);
    children.push_back(child);
  }
  int first = 0, code = 0;  // of a rank that failed before rank 0 ended; of rank 0
  auto end = Clock::time_point::max();
  for (std::size_t left = children.size(); left > 0;) {
    for (std::size_t rank = 0; rank < children.size(); ++rank) {
      int status = 0;
      if (children[rank] <= 0 || waitpid(children[rank], &status, WNOHANG) != children[rank]) continue;
      children[rank] = 0;
      --left;
      if (rank == 0) code = code_of(status);
      else if (code_of(status) != 0 && first == 0) first = code_of(status);
      if (rank == 0 || code_of(status) != 0) {
        end = std::min(end, Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(grace_seconds)));
      }
    }
    if (Clock::now() > end) {
      for (const pid_t child : children) {
        if (child > 0) kill(child, SIGKILL);
      }
    }
    const timespec duration{0, 5'000'000};
    nanosleep(&duration, nullptr);
  }
  return code != 0 ? code : first;
}

}  // namespace gg::job
