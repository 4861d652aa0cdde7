// A module as one straight list of instruction instances: calls, fusions, tuples and get-tuple-elements are resolved
// away, so that every operand is an array leaf of an earlier node. Loops and conditionals stay as single nodes.
#pragma once

#include <vector>

#include "models/ir/instance.h"

namespace gg {

/// Array leaf `leaf` of node `node`.
struct FlatValue {
  std::uint32_t node = 0;
  std::uint32_t leaf = 0;
  friend bool operator==(FlatValue, FlatValue) = default;
};

struct FlatNode {
  InstructionId instruction;
  std::uint32_t path;  ///< into FlatProgram::paths
  std::uint32_t first_operand;
  std::uint32_t operand_count;  ///< array leaves of all operands, in order
};

struct FlatProgram {
  std::vector<FlatNode> nodes;  ///< operands before users; entry parameters are nodes (one per parameter, leaves by number)
  std::vector<FlatValue> operand_pool;
  std::vector<std::vector<InstructionId>> paths;  ///< chains of call-like instructions; paths[0] is empty
  std::vector<FlatValue> inputs;   ///< array leaves of the entry parameters
  std::vector<FlatValue> outputs;  ///< array leaves of the root
  std::span<const FlatValue> operands(const FlatNode& node) const {
    return std::span(operand_pool).subspan(node.first_operand, node.operand_count);
  }
  Instance instance(const FlatNode& node) const { return {paths[node.path], node.instruction, -1}; }
};

/// Flattens the entry computation. Calls are acyclic (verify). Limit: 10 million nodes (InputError TooLarge).
FlatProgram flatten(const Module& module);

}  // namespace gg
