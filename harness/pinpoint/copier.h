// A program put together of a module's instructions, with the computations that they call; copies keep their names, by which they are
// found again.
#pragma once

#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/ir/module.h"

namespace gg::pinpoint {

/// Instructions of a computation by name.
using Names = std::unordered_map<std::string_view, InstructionId>;
Names names_of(const Module& module, const Computation& computation);

class Copier {
 public:
  explicit Copier(const Module& from);
  /// Makes what the instruction calls; to be done before the entry is opened.
  void prepare(InstructionId id);
  /// Begins the entry.
  void open(std::string_view name, std::uint32_t line = 0);
  /// A parameter of the entry, after those before it.
  InstructionId parameter(const Type& type, std::string_view name);
  /// The instruction for the new module, without metadata and sharding; operands are given when it is added.
  Instruction instruction(InstructionId id);
  /// The same, added.
  InstructionId copy(InstructionId id, const std::vector<InstructionId>& operands) { return builder_.add(instruction(id), operands); }
  /// The module. Its header is that of the other one, unless the builder was given another.
  Module close(InstructionId root);
  Builder& builder() { return builder_; }

 private:
  ComputationId callee(ComputationId id);
  const Module& from_;
  Builder builder_;
  ComputationId entry_ = 0;
  std::size_t parameters_ = 0;
  std::map<ComputationId, ComputationId> callees_;
};

}  // namespace gg::pinpoint
