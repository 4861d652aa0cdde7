#include "harness/decide.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>

#include "harness/assumed.h"
#include "harness/confirm.h"
#include "harness/explain.h"
#include "harness/input_notes.h"
#include "harness/mutants.h"
#include "harness/outside.h"
#include "harness/premises.h"
#include "harness/proof.h"
#include "harness/replicas.h"
#include "harness/rounding.h"
#include "harness/shapes.h"
#include "harness/suite/report_archive.h"
#include "harness/supervise/watch.h"
#include "models/base/check.h"
#include "models/base/file.h"
#include "models/base/deadline.h"
#include "models/base/text.h"
#include "models/pair/control.h"
#include "models/pair/equal.h"
#include "models/relation/step_closure.h"

namespace gg {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kMutants = 3;
/// Search steps spent on a pair whose outputs differ: only to catch a prover that contradicts the run.
constexpr std::uint64_t kGuardSteps = 300'000;

std::string rank_list(const std::vector<std::int64_t>& ranks, std::int64_t all) {
  if (static_cast<std::int64_t>(ranks.size()) == all) return "all ranks";
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k) text += (k == 0 ? "" : ",") + std::to_string(ranks[k]);
  return text;
}

std::string describe(const Difference& d, std::int64_t ranks) {
  std::string index;
  for (const auto i : d.element) index += (index.empty() ? "" : ",") + std::to_string(i);
  return fmt::format("first difference on rank {} at [{}]: expected {}, got {}; {} of {} compared elements differ, on {}", d.rank,
                     index, d.sequential, d.distributed, d.differing, d.compared, rank_list(d.ranks, ranks));
}

const char* status_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::Agrees: return "agrees";
    case Agreement::Differs: return "differs";
    case Agreement::Tied: return "tied";
    case Agreement::Undefined: return "undefined";
    case Agreement::Literals: return "agrees up to rounded literals";
  }
  return "";
}

/// Merges the outcome of one output over all draws: the worst counts, an output is undefined only if it always was.
Agreement merged(const std::vector<DrawOutcome>& draws, std::size_t output) {
  Agreement worst = Agreement::Undefined;
  for (const auto& draw : draws) {
    const Agreement now = draw.outputs[output].agreement;
    if (now == Agreement::Differs) return now;
    if (worst == Agreement::Undefined || now == Agreement::Tied || now == Agreement::Literals) {
      if (now != Agreement::Undefined) worst = now;
    }
  }
  return worst;
}

void add_outputs(Case& c, const DifferentialResult& run, Report& report) {
  for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
    OutputStatus status{static_cast<int>(k), c.relation.outputs[k].name, "not run", ""};
    if (c.relation.outputs[k].kind == OutputClaim::Kind::Ignored) status.status = "ignored";
    else if (!run.draws.empty()) status.status = status_of(merged(run.draws, k));
    report.outputs.push_back(std::move(status));
  }
}

void add_differences(const Case& c, const DrawOutcome& draw, Report& report) {
  for (const auto& d : draw.differences) {
    auto& status = report.outputs[static_cast<std::size_t>(d.output)];
    status.status = "differs";
    status.text = describe(d, c.relation.layout.ranks());
  }
}

void report_difference(Case& c, DifferentialResult& run, const Options& options, Report& report) {
  report.verdict = Verdict::Refuted;
  report.reason.reset();
  const DrawOutcome& draw = *run.differing;
  add_differences(c, draw, report);
  if (draw.confirmed) {
    report.notes.push_back(fmt::format("output {}: the difference is confirmed at 226 bits, on the {} elements that it hangs on",
                                       *draw.confirmed, draw.cone));
  } else if (number_mode(options) == NumberMode::F64) {
    report.notes.emplace_back("the difference exceeds 4 times the error bound of the f64 run; no such element hangs on few enough for 226 bits");
  }
  keep_so_far(report);
  explain_difference(c, run, options, report);
}

InputSet copy_of(const InputSet& inputs) {
  InputSet copy{inputs.seed, inputs.regime, {}};
  for (const Buffer& buffer : inputs.free) copy.free.push_back(buffer.clone());
  return copy;
}

/// A difference at reduced shapes refutes only with the divergent operator alone at full shape (architecture.md, section
/// 7); else unknown, with everything that was found.
void report_reduced_difference(Case& c, Case& small, DifferentialResult& run, const Options& options, Report& report) {
  add_differences(small, *run.differing, report);
  const InputSet inputs = copy_of(*run.witness);
  const bool same = same_instructions(c, small);
  const auto repaired = same ? explain_difference(c, run, options, report, &small) : explain_difference(small, run, options, report);
  Confirmation confirmation{false, "no repair of it was found that is proved at full shape"};
  if (!same) confirmation.text = "literals whose uses need different values were copied";
  else if (repaired && repaired->small) confirmation = confirm_at_full_shape(c, small, *repaired, inputs, differential_options(options).budget);
  if (confirmation.differs) {
    report.verdict = Verdict::Refuted;
    report.reason.reset();
    report.notes.push_back("the pair differs at reduced shapes; repaired, it is proved; " + confirmation.text);
    return;
  }
  report.verdict = Verdict::Unknown;
  report.reason = Reason::Memory;
  report.notes.push_back("the pair differs at reduced shapes; the divergent operator was not confirmed at full shape: " + confirmation.text);
}

/// Is the pair's run a reason to stay unknown whatever the proof says? Outputs of which nothing was seen are named.
std::optional<Reason> obstacle(const Case& c, Report& report, const DifferentialResult& run) {
  bool any = false, empty = false, undefined = false;
  for (std::size_t k = 0; k < c.relation.outputs.size(); ++k) {
    if (c.relation.outputs[k].kind == OutputClaim::Kind::Ignored) continue;
    any = true;
    const bool seen = !run.draws.empty() && k < run.outputs.size();
    const bool none = !compares(*c.arena, c.relation.outputs[k]) || (seen && run.outputs[k].compared + run.outputs[k].undefined == 0);
    const bool never = seen && !none && run.outputs[k].agreement == Agreement::Undefined;
    empty |= none;
    undefined |= never;
    if (none) report.outputs[k].status = "not compared";
    if (never) report.outputs[k].status = "undefined";
  }
  if (!any || empty) return Reason::NotCompared;
  if (undefined) return Reason::SequentialUndefined;
  if (run.stopped) {
    if (run.stopped->kind == RuntimeFailure::Kind::Memory) return Reason::Memory;
    if (run.stopped->kind == RuntimeFailure::Kind::Unsupported) return Reason::UnsupportedOperator;
    return Reason::Budget;
  }
  return std::nullopt;
}

/// Assumed values that are not equal in a run: nothing follows from them.
bool contradicted(Case& c, const std::vector<Assumption>& equal, const Options& options, Report& report) {
  bool found = false;
  try {
    for (const Assumption& a : equal) {
      const auto text = contradiction(c, a, differential_options(options));
      if (text) report.notes.push_back("the assumption does not hold: " + *text);
      found |= text.has_value();
    }
  } catch (const RuntimeFailure& failure) {
    report.notes.emplace_back(std::string("the assumptions were not compared in a run: ") + failure.what());
  }
  return found;
}

/// Control flow that keeps a proof open, and assumptions about control flow that nothing needed.
void note_duties(const Case& c, const ProofResult& proof, const std::vector<Assumption>& given, Report& report) {
  constexpr std::size_t kShown = 8;
  for (std::size_t k = 0; k < std::min(proof.open.size(), kShown); ++k) {
    const OpenDuty& duty = proof.open[k];
    const auto source = c.distributed->source(duty.instruction);
    const std::string place = source ? fmt::format(" ({}:{})", source->file, source->line) : "";
    const std::string& name = duty.assumption.arguments[0];
    const bool loop = duty.assumption.kind == AssumptionKind::Terminates;
    report.notes.push_back(fmt::format("{}{}: {}; --assume {}:{} takes it as given", name, place,
                                       loop ? duty.why : duty.why + ", and its condition is not shown to be the same on them",
                                       to_string(duty.assumption.kind), name));
  }
  if (proof.open.size() > kShown) report.notes.push_back(fmt::format("and {} more loops and branches", proof.open.size() - kShown));
  if (!proof.proved) return;
  for (const Assumption& a : given) {
    const bool used = std::find(proof.assumptions.begin(), proof.assumptions.end(), a) != proof.assumptions.end();
    if (!used) report.notes.push_back("the proof does not need the assumption " + to_string(a));
  }
}

/// What would follow from equalities that the runs show.
void note_conditional(Case& c, const ProofResult& proof, const std::vector<Assumption>& given, const Options& options, Report& report) {
  try {
    report.conditional = conditional(c, proof, given, differential_options(options), options.certificate);
  } catch (const RuntimeFailure&) {
    return;  // no budget left for what is only told beside the verdict
  }
  if (report.conditional && report.conditional->outputs.size() == report.outputs.size()) report.certificate = options.certificate;
}

/// Search, then the independent checker on the certificate's own bytes. `run`: the pair was run at its own shapes.
/// Steps of the search whose certificate was accepted; 0 where there is no proof.
std::uint64_t run_proof(Case& c, const Options& options, bool run, bool differs, Report& report) {
  ProverOptions limits;
  if (differs) limits.max_steps = kGuardSteps;
  limits.any_premises = differs;
  for (const std::string& text : options.assume) {
    for (Assumption& a : parse_stated(c, text)) (a.kind == AssumptionKind::Equal ? limits.equal : limits.control).push_back(std::move(a));
  }
  if (run && contradicted(c, limits.equal, options, report)) limits.equal.clear();
  limits.relations = options.verbose;
  const CheckedProof found = prove_and_check(c, limits, options.certificate);
  const ProofResult& proof = found.proof;
  for (const std::string& line : proof.relations) std::cerr << printable(line) << "\n";
  report.details.push_back({"related", fmt::format("{}/{}", proof.related, proof.instructions)});
  for (std::size_t k = 0; k < proof.outputs.size(); ++k) {
    if (proof.outputs[k].proved && report.outputs[k].status != "ignored") report.outputs[k].status = "proved";
    else if (!proof.outputs[k].proved) report.outputs[k].text = proof.outputs[k].text;
  }
  for (const auto& island : proof.islands) {
    report.islands.push_back({island.instance, island.distributed_form, island.sequential_form, island.outputs});
  }
  report.reason = proof.reason.value_or(Reason::NoLemma);
  note_duties(c, proof, limits.control, report);
  if (!proof.proved && run && !differs) note_conditional(c, proof, limits.equal, options, report);
  if (found.certificate.empty()) return 0;
  const CheckResult& checked = found.checked;
  if (!checked.accepted) {
    report.notes.push_back("the checker did not accept the certificate: " + checked.problem);
    for (auto& output : report.outputs) {
      if (output.status == "proved") output.status = "unknown";
    }
    return 0;
  }
  report.assumptions = checked.assumptions;
  const bool masked = std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const Assumption& x) { return x.kind == AssumptionKind::MaskIsMinusInfinity; });
  if (masked) report.notes.push_back("mask-is-minus-infinity: " + std::string(info(AssumptionKind::MaskIsMinusInfinity).text));
  report.precision = proof.precision;
  report.details.push_back({"precision", std::to_string(proof.precision.size())});
  if (const auto steps = step_closure(*c.arena, c.relation)) {
    const std::string leaves = leaves_range(c, report.assumptions);
    report.details.push_back({"step-closed", steps->closed && leaves.empty() ? "yes" : "no"});
    if (steps->closed && !leaves.empty()) report.notes.push_back(leaves);
  }
  if (options.for_all_sizes) {
    report.sizes = prove_all_sizes(c);
    report.details.push_back({"sizes", report.sizes->proved ? "all" : "given"});
  }
  if (!options.certificate.empty()) {
    write_file(options.certificate, found.certificate);
    report.certificate = options.certificate;
  }
  return std::max<std::uint64_t>(proof.steps, 1);
}

/// Does the proof say nothing of the run: other literals, values that are taken as equal, ranks that are taken to go together?
bool says_nothing_of_runs(const Report& report) {
  return std::any_of(report.assumptions.begin(), report.assumptions.end(), [](const Assumption& a) {
    constexpr AssumptionKind kOfRuns[] = {AssumptionKind::MaskIsMinusInfinity, AssumptionKind::Equal, AssumptionKind::Terminates,
                                          AssumptionKind::Uniform};
    return std::find(std::begin(kOfRuns), std::end(kOfRuns), a.kind) != std::end(kOfRuns);
  });
}

/// Why the run is at reduced shapes; "" if it is not.
std::string why_reduced(const Case& c, const Options& options) {
  if (options.run_shapes == "reduced") return "asked for by --run-shapes";
  return options.run_shapes == "full" ? "" : too_large(c, differential_options(options));
}

/// The pair at reduced shapes. Null where it cannot be reduced; `why` then says that too.
std::unique_ptr<Case> try_shrink(const Case& c, std::string& why) {
  try {
    return shrink(c);
  } catch (const InputError& error) {
    const std::string text = error.what();
    why += "; it cannot be reduced: " + text.substr(0, text.find('\n'));
    return nullptr;
  }
}

/// How a reduced pair is run if the user leaves the number type open: over the reals, where that is a matter of a minute;
/// else only what looks different in f64 is (error bounds in f64 would hide most defects).
void run_reduced_over_reals(const Case& small, Options& options, DifferentialOptions& run) {
  constexpr double kReals = 5e8;
  options.dtype = "real";
  run.mode = NumberMode::Real;
  run.screened = estimated_operations(small) > kReals;
  run.both_sides = true;
}

/// A difference at reduced shapes counts only if it stays where the float literals that are made of sizes follow them: kept
/// ones make a false one where a size is a literal in one place and a count in another. Says why it does not count, or "".
std::string doubt_of_difference(const Case& c, const DifferentialOptions& how, Report& report) {
  std::string why;
  std::unique_ptr<Case> other;
  try {
    other = shrink_with_floats(c, why);
  } catch (const InputError& error) {
    why = error.what();
  }
  if (!why.empty()) report.notes.push_back("float literals were kept only, they cannot be rewritten: " + why);
  if (!other) return "";
  const DifferentialResult run = run_pair(*other, how);
  if (run.differing) return "";
  if (run.stopped) return std::string("with the float literals rewritten that are made of sizes it was not run to the end: ") + run.stopped->what();
  return "with the float literals rewritten that are made of sizes it agrees";
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Custom calls without a meaning stood for some function in the run: an outcome that is open names them.
void note_opaque_calls(const Case& c, const Options& options, Report& report) {
  const std::vector<std::string> calls = opaque_calls(c);
  if (calls.empty()) return;
  std::vector<std::string> declared;
  std::string open;
  for (const std::string& text : options.opaque) {
    const OpaqueTarget opaque = parse_opaque_target(text);
    declared.push_back(opaque.target);
    if (std::find(calls.begin(), calls.end(), opaque.target) == calls.end()) continue;
    if (report.verdict == Verdict::Proved) continue;  // the checker has listed what the proof rests on
    report.assumptions.push_back({AssumptionKind::OpaquePure, {opaque.target}});
    if (!opaque.batch_dims.empty()) report.assumptions.push_back({AssumptionKind::BatchDims, {opaque.target}});
  }
  for (const std::string& target : calls) {
    if (std::find(declared.begin(), declared.end(), target) == declared.end()) open += (open.empty() ? "" : ",") + target;
  }
  if (open.empty() || report.verdict != Verdict::Unknown) return;
  report.reason = Reason::OpaqueCall;
  report.details.push_back({"opaque", printable_word(open)});
  report.notes.push_back("the custom call " + open + " has no meaning here: outputs that depend on it are not decided; give one with "
                         "--define FILE.hlo, or declare it a pure function with --opaque " + calls.front());
}

Blame sequential_blame(const Module& module, InstructionId id) {
  Blame b;
  b.instruction = module.name_of(id);
  b.path.emplace_back(module.string(module.computation(module.computation_of(id)).name));
  b.op = info(module[id].op).name;
  if (const auto source = module.source(id)) b.source = source->file + ":" + std::to_string(source->line);
  b.side = "sequential";
  b.file = module.where(id).file;
  b.line = module[id].line;
  b.column = module[id].column;
  return b;
}

/// The claims of replication of the module itself, which no second program can check.
void note_manual_regions(Case& c, const DifferentialOptions& options, bool run, Report& report) {
  report.details.push_back({"manual-regions", std::to_string(c.manual_regions)});
  if (!run) return;
  try {
    for (int draw = 0; draw < options.seeds; ++draw) {
      const InputSet inputs = draw_inputs(c.relation, options.seed + static_cast<std::uint64_t>(draw), draw);
      RunOptions how;
      how.budget = options.budget;
      const auto found = check_replicas(*c.manual_bodies, c.relation.mesh, sequential_inputs(c, inputs, how.mode), how);
      for (const ReplicaViolation& violation : found) {
        report.verdict = Verdict::Refuted;
        report.reason.reset();
        Finding finding;
        finding.kind = "missing";
        finding.after = c.sequential->name_of(violation.producer);
        finding.before = c.sequential->name_of(violation.border);
        finding.text = violation.text;
        report.divergent = sequential_blame(*c.sequential, violation.producer);
        finding.source = report.divergent->source;
        report.findings.insert(report.findings.begin(), std::move(finding));
      }
      if (!found.empty()) return;
    }
  } catch (const RuntimeFailure& failure) {
    report.notes.emplace_back(std::string("replica claims were not checked: ") + failure.what());
  }
}

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
  report.peak_mb = peak_megabytes();
  return report;
}

/// A proof that rests on something that the user did not allow; "" if none. What --assume says is allowed where nothing is listed.
std::string refused_assumption(const Report& report, const Options& options) {
  if (options.allow_assumptions.empty() || report.verdict != Verdict::Proved) return "";
  const Assumption* refused = not_allowed(report.assumptions, options.allow_assumptions);
  return refused == nullptr ? "" : std::string(to_string(refused->kind));
}

int exit_code(const Report& report, const Options& options) {
  if (report.failure) return report.failure->exit_code;
  const bool agrees = report.verdict == Verdict::Unknown && report.reason == Reason::AgreesOnly;
  if (options.require == "agrees" && agrees) return 0;
  if (!refused_assumption(report, options).empty()) return 2;
  if (options.require_precision && report.verdict == Verdict::Proved && !report.precision.empty()) return 2;
  if (options.for_all_sizes && report.verdict == Verdict::Proved && !(report.sizes && report.sizes->proved)) return 2;
  return exit_code(report.verdict);
}

int publish(const Report& given, const Options& options) {
  enter_phase("report");
  const Report report = printable(given);
  if (!options.json.empty()) write_file(options.json, to_json(report));
  if (!options.junit.empty()) write_file(options.junit, to_junit({report}));
  if (!options.sarif.empty()) write_file(options.sarif, to_sarif({report}));
  if (!options.html.empty()) write_file(options.html, to_html({report}));
  std::cout << (options.quiet ? verdict_line(report) + "\n" : to_text(report)) << std::flush;
  if (const std::string refused = refused_assumption(report, options); !refused.empty()) {
    std::cerr << "note: the proof assumes " << refused << ", which --allow-assumption does not name: exit code 2\n";
  }
  return exit_code(report, options);
}

}  // namespace gg
