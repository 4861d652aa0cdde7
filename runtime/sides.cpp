// Sides of minima, maxima, clamps and selections (runtime/sides.h).
#include "runtime/sides.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "models/op/facts.h"
#include "runtime/pair_runner.h"

namespace gg {
namespace {

bool takes_sides(const Module& module, InstructionId id) {
  return chooses(module[id].op) && module.type(id).is_array() && is_float(module.type(id).element);
}

/// Element k of an array, or the one of a scalar.
template <class T>
T at(std::span<const T> values, std::size_t k) {
  return values.size() == 1 ? values[0] : values[k];
}

class Watch {
 public:
  explicit Watch(const Module& module) : module_(module) {
    for (InstructionId id = 0; id < module.size(); ++id) {
      if (!takes_sides(module, id)) continue;
      for (const InstructionId operand : module.operands(id)) wanted_.emplace(operand, Buffer());
    }
  }

  void see(const Instance& instance, Leaves leaves) {
    const InstructionId id = instance.instruction;
    if (leaves.size() == 1 && takes_sides(module_, id)) judge(id, *leaves[0]);
    const auto wanted = wanted_.find(id);
    if (wanted != wanted_.end() && leaves.size() == 1) wanted->second = leaves[0]->clone();
  }

  Sides taken;

 private:
  void judge(InstructionId id, const Buffer& result) {
    const auto operands = module_.operands(id);
    const auto fn = scalar_of(module_[id].op, module_.attributes(id));
    const Buffer& first = wanted_.at(operands[0]);
    const auto count = static_cast<std::size_t>(result.count());
    if (fn == ScalarFn::Select) {
      if (first.storage() != Storage::Int64) return;
      const auto choice = std::span<const std::int64_t>(first.as<std::int64_t>());
      for (std::size_t k = 0; k < choice.size(); ++k) taken.emplace(id, choice[k] != 0 ? 0 : 1);
      return;
    }
    const auto values = std::span<const double>(result.as<double>());
    if (fn == ScalarFn::Clamp) return judge_clamp(id, count);
    const Buffer& other = wanted_.at(operands[1]);
    if (first.count() == 0 || other.count() == 0) return;
    const auto a = std::span<const double>(first.as<double>()), b = std::span<const double>(other.as<double>());
    for (std::size_t k = 0; k < count; ++k) {
      const double x = at(a, k), y = at(b, k);
      if (x != y) taken.emplace(id, values[k] == x ? 0 : 1);
    }
  }

  void judge_clamp(InstructionId id, std::size_t count) {
    std::span<const double> operands[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const Buffer& operand = wanted_.at(module_.operands(id)[k]);
      if (operand.count() == 0) return;
      operands[k] = std::span<const double>(operand.as<double>());
    }
    for (std::size_t k = 0; k < count; ++k) {
      const double x = at(operands[1], k);
      taken.emplace(id, x < at(operands[0], k) ? 0 : 1);
      taken.emplace(id, x > at(operands[2], k) ? 2 : 3);
    }
  }

  const Module& module_;
  std::unordered_map<InstructionId, Buffer> wanted_;  ///< operands, as they were last
};

}  // namespace

Sides sides_taken(Case& c, const InputSet& inputs, const Budget& budget) {
  Watch watch(*c.sequential);
  const auto probe = [&](const Instance& instance, Leaves leaves) { watch.see(instance, leaves); };
  PairRunner(c).run_sequential(inputs, {.mode = NumberMode::F64, .budget = budget, .probe = probe});
  return std::move(watch.taken);
}

bool one_sided(const Sides& taken) {
  return std::any_of(taken.begin(), taken.end(), [&](const auto& side) { return taken.count({side.first, side.second ^ 1}) == 0; });
}

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
  } else {
    PairRunner(c).run_sequential(inputs, {.mode = NumberMode::F64, .budget = budget, .probe = look});
  }
  return outside;
}

void say_nothing(DrawOutcome& draw) {
  draw.failure.reset();
  draw.differences.clear();
  draw.beyond = true;
  for (OutputOutcome& output : draw.outputs) output = {.agreement = Agreement::Undefined};
}

}  // namespace gg
