// The frame of a program's main: its command in a process of its own, its bounds, failures as exit codes.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "models/base/watch.h"

namespace gg {

/// Runs `command` in a process of its own, forked before anything is read or made, and gives the exit code: that of the command, 3 for bad input and output
/// that cannot be written, 4 for a failure of ours. In the process that was started the command is called only if the other one came to no end of its own
/// (out of time, out of memory), with how it ended. A signal that ended it is raised again.
int run_watched(const char* program, const std::function<int(const Ending*)>& command);

/// What the command of this process may take, told to the one that watches it. 0: no bound.
void set_bounds(double budget_seconds, std::size_t memory_mb);
/// The bound where none is given: nine tenths of the memory that is free now, in MiB; 0 where the machine does not say.
std::size_t default_memory_mb();

/// A budget on a command line: seconds above 0 and up to the limit.
std::optional<double> parse_seconds(std::string_view text);

}  // namespace gg
