// A module as one straight list of instruction instances: calls, fusions, tuples, get-tuple-elements and optimization
// barriers are resolved away, so that every operand is a leaf of an earlier node. Loops and conditionals stay as single
// nodes. Leaves are numbered as Type::leaves() lists them; a token is a leaf like an array.
#pragma once

#include <vector>

#include "models/ir/instance.h"

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
  std::uint32_t operand_count;  ///< leaves of all operands, in order
};

struct FlatProgram {
  std::vector<FlatNode> nodes;  ///< operands before users; the parameters come first, one node each, by number
  std::vector<FlatValue> operand_pool;
  std::vector<std::vector<InstructionId>> paths;  ///< chains of call-like instructions; paths[0] is empty
  std::vector<FlatValue> inputs;   ///< leaves of the parameters
  std::vector<FlatValue> outputs;  ///< leaves of the root
  std::span<const FlatValue> operands(const FlatNode& node) const {
    return std::span(operand_pool).subspan(node.first_operand, node.operand_count);
  }
  Instance instance(const FlatNode& node) const { return {paths[node.path], node.instruction, -1}; }
};

/// Instructions of a computation, those of called computations once a call; known before any is written out.
std::int64_t count_instances(const Module& module, ComputationId computation);

/// Flattens the entry computation. Calls are acyclic (verify). Throws InputError(TooLarge) above Limit::Instances.
FlatProgram flatten(const Module& module);

/// Flattens one computation, for loop bodies and branches.
FlatProgram flatten(const Module& module, ComputationId computation);

}  // namespace gg
