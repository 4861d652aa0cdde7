// Values that are taken as equal (models/pair/stated.h): those that the user assumes are compared in a run, and an unfinished
// proof is tried again with what the runs say of the values that it could not relate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/report/report.h"
#include "prover/prover.h"
#include "runtime/differential.h"

namespace gg {

/// Where a run contradicts the assumption: a sentence; nothing if it holds on this draw. Throws RuntimeFailure.
std::optional<std::string> contradiction(Case& c, const Assumption& equal, const DifferentialOptions& options);

/// What an unfinished proof would prove if values that it could not relate are what they are in a run: a conditional theorem,
/// confirmed by the checker where it proves all outputs (its certificate goes to `certificate`, "" = nowhere). Nothing if no
/// output is gained, or the trace costs too much. `given` was assumed for `proof`; `traced`: the pair, or the same instructions at reduced shapes.
std::optional<Conditional> conditional(Case& c, Case& traced, const ProofResult& proof, const std::vector<Assumption>& given,
                                       const DifferentialOptions& options, const std::string& certificate);

}  // namespace gg
