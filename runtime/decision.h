// One draw of one pair: runs both programs, compares, and says what a difference is: real, rounding, a tie, or the rounding of the
// program's own literals.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/differential.h"
#include "runtime/pair_runner.h"

namespace gg {

inline bool is_compared(const Case& c, std::size_t output) { return c.relation.outputs[output].kind == OutputClaim::Kind::Compared; }
/// Does an output differ, or does the program hang?
inline bool differs(const DrawOutcome& draw) {
  return draw.failure || std::any_of(draw.outputs.begin(), draw.outputs.end(), [](const OutputOutcome& o) { return o.agreement == Agreement::Differs; });
}

/// An output that differs in f64 beyond its noise. Nothing is claimed of it. Throws RuntimeFailure.
std::optional<std::size_t> seems_to_differ(PairRunner& runner, const InputSet& inputs, const Budget& budget);

/// A draw, decided.
struct DecidedDraw {
  DrawOutcome outcome;
  std::vector<std::string> fingerprints;         ///< of each output's sequential values
  std::shared_ptr<const RecordedPair> recorded;  ///< the runs behind the outcome, where they were to be kept and are not too large
};

/// Runs at further precisions and with balls of literals are made at most once, when first needed. `left_open`: outputs that the last
/// precision left open in an earlier draw; they are not raised again. Written too. Throws RuntimeFailure, except for a Mismatch, which is
/// an outcome.
DecidedDraw decide_draw(PairRunner& runner, const InputSet& inputs, const DifferentialOptions& options, std::set<std::size_t>& left_open);

}  // namespace gg
