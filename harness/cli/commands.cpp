// The commands of gg-harness, one function each; the table at the end is what --help prints.
#include <fmt/format.h>

#include <chrono>
#include <iostream>

#include "harness/cli/backends.h"
#include "harness/cli/command.h"
#include "harness/cli/lemmas.h"
#include "harness/compare/compare_runs.h"
#include "harness/decide/decide.h"
#include "harness/decide/hang.h"
#include "harness/decide/replicas.h"
#include "harness/explain/shapes.h"
#include "harness/options/load.h"
#include "harness/suite/decide_dump.h"
#include "harness/suite/passes.h"
#include "harness/suite/suite_command.h"
#include "harness/witness/witness.h"
#include "models/base/file.h"
#include "models/base/limits.h"
#include "models/base/text.h"
#include "models/op/examples.h"
#include "prover/checker/checker.h"
#include "prover/checker/sized/check_sizes.h"

namespace gg {
namespace {

int decide_case(const Options& options, Parts parts) try {
  if (options.backend != "local") return decide_with_processes(options, parts);
  if (!options.xla_dump.empty()) return decide_dump(options, parts);
  Case c = load_case(options);
  return publish(decide(c, options, parts), options);
} catch (const RanksHang& hang) {
  return publish(report_of(hang, options), options);
}

int check_command(const Options& options) {
  return options.replicas ? check_replicas_command(options) : decide_case(options, {true, true});
}
int run_command(const Options& options) { return decide_case(options, {true, false}); }
int prove_command(const Options& options) { return decide_case(options, {false, true}); }

int verify_command(const Options& options) {
  if (options.inputs.size() < 2) throw InputError(DiagCode::Usage, {}, "'verify' takes CERT and a case, or CERT SEQ DIST");
  Case c = load_case(options, 1);
  if (options.for_all_sizes) {
    const CheckReport report = report_of(check_sizes(read_file(options.inputs[0]), options.inputs[0], c), c, options.allow_assumptions, options.assume, options.verbose);
    std::cout << report.text;
    return report.exit_code;
  }
  const CheckResult result = check_certificate(read_file(options.inputs[0]), options.inputs[0], c);
  const CheckReport report = report_of(result, c, options.allow_assumptions, options.assume, options.verbose);
  std::cout << report.text;
  return report.exit_code;
}

int replay_command(const Options& options) {
  if (options.inputs.size() != 1) throw InputError(DiagCode::Usage, {}, "'replay' takes one witness folder");
  Case c = load_case(options);
  const InputSet inputs = read_witness_inputs(options.inputs[0], c);
  DifferentialOptions differential;
  differential.mode = number_mode(with_number_type(options, c));
  const DrawOutcome outcome = run_once(c, inputs, differential);
  for (const auto& d : outcome.differences) {
    const std::string index = joined_text(d.element, ",");
    std::cout << fmt::format("output {} rank {} element [{}]: sequential {}, distributed {}; {} of {} differ\n", d.output,
                             d.rank, index, d.sequential, d.distributed, d.differing, d.compared);
  }
  if (outcome.failure) std::cout << printable(outcome.failure->what()) << "\n";
  const bool differs = !outcome.differences.empty() || outcome.failure;
  std::cout << (differs ? "refuted" : "unknown reason=agrees-only") << " replay=" << printable_word(options.inputs[0]) << "\n";
  return differs ? 1 : 2;
}

int compare_command(const Options& options) {
  const auto& in = options.inputs;
  if (in.empty() || in.size() > 2 || options.relation.empty()) {
    throw InputError(DiagCode::Usage, {}, "'compare' takes [SEQ_DIR] DIST_DIR --relation R");
  }
  const TensorComparison result = compare_runs(in.size() == 2 ? in[0] : "", in.back(), options.relation);
  double roundings = 0;
  std::string marked;
  std::size_t missing = 0;
  for (const TensorRow& row : result.rows) {
    roundings = std::max(roundings, row.roundings);
    missing += row.problem.empty() ? 0 : 1;
    if (row.marked) marked = row.name;
  }
  if (!options.quiet) std::cout << printable_lines(to_text(result));
  std::cout << (result.refuted() ? "refuted" : marked.empty() ? "unknown reason=agrees-only"
                                                              : "unknown reason=undecided")
            << " tensors=" << result.rows.size()
            << " not-compared=" << missing << " ranks=" << result.ranks;
  if (result.sequential) std::cout << fmt::format(" roundings={:.3g}", roundings);
  std::cout << (marked.empty() ? "" : " marked=" + printable_word(marked)) << "\n";
  return result.refuted() ? 1 : options.require == "agrees" && marked.empty() && missing == 0 ? 0
                                                                                              : 2;
}

int relation_command(const Options& options) {
  static constexpr std::pair<const char*, Notation> kNotations[] = {{"json", Notation::Json},
                                                                    {"pspec", Notation::PartitionSpec},
                                                                    {"hlo", Notation::Hlo},
                                                                    {"dtensor", Notation::DTensor},
                                                                    {"sdy", Notation::Shardy}};
  const Case c = load_case(options);
  for (const auto& [name, notation] : kNotations) {
    if (options.as == name) std::cout << print_relation(c.relation, notation);
  }
  return 0;
}

int ops_command(const Options&) {
  std::cout << print_ops_markdown();
  return 0;
}

int limits_command(const Options&) {
  std::cout << print_limits_markdown();
  return 0;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands = {
      {{"check", "run, prove and localise: the verdict", "CASE folder, or SEQ DIST files"}, check_command},
      {{"run", "differential run only: refuted, or unknown", "CASE folder, or SEQ DIST files"}, run_command},
      {{"prove", "proof only: proved or unknown", "CASE folder, or SEQ DIST files"}, prove_command},
      {{"verify", "the independent checker: CERT and a case, or CERT SEQ DIST", "CERT, and CASE or SEQ DIST"}, verify_command},
      {{"replay", "runs a witness again and prints the difference", "WITNESS folder"}, replay_command},
      {{"relation", "prints the relation found or given", "CASE folder, or SEQ DIST files"}, relation_command},
      {{"compare", "tensors of the user's own runs: SEQ_DIR DIST_DIR --relation R", "[SEQ_DIR] DIST_DIR"}, compare_command},
      {{"passes", "DIR...: dumps of XLA's passes, one after the other: names the pass that broke the module", "DIR..."}, passes_command},
      {{"reduce", "a smaller pair that differs (CASE -o DIR), or the pair at smaller sizes (--shapes)", "CASE folder, or SEQ DIST files"}, reduce_command},
      {{"suite", "many pairs: a file with one a line (any arguments of check), or a folder of cases", "file with a pair a line, or folder of cases"}, suite_command},
      {{"lemmas", "the table of lemmas; with cases: how often proofs of them use each", "CASE folders"}, lemmas_command},
      {{"ops", "the operator table", ""}, ops_command},
      {{"limits", "the limits of what is read", ""}, limits_command},
      {{"explain", "what a code or the reason of an unknown verdict means, and what to do", "CODE..., REASON..., or nothing: all of them"}, explain_command},
  };
  return kCommands;
}

}  // namespace gg
