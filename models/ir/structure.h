// Structure: operators that compute nothing, but hand values on, call computations, repeat them, or choose one. What they do with the
// leaves of values is said here once.
#pragma once

#include <vector>

#include "models/ir/module.h"

namespace gg {

enum class Structure : std::uint8_t {
  None,  ///< it computes
  Parameter,
  Token,    ///< no value
  Join,     ///< the leaves of its operands, in order
  Element,  ///< the leaves of one element of a tuple
  Call,     ///< its result is that of one computation
  Loop,
  Branches,  ///< its result is that of one of several computations
};

Structure structure_of(Op op);
inline Structure structure_of(const Module& module, InstructionId id) { return structure_of(module[id].op); }

/// Array leaf `leaf` of the value of `id`, which is operand `operand`.
struct OperandLeaf {
  std::size_t operand;
  InstructionId id;
  std::size_t leaf;
};

/// Whose leaves those of a Join or an Element are, in order.
std::vector<OperandLeaf> handed_leaves(const Module& module, InstructionId id);

/// Parameter `number` of the computation that is being made.
InstructionId add_parameter(Builder& builder, std::size_t number, const Type& type, std::string_view name);
/// The tuple of these, which the builder has, of these types.
InstructionId add_tuple(Builder& builder, const std::vector<InstructionId>& parts, std::vector<Type> types, std::string_view name);

/// The computation of a Call.
ComputationId callee_of(const Module& module, InstructionId call);
/// The computations of a Loop.
ComputationId condition_of(const Module& module, InstructionId loop);
ComputationId body_of(const Module& module, InstructionId loop);

}  // namespace gg
