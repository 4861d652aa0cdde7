// Findings and hypotheses (harness/explain/explain.h).
#include "harness/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <new>

#include "harness/explain/arguments.h"
#include "harness/explain/first_divergence.h"
#include "harness/explain/looking_past_rounding.h"
#include "harness/explain/reduced_texts.h"
#include "harness/explain/shapes.h"
#include "harness/explain/taken_apart.h"
#include "harness/options/load.h"
#include "harness/pinpoint/minimize.h"
#include "harness/pinpoint/pinpoint.h"
#include "harness/pinpoint/preconditions.h"
#include "harness/pinpoint/reduce.h"
#include "harness/pinpoint/story.h"
#include "harness/prove/proof.h"
#include "harness/witness/witness.h"
#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/base/text.h"
#include "models/fx/edit.h"
#include "models/fx/spoken.h"
#include "models/hlo/printer.h"
#include "models/ir/control_flow.h"

namespace gg {
Blame blame(const Module& module, const Instance& instance) {
  const InstructionId id = instance.instruction;
  Blame b;
  b.instruction = module.name_of(id);
  b.path.emplace_back(module.string(module.computation(module.entry()).name));
  for (const auto call : instance.path) b.path.emplace_back(module.name_of(call));
  b.op = info(module[id].op).name;
  if (const auto source = module.source(id)) b.source = source->file + ":" + std::to_string(source->line);
  b.file = module.where(id).file;
  b.line = module[id].line;
  b.column = module[id].column;
  PrintOptions print;
  print.metadata = false;
  b.excerpt = print_instruction(module, id, print);
  if (whole_of(module, id)) {
    if (std::string line = line_in_text(module, id); !line.empty()) b.excerpt = std::move(line);
  }
  if (const auto written = fx::written_at(module.where(id))) {
    b.op = written->operation;
    b.excerpt = written->text;
    b.instruction = fx::node_of(module, id);
  }
  return b;
}

namespace {

/// In the words of the text that was read.
std::string told(const Module& module, const std::string& text) { return with_wholes(module, fx::spoken(module, text)); }

/// Some instance of an instruction: its computation by the first chain of calls that leads there.
Instance instance_of(const Module& module, InstructionId id) {
  Instance instance;
  instance.instruction = id;
  ComputationId at = module.computation_of(id);
  for (std::size_t depth = 0; at != module.entry() && depth < module.computations().size(); ++depth) {
    InstructionId caller = kNone;
    for (InstructionId k = 0; k < module.size() && caller == kNone; ++k) {
      const ComputationList called = computations_of(module, k);
      if (std::find(called.begin(), called.end(), at) != called.end()) caller = k;
    }
    if (caller == kNone) break;
    instance.path.insert(instance.path.begin(), caller);
    at = module.computation_of(caller);
  }
  return instance;
}

const char* to_string(pinpoint::FindingKind kind) {
  switch (kind) {
    case pinpoint::FindingKind::Wrong: return "wrong";
    case pinpoint::FindingKind::Missing: return "missing";
    case pinpoint::FindingKind::Extra: return "extra";
  }
  return "";
}

void add_finding(Explanation& report, Finding finding, std::optional<Blame> place) {
  if (place) {
    finding.instruction = place->instruction;
    finding.source = place->source;
    if (!report.divergent) report.divergent = place;
  }
  finding.place = std::move(place);
  report.findings.push_back(std::move(finding));
}

Finding plain(std::string text, pinpoint::Diagnosis diagnosis) {
  Finding finding;
  finding.kind = "wrong";
  finding.text = std::move(text);
  finding.diagnosis = pinpoint::info(diagnosis).id;
  return finding;
}

/// Defects and mends in the terms of `c`; the search was at reduced shapes if `reduced`.
void add_pinpointed(Case& c, const pinpoint::Pinpointed& found, bool reduced, const Options& options, Explanation& report) {
  const auto mended = [reduced](const pinpoint::Mend& mend) -> const Module* {
    const std::optional<Module>& module = reduced ? mend.full : mend.module;
    return module ? &*module : nullptr;
  };
  const auto node = [&](const std::string& name) { return name.empty() ? name : fx::spoken(*c.distributed, "%" + name).substr(1); };
  std::vector<pinpoint::Defect> defects = found.defects;
  if (defects.empty() && found.likely) {
    defects.push_back(*found.likely);
    defects.back().text += " (a guess: the edit that undoes it brings the program nearer to right, but does not make it right)";
  }
  if (!defects.empty() && found.guessed) defects.back().text += " (a guess: runs agree after the edit, which is not proved, and nothing else speaks for it)";
  const auto words = [&](const pinpoint::Defect& d) { return other_arguments(*c.sequential, *c.distributed, d.place); };
  const bool worded = std::any_of(defects.begin(), defects.end(), words);
  const auto follows = [&](const pinpoint::Defect& d) { return worded && !words(d) && whole_of(*c.distributed, d.place); };  // a part of what does another thing by that word
  std::erase_if(defects, follows);
  for (const pinpoint::Defect& defect : defects) {
    Finding finding{to_string(defect.kind), "", node(defect.after), node(defect.before), std::string(pinpoint::info(defect.diagnosis).id),
                    told(*c.distributed, defect.text), "", std::nullopt};
    if (auto arguments = words(defect)) {
      finding.text = std::move(*arguments);
      finding.diagnosis = pinpoint::info(pinpoint::Diagnosis::LiteralDiffers).id;
    }
    add_finding(report, std::move(finding), blame(*c.distributed, instance_of(*c.distributed, defect.place)));
  }
  for (const pinpoint::Mend& mend : found.mends) {
    Hypothesis hypothesis;
    for (const auto& edit : mend.edits) hypothesis.edit += (hypothesis.edit.empty() ? "" : "; ") + told(*c.distributed, edit);
    hypothesis.mends = mend.mends;
    hypothesis.large = mend.copied > pinpoint::kManyCopied;
    hypothesis.confirmed = mend.proved ? "proof" : mend.mends ? "run"
                                                              : "";
    if (const Module* module = mended(mend)) {
      auto graph_lines = fx::edit_text(*c.distributed, *module);
      hypothesis.diff = graph_lines ? std::move(*graph_lines) : pinpoint::hlo_diff(*c.distributed, *module);
    }
    report.hypotheses.push_back(std::move(hypothesis));
  }
  const Module* best = found.mends.empty() || !found.mends.front().mends ? nullptr : mended(found.mends.front());
  if (!options.repaired.empty() && best != nullptr) {
    write_file(options.repaired, print_hlo(*best));
    report.notes.push_back("repaired program written to " + options.repaired);
  }
}

/// What the search looks at: the case itself, or the same pair at reduced shapes in its place.
struct Subject {
  Case* pair = nullptr;
  const InputSet* inputs = nullptr;
  const DrawOutcome* outcome = nullptr;
  std::shared_ptr<const RecordedPair> recorded = nullptr;  ///< of the run that differs
};

constexpr double kSearchable = 1e9;                            ///< operations of a run that can be made often
constexpr std::int64_t kMostWritten = std::int64_t{1} << 24U;  ///< input elements of a witness

/// The pair at reduced shapes with inputs on which it differs.
struct Reduction {
  std::unique_ptr<Case> pair;
  DifferentialResult run;
};

/// Nothing where the reduced pair agrees, or is another program.
std::optional<Reduction> reduction(const Case& c, const Options& options) {
  try {
    Reduction result{shrink(c), {}};
    if (!same_instructions(c, *result.pair)) return std::nullopt;
    DifferentialOptions differential = differential_options(options);
    differential.mode = affordable_mode(*result.pair);
    differential.record = true;
    result.run = run_pair(*result.pair, differential);
    if (!result.run.differing || result.run.differing->failure) return std::nullopt;
    return result;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// Gives back the first repaired program of `c` that was proved.
std::optional<Repaired> search(Case& c, const Subject& subject, const Options& options, Explanation& report) {
  pinpoint::Search how;
  how.seed = options.seed;
  how.prove = options.command != "run";
  how.budget = differential_options(options).budget;
  how.mode = affordable_mode(*subject.pair);
  how.full = subject.pair == &c ? nullptr : &c;
  how.recorded = subject.recorded;
  const LookingPastRounding past(subject.pair->relation, *subject.outcome);
  how.rounded = past.outputs;
  pinpoint::Pinpointed found = pinpoint::pinpoint(*subject.pair, *subject.inputs, how);
  add_pinpointed(c, found, how.full != nullptr, options, report);
  if (!options.html.empty()) report.story = pinpoint::story(*subject.pair, *subject.inputs, found, how);
  for (pinpoint::Mend& mend : found.mends) {
    if (!mend.proved || !mend.module) continue;
    if (how.full == nullptr) return Repaired{std::move(*mend.module), std::nullopt, {}};
    if (mend.full) return Repaired{std::move(*mend.full), std::move(*mend.module), std::move(mend.patches)};
  }
  return std::nullopt;
}

void add_preconditions(const Subject& subject, const Options& options, Explanation& report) {
  DifferentialOptions differential = differential_options(options);
  differential.mode = affordable_mode(*subject.pair);
  for (const pinpoint::Precondition& p : pinpoint::preconditions(*subject.pair, *subject.inputs, *subject.outcome, differential)) {
    report.preconditions.push_back({std::string(to_string(p.circumstance)), p.input, p.axes, p.text, p.draws});
  }
}

void add_first_divergence(Case& c, const Subject& subject, const Options& options, Explanation& report) {
  DifferentialOptions differential = differential_options(options);
  differential.mode = affordable_mode(*subject.pair);
  const auto first = first_divergence(*subject.pair, *subject.inputs, differential);
  if (!first) return;
  Finding finding = plain(told(*c.distributed, first->text), first->missing ? pinpoint::Diagnosis::MissingReduction : pinpoint::Diagnosis::Other);
  if (first->missing) finding.kind = "missing";
  add_finding(report, std::move(finding), blame(*c.distributed, first->instance));
}

void add_witness(Case& c, const Subject& subject, const Options& options, Explanation& report) {
  report.witness = witness_folder(options, c.name);
  if (report.witness.empty()) return;
  DifferentialOptions differential = differential_options(options);
  if (subject.pair != &c) differential.mode = affordable_mode(*subject.pair);
  const pinpoint::SmallWitness small = pinpoint::minimize(*subject.pair, *subject.inputs, *subject.outcome, differential);
  write_witness(report.witness, *subject.pair, small.inputs, small.outcome, differential.budget, small.recorded.get());
  report.notes.push_back(fmt::format(
      "smallest inputs ({1} of {2} elements not zero) written to {0}; run: gg-harness replay {0}, "
      "or python3 {0}/replay.py",
      shell_word(report.witness), small.nonzero, small.elements));
}

/// Runs a step of the explanation; the verdict stands whatever becomes of it.
template <class Step>
void attempt(const char* what, Explanation& report, Step step) {
  try {
    step();
  } catch (const RuntimeFailure& failure) {
    report.notes.push_back(std::string(what) + " stopped: " + failure.what());
  } catch (const OutOfTime&) {
    report.notes.push_back(std::string(what) + " stopped: the time budget is used up");
  } catch (const std::bad_alloc&) {
    report.notes.push_back(std::string(what) + " stopped: out of memory");
  }
}

bool is_large(const Case& c) {
  const Grace grace;
  return affordable_mode(c) == NumberMode::F64;
}

}  // namespace

bool is_searchable(const Case& c) {
  const Grace grace;  // an estimate is short
  return estimated_operations(c) <= kSearchable;
}

std::string searched_smaller(std::uint64_t seed) {
  return fmt::format("the pair is large: it differs with seed {}; searched and minimised was the same pair at reduced shapes, which differs too", seed);
}

std::optional<Repaired> explain_difference(Case& c, DifferentialResult& run, const Options& options, Explanation& report, Case* small, const Searched& searched) {
  Subject subject{small != nullptr ? small : &c, &*run.witness, &*run.differing, std::move(run.recorded)};
  std::optional<Repaired> repaired;
  std::optional<Reduction> reduced;
  const bool large = small == nullptr && is_large(c);
  if (large && !run.differing->failure) attempt("the run at reduced shapes", report, [&] { reduced = reduction(c, options); });
  if (reduced) {
    report.notes.push_back(searched_smaller(run.witness->seed));
    run.witness.reset();
    subject = {reduced->pair.get(), &*reduced->run.witness, &*reduced->run.differing, std::move(reduced->run.recorded)};
  }
  if (c.manual_regions == 0 && subject.outcome->failure) {
    add_finding(report, plain(subject.outcome->failure->what(), pinpoint::Diagnosis::Hang), blame(*c.distributed, subject.outcome->failure->where));
  } else if (c.manual_regions == 0) {
    const bool searchable = reduced || is_searchable(*subject.pair);
    if (searchable) attempt("the search for the defect", report, [&] { repaired = search(c, subject, options, report); });
    if (searchable && !c.relation.recorded) attempt("the search for preconditions", report, [&] { add_preconditions(subject, options, report); });
    if (report.findings.empty()) attempt("the trace", report, [&] { add_first_divergence(c, subject, options, report); });
    if (report.findings.empty()) add_finding(report, plain("the outputs differ", pinpoint::Diagnosis::Other), std::nullopt);
  }
  subject.recorded.reset();
  if (searched) searched(repaired);
  std::int64_t elements = 0;
  for (const Buffer& buffer : subject.inputs->free) elements += buffer.count();
  if (elements > kMostWritten) {
    report.notes.push_back(fmt::format("no witness is written, its inputs are {} numbers; the pair differs with seed {}", elements,
                                       subject.inputs->seed));
    return repaired;
  }
  attempt("the search for the smallest inputs", report, [&] { add_witness(c, subject, options, report); });
  return repaired;
}

namespace {

int write_reduced(const pinpoint::Reduced& reduced, const Options& options) {
  write_reduction(options.output, reduced.sequential, reduced.distributed, reduced.relation);
  std::cout << fmt::format("output {}\ninstructions {} -> {}\nreduced {}\n", reduced.output, reduced.before, reduced.instructions, options.output);
  return 0;
}

/// A pair whose outputs agree: proved, or the smallest one that is unknown for the same reason.
int reduce_agreeing(Case& c, const DifferentialOptions& differential, const Options& options) {
  const CheckedProof found = prove_and_check(c, {}, "");
  const ProofResult& proof = found.proof;
  if (proof.proved) {
    std::cout << (found.accepted() ? "not reduced: the pair is proved\n" : "not reduced: a proof was found that the checker does not accept: " + found.checked.problem + "\n");
    return exit_code(Verdict::Unknown);
  }
  const Reason reason = proof.reason.value_or(Reason::NoLemma);
  const InputSet inputs = draw_inputs(c.relation, options.seed, 0);
  const auto reduced = pinpoint::reduce_unknown(c, inputs, reason, {differential.budget, options.seed, options.anonymous});
  if (!reduced) {
    std::cout << fmt::format("not reduced: no smaller pair is unknown for the same reason ({})\n", to_string(reason));
    return exit_code(Verdict::Unknown);
  }
  std::cout << fmt::format("unknown reason={}\n", to_string(reason));
  return write_reduced(*reduced, options);
}

}  // namespace

int reduce_instructions(const Options& given) {
  Case c = load_case(given);
  if (c.relation.recorded) throw InputError(DiagCode::NotYet, {c.relation.file}, "programs of one recorded run are not reduced");
  const Options options = with_number_type(given, c);
  infer_ranges(c);
  DifferentialOptions differential = differential_options(options);
  std::optional<Reduction> smaller;
  Case* pair = &c;
  if (affordable_mode(c) == NumberMode::F64) smaller = reduction(c, options);
  if (smaller) pair = smaller->pair.get();
  const DifferentialResult run = smaller ? std::move(smaller->run) : run_pair(c, differential);
  if (run.differing && run.differing->failure) {
    std::cout << "not reduced: the program hangs\n";
    return exit_code(Verdict::Unknown);
  }
  if (!run.differing) return reduce_agreeing(*pair, differential, options);
  pinpoint::Search how;
  how.seed = options.seed;
  how.prove = false;
  how.budget = differential.budget;
  how.mode = affordable_mode(*pair);
  const pinpoint::Pinpointed found = pinpoint::pinpoint(*pair, *run.witness, how);
  const Module* mended = found.mends.empty() || !found.mends.front().module ? nullptr : &*found.mends.front().module;
  const auto reduced = pinpoint::reduce(*pair, *run.witness, mended, {differential.budget, options.seed, options.anonymous});
  if (!reduced) {
    std::cout << "not reduced: no smaller pair differs\n";
    return exit_code(Verdict::Unknown);
  }
  return write_reduced(*reduced, options);
}

}  // namespace gg
