// Findings and hypotheses (harness/explain.h).
#include "harness/explain.h"

#include <algorithm>
#include <chrono>

#include "harness/pinpoint/pinpoint.h"
#include "harness/pinpoint/story.h"
#include "models/base/file.h"
#include "models/hlo/printer.h"

namespace gg {
namespace {

using Clock = std::chrono::steady_clock;

Blame blame(const Module& module, const Instance& instance) {
  const InstructionId id = instance.instruction;
  Blame b;
  b.instruction = module.name_of(id);
  b.path.emplace_back(module.string(module.computation(module.entry()).name));
  for (const auto call : instance.path) b.path.emplace_back(module.name_of(call));
  b.op = info(module[id].op).name;
  if (const auto source = module.source(id)) b.source = source->file + ":" + std::to_string(source->line);
  b.file = module.file;
  b.line = module[id].line;
  b.column = module[id].column;
  PrintOptions print;
  print.metadata = false;
  b.excerpt = print_instruction(module, id, print);
  return b;
}

/// Some instance of an instruction: its computation by the first chain of calls that leads there.
Instance instance_of(const Module& module, InstructionId id) {
  Instance instance;
  instance.instruction = id;
  ComputationId at = module.computation_of(id);
  for (std::size_t depth = 0; at != module.entry() && depth < module.computations().size(); ++depth) {
    InstructionId caller = kNone;
    for (InstructionId k = 0; k < module.size() && caller == kNone; ++k) {
      for (const auto& [attr, value] : module.attributes(k).entries()) {
        const auto* list = std::get_if<ComputationList>(&value);
        if (list != nullptr && std::find(list->begin(), list->end(), at) != list->end()) caller = k;
      }
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

void add_finding(Report& report, Finding finding, std::optional<Blame> place) {
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

void add_pinpointed(Case& c, const pinpoint::Pinpointed& found, const Options& options, Report& report) {
  for (const pinpoint::Defect& defect : found.defects) {
    Finding finding{to_string(defect.kind), "", defect.after, defect.before, std::string(pinpoint::info(defect.diagnosis).id),
                    defect.text, "", std::nullopt};
    add_finding(report, std::move(finding), blame(*c.distributed, instance_of(*c.distributed, defect.place)));
  }
  for (const pinpoint::Mend& mend : found.mends) {
    Hypothesis hypothesis;
    for (const auto& edit : mend.edits) hypothesis.edit += (hypothesis.edit.empty() ? "" : "; ") + edit;
    hypothesis.mends = mend.mends;
    hypothesis.confirmed = mend.proved ? "proof" : mend.mends ? "run" : "";
    if (mend.module) hypothesis.diff = pinpoint::hlo_diff(*c.distributed, *mend.module);
    report.hypotheses.push_back(std::move(hypothesis));
  }
  if (!options.repaired.empty() && !found.mends.empty() && found.mends.front().mends && found.mends.front().module) {
    write_file(options.repaired, print_hlo(*found.mends.front().module));
    report.notes.push_back("repaired program written to " + options.repaired);
  }
}

}  // namespace

void explain_difference(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Options& options, Report& report) {
  if (outcome.failure) {
    add_finding(report, plain(outcome.failure->what(), pinpoint::Diagnosis::Hang), blame(*c.distributed, outcome.failure->where));
    return;
  }
  pinpoint::Search search;
  search.seed = options.seed;
  search.prove = options.command != "run";
  search.budget.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                              std::chrono::duration<double>(options.budget_seconds));
  try {
    const pinpoint::Pinpointed found = pinpoint::pinpoint(c, inputs, search);
    add_pinpointed(c, found, options, report);
    if (!options.html.empty()) report.story = pinpoint::story(c, inputs, found, search.budget);
  } catch (const RuntimeFailure& failure) {
    report.notes.push_back("the search for the defect stopped: " + std::string(failure.what()));
  }
  if (!report.findings.empty()) return;
  DifferentialOptions differential;
  differential.mode = number_mode(options);
  differential.budget = search.budget;
  if (const auto first = first_divergence(c, inputs, differential)) {
    Finding finding = plain(first->text, first->missing ? pinpoint::Diagnosis::MissingReduction : pinpoint::Diagnosis::Other);
    if (first->missing) finding.kind = "missing";
    add_finding(report, std::move(finding), blame(*c.distributed, first->instance));
  } else {
    add_finding(report, plain("the outputs differ", pinpoint::Diagnosis::Other), std::nullopt);
  }
}

}  // namespace gg
