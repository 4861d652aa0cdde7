// Copies instructions of a module into a new one, with the computations that they call.
#pragma once

#include <map>

#include "models/ir/module.h"

namespace gg::pinpoint {

class Copier {
 public:
  explicit Copier(const Module& from);
  /// Makes what the instruction calls; to be done before a computation is opened.
  void prepare(InstructionId id);
  /// The instruction for the new module, without metadata and sharding; operands are given when it is added.
  Instruction instruction(InstructionId id);
  Builder& builder() { return builder_; }

 private:
  ComputationId callee(ComputationId id);
  const Module& from_;
  Builder builder_;
  std::map<ComputationId, ComputationId> callees_;
};

}  // namespace gg::pinpoint
