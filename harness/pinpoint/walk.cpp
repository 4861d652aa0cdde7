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

bool same_region(const Module& from, ComputationId a, const Module& there, ComputationId b) {
  const Computation &region = from.computation(a), &other = there.computation(b);
  bool same = other.count == region.count && other.root - other.first == region.root - region.first;
  for (InstructionId k = 0; same && k < region.count; ++k) {
    const InstructionId here = region.first + k, beside = other.first + k;
    const auto reads = from.operands(here), read = there.operands(beside);
    same = from[here].op == there[beside].op && from.type(here) == there.type(beside) && from.attributes(here) == there.attributes(beside) &&
           std::equal(reads.begin(), reads.end(), read.begin(), read.end(), [&](InstructionId x, InstructionId y) { return x - region.first == y - other.first; });
  }
  return same;
}

std::optional<ComputationId> region_like(const Module& from, ComputationId region, const Module& there) {
  for (ComputationId id = 0; id < there.computations().size(); ++id) {
    if (same_region(from, region, there, id)) return id;
  }
  return std::nullopt;
}

}  // namespace gg::pinpoint
