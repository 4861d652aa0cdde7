// Copies instructions of a module into a new one, with the computations that they call; copies keep their names, by which
// they are found again.
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>

#include "models/ir/module.h"

namespace gg::pinpoint {

/// Instructions of a computation by name.
using Names = std::unordered_map<std::string_view, InstructionId>;
Names names_of(const Module& module, const Computation& computation);

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
