// The walk over a module's computations: structure (calls, loops, conditionals, tuples) here, everything else in
// InstructionRunner. Values are dropped after their last use.
#pragma once

#include <vector>

#include "models/ir/lifetimes.h"
#include "models/ir/structure.h"
#include "runtime/executor.h"
#include "runtime/instruction.h"
#include "runtime/ranks.h"
#include "runtime/value.h"

namespace gg {

/// One run of one module.
class Walk {
 public:
  Walk(InstructionRunner& runner, Lifetimes& lifetimes, const RunOptions& options);
  /// Leaves of the parameters in, leaves of the root out.
  Values entry(Values inputs);
  std::int64_t steps() const { return steps_; }

 private:
  struct Frame;
  using Rule = Values (Walk::*)(InstructionId id, Frame& frame);
  static Rule rule(Structure structure);

  Values computation(ComputationId id, std::vector<Values> arguments);
  Values instruction(InstructionId id, Frame& frame);
  void release(InstructionId id, Frame& frame);

  Values parameter(InstructionId id, Frame& frame);
  Values after_all(InstructionId id, Frame& frame);
  Values call(InstructionId id, Frame& frame);
  Values conditional(InstructionId id, Frame& frame);
  Values element(InstructionId id, Frame& frame);
  Values tuple(InstructionId id, Frame& frame);
  Values loop(InstructionId id, Frame& frame);

  /// A conditional or loop at which ranks went different ways, while the walk is inside.
  struct Fork {
    InstructionId control;
    std::vector<std::int64_t> chosen;  ///< by rank: its branch; of a loop 1 while it goes on
    bool doubtful;                     ///< they part at a tie, or within the error bound
  };

  RuntimeFailure explained(const RanksParted& parted) const;
  std::vector<std::int64_t> decisions(const Value& value) const;
  Values branch(ComputationId id, Values argument, const RankMask& active);

  InstructionRunner& runner_;
  Lifetimes& lifetimes_;
  const Module& module_;
  const RunOptions& options_;
  std::int64_t trips_ = 0;  ///< of all loops
  Instance here_;
  RankMask active_;
  std::vector<Fork> forks_;  ///< outermost first
  std::int64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace gg
