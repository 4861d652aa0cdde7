// Sides of minima, maxima, clamps and selections (runtime/sides.h).
#include "runtime/sides.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
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

using Integers = std::span<const std::int64_t>;
/// By instruction: are the integers that it gives (of all ranks, one after the other) outside of what is claimed?
using LookAt = std::multimap<InstructionId, std::function<bool(Integers)>>;

/// Index vectors of one gather or scatter on one rank that are not as its flags say.
class Flags {
 public:
  Flags(const Module& module, InstructionId id) {
    const Attributes& a = module.attributes(id);
    unique_ = a.flag(Attr::UniqueIndices);
    sorted_ = a.flag(Attr::IndicesSorted);
    dims_ = module.type(indices_of(module, id)).dims;
    vector_ = static_cast<std::size_t>(a.integer(Attr::IndexVectorDim));
    for (const Attr attr : {Attr::ScatterBatchingDims, Attr::StartBatchingDims}) {
      if (a.has(attr)) batch_.insert(a.ints(attr).begin(), a.ints(attr).end());
    }
  }

  static InstructionId indices_of(const Module& module, InstructionId id) { return module.operands(id)[module.operands(id).size() / 2]; }

  bool operator()(Integers values) const {
    const auto count = static_cast<std::size_t>(std::accumulate(dims_.begin(), dims_.end(), std::int64_t{1}, std::multiplies<>()));
    for (std::size_t from = 0; count != 0 && from + count <= values.size(); from += count) {
      if (broken(values.subspan(from, count))) return true;
    }
    return false;
  }

 private:
  /// Of one rank. Vectors are the same only in one place of the batch.
  bool broken(Integers values) const {
    std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> vectors;  // by their places, row-major
    std::vector<std::int64_t> place(dims_.size(), 0);
    for (const std::int64_t value : values) {
      std::vector<std::int64_t> own = place;
      if (vector_ < own.size()) own[vector_] = 0;
      vectors[own].push_back(value);
      for (std::size_t d = dims_.size(); d-- > 0 && ++place[d] == dims_[d];) place[d] = 0;
    }
    std::set<std::vector<std::int64_t>> seen;
    std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> last;  // by place of the batch
    for (const auto& [at, vector] : vectors) {
      std::vector<std::int64_t> batch, whole;
      for (const std::int64_t d : batch_) batch.push_back(at[static_cast<std::size_t>(d)]);
      whole = batch;
      whole.insert(whole.end(), vector.begin(), vector.end());
      if (unique_ && !seen.insert(whole).second) return true;
      const auto before = last.find(batch);
      if (sorted_ && before != last.end() && vector < before->second) return true;
      last[batch] = vector;
    }
    return false;
  }

  bool unique_ = false, sorted_ = false;
  std::vector<std::int64_t> dims_;
  std::size_t vector_ = 0;
  std::set<std::int64_t> batch_;
};

LookAt flagged_indices(const Module& module) {
  LookAt found;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const Attributes& a = module.attributes(id);
    if (a.flag(Attr::IndicesSorted) || a.flag(Attr::UniqueIndices)) found.emplace(Flags::indices_of(module, id), Flags(module, id));
  }
  return found;
}

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

bool outside_premises(Case& c, const InputSet& inputs, const Budget& budget, const RecordedPair* recorded) {
  const auto any = [&](const Recording* run, const auto& execute, const LookAt& found) {
    bool outside = false;
    const Probe look = [&](const Instance& instance, Leaves leaves) {
      const auto [first, last] = found.equal_range(instance.instruction);
      if (first == last || leaves.size() != 1 || leaves[0]->storage() != Storage::Int64) return;
      const auto values = std::span<const std::int64_t>(leaves[0]->as<std::int64_t>());
      for (auto at = first; at != last; ++at) outside = outside || at->second(values);
    };
    if (found.empty()) return false;
    try {
      if (run != nullptr && !run->events.empty()) run->replay(look);
      else execute(RunOptions{.mode = NumberMode::F64, .budget = budget, .probe = look});
    } catch (const RuntimeFailure& failure) {  // of ranks that hang counts what they have done until then
      if (failure.kind != RuntimeFailure::Kind::Mismatch && failure.kind != RuntimeFailure::Kind::Doubtful) throw;
    }
    return outside;
  };
  LookAt sequential = flagged_indices(*c.sequential);
  for (InstructionId id = 0; id < c.sequential->size() && !c.accepted.empty(); ++id) {
    const auto found = c.accepted.find(std::string(c.sequential->name_of(id)));
    if (found == c.accepted.end()) continue;
    sequential.emplace(id, [span = found->second](Integers values) { return std::any_of(values.begin(), values.end(), [&](std::int64_t v) { return v < span.lo || v > span.hi; }); });
  }
  PairRunner runner(c);
  return any(
             recorded == nullptr ? nullptr : &recorded->sequential, [&](const RunOptions& how) { runner.run_sequential(inputs, how); }, sequential) ||
         any(
             recorded == nullptr ? nullptr : &recorded->distributed, [&](const RunOptions& how) { runner.run_distributed(inputs, how); }, flagged_indices(*c.distributed));
}

bool flags_indices(const Case& c) {
  return std::any_of(c.stated.begin(), c.stated.end(), [](const Assumption& a) { return a.kind == AssumptionKind::FlaggedIndices; });
}

void say_nothing(DrawOutcome& draw) {
  draw.failure.reset();
  draw.differences.clear();
  draw.beyond = true;
  for (OutputOutcome& output : draw.outputs) output = {.agreement = Agreement::Undefined};
}

}  // namespace gg
