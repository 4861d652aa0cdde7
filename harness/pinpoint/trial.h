// Trial runs of edited distributed programs: in f64, on a few kept inputs, against the sequential outputs computed once.
// They only sort hypotheses; what survives is run again at 113 bits.
#pragma once

#include <memory>
#include <vector>

#include "runtime/pair_runner.h"

namespace gg::pinpoint {

/// What a trial says of one output: elements that differ beyond rounding, of those compared.
struct OutputTrial {
  std::int64_t differing = 0, compared = 0;
};

struct TrialResult {
  bool ran = false;  ///< false: the module is not well formed, or its run failed
  std::vector<OutputTrial> outputs;
  bool mends() const;
  std::int64_t differing() const;
};

class Trials {
 public:
  /// Runs the sequential program on every input set. Throws RuntimeFailure.
  Trials(Case& c, std::vector<InputSet> inputs, const Budget& budget);
  /// Runs a distributed module with the parameters and results of the case's. Stops at the first input set on which it
  /// differs.
  TrialResult run(const Module& module);
  std::int64_t count() const { return count_; }

 private:
  TrialResult compare(const PairRun& run);

  Case& case_;
  std::vector<InputSet> inputs_;
  Budget budget_;
  std::vector<PairRun> runs_;  ///< by input set; the distributed half belongs to the trial
  std::int64_t count_ = 0;
};

/// The case with another distributed module of the same parameters and results. Throws InputError where the module is
/// not well formed.
Case with_distributed(const Case& c, Module module);

}  // namespace gg::pinpoint
