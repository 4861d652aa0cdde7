// From argv to the command that it names, and what is told of one that came to no end of its own.
#include <algorithm>
#include <iostream>

#include "harness/cli/command.h"
#include "harness/decide/decide.h"
#include "harness/options/command_line.h"
#include "harness/options/option_table.h"
#include "harness/report/ending.h"
#include "models/base/frame.h"
#include "models/base/limits.h"
#include "models/base/progress.h"
#include "runtime/transport/bootstrap.h"

namespace gg {
namespace {

constexpr const char* kDecideMany[] = {"suite", "passes"};

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
  Options options;
  if (const auto ended = parse_command_line(argc, argv, {commands().begin(), commands().end()}, options)) return *ended;
  const auto chosen = std::find_if(commands().begin(), commands().end(), [&](const Command& command) { return command.name == options.command; });
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
