// Walks back through operands (harness/pinpoint/walk.h).
#include "harness/pinpoint/walk.h"

#include <algorithm>
#include <set>

#include "runtime/divergence.h"

namespace gg::pinpoint {

std::vector<InstructionId> behind(const Module& module, InstructionId from, std::size_t most, const std::function<bool(InstructionId)>& through) {
  std::vector<InstructionId> found, todo = {from};
  std::set<InstructionId> seen;
  while (!todo.empty() && found.size() < most) {
    const InstructionId id = todo.back();
    todo.pop_back();
    if (!seen.insert(id).second) continue;
    found.push_back(id);
    if (through(id)) todo.insert(todo.end(), module.operands(id).begin(), module.operands(id).end());
  }
  return found;
}

bool moves_one(const Module& module, InstructionId id) { return DivergenceTrace::moves(module[id].op) && module.operands(id).size() == 1; }

InstructionId behind_moves(const Module& module, InstructionId id) {
  while (moves_one(module, id)) id = module.operands(id)[0];
  return id;
}

InstructionId moved_from(const Module& module, InstructionId id) {
  const auto operands = module.operands(id);
  if (!DivergenceTrace::moves(module[id].op) || operands.empty()) return kNone;
  const auto way = [&](InstructionId at) {
    std::vector<InstructionId> values = {at};
    while (moves_one(module, values.back())) values.push_back(module.operands(values.back())[0]);
    return values;
  };
  std::vector<InstructionId> common = way(operands[0]);
  for (std::size_t k = 1; k < operands.size() && !common.empty(); ++k) {
    const std::vector<InstructionId> other = way(operands[k]);
    std::erase_if(common, [&](InstructionId at) { return std::find(other.begin(), other.end(), at) == other.end(); });
  }
  return common.empty() ? kNone : common.front();
}

bool alike(const Module& module, InstructionId a, InstructionId b) {
  return module[a].op == module[b].op && module.type(a) == module.type(b) && module.operands(a).size() == module.operands(b).size();
}

}  // namespace gg::pinpoint
