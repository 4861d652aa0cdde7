#include "harness/decide/reduced_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/explain/confirm.h"
#include "harness/explain/explain.h"
#include "harness/explain/shapes.h"
#include "harness/pinpoint/transplant.h"
#include "harness/pinpoint/trial.h"
#include "harness/prove/proof.h"
#include "models/base/file.h"
#include "models/base/progress.h"
#include "models/hlo/printer.h"
#include "runtime/cone.h"
#include "runtime/pair_runner.h"
#include "runtime/plans.h"
#include "runtime/shapes/part.h"
#include "runtime/sides.h"

namespace gg {
namespace {

constexpr double kWholeRun = 1e11;  ///< operations in f64: a matter of a minute

/// A difference at reduced shapes counts only if it stays where the float literals that are made of sizes follow them: kept
/// ones make a false one where a size is a literal in one place and a count in another. Says why it does not count, or "".
std::string doubt_of_difference(const Case& c, const DifferentialOptions& how, Told& told) {
  std::string why;
  std::unique_ptr<Case> other;
  try {
    other = shrink_with_floats(c, why);
  } catch (const InputError& error) {
    why = error.what();
  }
  if (!why.empty()) told.notes.push_back("float literals were kept only, they cannot be rewritten: " + why);
  if (!other) return "";
  const DifferentialResult run = run_pair(*other, how);
  if (run.differing) return "";
  if (run.stopped) return std::string("with the float literals rewritten that are made of sizes it was not run to the end: ") + run.stopped->what();
  return "with the float literals rewritten that are made of sizes it agrees";
}

/// Where the pair's own shapes have what the reduced ones have at `at`, and the ends of that part: elements of an output.
std::vector<std::int64_t> counterparts(const OutputClaim& full, const OutputClaim& small, std::size_t digits, const Difference& difference) {
  std::vector<std::int64_t> found;
  for (const int way : {0, 1, 2, 3}) {  // first and last of the part, the middle of the array, its end
    std::int64_t element = difference.rank;
    for (std::size_t d = digits; d < full.extents.size(); ++d) {
      const std::int64_t n = full.extents[d], m = small.extents[d], i = difference.element[d - digits];
      const std::int64_t at = way == 0 ? i * n / m : way == 1 ? (i + 1) * n / m - 1
                                                 : way == 2   ? n / 2
                                                              : n - 1;
      element = element * n + at;
    }
    if (std::find(found.begin(), found.end(), element) == found.end()) found.push_back(element);
  }
  return found;
}

/// Single elements of the outputs that differ at reduced shapes, at the pair's own: made from the inputs that they hang on. Says where they
/// differ; nothing where none does that hangs on few enough.
std::optional<std::string> difference_at_full_shape(Case& c, const Case& small, const DrawOutcome& draw) {
  constexpr double kMost = 3 * ConePair::kMost;  // in all
  if (flags_indices(c)) return std::nullopt;     // whether they are as they are flagged is not looked at
  const auto digits = static_cast<std::size_t>(c.distributed_bodies->digits().count());
  ConePair cones(c, drawn_elements(c.relation, draw.seed, draw.regime));
  double spent = 0;
  for (const Difference& difference : draw.differences) {
    const auto k = static_cast<std::size_t>(difference.output);
    for (const std::int64_t element : counterparts(c.relation.outputs[k], small.relation.outputs[k], digits, difference)) {
      const double operations = cones.operations(k, element);
      if (operations > ConePair::kMost || spent + operations > kMost) continue;
      spent += operations;
      const auto answer = cones.look(k, element, true);
      if (!answer || !answer->differs) continue;
      return fmt::format("at full shape, with seed {}, output {} is {} and must be {} at one element, confirmed by balls of Arb on the {} elements that it hangs on",
                         draw.seed, k, answer->distributed, answer->sequential, answer->elements);
    }
  }
  return std::nullopt;
}

/// The largest difference of the only output in a run in f64, as a share of its largest element; nothing where no element is compared.
std::optional<double> share_of_difference(Case& c, const InputSet& inputs, const Budget& budget) {
  const ClaimedValues values = claimed_values(c, 0, PairRunner(c).run(inputs, {.mode = NumberMode::F64, .budget = budget}), NumberMode::F64, &kept_by_runs(c).plans);
  if (values.integral) return std::nullopt;
  const auto compared = values.compared.as<std::int64_t>();
  const auto right = values.sequential.as<double>(), given = values.distributed.as<double>();
  double most = 0, largest = 0;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    if (compared[k] == 0 || !std::isfinite(right[k])) continue;
    largest = std::max(largest, std::abs(right[k]));
    most = std::max(most, std::isfinite(given[k]) ? std::abs(right[k] - given[k]) : std::numeric_limits<double>::infinity());
  }
  return largest == 0 ? std::nullopt : std::optional(most / largest);
}

/// The pair at reduced shapes with one of its outputs, where a run is a matter of a minute; else null, and why.
std::unique_ptr<Case> one_output(const Case& c, std::size_t output, std::string& why) {
  const std::optional<Case> one = with_outputs(c, {output});
  why = "with all layers the pair cannot be run";
  std::unique_ptr<Case> small = one ? try_shrink(*one, why) : nullptr;
  if (!small || estimated_operations(*small) <= kWholeRun) return small;
  why = fmt::format("with all layers a run takes {:.1g} operations at reduced shapes", estimated_operations(*small));
  return nullptr;
}

/// Does the whole pair seem to differ too, in f64 at reduced shapes, on inputs drawn as those that its part differs on? Of its outputs the one
/// is run that hangs on least. Layers may undo what others do, and what one counts another compares. How far rounding goes the mended
/// program says: over the reals it is proved equal. Gives why there is a doubt, or "".
std::string doubt_of_whole(const Case& c, const Case& mended, const RunEvidence& run) {
  constexpr int kDraws = 3;
  constexpr double kBeyondNoise = 1000, kLeastNoise = 1e-15;
  if (flags_indices(c)) return "which inputs the flags of its indices leave is not looked at";
  std::optional<std::size_t> nearest;
  std::size_t least = 0;
  for (const Difference& difference : run.result.differing->differences) {
    const std::size_t output = run.part->outputs[static_cast<std::size_t>(difference.output)];
    const std::optional<Case> one = with_outputs(c, {output});
    if (!one || (nearest && one->distributed->size() >= least)) continue;
    nearest = output;
    least = one->distributed->size();
  }
  std::string why = "a hang of the part says nothing of all layers";
  const std::unique_ptr<Case> given = nearest ? one_output(c, *nearest, why) : nullptr;
  const std::unique_ptr<Case> right = given ? one_output(mended, *nearest, why) : nullptr;
  if (!right) return why;
  try {
    double noise = kLeastNoise;
    for (int draw = 0; draw < kDraws; ++draw) {
      const auto drawn = [&](const Case& pair) { return draw_inputs(pair.relation, run.result.differing->seed + static_cast<std::uint64_t>(draw), run.result.differing->regime); };
      const auto rounding = share_of_difference(*right, drawn(*right), run.how.budget), difference = share_of_difference(*given, drawn(*given), run.how.budget);
      noise = std::max(noise, rounding.value_or(0));
      if (rounding && difference && *difference > kBeyondNoise * noise) return "";
    }
    return "with all layers the pair seems to agree";
  } catch (const RuntimeFailure& failure) {
    return failure.what();
  }
}

/// What was found in a part of the pair holds for the whole if the same edit mends that: it is proved then too.
Confirmation confirmed_in_all_layers(Case& c, const RunEvidence& run, const Repaired& repaired, Confirmation confirmation) {
  const std::optional<Module> whole = pinpoint::transplanted(*run.part->pair.distributed, repaired.patches, *c.distributed);
  if (!whole) return {false, "the repair could not be made in all layers"};
  try {
    Case mended = pinpoint::with_distributed(c, Module(*whole));
    if (!prove_and_check(mended).accepted()) return {false, "repaired in all layers, it is not proved"};
    if (std::string doubt = doubt_of_whole(c, mended, run); !doubt.empty()) return {false, std::move(doubt)};
  } catch (const InputError& error) {
    return {false, error.what()};
  }
  if (!run.options.repaired.empty()) write_file(run.options.repaired, print_hlo(*whole));
  return confirmation;
}

}  // namespace

std::unique_ptr<Case> try_shrink(const Case& c, std::string& why) {
  try {
    return shrink(c);
  } catch (const InputError& error) {
    const std::string text = error.what();
    why += "; it cannot be reduced: " + text.substr(0, text.find('\n'));
    return nullptr;
  }
}

void judge_reduced_difference(Case& c, const ProofEvidence& proof, RunEvidence& run) {
  run.outcome = Ran::Unconfirmed;
  Case& own = run.of(c);
  if (const std::string doubt = doubt_of_difference(own, run.how, run.told); !doubt.empty()) {
    run.told.notes.push_back("the run at reduced shapes differs with all float literals kept, but that does not count: " + doubt);
    run.result.differing.reset();
    return;
  }
  if (proof.outcome == Proven::Yes) {
    run.told.notes.emplace_back("the pair differs at reduced shapes although it is proved at its own: a wrong reduction");
    run.result.differing.reset();
    return;
  }
  enter_phase("explanation");
  Case& small = *run.small;
  const InputSet inputs = run.result.witness->clone();
  const bool same = same_instructions(own, small);
  Options options = run.options;
  if (run.part) options.repaired.clear();
  Confirmation confirmation;
  std::string text;
  const auto confirm = [&](const std::optional<Repaired>& repaired) {
    confirmation = {false, "no repair of it was found that is proved at full shape"};
    if (!same) confirmation.text = "literals whose uses need different values were copied";
    else if (repaired && repaired->small) confirmation = confirm_at_full_shape(own, small, *repaired, inputs, run.how.budget);
    if (confirmation.differs && run.part) confirmation = confirmed_in_all_layers(c, run, *repaired, std::move(confirmation));
    text = confirmation.differs ? "repaired, it is proved; " : "the divergent operator was not confirmed at full shape: ";
    text += confirmation.text;
    if (confirmation.differs || run.part) return;
    try {
      if (const auto found = difference_at_full_shape(c, small, *run.result.differing)) {
        confirmation.differs = true;
        text = *found;
      }
    } catch (const RuntimeFailure& failure) {
      text += std::string("; ") + failure.what();
    }
  };
  if (same) explain_difference(own, run.result, options, run.explanation, &small, confirm);
  else explain_difference(small, run.result, options, run.explanation, nullptr, confirm);
  if (confirmation.differs) run.outcome = Ran::DiffersReduced;
  run.explanation.notes.push_back("the pair differs at reduced shapes; " + text);
}

}  // namespace gg
