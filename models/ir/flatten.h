// A module as one straight list of instruction instances: calls, fusions, tuples, get-tuple-elements and optimization
// barriers are resolved away, so that every operand is a leaf of an earlier node. Loops stay as single nodes. The branches of
// a conditional are written out like calls, all of them; its own node follows and chooses among their results (a value is a
// function of its operands whether or not a rank takes the branch). Leaves are numbered as Type::leaves() lists them; a
// token is a leaf like an array.
#pragma once

#include <vector>

#include "models/ir/module.h"

namespace gg {

/// Leaf `leaf` of the value of node `node`.
struct FlatValue {
  std::uint32_t node = 0;
  std::uint32_t leaf = 0;
  friend bool operator==(FlatValue, FlatValue) = default;
};

struct FlatNode {
  InstructionId instruction;
  std::uint32_t path;  ///< into FlatProgram::paths
  std::uint32_t first_operand;
  std::uint32_t operand_count;  ///< leaves of all operands, in order; of a conditional written out: predicate, results of the branches
};

/// The calls around a node.
struct FlatPath {
  std::vector<InstructionId> calls;     ///< call-like instructions from the entry computation on
  std::vector<std::uint32_t> branches;  ///< of the conditionals among them
};

struct FlatProgram {
  std::vector<FlatNode> nodes;  ///< operands before users; the parameters come first, one node each, by number
  std::vector<FlatValue> operand_pool;
  std::vector<FlatPath> paths;     ///< paths[0] is empty
  std::vector<FlatValue> inputs;   ///< leaves of the parameters
  std::vector<FlatValue> outputs;  ///< leaves of the root
  std::span<const FlatValue> operands(const FlatNode& node) const {
    return std::span(operand_pool).subspan(node.first_operand, node.operand_count);
  }
  Instance instance(const FlatNode& node) const {
    return {paths[node.path].calls, node.instruction, -1, paths[node.path].branches};
  }
};

/// Instructions of a computation, those of called computations once a call; known before any is written out.
std::int64_t count_instances(const Module& module, ComputationId computation);

/// Conditionals with their branches written out, or as single nodes over their own operands.
enum class Branches : std::uint8_t { WrittenOut,
                                     Kept };

/// Flattens the entry computation. Calls are acyclic (verify). Throws InputError(TooLarge) above Limit::Instances.
FlatProgram flatten(const Module& module, Branches branches = Branches::WrittenOut);

/// Flattens one computation, for loop bodies.
FlatProgram flatten(const Module& module, ComputationId computation);

}  // namespace gg
