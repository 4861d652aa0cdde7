// Structural equality of two modules up to the order of computations and the numbering of interned things.
#pragma once

#include <string>

#include "models/hlo/print_values.h"
#include "models/ir/module.h"

namespace gg::testing {

/// The instruction with everything that means something, in names.
inline std::string meaning(const Module& module, InstructionId id) {
  const Instruction& instruction = module[id];
  std::string text = std::string(module.name_of(id)) + " = " + to_string(module.type(id), true) + " " +
                     std::string(info(instruction.op).name) + "(";
  for (const InstructionId operand : module.operands(id)) text += std::string(module.name_of(operand)) + " ";
  text += ") channel " + std::to_string(instruction.channel);
  for (const auto& [attr, value] : module.attributes(id).entries()) {
    text += " " + std::to_string(static_cast<int>(attr)) + "=";
    text += hlo::print_attribute(
        attr, value, [&](ComputationId callee) { return std::string(module.string(module.computation(callee).name)); });
  }
  if (instruction.sharding != kNone) text += " " + std::string(module.string(instruction.sharding));
  return text + " " + module.op_name(id);
}

/// The first difference, or "".
inline std::string difference(const Module& a, const Module& b) {
  if (a.name != b.name || a.replica_count != b.replica_count || a.num_partitions != b.num_partitions) return "header";
  if (a.size() != b.size() || a.computations().size() != b.computations().size()) return "sizes";
  if (a.aliases.size() != b.aliases.size() || a.header_extra != b.header_extra) return "header attributes";
  for (std::size_t k = 0; k < a.aliases.size(); ++k) {
    if (a.aliases[k].output_leaf != b.aliases[k].output_leaf || a.aliases[k].input_leaf != b.aliases[k].input_leaf) {
      return "aliases";
    }
  }
  std::unordered_map<std::string_view, ComputationId> by_name;
  for (ComputationId id = 0; id < b.computations().size(); ++id) by_name[b.string(b.computation(id).name)] = id;
  for (const Computation& left : a.computations()) {
    const std::string name(a.string(left.name));
    const auto found = by_name.find(name);
    if (found == by_name.end()) return "computation " + name + " is missing";
    const Computation& right = b.computation(found->second);
    if (left.count != right.count || left.root - left.first != right.root - right.first) return "computation " + name;
    for (std::uint32_t k = 0; k < left.count; ++k) {
      const std::string x = meaning(a, left.first + k);
      const std::string y = meaning(b, right.first + k);
      if (x != y) return x + "\n" + y;
    }
  }
  if (a.string(a.computation(a.entry()).name) != b.string(b.computation(b.entry()).name)) return "entry";
  return "";
}

}  // namespace gg::testing
