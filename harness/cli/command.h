// The commands of gg-harness and how argv chooses one.
#pragma once

#include <vector>

#include "harness/options/command_line.h"
#include "harness/options/options.h"

namespace gg {

/// One command of gg-harness and its function, which returns the exit code.
struct Command : CommandUse {
  int (*run)(const Options& options);
};

/// The commands, in the order of the help text.
const std::vector<Command>& commands();

struct Ending;
/// Parses argv for the commands of the table and runs the chosen one. Usage errors: message on stderr, exit 3; --help: 0.
/// `ending`: the process that ran it came to this end (models/base/watch.h); that is told instead.
int dispatch(int argc, char** argv, const Ending* ending = nullptr);

/// `explain CODE|REASON|ASSUMPTION...`: what a report prints as a code or a closed word, what it means and what to do; without a name: all of them. Throws InputError(Usage) for a name that nothing prints.
int explain_command(const Options& options);

}  // namespace gg
