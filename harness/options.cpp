#include "harness/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "harness/backends.h"
#include "harness/dump/hints.h"
#include "harness/dump/pairs.h"
#include "harness/supervise/supervise.h"
#include "models/base/deadline.h"
#include "models/base/limits.h"

namespace gg {
namespace {

constexpr int kBadInput = 3;

/// Seconds: a number above 0 that a clock can count. (CLI11's own check takes nan.)
const CLI::Validator kSeconds(
    [](std::string& text) {
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      const bool good = error == std::errc{} && end == text.data() + text.size() && value > 0 && value <= static_cast<double>(most(Limit::BudgetSeconds));
      return good ? std::string() : "'" + text + "' is no number of seconds above 0 and up to " + std::to_string(most(Limit::BudgetSeconds));
    },
    "SECONDS");

void add_options(CLI::App& app, Options& o) {
  app.add_option("inputs", o.inputs, "CASE folder, or SEQ DIST files");
  app.add_option("--relation", o.relation, "relation.json (default: that of the case, or the shardings of SEQ)");
  app.add_option("--xla-dump", o.xla_dump, "folder of --xla_dump_to: pairs the texts before and after partitioning by itself");
  app.add_option("--module", o.module, "regular expression: which module of --xla-dump (default: the largest)");
  app.add_flag("--replicas", o.replicas, "one MODULE with manual regions: only its claims of replication");
  app.add_flag("--all-modules", o.all_modules, "every pair of --xla-dump");
  app.add_option("--json", o.json, "write the report as JSON");
  app.add_option("--junit", o.junit, "write the report as JUnit XML");
  app.add_option("--sarif", o.sarif, "write the report as SARIF 2.1.0");
  app.add_option("--html", o.html, "write the report as a self-contained page");
  app.add_option("--certificate", o.certificate, "write the certificate of a proof");
  app.add_option("--witness", o.witness, "folder for the witness of a refutation (default: CASE.witness when refuted)");
  app.add_option("--repaired", o.repaired, "write the distributed program with the best repair hypothesis applied");
  app.add_option("--budget-seconds", o.budget_seconds, "wall clock limit")->check(kSeconds);
  app.add_option("--memory-mb", o.memory_mb, "memory limit (default: nine tenths of what the machine has free)")->check(CLI::Range(64, 1 << 30));
  app.add_option("--seed", o.seed, "seed of the drawn inputs")->check(CLI::NonNegativeNumber);
  app.add_option("--seeds", o.seeds, "number of draws that must agree")->check(CLI::Range(1, 10000));
  app.add_option("--backend", o.backend, "local, mpi, tcp or nccl")->check(CLI::IsMember({"local", "mpi", "tcp", "nccl"}));
  app.add_option("--ranks", o.ranks, "--backend tcp, nccl: starts so many processes on this host")->check(CLI::Range(1, 1024));
  app.add_option("--listen", o.listen, "--backend tcp, nccl: address that ranks listen on (default: the loopback, for ranks of one host)");
  app.add_option("--dtype", o.dtype, "auto, real, f64, f32 or model; auto is real, f64 with error bounds where that is slow; f32 and model (each type rounds as "
                 "itself) run beside it and are judged in roundings")
      ->check(CLI::IsMember({"auto", "real", "f64", "f32", "model"}));
  app.add_option("--device", o.device, "none, host (for tests) or cuda: runs operators in types that round, judged in roundings")
      ->check(CLI::IsMember({"none", "host", "cuda"}));
  app.add_option("--range", o.ranges, "NAME=LO:HI, the values of an input");
  app.add_option("--opaque", o.opaque, "NAME[:batch=0,1], a custom call as a pure function");
  app.add_option("--define", o.define, "FILE.hlo, the meaning of a custom call");
  app.add_flag("--require-precision", o.require_precision, "a proof with precision notes has exit code 2");
  app.add_flag("--for-all-sizes", o.for_all_sizes, "a proof at the text's sizes is to hold at all sizes; exit code 2 where it is not shown to");
  app.add_option("--require", o.require, "what exit code 0 asks for")->check(CLI::IsMember({"proved", "agrees"}));
  app.add_option("--allow-assumption", o.allow_assumptions, "assumptions that a proof may use beside finite inputs and ranges (or `none`); others: exit code 2");
  app.add_option("--assume", o.assume, "equal:SEQ:DIST[:PLACEMENT], a value of the distributed program taken as this part of one of the sequential program; "
                 "terminates:WHILE, a loop of the distributed program that ends; uniform:CONDITIONAL, the same branch on all ranks that meet in it");
  app.add_option("--as", o.as, "notation of `relation`")->check(CLI::IsMember({"json", "pspec", "hlo", "dtensor", "sdy"}));
  app.add_flag("--oversubscribe", o.oversubscribe, "--backend nccl: several ranks on one GPU");
  app.add_option("--deadline-seconds", o.deadline_seconds, "--backend mpi, tcp, nccl: how long a rank waits for another")
      ->check(kSeconds);
  app.add_option("--run-shapes", o.run_shapes, "auto, full or reduced; auto runs at reduced shapes what does not fit the budget")
      ->check(CLI::IsMember({"auto", "full", "reduced"}));
  app.add_flag("--shapes", o.shapes, "`reduce`: smaller sizes, same instructions");
  app.add_option("--floats", o.floats, "`reduce --shapes`: keep float literals, or rewrite those that are made of sizes, all or none")
      ->check(CLI::IsMember({"keep", "rewrite"}));
  app.add_flag("--anonymous", o.anonymous, "`reduce`: no names, no metadata");
  app.add_option("--like", o.like, "`reduce`: CASE of the same program at smaller sizes; reduces to them and compares");
  app.add_option("-o,--output", o.output, "`reduce`: folder for the smaller pair");
  app.add_option("--jobs", o.jobs, "threads")->check(CLI::Range(1, 1024));
  app.add_flag("-v,--verbose", o.verbose, "what every value of the distributed program is, on stderr");
  app.add_flag("-q,--quiet", o.quiet, "only the verdict line");
}

constexpr const char* kDecideMany[] = {"suite", "passes", "lemmas"};

/// What the machine has to give now; 0 where it does not say.
std::size_t free_memory_mb() {
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  for (std::size_t kib = 0; file >> key >> kib; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kib >> 10U;
  }
  return 0;
}

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

}  // namespace

Case load_case(const Options& o, std::size_t first) {
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
  add_options(app, options);
  try {
    app.parse(line, false);
  } catch (const CLI::Error& error) {
    throw InputError(DiagCode::Usage, {}, error.get_exit_code() == 0 ? "the line asks for help" : error.what());
  }
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
    add_options(*sub, options);
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
    std::cerr << to_string(Diag{DiagCode::Usage, {}, error.what(), {"run gg-harness --help"}}) << "\n";
    return kBadInput;
  }
  if (options.memory_mb == 0) options.memory_mb = free_memory_mb() / 10 * 9;
  const auto decides_many = [&](const char* name) { return options.command == name; };
  options.many = options.all_modules || std::any_of(std::begin(kDecideMany), std::end(kDecideMany), decides_many);
  if (ending) return publish_ending(*ending, options);
  // --ranks starts processes, each of which is watched itself.
  const bool launches = options.backend != "local" && options.ranks > 0 && !started_as_rank();
  set_bounds(options.many || launches ? 0 : options.budget_seconds, launches ? 0 : options.memory_mb);
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
