#include "harness/decide/reduced_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/explain/confirm.h"
#include "harness/explain/explain.h"
#include "harness/explain/shapes.h"
#include "models/base/progress.h"
#include "runtime/cone.h"

namespace gg {
namespace {

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
  if (const std::string doubt = doubt_of_difference(c, run.how, run.told); !doubt.empty()) {
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
  const bool same = same_instructions(c, small);
  const auto repaired = same ? explain_difference(c, run.result, run.options, run.explanation, &small)
                             : explain_difference(small, run.result, run.options, run.explanation);
  Confirmation confirmation{false, "no repair of it was found that is proved at full shape"};
  if (!same) confirmation.text = "literals whose uses need different values were copied";
  else if (repaired && repaired->small) confirmation = confirm_at_full_shape(c, small, *repaired, inputs, run.how.budget);
  std::string text = confirmation.differs ? "repaired, it is proved; " : "the divergent operator was not confirmed at full shape: ";
  text += confirmation.text;
  if (!confirmation.differs) {
    try {
      if (const auto found = difference_at_full_shape(c, small, *run.result.differing)) {
        confirmation.differs = true;
        text = *found;
      }
    } catch (const RuntimeFailure& failure) {
      text += std::string("; ") + failure.what();
    }
  }
  if (confirmation.differs) run.outcome = Ran::DiffersReduced;
  run.explanation.notes.push_back("the pair differs at reduced shapes; " + text);
}

}  // namespace gg
