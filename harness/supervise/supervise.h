// The command in a process of its own, forked before anything is read or made: the process that was started only watches it.
#pragma once

#include <optional>

#include "harness/options.h"
#include "harness/supervise/watch.h"

namespace gg {

/// Forks. Nothing in the process that does the work; in the one that watches it, its end.
std::optional<Ending> watch_command();

/// What the command of this process may take, told to the one that watches it; 0: no bound.
void set_bounds(double budget_seconds, std::size_t memory_mb);

/// Says how a command ended that did not end by itself, and gives its exit code.
int publish_ending(const Ending& ending, const Options& options);

}  // namespace gg
