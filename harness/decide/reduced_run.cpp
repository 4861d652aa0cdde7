#include "harness/decide/reduced_run.h"

#include "harness/confirm.h"
#include "harness/explain.h"
#include "harness/shapes.h"
#include "models/base/progress.h"

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

InputSet copy_of(const InputSet& inputs) {
  InputSet copy{inputs.seed, inputs.regime, {}};
  for (const Buffer& buffer : inputs.free) copy.free.push_back(buffer.clone());
  return copy;
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
  const InputSet inputs = copy_of(*run.result.witness);
  const bool same = same_instructions(c, small);
  const auto repaired = same ? explain_difference(c, run.result, run.options, run.explanation, &small)
                             : explain_difference(small, run.result, run.options, run.explanation);
  Confirmation confirmation{false, "no repair of it was found that is proved at full shape"};
  if (!same) confirmation.text = "literals whose uses need different values were copied";
  else if (repaired && repaired->small) confirmation = confirm_at_full_shape(c, small, *repaired, inputs, run.how.budget);
  if (confirmation.differs) run.outcome = Ran::DiffersReduced;
  run.explanation.notes.push_back((confirmation.differs ? "the pair differs at reduced shapes; repaired, it is proved; "
                                                        : "the pair differs at reduced shapes; the divergent operator was not confirmed at full shape: ") +
                                  confirmation.text);
}

}  // namespace gg
