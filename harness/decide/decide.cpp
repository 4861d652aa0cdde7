// Evidence is gathered, judged and reported (docs/design.md).
#include "harness/decide/decide.h"

#include <sys/resource.h>

#include <chrono>

#include "harness/decide/judge.h"
#include "harness/explain/explain.h"
#include "harness/explain/shapes.h"
#include "harness/prove/assumed.h"
#include "harness/report/ending.h"
#include "models/base/check.h"
#include "models/base/progress.h"

namespace gg {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Why a pair differs at its own shapes. The verdict stands whatever becomes of it.
void explain(Case& c, RunEvidence& run, Report& report) {
  keep_so_far(report);
  enter_phase("explanation");
  explain_difference(c, run.result, run.options, report.explained);
}

/// What would follow from equalities that the runs show.
void add_conditional(Case& c, const RunEvidence& run, const ProofEvidence& proof, Report& report) {
  try {
    Case& traced = run.small ? *run.small : c;
    report.conditional = conditional(c, traced, proof.result, proof.given, run.how, run.options.certificate);
  } catch (const RuntimeFailure&) {
    return;  // no budget left for what is only told beside the verdict
  } catch (const OutOfTime&) {
    return;
  }
  if (report.conditional && report.conditional->outputs.size() == report.outputs.size()) report.certificate = run.options.certificate;
}

/// What is asked of a run that was recorded: whether its outputs differ, once, as it was.
Options of_one_run(const Case& c, Options options) {
  options.witness = witness_folder(options, c.name);
  options.command = "run";
  options.run_shapes = "full";
  options.seeds = 1;
  return options;
}

Report decide_alone(Case& c, const Options& options, Parts parts) {
  const auto start = std::chrono::steady_clock::now();
  ProofEvidence proof;
  std::optional<RunEvidence> early;
  if (run_first(c, options, parts)) early = gather_run(c, options, proof, parts);
  if (!early || !shows_difference(early->outcome)) proof = gather_proof(c, options, parts);
  RunEvidence run = early && !proof.holds() ? std::move(*early) : gather_run(c, options, proof, parts);
  const Judgement judgement = judge(run, proof);
  Report report = assemble(c, run, proof, judgement);
  if (run.outcome == Ran::Differs && run.explanation.findings.empty()) explain(c, run, report);
  GG_CHECK(!judgement.contradiction, "a proof and a confirmed difference contradict each other; witness and certificate are kept");
  const bool same = run.at_full_shape() || (run.small && same_instructions(c, *run.small));
  if (proof.outcome == Proven::No && run.outcome == Ran::Agrees && same) add_conditional(c, run, proof, report);
  auto& notes = report.explained.notes;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  notes.clear();
  if (report.reason == Reason::Budget && out_of_time()) report.details.push_back({"phase", progress().phase.get()});
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.peak_mb = peak_megabytes();
  return report;
}

}  // namespace

Report decide(Case& c, const Options& options, Parts parts) {
  if (!c.relation.recorded) return decide_alone(c, options, parts);
  Report report = decide_alone(c, of_one_run(c, options), {.run = true, .prove = false});
  report.notes.emplace_back("the programs are those of one recorded run, with its inputs: other inputs may steer them otherwise");
  report.details.push_back({"recorded", "yes"});
  return report;
}

}  // namespace gg
