// Walks back through operands (harness/pinpoint/walk.h).
#include "harness/pinpoint/walk.h"

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

bool alike(const Module& module, InstructionId a, InstructionId b) {
  return module[a].op == module[b].op && module.type(a) == module.type(b) && module.operands(a).size() == module.operands(b).size();
}

}  // namespace gg::pinpoint
