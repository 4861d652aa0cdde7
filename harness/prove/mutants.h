// The guard of every proof: defects of the distributed program whose outputs really differ are given to the prover; one
// that is proved is a bug of ours (docs/design.md).
#pragma once

#include <string>
#include <vector>

#include "models/mutation/mutate.h"
#include "runtime/differential.h"

namespace gg {

/// The case with one edit in its distributed program; free inputs keep their ranges.
Case mutated(const Case& c, const Edit& edit);

/// What came of the guard.
struct MutantResult {
  int refused = 0;                 ///< differing mutants that were not proved
  std::vector<std::string> texts;  ///< what was changed in them
};

/// Tries edits, spread over the program, until `wanted` of them are refused and differ in a run, or the list or what a guard may cost ends. `steps`: of the proof; a
/// search for the first output that differs gets as many. Throws InternalError when a differing mutant is proved and its certificate accepted.
MutantResult try_mutants(const Case& c, const DifferentialOptions& options, int wanted, std::uint64_t steps);

}  // namespace gg
