// From argv to options: the commands, what each owns, what is told of a line that is not understood.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/options/options.h"

namespace gg {

/// How a command is called.
struct CommandUse {
  const char* name;
  const char* help;
  const char* inputs;  ///< what its positional arguments are; "": it has none
};

/// Fills `options` from a line that names one of these commands (options.command). A line that ends here is told, and has an exit code:
/// 0 for --help and --version, 3 for one that is not understood.
std::optional<int> parse_command_line(int argc, char** argv, const std::vector<CommandUse>& commands, Options& options);

}  // namespace gg
