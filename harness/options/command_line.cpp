#include "harness/options/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "harness/options/option_table.h"
#include "models/base/diag.h"
#include "models/base/text.h"

namespace gg {
namespace {

constexpr int kBadInput = 3;

/// What a command line that is not understood may have meant.
std::string hint(int argc, char** argv, const std::vector<CommandUse>& commands) {
  std::vector<std::string> names;
  for (const CommandUse& command : commands) names.emplace_back(command.name);
  const std::string typed = argc > 1 ? argv[1] : "";
  if (std::find(names.begin(), names.end(), typed) == names.end()) return did_you_mean(typed, names);
  for (int k = 2; k < argc; ++k) {
    const std::string option = std::string(argv[k]).substr(0, std::string(argv[k]).find('='));
    const std::string owners = owners_of(option);
    if (owners.empty() || (" " + owners + " ").find(" " + typed + " ") != std::string::npos) continue;
    return "; " + option + " belongs to: " + owners;
  }
  return "";
}

}  // namespace

std::optional<int> parse_command_line(int argc, char** argv, const std::vector<CommandUse>& commands, Options& options) {
  CLI::App app("Decides whether a distributed tensor program computes what its sequential original computes.", "gg-harness");
  app.require_subcommand(1);
  app.set_version_flag("--version", "gg-harness 0.1.0");
  app.footer("Exit codes: 0 proved, 1 refuted, 2 unknown, 3 bad input or usage, 4 internal error.");
  options.arguments = argv;
  for (const CommandUse& command : commands) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    if (*command.inputs != 0) sub->add_option("inputs", options.inputs, command.inputs);
    add_options(*sub, command.name, options);
    sub->callback([&options, &command] { options.command = command.name; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    std::cerr << to_string(Diag{DiagCode::Usage, {}, error.what() + hint(argc, argv, commands), {"run gg-harness --help"}}) << "\n";
    return kBadInput;
  }
  return std::nullopt;
}

}  // namespace gg
