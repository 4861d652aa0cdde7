// The process that watches another one (models/base/watch.h).
#include "models/base/watch.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace gg {
namespace {

constexpr std::string_view kTold = "told ";  ///< a phase, and the exit code
int kept = -1;                               ///< of this process

/// Seconds after which a command with this budget is ended: a tenth more, and part of a second to say so.
double end_of(double budget_seconds) { return 1.1 * budget_seconds + 0.6; }

/// Bytes that a process holds now. No streams: the process that watches stays small.
std::size_t resident_bytes(pid_t process) {
  char path[40];
  std::snprintf(path, sizeof(path), "/proc/%d/statm", process);
  unsigned long all = 0, resident = 0;
  if (FILE* file = std::fopen(path, "re")) {
    if (std::fscanf(file, "%lu %lu", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string read_kept(int file) {
  const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
  if (size <= 0) return "";
  std::string bytes(static_cast<std::size_t>(size), '\0');
  return pread(file, bytes.data(), bytes.size(), 0) == size ? bytes : "";
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.15g", value);
  return text;
}

}  // namespace

void note_told(int exit_code) { progress().phase.set(std::string(kTold) + std::to_string(exit_code)); }

void keep_bytes(std::string_view bytes) {
  if (kept < 0 || ftruncate(kept, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(kept, bytes.data(), bytes.size(), 0);
}

Ending out_of_bounds(Ending::Kind kind) {
  return {kind, 0, progress().phase.get(), progress().budget_seconds, progress().memory_mb, read_kept(kept)};
}

Watched::Watched() : shared_(make_shared_progress()), kept_(new int(memfd_create("gg-harness", MFD_CLOEXEC)), [](const int* file) {
                       close(*file);
                       delete file;
                     }) {
  const pid_t parent = getpid();
  if (shared_) pid_ = fork();
  if (pid_ != 0) return;
  static const Watched own = *this;  // stays while the process does
  use_progress(*shared_);
  kept = *kept_;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(2);
}

Ending Watched::described(Ending::Kind kind, int number) const {
  const std::string phase = shared_->phase.get();
  if (kind != Ending::Kind::Crashed && kind != Ending::Kind::Told && phase.rfind(kTold, 0) == 0) {
    return {Ending::Kind::Exited, std::atoi(phase.c_str() + kTold.size()), "", 0, 0, ""};
  }
  Ending ending{kind, number, phase, shared_->budget_seconds, shared_->memory_mb, ""};
  if (kind != Ending::Kind::Told) ending.kept = read_kept(*kept_);
  return ending;
}

std::optional<Ending> Watched::look() {
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) {
    if (WIFEXITED(status)) return Ending{Ending::Kind::Exited, WEXITSTATUS(status), "", 0, 0, ""};
    remove_temporary(*shared_);
    return described(WTERMSIG(status) == SIGKILL ? Ending::Kind::Killed : Ending::Kind::Crashed, WTERMSIG(status));
  }
  const double budget = shared_->budget_seconds, spent = std::chrono::duration<double>(Progress::Clock::now() - shared_->started).count();
  if (budget > 0 && spent >= budget) shared_->over = true;
  if (budget > 0 && spent >= end_of(budget)) return finish(Ending::Kind::Late);
  const std::size_t memory = shared_->memory_mb;
  if (memory != 0 && resident_bytes(pid_) >> 20U > memory) return finish(Ending::Kind::Memory);
  return std::nullopt;
}

Ending Watched::finish(Ending::Kind kind, int signal_number) {
  int status = 0;
  bool gone = false;
  if (signal_number != 0) kill(pid_, signal_number);
  for (int k = 0; k < 20 && signal_number != 0 && !gone; ++k) {
    const timespec pause{0, 10'000'000};
    nanosleep(&pause, nullptr);
    gone = waitpid(pid_, &status, WNOHANG) != 0;
  }
  if (!gone) {
    kill(pid_, SIGKILL);
    waitpid(pid_, &status, 0);
  }
  remove_temporary(*shared_);
  return described(kind, signal_number);
}

std::string to_sentence(const Ending& ending) {
  const std::string name = std::to_string(ending.number) + " (" + strsignal(ending.number) + ")";
  std::string text;
  switch (ending.kind) {
    case Ending::Kind::Exited: text = "it ended with exit code " + std::to_string(ending.number); break;
    case Ending::Kind::Late: text = "the budget of " + number_text(ending.budget_seconds) + " s was used up"; break;
    case Ending::Kind::Memory: text = "more than the " + std::to_string(ending.memory_mb) + " MiB of memory allowed were needed"; break;
    case Ending::Kind::Killed: text = "the process was killed from outside, as systems do that have no memory left"; break;
    case Ending::Kind::Crashed: return "its process ended with signal " + name + ", phase: " + ending.phase;
    case Ending::Kind::Told: return "ended by signal " + name + ", phase: " + ending.phase + "; there is no verdict";
  }
  return text + " (phase: " + ending.phase + ")";
}

}  // namespace gg
