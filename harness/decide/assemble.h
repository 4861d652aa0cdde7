// From evidence and judgement to the report.
#pragma once

#include "harness/decide/judge.h"

namespace gg {

/// The report, but for what is still to be found out beside it (explanation of a difference, conditional theorems).
Report assemble(const Case& c, const RunEvidence& run, const ProofEvidence& proof, const Judgement& judgement);

}  // namespace gg
