// Flattening walks each computation once a call site and keeps, for every instruction, a range of flat values.
#include "models/ir/flatten.h"

#include <algorithm>
#include <optional>

#include "models/base/check.h"
#include "models/base/progress.h"

namespace gg {
namespace {

constexpr std::uint64_t kMaxSteps = 100'000'000;  // instructions visited and leaves passed on

/// Instructions of a computation with those of calls, fusions and branches in it, at most 2^60.
class InstanceCounts {
 public:
  explicit InstanceCounts(const Module& module) : module_(module), known_(module.computations().size(), 0) {}

  std::int64_t of(ComputationId id) {
    constexpr std::int64_t kMany = std::int64_t{1} << 60;  // sums of a few stay in range
    if (known_[id] != 0) return known_[id];
    const Computation& computation = module_.computation(id);
    std::int64_t sum = computation.count;
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
      for (const ComputationId callee : written_out(k)) sum = std::min(kMany, sum + of(callee));
    }
    return known_[id] = sum;
  }

 private:
  ComputationList written_out(InstructionId id) const {
    switch (module_[id].op) {
      case Op::Call: return module_.attributes(id).computations(Attr::ToApply);
      case Op::Fusion: return module_.attributes(id).computations(Attr::Calls);
      case Op::Conditional: return branches_of(module_, id);
      default: return {};
    }
  }

  const Module& module_;
  std::vector<std::int64_t> known_;
};

/// Leaf counts of tuple types: element k of a tuple starts at leaf offsets[k]; the last entry is the total.
class LeafCounts {
 public:
  explicit LeafCounts(const Module& module) : module_(module), offsets_(module.type_count()) {}

  const std::vector<std::uint32_t>& of(TypeId id) {
    auto& offsets = offsets_[id];
    if (!offsets.empty()) return offsets;
    const Type& type = module_.type_by_id(id);
    offsets.push_back(0);
    if (!type.is_tuple()) offsets.push_back(1);
    for (const auto& element : type.elements) {
      offsets.push_back(offsets.back() + static_cast<std::uint32_t>(element.leaves().size()));
    }
    return offsets;
  }

 private:
  const Module& module_;
  std::vector<std::vector<std::uint32_t>> offsets_;
};

class Flattener {
 public:
  Flattener(const Module& module, Branches branches) : module_(module), branches_(branches), leaves_(module) { out_.paths.emplace_back(); }

  FlatProgram run(ComputationId id) {
    const Computation& computation = module_.computation(id);
    std::vector<Range> arguments;
    for (const InstructionId parameter : computation.parameters) {
      arguments.push_back(emit(parameter, 0, {}));
      for (const auto& value : values(arguments.back())) out_.inputs.push_back(value);
    }
    const Range root = walk(id, arguments, 0);
    const auto result = values(root);
    out_.outputs.assign(result.begin(), result.end());
    return std::move(out_);
  }

 private:
  /// A run of flat values in pool_.
  struct Range {
    std::size_t first = 0;
    std::size_t count = 0;
  };

  std::span<const FlatValue> values(Range range) const { return std::span(pool_).subspan(range.first, range.count); }

  void step(std::uint64_t n, InstructionId id) {
    ask_deadline();
    steps_ += n;
    if (steps_ > kMaxSteps) {
      throw InputError(DiagCode::TooLarge, module_.where(id), "calls pass more than " + std::to_string(kMaxSteps) + " values on");
    }
  }

  /// Appends a node for the instruction; its value is all its leaves.
  Range emit(InstructionId id, std::uint32_t path, std::span<const Range> operands) {
    const auto node = static_cast<std::uint32_t>(out_.nodes.size());
    const auto first = static_cast<std::uint32_t>(out_.operand_pool.size());
    for (const Range& operand : operands) {
      const auto list = values(operand);
      out_.operand_pool.insert(out_.operand_pool.end(), list.begin(), list.end());
    }
    const auto count = static_cast<std::uint32_t>(out_.operand_pool.size() - first);
    out_.nodes.push_back({id, path, first, count});
    const Range range{pool_.size(), leaves_.of(module_[id].type).back()};
    for (std::uint32_t leaf = 0; leaf < range.count; ++leaf) pool_.push_back({node, leaf});
    step(1 + count + range.count, id);
    return range;
  }

  Range concatenate(InstructionId id, std::span<const Range> operands) {
    Range range{pool_.size(), 0};
    for (const Range& operand : operands) {
      for (std::size_t k = 0; k < operand.count; ++k) pool_.push_back(FlatValue(pool_[operand.first + k]));
      range.count += operand.count;
    }
    step(range.count, id);
    return range;
  }

  Range element(InstructionId id, Range tuple) {
    const auto index = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Index));
    const auto& offsets = leaves_.of(module_[module_.operands(id)[0]].type);
    GG_CHECK(index + 1 < offsets.size() && offsets.back() == tuple.count, "get-tuple-element of an unverified module");
    return {tuple.first + offsets[index], offsets[index + 1] - offsets[index]};
  }

  Range call(InstructionId id, ComputationId callee, std::uint32_t path, std::span<const Range> operands,
             std::optional<std::uint32_t> branch = std::nullopt) {
    FlatPath inner = out_.paths[path];
    check_limit(Limit::CallDepth, static_cast<std::int64_t>(inner.calls.size()) + 1, module_.where(id));
    inner.calls.push_back(id);
    if (branch) inner.branches.push_back(*branch);
    step(100 + inner.calls.size(), id);  // a call path costs memory too
    out_.paths.push_back(std::move(inner));
    return walk(callee, operands, static_cast<std::uint32_t>(out_.paths.size() - 1));
  }

  /// A call, or a fusion.
  Range call(InstructionId id, Attr callee, std::uint32_t path, std::span<const Range> operands) {
    const auto& callees = module_.attributes(id).computations(callee);
    GG_CHECK(callees.size() == 1, "call of an unverified module");
    return call(id, callees[0], path, operands);
  }

  Range conditional(InstructionId id, std::uint32_t path, std::span<const Range> operands) {
    if (branches_ == Branches::Kept) return emit(id, path, operands);
    const ComputationList branches = branches_of(module_, id);
    const std::vector<Range> arguments(operands.begin(), operands.end());  // of the caller's list
    std::vector<Range> results{arguments[0]};
    for (std::uint32_t k = 0; k < branches.size(); ++k) results.push_back(call(id, branches[k], path, {&arguments[k + 1], 1}, k));
    return emit(id, path, results);
  }

  Range instance(InstructionId id, std::uint32_t path, std::span<const Range> operands,
                 std::span<const Range> arguments) {
    switch (module_[id].op) {
      case Op::Parameter:
        return arguments[static_cast<std::size_t>(module_.attributes(id).integer(Attr::Parameter))];
      case Op::Tuple:
        return concatenate(id, operands);
      case Op::GetTupleElement:
        return element(id, operands[0]);
      case Op::OptimizationBarrier:
        return operands[0];
      case Op::Call:
        return call(id, Attr::ToApply, path, operands);
      case Op::Fusion:
        return call(id, Attr::Calls, path, operands);
      case Op::Conditional:
        return conditional(id, path, operands);
      default:
        return emit(id, path, operands);
    }
  }

  Range walk(ComputationId id, std::span<const Range> arguments, std::uint32_t path) {
    const Computation& computation = module_.computation(id);
    GG_CHECK(arguments.size() == computation.parameters.size(), "call of an unverified module");
    std::vector<Range> ranges(computation.count);
    std::vector<Range> operands;
    for (std::uint32_t k = 0; k < computation.count; ++k) {
      const InstructionId instruction = computation.first + k;
      step(1, instruction);
      operands.clear();
      for (const InstructionId operand : module_.operands(instruction)) {
        operands.push_back(ranges[operand - computation.first]);
      }
      ranges[k] = instance(instruction, path, operands, arguments);
    }
    return ranges[computation.root - computation.first];
  }

  const Module& module_;
  Branches branches_;
  LeafCounts leaves_;
  FlatProgram out_;
  std::vector<FlatValue> pool_;
  std::uint64_t steps_ = 0;
};

FlatProgram flattened(const Module& module, ComputationId computation, Branches branches) {
  check_limit(Limit::Instances, count_instances(module, computation), {module.file, module.computation(computation).line});
  return Flattener(module, branches).run(computation);
}

}  // namespace

std::int64_t count_instances(const Module& module, ComputationId computation) { return InstanceCounts(module).of(computation); }

FlatProgram flatten(const Module& module, Branches branches) { return flattened(module, module.entry(), branches); }

FlatProgram flatten(const Module& module, ComputationId computation) { return flattened(module, computation, Branches::WrittenOut); }

}  // namespace gg
