// A command in a process of its own: whatever an input does to it (an endless loop, a full memory, a crash), the process that was
// started keeps its budget, says what happened, and leaves no half-written file.
#pragma once

#include <functional>

#include "harness/options.h"
#include "harness/report.h"

namespace gg {

/// How a process that was watched came to its end.
struct Ending {
  enum class Kind : std::uint8_t { Exited, Late, Memory, Crashed, Killed, Told } kind = Kind::Exited;
  int number = 0;     ///< exit code, or signal
  std::string phase;  ///< what it was doing
};

/// Seconds after which a command with this budget is ended: a tenth more, and part of a second to say so.
double end_of(double budget_seconds);
/// Bytes that a process holds now.
std::size_t resident_bytes(int process);
/// What is told of a process that did not end by itself: a verdict of its own (unknown) or a failure.
Report report_of(const Ending& ending, const std::string& name, const Options& options);

/// A verdict that stands whatever becomes of what is told beside it: published if the process is ended before it reports.
void keep_so_far(const Report& report);

/// Runs the command in a process of its own and gives its exit code.
int supervise(const Options& options, const std::function<int(const Options&)>& run);

}  // namespace gg
