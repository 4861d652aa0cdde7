// The process that watches another one (harness/supervise.h).
#include "harness/supervise.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "harness/decide.h"
#include "harness/suite/report_archive.h"
#include "models/base/progress.h"
#include "runtime/job/bootstrap.h"

namespace gg {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kInternal = 4;

/// Signals that end a command, and that of a child that has ended.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

/// Kills the process and waits until it is gone. A signal that tells it to end comes first: a rank says where it waits.
void finish(pid_t child, int signal_number) {
  int status = 0;
  if (signal_number != 0) {
    kill(child, signal_number);
    for (int k = 0; k < 20 && waitpid(child, &status, WNOHANG) == 0; ++k) {
      const timespec pause{0, 10'000'000};
      nanosleep(&pause, nullptr);
    }
    if (waitpid(child, &status, WNOHANG) != 0) return;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
}

Ending watch(pid_t child, const Options& options, const sigset_t& signals) {
  const auto end = options.started + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(end_of(options.budget_seconds)));
  for (;;) {
    const timespec pause{0, 20'000'000};
    const int number = sigtimedwait(&signals, nullptr, &pause);
    int status = 0;
    if (waitpid(child, &status, WNOHANG) == child) {
      if (WIFEXITED(status)) return {Ending::Kind::Exited, WEXITSTATUS(status), ""};
      return {WTERMSIG(status) == SIGKILL ? Ending::Kind::Killed : Ending::Kind::Crashed, WTERMSIG(status), current_phase()};
    }
    Ending ending{Ending::Kind::Exited, number, current_phase()};
    if (number > 0 && number != SIGCHLD) ending.kind = Ending::Kind::Told;
    else if (!options.many && Clock::now() >= end) ending.kind = Ending::Kind::Late;
    else if (options.memory_mb != 0 && resident_bytes(child) >> 20U > options.memory_mb) ending.kind = Ending::Kind::Memory;
    if (ending.kind == Ending::Kind::Exited) continue;
    finish(child, ending.kind == Ending::Kind::Told ? number : 0);
    return ending;
  }
}

/// What was kept by a process that has ended; a file without a name.
int kept = -1;

std::optional<Report> kept_report() {
  const off_t size = kept < 0 ? 0 : lseek(kept, 0, SEEK_END);
  if (size <= 0) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (pread(kept, bytes.data(), bytes.size(), 0) != size) return std::nullopt;
  return unpack(bytes);  // nothing where it was being written
}

/// Is this the process that speaks for its job?
bool speaks(const Options& options) {
  if (options.backend == "local") return true;
  const auto place = job::find_place();
  return !place || place->rank == 0;
}

}  // namespace

void keep_so_far(const Report& report) {
  const std::string bytes = pack(report);
  if (kept < 0 || ftruncate(kept, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = pwrite(kept, bytes.data(), bytes.size(), 0);
}

double end_of(double budget_seconds) { return 1.1 * budget_seconds + 0.6; }

std::size_t resident_bytes(int process) {
  std::size_t all = 0, resident = 0;
  std::ifstream(fmt::format("/proc/{}/statm", process)) >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Report report_of(const Ending& ending, const std::string& name, const Options& options) {
  Report report;
  report.command = options.command;
  report.case_name = name;
  const std::string phase = ending.phase.empty() ? "start" : ending.phase;
  report.details.push_back({"phase", phase});
  report.reason = ending.kind == Ending::Kind::Late ? Reason::Budget : Reason::Memory;
  switch (ending.kind) {
    case Ending::Kind::Late:
      report.notes.push_back(fmt::format("the budget of {} s was used up (phase: {}); the process was ended", options.budget_seconds, phase));
      break;
    case Ending::Kind::Memory:
      report.notes.push_back(fmt::format("more than the {} MiB of memory allowed were needed (phase: {}); the process was ended", options.memory_mb, phase));
      break;
    case Ending::Kind::Killed:
      report.notes.push_back(fmt::format("the process was killed from outside, as systems do that have no memory left (phase: {})", phase));
      break;
    default:
      report.failure = Failure{kInternal, "", fmt::format("gg-harness: error: its process ended with signal {} ({}), phase: {}", ending.number,
                                                          strsignal(ending.number), phase)};
  }
  return report;
}

int supervise(const Options& options, const std::function<int(const Options&)>& run) {
  share_progress();
  kept = memfd_create("gg-harness", MFD_CLOEXEC);
  const sigset_t signals = watched_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child <= 0) {  // without another process the command runs unwatched
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    if (child == 0 && getppid() != parent) _exit(2);
    return run(options);
  }
  const Ending ending = watch(child, options, signals);
  if (ending.kind == Ending::Kind::Exited) return ending.number;
  remove_temporary();
  if (ending.kind == Ending::Kind::Told) {
    std::cerr << fmt::format("gg-harness: error: ended by signal {} ({}), phase: {}; there is no verdict\n", ending.number, strsignal(ending.number),
                             ending.phase.empty() ? "start" : ending.phase)
              << std::flush;
    sigprocmask(SIG_SETMASK, &before, nullptr);
    signal(ending.number, SIG_DFL);
    raise(ending.number);
  }
  Report report = report_of(ending, options.inputs.empty() ? "" : options.inputs[0], options);
  if (report.failure) {
    std::cerr << report.failure->text << std::endl;
    return kInternal;
  }
  if (auto so_far = kept_report()) {
    so_far->notes.insert(so_far->notes.end(), report.notes.begin(), report.notes.end());
    so_far->notes.emplace_back("the verdict stands; the defect was not located, and no witness is written");
    report = *std::move(so_far);
  }
  if (!speaks(options)) {
    std::cerr << to_text(report) << std::flush;
    return exit_code(report.verdict);
  }
  return publish(report, options);
}

}  // namespace gg
