#include "runtime/raises.h"

#include <algorithm>
#include <map>
#include <string>

#include "runtime/pair_runner.h"

namespace gg {

bool raises(Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded) {
  std::map<InstructionId, IntegerSpan> indices;
  for (InstructionId id = 0; id < c.sequential->size() && !c.accepted.empty(); ++id) {
    const auto found = c.accepted.find(std::string(c.sequential->name_of(id)));
    if (found != c.accepted.end()) indices.emplace(id, found->second);
  }
  if (indices.empty()) return false;
  bool outside = false;
  const Probe look = [&](const Instance& instance, Leaves leaves) {
    const auto span = indices.find(instance.instruction);
    if (span == indices.end() || leaves.size() != 1 || leaves[0]->storage() != Storage::Int64) return;
    const auto values = std::span<const std::int64_t>(leaves[0]->as<std::int64_t>());
    outside = outside || std::any_of(values.begin(), values.end(), [&](std::int64_t v) { return v < span->second.lo || v > span->second.hi; });
  };
  if (recorded != nullptr && !recorded->sequential.events.empty()) {
    recorded->sequential.replay(look);
    return outside;
  }
  RunOptions options;
  options.mode = NumberMode::F64;
  options.budget = budget;
  options.probe = look;
  PairRunner(c).run_sequential(inputs, options);
  return outside;
}

void say_nothing(DrawOutcome& draw) {
  draw.failure.reset();
  draw.differences.clear();
  draw.beyond = true;
  for (OutputOutcome& output : draw.outputs) output = {.agreement = Agreement::Undefined};
}

}  // namespace gg
