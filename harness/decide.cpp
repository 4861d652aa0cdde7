// Evidence is gathered, judged and reported (architecture.md, section 7).
#include "harness/decide.h"

#include <sys/resource.h>

#include <chrono>

#include "harness/assumed.h"
#include "harness/decide/assemble.h"
#include "harness/explain.h"
#include "harness/supervise/watch.h"
#include "models/base/check.h"
<<<<<<< HEAD
#include "models/base/file.h"
#include "models/base/deadline.h"
#include "models/base/text.h"
#include "models/pair/control.h"
#include "models/pair/equal.h"
#include "models/relation/step_closure.h"
=======
#include "models/base/progress.h"
>>>>>>> main

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
    report.conditional = conditional(c, proof.result, proof.given, differential_options(run.options), run.options.certificate);
  } catch (const RuntimeFailure&) {
    return;  // no budget left for what is only told beside the verdict
  }
  if (report.conditional && report.conditional->outputs.size() == report.outputs.size()) report.certificate = run.options.certificate;
}

<<<<<<< HEAD
void decide_into(Report& report, Case& c, const Options& given, Parts parts) {
  const bool chosen = !parts.run;
  Options options = chosen ? given : with_number_type(given, c);
  report.command = options.command;
  report.case_name = c.name;
  if (c.relation.from_shardings) report.claim = Claim::Partitioner;
  report.input_hashes = {{"sequential", c.hashes.sequential}, {"distributed", c.hashes.distributed},
                         {"relation", c.hashes.relation}};
  DifferentialResult run;
  enter_phase("estimate");
  std::string large = why_reduced(c, options);
  auto small = large.empty() ? nullptr : try_shrink(c, large);
  const bool runs = parts.run && (large.empty() || small);
  if (large.empty() || small) infer_ranges(c, small.get());
  if (!parts.run) small.reset();
  const bool open = !chosen && (given.dtype == "auto" || given.dtype == "model" || given.dtype == "f32");
  DifferentialOptions first = differential_options(options);
  if (small && open) run_reduced_over_reals(*small, options, first);
  first.backend = options.rank_backend;
  enter_phase("run");
  if (runs) run = run_pair(small ? *small : c, first);
  else if (parts.run) run.stopped = RuntimeFailure(RuntimeFailure::Kind::Memory, "not run: " + large, {});
  if (runs && !small && options.run_shapes != "full" && run.stopped && run.stopped->kind == RuntimeFailure::Kind::Memory) {
    large = run.stopped->what();
    small = try_shrink(c, large);
    if (small && open) run_reduced_over_reals(*small, options, first);
    if (small) run = run_pair(*small, first);
    else run.stopped = RuntimeFailure(RuntimeFailure::Kind::Memory, large, {});
  }
  std::string doubt;
  if (small && run.differing) doubt = doubt_of_difference(c, first, report);
  if (!doubt.empty()) run.differing.reset();
  add_outputs(c, run, report);
  report.reason = Reason::AgreesOnly;
  std::uint64_t proved = 0;  // steps of the search
  Report proof_report = report;
  if (c.manual_regions != 0) parts.prove = false;  // values that differ from rank to rank are no anchors
  enter_phase("proof");
  try {
    if (parts.prove) proved = run_proof(c, options, runs && !small, run.differing.has_value(), run.differing ? proof_report : report);
  } catch (const OutOfTime&) {
    if (!run.differing) throw;  // a difference stands without a proof that would contradict it
  }
  if (small) report.notes.push_back("the run used reduced shapes: " + large);
  if (small && proved != 0 && run.differing && !says_nothing_of_runs(report)) {
    report.notes.emplace_back("the pair differs at reduced shapes although it is proved at its own: a wrong reduction");
    run.differing.reset();
  }
  enter_phase("explanation");
  if (run.differing && small) {
    report_reduced_difference(c, *small, run, options, report);
  } else if (run.differing) {
    report_difference(c, run, options, report);
    GG_CHECK(proved == 0 || says_nothing_of_runs(proof_report), "a proof and a confirmed difference contradict each other; witness and certificate are kept");
  } else if (const auto why = parts.run ? obstacle(c, report, run) : std::nullopt) {
    report.reason = why;
    if (run.stopped) report.notes.emplace_back(run.stopped->what());
  } else if (proved != 0) {
    report.verdict = Verdict::Proved;
    report.reason.reset();
  }
  if (!doubt.empty()) {
    report.notes.push_back("the run at reduced shapes differs with all float literals kept, but that does not count: " + doubt);
    if (report.verdict == Verdict::Unknown) report.reason = Reason::Memory;
  }
  if (runs && !small && !run.differing && note_outside(c, first, report)) {
    GG_CHECK(report.verdict != Verdict::Proved || says_nothing_of_runs(report), "the pair differs where the proof excludes nothing");
  }
  if (runs && !small && report.verdict == Verdict::Proved) note_below_masks(c, first, report);
  if (runs && wants_rounding(given)) judge_floats(small ? *small : c, given, report);
  note_inputs(c, report);
  if (runs && !small) note_unexercised(c, first.budget, report);
  if (c.manual_regions != 0) note_manual_regions(c, first, parts.run, report);
  note_opaque_calls(c, options, report);
  for (const Assumption& stated : c.stated) {  // a refutation rests on them too
    if (std::find(report.assumptions.begin(), report.assumptions.end(), stated) == report.assumptions.end()) report.assumptions.push_back(stated);
  }
  note_ignored(c, report);
  const Assumption order{AssumptionKind::PointToPointOrder, {}};
  const bool stated = std::find(report.assumptions.begin(), report.assumptions.end(), order) != report.assumptions.end();
  if (has_transfers(c) && !stated) report.assumptions.push_back(order);  // a refutation rests on it too
  if (parts.run) report.details.push_back({"undefined", fmt::format("{}/{}", run.undefined, run.elements)});
  enter_phase("mutants");
  const bool guarded = runs && !small && report.verdict == Verdict::Proved;
  report.details.push_back(
      {"mutants", guarded ? std::to_string(try_mutants(c, differential_options(options), kMutants, proved).refused) : "0(not run)"});
  report.details.push_back({"shapes", small ? "reduced" : "full"});
  report.details.push_back({"seeds", parts.run ? fmt::format("{}+{}", options.seed, run.draws.size()) : "0"});
}

/// What stands when the time is over: a confirmed difference, nothing else.
void end_early(Report& report) {
  const Report late = report_of(out_of_bounds(Ending::Kind::Late), report.command, report.case_name);
  if (report.verdict == Verdict::Refuted) return;
  report.verdict = Verdict::Unknown;
  report.reason = late.reason;
  report.details.insert(report.details.end(), late.details.begin(), late.details.end());
  report.notes.insert(report.notes.end(), late.notes.begin(), late.notes.end());
}

}  // namespace

Report decide(Case& c, const Options& options, Parts parts) {
  const auto start = Clock::now();
  Report report;
  bool late = false;
  try {
    decide_into(report, c, options, parts);
    late = report.reason == Reason::Budget && out_of_time();
  } catch (const OutOfTime&) {
    late = true;
  } catch (const RuntimeFailure& failure) {
    if (failure.kind != RuntimeFailure::Kind::Budget || !out_of_time()) throw;
    late = true;
  }
  if (late) end_early(report);
  report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
=======
}  // namespace

Report decide(Case& c, const Options& options, Parts parts) {
  const auto start = std::chrono::steady_clock::now();
  const ProofEvidence proof = gather_proof(c, options, parts);
  RunEvidence run = gather_run(c, options, proof, parts);
  const Judgement judgement = judge(run, proof);
  Report report = assemble(c, run, proof, judgement);
  if (run.outcome == Ran::Differs) explain(c, run, report);
  GG_CHECK(!judgement.contradiction, "a proof and a confirmed difference contradict each other; witness and certificate are kept");
  if (proof.outcome == Proven::No && run.at_full_shape() && run.outcome == Ran::Agrees) add_conditional(c, run, proof, report);
  auto& notes = report.explained.notes;
  report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
  notes.clear();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
>>>>>>> main
  report.peak_mb = peak_megabytes();
  return report;
}

}  // namespace gg
