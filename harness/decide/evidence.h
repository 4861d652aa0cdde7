// What a verdict rests on: what the runs of a pair showed, and what its proof says. Gathered, then judged (judge.h), then reported.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/decide/replicas.h"
#include "harness/decide/rounding.h"
#include "harness/options/options.h"
#include "harness/report/report.h"
#include "prover/prover.h"
#include "runtime/differential.h"
#include "runtime/shapes/layers.h"

namespace gg {

/// What the runs say of the pair, in a word. Each has a row in the table of judge.cpp.
enum class Ran : std::uint8_t {
  NotAsked,
  Agrees,
  Differs,         ///< at the pair's own shapes
  DiffersReduced,  ///< at reduced shapes, and single elements of an output or of the divergent operator at full shape
  Unconfirmed,     ///< at reduced shapes; nothing follows for the pair's own
  Replicas,        ///< a claim of replication of the sequential program itself is violated
  NotCompared,     ///< no element of an output is compared
  Undefined,       ///< an output of the sequential program was never finite
  Undecided,       ///< nothing differs, but the balls of some elements are too wide to tell
  Literals,        ///< outputs differ, but not once every float literal is a ball (runtime/literals.h)
  LiteralStep,     ///< a literal's rounding, which a premise of the proof leaves out, is a step in an output (literal_steps.h)
  TestsTurn,       ///< tests for NaN or infinity, which the proof takes as decided, turn out otherwise in a draw, and outputs differ (beyond_premise.h)
  Underflow,       ///< outputs differ, but by less than any float type tells apart
  OutOfTime,
  Endless,  ///< the ranks run on and on where the sequential program has ended
  Stalled,  ///< the sequential program runs on and on in each draw, and the proof takes its loops step by step: of inputs on which it ends it may say nothing
  OutOfMemory,
  Unsupported,
};
inline constexpr std::size_t kRanCount = 18;
inline bool shows_difference(Ran outcome) { return outcome == Ran::Differs || outcome == Ran::DiffersReduced; }

struct RunEvidence {
  Ran outcome = Ran::NotAsked;
  Options options;                    ///< with the number type that was chosen
  DifferentialOptions how;            ///< of the last run
  DifferentialResult result;          ///< of the last run
  std::vector<OutputState> outputs;   ///< what it says of each
  std::unique_ptr<Case> small;        ///< the pair at reduced shapes, where that was run
  std::unique_ptr<FewerLayers> part;  ///< the pair without some of its layers, where `small` is of that
  bool ran = false;                   ///< one of the two was run
  Explanation explanation;            ///< of a difference at reduced shapes, which may be at the pair's own too
  std::vector<ReplicaViolation> replicas;
  std::vector<std::string> open_calls;  ///< custom calls without a meaning that nobody declared: some function in the run
  RoundedRun rounding = RoundedRun::NotAsked;
  bool differs_outside = false;  ///< for integers outside of what they index
  bool beyond_premise = false;   ///< the difference is for values that a premise of the proof leaves out and the sequential program takes
  std::optional<int> mutants;    ///< defects that differ and that the prover refused (harness/prove/mutants.h); nothing if not tried
  Told told;
  bool at_full_shape() const { return ran && !small; }
  /// What `small` is of: the pair as given, or its part.
  Case& of(Case& c) const { return part ? part->pair : c; }
};

/// How far a proof got.
enum class Proven : std::uint8_t {
  NotAsked,
  No,        ///< the search found none
  Rejected,  ///< the checker did not accept its certificate
  Yes,
  Apart,  ///< yes, of other programs than those that run: literals as -inf, values taken as equal, ranks taken to go together
};
inline constexpr std::size_t kProvenCount = 5;

struct ProofEvidence {
  Proven outcome = Proven::NotAsked;
  ProofResult result;
  std::vector<Assumption> given;        ///< values that the user takes as equal, and that no run contradicts
  std::vector<Assumption> assumptions;  ///< what the checker says that the certificate rests on
  std::optional<SizesTheorem> sizes;
  std::string certificate;  ///< file that it was written to
  bool simulates = false;   ///< a loop without a number of trips is followed step by step: it ends if the sequential one does
  Told told;
  bool assumes(AssumptionKind kind) const {
    return std::any_of(assumptions.begin(), assumptions.end(), [kind](const Assumption& a) { return a.kind == kind; });
  }
  bool holds() const { return outcome == Proven::Yes || outcome == Proven::Apart; }
};

/// Which halves of the work are asked for.
struct Parts {
  bool run = true;
  bool prove = true;
};

/// Search, then the independent checker on the certificate's own bytes; writes the certificate where asked.
ProofEvidence gather_proof(Case& c, const Options& options, Parts parts);

/// Is a run of the pair cheap, and does it seem to differ? Then runs are made first: what they refute needs no search for a proof, of which
/// nothing would be told.
bool run_first(Case& c, const Options& options, Parts parts);

/// Runs the pair as far as that can add to the proof. Throws InternalError where our own types contradict their bounds.
RunEvidence gather_run(Case& c, const Options& options, const ProofEvidence& proof, Parts parts);

}  // namespace gg
