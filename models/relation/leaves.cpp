// Leaves of entry parameters and root.
#include "models/relation/leaves.h"

namespace gg {
namespace {

void collect(const Type& type, const std::string& name, const std::string& label, const std::string& position,
             std::vector<Leaf>& leaves) {
  if (type.is_array()) {
    const std::string suffix = position.empty() ? "" : "{" + position + "}";
    leaves.push_back({name + suffix, type, label.empty() ? "" : label + suffix});
  }
  for (std::size_t k = 0; k < type.elements.size(); ++k) {
    collect(type.elements[k], name, label, position + (position.empty() ? "" : ",") + std::to_string(k), leaves);
  }
}

}  // namespace

std::vector<Leaf> input_leaves(const Module& module) {
  std::vector<Leaf> leaves;
  const auto& parameters = module.computation(module.entry()).parameters;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const InstructionId id = parameters[k];
    const std::string label = k < module.parameter_names.size() ? module.parameter_names[k] : module.op_name(id);
    collect(module.type(id), std::string(module.name_of(id)), label, "", leaves);
  }
  return leaves;
}

std::vector<Leaf> output_leaves(const Module& module) {
  std::vector<Leaf> leaves;
  const InstructionId root = module.computation(module.entry()).root;
  if (module[root].op == Op::Tuple) {
    for (const InstructionId id : module.operands(root)) {
      collect(module.type(id), std::string(module.name_of(id)), "", "", leaves);
    }
  } else {
    collect(module.type(root), std::string(module.name_of(root)), "", "", leaves);
  }
  return leaves;
}

std::optional<std::size_t> find_leaf(const std::vector<Leaf>& leaves, const std::string& key) {
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].name == key || leaves[k].label == key) return k;
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (std::to_string(k) == key) return k;
  }
  return std::nullopt;
}

}  // namespace gg
