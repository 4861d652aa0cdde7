// Names of instruction instances.
#include "models/ir/instance.h"

namespace gg {

// `main/layer.3/%mul.2#4`.
std::string to_string(const Module& module, const Instance& instance) {
  std::string text(module.string(module.computation(module.entry()).name));
  std::size_t branch = 0;
  for (const InstructionId call : instance.path) {
    text += "/" + std::string(module.name_of(call));
    if (module[call].op == Op::Conditional && branch < instance.branches.size()) text += "@" + std::to_string(instance.branches[branch++]);
  }
  text += "/%" + std::string(module.name_of(instance.instruction));
  if (instance.iteration >= 0) text += "#" + std::to_string(instance.iteration);
  return text;
}

}  // namespace gg
