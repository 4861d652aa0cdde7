#include "harness/options/option_table.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <variant>

#include "models/base/frame.h"
#include "models/base/limits.h"
#include "models/pair/verdict.h"

namespace gg {
namespace {

/// Seconds: a number above 0 that a clock can count. (CLI11's own check takes nan.)
const CLI::Validator kSeconds(
    [](std::string& text) {
      return parse_seconds(text) ? std::string() : "'" + text + "' is no number of seconds above 0 and up to " + std::to_string(most(Limit::BudgetSeconds));
    },
    "SECONDS");

/// (CLI11's own check of a lower bound tells the largest number that a double holds.)
const CLI::Validator kWhole(
    [](std::string& text) {
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      return error == std::errc() && end == text.data() + text.size() ? std::string() : "'" + text + "' is no whole number from 0 to 2^64-1";
    },
    "NUMBER");

const CLI::Validator kFile([](std::string& text) { return text == "-" ? "'-' is no name of a file; standard output is /dev/stdout" : std::string(); }, "FILE");

using Strings = std::vector<std::string>;
using Target = std::variant<std::string Options::*, Strings Options::*, bool Options::*, int Options::*, double Options::*, std::uint64_t Options::*>;
static_assert(std::is_same_v<std::size_t, std::uint64_t>, "memory is a row of the table too");

struct OptionRow {
  const char* names;
  const char* commands;
  Target target;
  const char* help;
  std::vector<CLI::Validator> checks = {};
};

#define DECIDE "check run prove suite passes"
#define LOAD DECIDE " verify replay relation reduce"

const std::vector<OptionRow>& rows() {
  static const std::vector<OptionRow> kRows = {
      {"--relation", LOAD " compare", &Options::relation, "relation.json (default: that of the case, or the shardings of SEQ)"},
      {"--xla-dump", "check run prove verify relation reduce", &Options::xla_dump, "folder of --xla_dump_to: pairs the texts before and after partitioning by itself"},
      {"--module", "check run prove verify relation reduce passes", &Options::module, "regular expression: which module of --xla-dump (default: the largest)"},
      {"--only", "suite", &Options::only, "regular expression: the pairs with such a name, the others are left out"},
      {"--replicas", "check", &Options::replicas, "one MODULE with manual regions: only its claims of replication"},
      {"--all-modules", "check run prove", &Options::all_modules, "every pair of --xla-dump"},
      {"--json", DECIDE " lemmas", &Options::json, "write the report as JSON", {kFile}},
      {"--junit", DECIDE, &Options::junit, "write the report as JUnit XML", {kFile}},
      {"--sarif", DECIDE, &Options::sarif, "write the report as SARIF 2.1.0", {kFile}},
      {"--html", DECIDE, &Options::html, "write the report as a self-contained page", {kFile}},
      {"--certificate", "check prove suite", &Options::certificate, "write the certificate of a proof", {kFile}},
      {"--witness", "check run suite", &Options::witness, "folder for the witness of a refutation, none for no folder (default of check: CASE.witness in the working directory)", {kFile}},
      {"--repaired", "check run", &Options::repaired, "write the distributed program with the best repair hypothesis applied", {kFile}},
      {"--budget-seconds", LOAD " compare lemmas", &Options::budget_seconds, "wall clock limit", {kSeconds}},
      {"--memory-mb", LOAD " compare lemmas", &Options::memory_mb, "memory limit (default: nine tenths of what the machine has free)", {CLI::Range(64, 1 << 30)}},
      {"--seed", "check run suite passes reduce", &Options::seed, "seed of the drawn inputs", {kWhole}},
      {"--seeds", "check run suite passes reduce", &Options::seeds, "number of draws that must agree", {CLI::Range(1, 10000)}},
      {"--backend", "check run suite", &Options::backend, "local, mpi, tcp or nccl", {CLI::IsMember(Strings{"local", "mpi", "tcp", "nccl"})}},
      {"--ranks", "check run", &Options::ranks, "--backend tcp, nccl: starts so many processes on this host", {CLI::Range(1, 1024)}},
      {"--listen", "check run", &Options::listen, "--backend tcp, nccl: address that ranks listen on (default: the loopback, for ranks of one host)"},
      {"--oversubscribe", "check run", &Options::oversubscribe, "--backend nccl: several ranks on one GPU"},
      {"--deadline-seconds", "check run", &Options::deadline_seconds, "--backend mpi, tcp, nccl: how long a rank waits for another", {kSeconds}},
      {"--dtype", "check run suite passes replay reduce", &Options::dtype,
       "auto, real, f64, f32 or model; auto is real, f64 with error bounds where that is slow; f32 and model (each type rounds as itself) run beside it "
       "and are judged in roundings",
       {CLI::IsMember(Strings{"auto", "real", "f64", "f32", "model"})}},
      {"--device", "check run suite", &Options::device, "none, host (for tests) or cuda: runs operators in types that round, judged in roundings", {CLI::IsMember(Strings{"none", "host", "cuda"})}},
      {"--range", LOAD, &Options::ranges, "NAME=LO:HI, the values of an input"},
      {"--opaque", LOAD, &Options::opaque, "NAME[:batch=0,1], a custom call as a pure function"},
      {"--define", LOAD, &Options::define, "FILE.hlo, the meaning of a custom call"},
      {"--require-precision", "check prove suite", &Options::require_precision, "a proof with precision notes has exit code 2"},
      {"--strict", "check prove suite", &Options::strict, "a proof that leaves something out (precision, decided, steps or from-end is not 0 in its line) has exit code 2"},
      {"--for-all-sizes", "check prove suite verify", &Options::for_all_sizes, "a proof at the text's sizes is to hold at all sizes; exit code 2 where it is not shown to"},
      {"--require", "check run suite passes compare", &Options::require, "what exit code 0 asks for", {CLI::IsMember(Strings{"proved", "agrees"})}},
      {"--allow-assumption", LOAD, &Options::allow_assumptions,
       "assumptions that a proof may use beside finite inputs and ranges (or `none`); others: exit code 2"},
      {"--assume", "check prove verify suite", &Options::assume,
       "equal:SEQ:DIST[:PLACEMENT], a value of the distributed program taken as this part of one of the sequential program; terminates:WHILE, a loop of "
       "the distributed program that ends; uniform:CONDITIONAL, the same branch on all ranks that meet in it"},
      {"--as", "relation", &Options::as, "notation", {CLI::IsMember(Strings{"json", "pspec", "hlo", "dtensor", "sdy"})}},
      {"--run-shapes", "check run suite passes", &Options::run_shapes, "auto, full or reduced; auto runs at reduced shapes what costs more than seconds", {CLI::IsMember(Strings{"auto", "full", "reduced"})}},
      {"--shapes", "reduce", &Options::shapes, "smaller sizes, same instructions"},
      {"--floats", "reduce", &Options::floats, "with --shapes: keep float literals, or rewrite those that are made of sizes, all or none", {CLI::IsMember(Strings{"keep", "rewrite"})}},
      {"--anonymous", "reduce", &Options::anonymous, "no names, no metadata"},
      {"--like", "reduce", &Options::like, "CASE of the same program at smaller sizes; reduces to them and compares"},
      {"-o,--output", "reduce", &Options::output, "folder for the smaller pair", {kFile}},
      {"--jobs", DECIDE, &Options::jobs, "threads", {CLI::Range(1, 1024)}},
      {"-v,--verbose", "check prove verify", &Options::verbose, "what every value of the distributed program is, on stderr; terms of the prover in the report"},
      {"-q,--quiet", LOAD " compare lemmas", &Options::quiet, "only the verdict line"},
  };
  return kRows;
}

bool owns(const std::string& commands, const std::string& command) { return (" " + commands + " ").find(" " + command + " ") != std::string::npos; }

bool is_named(const OptionRow& row, const std::string& option) { return (std::string(",") + row.names + ",").find("," + option + ",") != std::string::npos; }

[[noreturn]] void refuse(const std::string& text) { throw InputError(DiagCode::Usage, {}, text); }

}  // namespace

void add_options(CLI::App& app, const std::string& command, Options& options) {
  for (const OptionRow& row : rows()) {
    if (!owns(row.commands, command)) continue;
    const auto add = [&](auto member) -> CLI::Option* {
      auto& place = options.*member;
      if constexpr (std::is_same_v<std::decay_t<decltype(place)>, bool>) return app.add_flag(row.names, place, row.help);
      else return app.add_option(row.names, place, row.help);
    };
    CLI::Option* option = std::visit(add, row.target);
    for (const CLI::Validator& check : row.checks) option->check(check);
  }
}

std::string owners_of(const std::string& option) {
  const auto row = std::find_if(rows().begin(), rows().end(), [&](const OptionRow& r) { return is_named(r, option); });
  return row == rows().end() ? "" : row->commands;
}

void refuse_contradictions(const Options& options) {
  const auto& allowed = options.allow_assumptions;
  if (allowed.size() > 1 && std::find(allowed.begin(), allowed.end(), "none") != allowed.end()) {
    refuse("--allow-assumption none allows none: it does not go with other names");
  }
  for (const std::string& name : allowed) {
    if (name == "none" || assumption_kind(name)) continue;
    refuse("--allow-assumption '" + name + "': there is no such assumption; `gg-harness explain` lists them");
  }
  for (std::size_t a = 0; a < options.opaque.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const OpaqueTarget one = parse_opaque_target(options.opaque[a]), other = parse_opaque_target(options.opaque[b]);
      if (one.target != other.target || one.batch_dims == other.batch_dims) continue;
      refuse("--opaque '" + options.opaque[b] + "' and --opaque '" + options.opaque[a] + "' say different things of one custom call");
    }
  }
}

}  // namespace gg
