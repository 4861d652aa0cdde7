// The verdict as a function of the evidence, without runs, clocks or files.
#pragma once

#include "harness/decide/evidence.h"

namespace gg {

struct Judgement {
  Verdict verdict = Verdict::Unknown;
  std::optional<Reason> reason;  ///< of unknown
  bool contradiction = false;    ///< run and proof cannot both be right: a bug of ours
  bool backend = false;          ///< refuted is what the ranks' own backend computed; the program over the reals is not at fault
  friend bool operator==(const Judgement&, const Judgement&) = default;
};

Judgement judge(const RunEvidence& run, const ProofEvidence& proof);

/// The report, but for what is still to be found out beside it (explanation of a difference, conditional theorems).
Report assemble(const Case& c, const RunEvidence& run, const ProofEvidence& proof, const Judgement& judgement);

}  // namespace gg
