// The process that watches another one (harness/supervise/watch.h).
#include "harness/supervise/watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "harness/suite/report_archive.h"

namespace gg {
namespace {

constexpr int kInternal = 4;
int kept = -1;  ///< of this process

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

std::optional<Report> read_kept(int file) {
  const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
  if (size <= 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (pread(file, bytes.data(), bytes.size(), 0) != size) return std::nullopt;
  return unpack(bytes);  // nothing where it was being written
}

}  // namespace

void keep_so_far(const Report& report) {
  const std::string bytes = pack(report);
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
  Ending ending{kind, number, shared_->phase.get(), shared_->budget_seconds, shared_->memory_mb, std::nullopt};
  if (kind != Ending::Kind::Told) ending.kept = read_kept(*kept_);
  return ending;
}

std::optional<Ending> Watched::look() {
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) == pid_) {
    if (WIFEXITED(status)) return Ending{Ending::Kind::Exited, WEXITSTATUS(status), "", 0, 0, std::nullopt};
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

Report report_of(const Ending& ending, const std::string& command, const std::string& name) {
  Report report;
  report.command = command;
  report.case_name = name;
  report.details.push_back({"phase", ending.phase});
  report.reason = ending.kind == Ending::Kind::Late ? Reason::Budget : Reason::Memory;
  switch (ending.kind) {
    case Ending::Kind::Late:
      report.notes.push_back(fmt::format("the budget of {} s was used up (phase: {})", ending.budget_seconds, ending.phase));
      break;
    case Ending::Kind::Memory:
      report.notes.push_back(fmt::format("more than the {} MiB of memory allowed were needed (phase: {})", ending.memory_mb, ending.phase));
      break;
    case Ending::Kind::Killed:
      report.notes.push_back(fmt::format("the process was killed from outside, as systems do that have no memory left (phase: {})", ending.phase));
      break;
    default:
      report.failure = Failure{kInternal, "", fmt::format("gg-harness: error: its process ended with signal {} ({}), phase: {}", ending.number,
                                                          strsignal(ending.number), ending.phase)};
  }
  if (report.failure || !ending.kept) return report;
  Report so_far = *ending.kept;
  so_far.notes.insert(so_far.notes.end(), report.notes.begin(), report.notes.end());
  so_far.notes.emplace_back("the verdict stands; the defect was not located, and no witness is written");
  return so_far;
}

}  // namespace gg
