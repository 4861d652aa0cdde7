#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "harness/decide/attempts.h"
#include "harness/decide/evidence.h"
#include "harness/decide/literal_steps.h"
#include "harness/explain/explain.h"
#include "harness/prove/assumed.h"
#include "harness/prove/premises.h"
#include "harness/prove/proof.h"
#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/base/text.h"
#include "models/pair/index_uses.h"
#include "models/pair/stated.h"
#include "models/relation/relation.h"

namespace gg {
namespace {

/// Does a proof under this say nothing of runs?
bool is_apart(const Assumption& a) {
  constexpr AssumptionKind kOfRuns[] = {AssumptionKind::MaskIsMinusInfinity, AssumptionKind::Literal, AssumptionKind::Equal, AssumptionKind::Terminates, AssumptionKind::Uniform};
  return std::find(std::begin(kOfRuns), std::end(kOfRuns), a.kind) != std::end(kOfRuns);
}

/// Assumed values that are not equal in a run: nothing follows from them.
bool contradicted(Case& c, const std::vector<Assumption>& equal, const Options& options, Told& told) {
  bool found = false;
  try {
    for (const Assumption& a : equal) {
      const auto text = contradiction(c, a, differential_options(options));
      if (text) told.notes.push_back("the assumption does not hold: " + *text);
      found |= text.has_value();
    }
  } catch (const RuntimeFailure& failure) {
    told.notes.emplace_back(std::string("the assumptions were not compared in a run: ") + failure.what());
  }
  return found;
}

/// Control flow that keeps a proof open, and assumptions about control flow that nothing needed.
void note_duties(const Case& c, const ProofResult& proof, const std::vector<Assumption>& given, Told& told) {
  constexpr std::size_t kShown = 8;
  for (std::size_t k = 0; k < std::min(proof.open.size(), kShown); ++k) {
    const OpenDuty& duty = proof.open[k];
    const auto source = c.distributed->source(duty.instruction);
    const std::string place = source ? fmt::format(" ({}:{})", source->file, source->line) : "";
    const std::string& name = duty.assumption.arguments[0];
    const bool loop = duty.assumption.kind == AssumptionKind::Terminates;
    told.notes.push_back(fmt::format("{}{}: {}; --assume {}:{} takes it as given", name, place,
                                     loop ? duty.why : duty.why + ", and its condition is not shown to be the same on them",
                                     to_string(duty.assumption.kind), name));
  }
  if (proof.open.size() > kShown) told.notes.push_back(fmt::format("and {} more loops and branches", proof.open.size() - kShown));
  if (!proof.proved) return;
  for (const Assumption& a : given) {
    const bool used = std::find(proof.assumptions.begin(), proof.assumptions.end(), a) != proof.assumptions.end();
    if (!used) told.notes.push_back("the proof does not need the assumption " + to_string(a));
  }
}

/// Tests for infinities say nothing under finite-inputs: whoever relies on them must know it.
void note_decided(const Case& c, const DecidedTests& decided, Told& told) {
  constexpr std::size_t kMostNamed = 4;
  const std::vector<InstructionId>& tests = decided.tests;
  if (tests.empty()) return;
  std::vector<std::string> names;
  for (const InstructionId test : tests) {
    const Blame place = blame(decided.sequential ? *c.sequential : *c.distributed, Instance{{}, test});
    names.push_back("%" + place.instruction + (place.source.empty() ? "" : " (" + place.source + ")"));
  }
  told.details.push_back({"decided", std::to_string(tests.size())});
  told.notes.push_back(std::string(decided.sequential ? "sequential " : "") + "outputs hang on tests for NaN or infinity that finite-inputs decides: " + first_few(names, kMostNamed, fmt::format(" and {} more", tests.size() - kMostNamed)) + "; nothing is said of steps in which they turn out otherwise");
}

/// Integers that the sequential program takes, counted from the end, and that the assumptions leave out.
void note_from_end(Case& c, const std::vector<Assumption>& assumptions, Told& told) {
  if (std::none_of(assumptions.begin(), assumptions.end(), [](const Assumption& a) { return a.kind == AssumptionKind::InBounds; })) return;
  const auto& free = c.relation.free;
  const std::vector<IndexUses> uses = index_uses(c);
  int inputs = 0;
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto below = from_end(free[k], uses[k]);
    if (!below) continue;
    const auto near = *in_bounds(free[k], uses[k]);
    const Assumption without{AssumptionKind::InBounds, {free[k].name, fmt::format("[{},{})", near.lo, near.hi + 1), uses[k].instruction}};
    if (std::find(assumptions.begin(), assumptions.end(), without) == assumptions.end()) continue;
    ++inputs;
    told.notes.push_back(fmt::format(
        "the sequential program takes {0} in [{1}, {2}) too, counted from the end at %{3}; in-bounds leaves them out, and nothing is said of them: --range {0}={1}:{4} (\"ranges\" of the relation) decides them",
        free[k].name, below->lo, below->hi + 1, uses[k].instruction, in_bounds(free[k], uses[k])->hi + 1));
  }
  if (inputs != 0) told.details.push_back({"from-end", std::to_string(inputs)});
}

/// What is told of an accepted proof, and what follows from it.
void follow(Case& c, const Options& options, const CheckedProof& found, ProofEvidence& evidence) {
  Told& told = evidence.told;
  for (const std::string& refusal : found.refusals) told.notes.push_back("the checker did not accept a certificate before this one: " + refusal);
  evidence.assumptions = found.checked.assumptions;
  const auto& assumptions = evidence.assumptions;
  evidence.outcome = std::any_of(assumptions.begin(), assumptions.end(), is_apart) ? Proven::Apart : Proven::Yes;
  const auto& lines = found.proof.certificate->lines;
  evidence.simulates = std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("simulate "); });
  if (evidence.assumes(AssumptionKind::MaskIsMinusInfinity)) told.notes.push_back("mask-is-minus-infinity: " + std::string(info(AssumptionKind::MaskIsMinusInfinity).text));
  told.details.push_back({"precision", std::to_string(found.proof.precision.size())});
  note_decided(c, found.proof.decided, told);
  note_from_end(c, assumptions, told);
  if (const std::size_t steps = steps_behind_literals(c, assumptions)) {
    told.details.push_back({"steps", std::to_string(steps)});
    told.notes.push_back(fmt::format("{} comparisons or roundings to whole numbers hang on literals that are taken as closed forms: just where these step, the rounding of a literal decides, of which nothing is said", steps));
  }
  if (const auto steps = step_closure(*c.arena, c.relation)) {
    const std::string leaves = leaves_range(c, assumptions);
    told.details.push_back({"step-closed", steps->closed && leaves.empty() ? "yes" : "no"});
    if (steps->closed && !leaves.empty()) told.notes.push_back(leaves);
  }
  if (options.for_all_sizes) {
    std::string certificate;
    evidence.sizes = theorem_over_sizes(c, &certificate);
    if (evidence.sizes->proved && !certificate.empty() && !options.certificate.empty()) write_file(options.certificate + ".sizes", certificate);
    std::vector<std::string> free, fixed;
    for (const SizeSymbol& symbol : evidence.sizes->sizes) free.push_back(symbol.name);
    for (const MeshAxis& axis : c.relation.mesh.axes) {
      if (axis.size > 1 && std::find(free.begin(), free.end(), axis.name) == free.end()) fixed.push_back(fmt::format("{}={}", axis.name, axis.size));
    }
    told.details.push_back({"sizes", evidence.sizes->proved ? "all(" + joined_text(free, ",") + ")" : "given"});
    if (evidence.sizes->proved && !fixed.empty()) told.notes.push_back("all sizes: the numbers of ranks stay as they are: " + joined_text(fixed, ", "));
  }
  if (options.certificate.empty()) return;
  write_file(options.certificate, found.certificate);
  evidence.certificate = options.certificate;
}

}  // namespace

ProofEvidence gather_proof(Case& c, const Options& options, Parts parts) {
  ProofEvidence evidence;
  if (!parts.prove || c.manual_regions != 0) return evidence;  // values that differ from rank to rank are no anchors
  enter_phase("proof");
  ProverOptions limits;
  for (const std::string& text : options.assume) {
    for (Assumption& a : parse_stated(c, text)) (a.kind == AssumptionKind::Equal ? limits.equal : limits.control).push_back(std::move(a));
  }
  const auto runs = [&] {
    return parts.run && options.run_shapes != "reduced" && is_affordable(cost_of_run(c, options).operations, NumberMode::F64, Purpose::Decide);
  };
  if (!limits.equal.empty() && runs() && contradicted(c, limits.equal, options, evidence.told)) limits.equal.clear();
  limits.relations = options.verbose;
  CheckedProof found = prove_and_check(c, limits, options.certificate);
  for (const std::string& line : found.proof.relations) std::cerr << printable(line) << "\n";
  evidence.given = std::move(limits.equal);
  evidence.outcome = Proven::No;
  evidence.told.details.push_back({"related", fmt::format("{}/{}", found.proof.related, found.proof.instructions)});
  note_duties(c, found.proof, limits.control, evidence.told);
  if (found.accepted()) {
    follow(c, options, found, evidence);
  } else if (!found.certificate.empty()) {
    evidence.outcome = Proven::Rejected;
    evidence.told.notes.push_back("the checker did not accept the certificate: " + found.checked.problem);
    if (found.checked.limited) found.proof.reason = Reason::Limit;
  }
  evidence.result = std::move(found.proof);
  return evidence;
}

}  // namespace gg
