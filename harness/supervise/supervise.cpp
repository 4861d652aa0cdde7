// The process that was started (harness/supervise/supervise.h).
#include "harness/supervise/supervise.h"

#include <fmt/format.h>
#include <signal.h>
#include <time.h>

#include <iostream>

#include "harness/decide.h"
#include "harness/supervise/status_line.h"
#include "runtime/job/bootstrap.h"

namespace gg {
namespace {

/// Signals that end a command, and that of a child that has ended.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

/// Is this the process that speaks for its job?
bool speaks(const Options& options) {
  if (options.backend == "local") return true;
  const auto place = job::find_place();
  return !place || place->rank == 0;
}

}  // namespace

std::optional<Ending> watch_command() {
  const sigset_t signals = watched_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  Watched command;
  if (command.side() != Watched::Side::Watcher) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
  }
  StatusLine status(command.progress());
  for (;;) {
    const timespec pause{0, 20'000'000};
    const int number = sigtimedwait(&signals, nullptr, &pause);
    auto ending = command.look();
    if (!ending) status.show();
    if (ending) {
      status.end();
      if (ending->kind != Ending::Kind::Exited) sigprocmask(SIG_SETMASK, &before, nullptr);
      return ending;
    }
    if (number <= 0 || number == SIGCHLD) continue;
    Ending told = command.finish(Ending::Kind::Told, number);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return told;
  }
}

void set_bounds(double budget_seconds, std::size_t memory_mb) {
  progress().memory_mb = memory_mb;
  progress().budget_seconds = budget_seconds;
}

int publish_ending(const Ending& ending, const Options& options) {
  if (ending.kind == Ending::Kind::Told) {
    std::cerr << fmt::format("gg-harness: error: ended by signal {} ({}), phase: {}; there is no verdict\n", ending.number, strsignal(ending.number), ending.phase)
              << std::flush;
    signal(ending.number, SIG_DFL);
    raise(ending.number);
  }
  const Report report = report_of(ending, options.command, options.inputs.empty() ? "" : options.inputs[0]);
  if (report.failure) {
    std::cerr << report.failure->text << std::endl;
    return report.failure->exit_code;
  }
  if (!speaks(options)) {
    std::cerr << to_text(report) << std::flush;
    return exit_code(report.verdict);
  }
  return publish(report, options);
}

}  // namespace gg
