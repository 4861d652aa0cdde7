// One draw of one pair: runs both programs, compares, and says what a difference is: real, rounding, a tie, or the rounding of the
// program's own literals.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "runtime/differential.h"
#include "runtime/pair_runner.h"

namespace gg {

bool is_compared(const Case& c, std::size_t output);
/// Does an output differ, or does the program hang?
bool differs(const DrawOutcome& draw);

/// Runs at further precisions and with balls of literals are made at most once, when first needed.
class Decision {
 public:
  /// All must outlive it. `left_open`: outputs that the last precision left open in an earlier draw; they are not raised again. Written too.
  Decision(PairRunner& runner, const InputSet& inputs, const DifferentialOptions& options, std::set<std::size_t>& left_open);
  ~Decision();
  /// Once. Throws RuntimeFailure, except for a Mismatch, which is an outcome.
  DrawOutcome decide();
  /// Of each output's sequential values, once decided.
  const std::vector<std::string>& fingerprints() const;
  /// The runs behind the outcome, where they were to be kept and are not too large; takes them away.
  std::shared_ptr<const RecordedPair> recorded();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gg
