// Trial runs of edited distributed programs: in f64, on a few kept inputs, against the sequential outputs computed once.
// They only sort hypotheses; what survives is run again over the reals.
#pragma once

#include <map>
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
  /// Runs the sequential program on every input set; what lies within `noise` of it is right. Throws RuntimeFailure.
  Trials(Case& c, std::vector<InputSet> inputs, const Budget& budget, double noise = kDoubleNoise);
  /// Runs the program that the next trials edit, and keeps its values where they are not too many. Says how it fares on
  /// the first input set on which it differs.
  TrialResult set_base(const Module& module);
  /// Runs a distributed module with the parameters and results of the case's, from the first value that differs from the
  /// base's on. Stops at the first input set on which an output differs.
  TrialResult run(const Module& module);
  /// Runs a distributed module on these inputs in this arithmetic, with the probe.
  void watch(const Module& module, const InputSet& inputs, NumberMode mode, const Probe& probe);
  /// Results of a module of which the parameters are given as lifted values; none where it is not well formed or fails.
  std::vector<Buffer> evaluate(const Module& module, std::vector<Buffer> parameters, NumberMode mode);
  std::int64_t count() const { return count_; }

 private:
  struct Ready;
  using Kept = std::map<InstructionId, SharedBuffers>;  ///< leaves of the base's entry instructions

  std::vector<Buffer> execute(Executor& executor, std::size_t set, SharedBuffers inputs, Probe probe);
  TrialResult whole(const Module& module, bool keep);
  TrialResult compare(std::size_t set, const std::vector<bool>* changed, const TrialResult* before);

  Case& case_;
  std::vector<InputSet> inputs_;
  Budget budget_;
  double noise_, zero_ = kDoubleZero;
  LiteralReading literals_;
  std::vector<PairRun> runs_;  ///< by input set; the distributed half belongs to the trial
  const Module* base_ = nullptr;
  std::vector<Kept> kept_;  ///< by input set; empty where the values are too many
  std::vector<TrialResult> base_results_;
  std::size_t kept_elements_ = 0;
  std::int64_t count_ = 0;
  std::int64_t steps_ = 0, most_steps_ = 0;  ///< of runs of the base; of a trial, 0 = no limit of its own
};

/// The case with another distributed module of the same parameters and results. Throws InputError where the module is
/// not well formed.
Case with_distributed(const Case& c, Module module);

}  // namespace gg::pinpoint
