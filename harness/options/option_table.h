// The options of the command line as one table: name, the commands that own it, what it fills, what values it takes.
#pragma once

#include <string>

#include "harness/options/options.h"

namespace CLI {
class App;
}

namespace gg {

/// Adds the options that `command` owns; `--help` of the command lists these, any other is a usage error.
void add_options(CLI::App& app, const std::string& command, Options& options);

/// The commands that own this option (`--as`), separated by spaces; "" where there is no such option.
std::string owners_of(const std::string& option);

/// Options that do not go together. Throws InputError(Usage).
void refuse_contradictions(const Options& options);

}  // namespace gg
