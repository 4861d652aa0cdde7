// Runs for what premises of a proof leave out: indices (`in-bounds`), rows without a value (`mask-is-minus-infinity`), numbers that are not finite (`finite-inputs`).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/differential.h"

namespace gg {

/// A difference for a value that a premise leaves out.
struct BeyondPremise {
  InputSet inputs;
  DrawOutcome outcome;  ///< with the differences that count
  std::string note;     ///< which value of which input
};

/// Of an index out of range the sequential program says nothing where it gives NaN for it. If all of its outputs are finite none the less (a mask leaves that
/// element out, a comparison has made a truth of it), or for outputs that do not hang on the lookup, it takes the index, and ranks that give something else are
/// wrong. Draws single elements of each of these inputs out of range, and tells the first difference that counts. Nothing where that many
/// runs cost too much. What a dynamic-slice clamps, and what counts from the end, stays with the premise.
std::optional<BeyondPremise> differs_beyond_premise(Case& c, const DifferentialOptions& options, const std::vector<std::size_t>& inputs);

/// A proof that takes literals of masks as minus infinity assumes that every row keeps a value. Draws masks that leave out everything: a difference that is a number in both programs (the mean
/// of what is masked, and zero) is told in a note, one where only the sequential program has a number counts. Nothing where the runs cost too much.
std::optional<BeyondPremise> differs_where_all_masked(Case& c, const DifferentialOptions& options, std::vector<std::string>& notes);

/// Float inputs of which `finite-inputs` leaves out what masks that are added hold: those for which the programs differ where the first or the last half of the
/// rows' elements are minus infinity and all sequential outputs are finite (a merge of partial softmaxes without a guard for a shard that is masked throughout).
/// Nothing where that many runs cost too much.
std::vector<std::string> differs_where_infinite(Case& c, const DifferentialOptions& options);

/// A proof under `finite-inputs` decides tests for NaN and infinity, and says nothing of what follows where they turn out otherwise (a step that is left out where a
/// gradient overflows, by a flag that the ranks do not reduce). Draws single elements of float inputs as infinities and NaN, and tells the first in which an output
/// differs of which all elements are finite in the sequential program. Nothing where that many runs cost too much.
std::optional<std::string> differs_where_tests_turn(Case& c, const DifferentialOptions& options);

}  // namespace gg
