// From argv to the command that it names, and what is told of one that came to no end of its own.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "harness/cli/command.h"
#include "harness/decide/decide.h"
#include "harness/options/option_table.h"
#include "harness/report/ending.h"
#include "models/base/frame.h"
#include "models/base/limits.h"
#include "models/base/progress.h"
#include "models/base/text.h"
#include "runtime/transport/bootstrap.h"

namespace gg {
namespace {

constexpr int kBadInput = 3;

constexpr const char* kDecideMany[] = {"suite", "passes"};

/// What a command line that is not understood may have meant.
std::string hint(int argc, char** argv) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
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

/// Is this the process that speaks for its job?
bool speaks(const Options& options) {
  if (options.backend == "local") return true;
  const auto place = job::find_place();
  return !place || place->rank == 0;
}

/// Says how a command ended that did not end by itself, and gives its exit code.
int publish_ending(const Ending& ending, const Options& options) {
  const Report report = report_of(ending, options.command, options.inputs.empty() ? "" : options.inputs[0]);
  if (speaks(options)) return publish(report, options);
  std::cerr << to_text(report) << std::flush;
  return exit_code(report.verdict);
}

}  // namespace

int dispatch(int argc, char** argv, const Ending* ending) {
  CLI::App app("Decides whether a distributed tensor program computes what its sequential original computes.", "gg-harness");
  app.require_subcommand(1);
  app.set_version_flag("--version", "gg-harness 0.1.0");
  app.footer("Exit codes: 0 proved, 1 refuted, 2 unknown, 3 bad input or usage, 4 internal error.");
  Options options;
  options.arguments = argv;
  const Command* chosen = nullptr;
  for (const Command& command : commands()) {
    CLI::App* sub = app.add_subcommand(command.name, command.help);
    if (*command.inputs != 0) sub->add_option("inputs", options.inputs, command.inputs);
    add_options(*sub, command.name, options);
    sub->callback([&options, &chosen, &command] {
      options.command = command.name;
      chosen = &command;
    });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    std::cerr << to_string(Diag{DiagCode::Usage, {}, error.what() + hint(argc, argv), {"run gg-harness --help"}}) << "\n";
    return kBadInput;
  }
  if (options.memory_mb == 0) options.memory_mb = default_memory_mb();
  const auto decides_many = [&](const char* name) { return options.command == name; };
  options.many = options.all_modules || std::any_of(std::begin(kDecideMany), std::end(kDecideMany), decides_many);
  if (ending) return publish_ending(*ending, options);
  set_bounds(options.budget_seconds, options.memory_mb);
  refuse_contradictions(options);
  try {
    return chosen->run(options);
  } catch (const OutOfTime&) {
    return publish_ending(out_of_bounds(Ending::Kind::Late), options);
  } catch (const RuntimeFailure& failure) {
    if (failure.kind == RuntimeFailure::Kind::Budget && out_of_time()) return publish_ending(out_of_bounds(Ending::Kind::Late), options);
    if (failure.kind == RuntimeFailure::Kind::Memory) return publish_ending(out_of_bounds(Ending::Kind::Memory), options);
    throw;
  }
}

}  // namespace gg
