// The frame of a program's main (models/base/frame.h).
#include "models/base/frame.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <string>

#include "models/base/diag.h"
#include "models/base/file.h"
#include "models/base/limits.h"
#include "models/base/progress.h"

namespace gg {
namespace {

constexpr int kBadInput = 3;
constexpr int kInternal = 4;

/// A closed stream stays unusable: no file that is opened later takes its number, and writing to it fails.
void hold_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

/// Signals that end a command, and that of a child that has ended.
sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  return set;
}

/// Forks. Nothing in the process that does the work; in the one that watches it, its end.
std::optional<Ending> watch_command(const char* program) {
  const sigset_t signals = watched_signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &signals, &before);
  Watched command;
  if (command.side() != Watched::Side::Watcher) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
  }
  StatusLine status(program, command.progress());
  for (;;) {
    const timespec pause{0, 20'000'000};
    const int number = sigtimedwait(&signals, nullptr, &pause);
    std::optional<Ending> ending = command.look();
    if (!ending && number > 0 && number != SIGCHLD) ending = command.finish(Ending::Kind::Told, number);
    if (!ending) {
      status.show();
      continue;
    }
    status.end();
    if (ending->kind != Ending::Kind::Exited) sigprocmask(SIG_SETMASK, &before, nullptr);
    return ending;
  }
}

/// The verdict is the last line of stdout: a code without it would say too much.
int with_output(const char* program, int code) {
  std::cout << std::flush;
  if (std::cout) {
    note_told(code);
    return code;
  }
  std::cerr << program << ": error: cannot write to standard output: the verdict is lost [GG-U003]\n";
  return kBadInput;
}

/// The end of a process that has nothing to say for itself.
int tell(const char* program, const Ending& ending) {
  std::cerr << program << ": error: " << to_sentence(ending) << std::endl;
  if (ending.kind != Ending::Kind::Told) return kInternal;
  signal(ending.number, SIG_DFL);
  raise(ending.number);
  return kInternal;
}

}  // namespace

int run_watched(const char* program, const std::function<int(const Ending*)>& command) {
  hold_closed_streams();
  signal(SIGPIPE, SIG_IGN);  // a reader that is gone is a failed write
  const std::optional<Ending> ending = watch_command(program);
  if (ending && ending->kind == Ending::Kind::Exited) _exit(ending->number);
  if (ending && (ending->kind == Ending::Kind::Told || ending->kind == Ending::Kind::Crashed)) return tell(program, *ending);
  try {
    return with_output(program, command(ending ? &*ending : nullptr));
  } catch (const InputError& error) {
    std::cerr << error.what() << "\n";
    return kBadInput;
  } catch (const std::filesystem::filesystem_error& error) {
    std::cerr << to_string(of_file_error(error)) << "\n";
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::cerr << program << ": error: out of memory [GG-U004]\n";
    return kBadInput;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return kInternal;
  }
}

void set_bounds(double budget_seconds, std::size_t memory_mb) {
  progress().memory_mb = memory_mb;
  progress().budget_seconds = budget_seconds;
}

std::size_t default_memory_mb() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::size_t kib = 0; file >> key >> kib; std::getline(file, unit)) {
    if (key == "MemAvailable:") return (kib >> 10U) / 10 * 9;
  }
  return 0;
}

std::optional<double> parse_seconds(std::string_view text) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const bool good = error == std::errc{} && end == last && value > 0 && value <= static_cast<double>(most(Limit::BudgetSeconds));
  return good ? std::optional(value) : std::nullopt;
}

}  // namespace gg
