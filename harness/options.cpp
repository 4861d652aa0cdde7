#include "harness/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>

#include "harness/backends.h"
#include "harness/dump/hints.h"
#include "harness/dump/pairs.h"
#include "harness/option_table.h"
#include "harness/supervise/supervise.h"
#include "models/base/deadline.h"
#include "models/base/frame.h"
#include "models/base/limits.h"
#include "models/base/text.h"

namespace gg {
namespace {

constexpr int kBadInput = 3;

constexpr const char* kDecideMany[] = {"suite", "passes"};

CaseOptions case_options(const Options& o) {
  CaseOptions result;
  result.relation_file = o.relation;
  result.opaque_targets = o.opaque;
  result.definitions = o.define;
  for (const auto& name : o.allow_assumptions) result.allow_elided |= name == "elided-constants";
  for (const auto& text : o.ranges) add_range(result, text);
  return result;
}

/// Two texts; of a dump also what lies beside them.
Case load_texts(const std::string& sequential, const std::string& distributed, const Options& o) {
  CaseOptions options = case_options(o);
  if (!o.relation.empty()) return load_case(sequential, distributed, options);
  const DumpHints hints = read_dump_hints(sequential);
  options.input_names = hints.inputs;
  Case c = load_case(sequential, distributed, options);
  apply_hints(c, hints);
  return c;
}

Case load_given(const Options& o, std::size_t first) {
  if (!o.xla_dump.empty() && first == 0) {
    if (!o.inputs.empty()) throw InputError(DiagCode::Usage, {}, "--xla-dump stands in place of files");
    return load_dumped(read_dump_folder(o.xla_dump, o.module).pairs.front(), o);
  }
  const std::size_t given = o.inputs.size() - std::min(first, o.inputs.size());
  if (given == 1) return load_case(o.inputs[first], case_options(o));
  if (given == 2) return load_texts(o.inputs[first], o.inputs[first + 1], o);
  throw InputError(DiagCode::Usage, {}, "'" + o.command + "' takes a case folder or two files (or --xla-dump), " +
                                            std::to_string(given) + " given");
}

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

/// Names of custom calls that the programs do not have.
void refuse_unknown_targets(const Case& c, const Options& o) {
  const std::vector<std::string> calls = opaque_calls(c);
  for (const std::string& text : o.opaque) {
    const std::string target = parse_opaque_target(text).target;
    if (o.many || std::find(calls.begin(), calls.end(), target) != calls.end()) continue;
    std::string all;
    for (const std::string& call : calls) all += (all.empty() ? "" : ", ") + call;
    throw InputError(DiagCode::Usage, {}, "--opaque '" + target + "': the programs have no such custom call without a meaning; they have " + (all.empty() ? "none" : all));
  }
}

}  // namespace

Case load_case(const Options& o, std::size_t first) {
  Case c = load_given(o, first);
  refuse_unknown_targets(c, o);
  return c;
}


Case load_dumped(const DumpedPair& pair, const Options& o) {
  Case c = load_texts(pair.before, pair.after, o);
  c.name = pair.module;
  return c;
}

Case load_states(const std::string& earlier, const std::string& later, const Options& o) {
  CaseOptions options = case_options(o);
  options.one_device = true;
  return load_case(earlier, later, options);
}

NumberMode number_mode(const Options& o) {
  if (o.dtype == "f64") return NumberMode::F64;
  return NumberMode::Real;
}

DifferentialOptions differential_options(const Options& options) {
  DifferentialOptions result;
  result.seed = options.seed;
  result.seeds = options.seeds;
  result.mode = number_mode(options);
  if (options.memory_mb != 0) result.budget.max_bytes = std::min(result.budget.max_bytes, options.memory_mb << 20U);
  return result;
}

Options with_number_type(Options options, const Case& c) {
  if (options.dtype == "auto" || options.dtype == "model" || options.dtype == "f32") options.dtype = affordable_mode(c) == NumberMode::F64 ? "f64" : "real";
  return options;
}

Options parse_check_arguments(const std::string& line, const Options& defaults) {
  Options options = defaults;
  options.inputs.clear();
  for (std::string* file : {&options.json, &options.junit, &options.sarif, &options.html, &options.repaired, &options.output}) file->clear();
  const std::string witness = options.witness, certificate = options.certificate;
  CLI::App app;
  app.add_option("inputs", options.inputs);
  add_options(app, "check", options);
  try {
    app.parse(line, false);
  } catch (const CLI::Error& error) {
    throw InputError(DiagCode::Usage, {}, error.get_exit_code() == 0 ? "the line asks for help" : error.what());
  }
  refuse_contradictions(options);
  bool files = false;
  for (const std::string* file : {&options.json, &options.junit, &options.sarif, &options.html, &options.repaired, &options.output}) files |= !file->empty();
  if (files || options.witness != witness || options.certificate != certificate || options.backend != defaults.backend) {
    throw InputError(DiagCode::Usage, {}, "report files, --repaired, --output, --witness, --certificate and --backend belong to the whole suite");
  }
  return options;
}

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
