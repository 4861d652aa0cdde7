#include "runtime/reduce/float_context.h"
#include "models/type/leaves.h"

#include <algorithm>
#include <optional>

namespace gg {
namespace {

constexpr int kSteps = 6;
constexpr int kMostVisits = 400;

bool moves_literals(Op op) {
  return op == Op::Broadcast || op == Op::Reshape || op == Op::Bitcast || op == Op::Copy || op == Op::Convert || op == Op::Transpose;
}

bool crosses_ranks(Op op) { return info(op).traits == OpTraits::Collective; }

bool takes_parts(Op op) {
  return op == Op::Slice || op == Op::DynamicSlice || op == Op::Pad || op == Op::DynamicUpdateSlice || op == Op::Gather;
}

bool adds(const Module& module, InstructionId id) {
  const auto& regions = module.attributes(id).computations(Attr::ToApply);
  return !regions.empty() && module[module.computation(regions.front()).root].op == Op::Add;
}

bool is_one_float(const Module& module, InstructionId id) {
  if (!module.type(id).is_array() || !is_float(module.type(id).element) || !module.attributes(id).has(Attr::Literal)) return false;
  const auto& values = module.attributes(id).literal().values;
  return !values.empty() && std::all_of(values.begin(), values.end(), [&](const Scalar& s) { return s == values.front(); });
}

}  // namespace

FloatContexts::FloatContexts(const Constraints& all, std::size_t side, std::int64_t ranks)
    : all_(all), program_(all.programs[side]), module_(program_.module()), ranks_(ranks), literals_(module_.size(), kNone),
      users_(module_.size()), callers_(module_.computations().size()) {
  for (InstructionId id = 0; id < module_.size(); ++id) {
    const auto operands = module_.operands(id);
    for (std::uint32_t k = 0; k < operands.size(); ++k) users_[operands[k]].emplace_back(id, k);
    const Op op = module_[id].op;
    if (op == Op::Constant && is_one_float(module_, id)) literals_[id] = id;
    else if (moves_literals(op) && op != Op::Transpose && is_float(module_.type(id).element)) literals_[id] = literals_[operands[0]];
    if (op != Op::Call && op != Op::Fusion) continue;
    callers_[module_.attributes(id).computations(op == Op::Call ? Attr::ToApply : Attr::Calls).at(0)].push_back(id);
  }
}

/// One literal at one use.
class FloatContexts::Walk {
 public:
  explicit Walk(const FloatContexts& c) : c_(c), module_(c.module_), program_(c.program_) {}

  /// Where a value that is a literal is read at last: behind calls and what moves it.
  void read_by(InstructionId user, std::uint32_t operand, InstructionId value, const Path& path) {
    if (++visits_ > kMostVisits) return;
    const Op op = module_[user].op;
    if (op == Op::Call || op == Op::Fusion) {
      Path inner = path;
      inner.push_back(user);
      return read(parameter(user, operand), inner);
    }
    if (moves_literals(op)) return read(user, path);
    divides_ = op == Op::Divide && operand == 1;
    if (!module_.type(value).dims.empty()) emit(FloatContext::Kind::Spread, all_dims(value));
    if (op == Op::Divide && operand == 0) return down(user, path, 0, {});
    if (divides_ || op == Op::Multiply) {
      up(module_.operands(user)[1 - operand], 0, path, 0, {{}, false, true, 1});
    }
    const bool linear = op == Op::Multiply || op == Op::Add || op == Op::Subtract || (op == Op::Select && operand > 0);
    if (linear) down(user, path, 0, {});
  }

  std::vector<FloatContext> take() { return std::move(found_); }

 private:
  struct Above {
    SizeProduct size;
    bool summed = false;     ///< below a sum: only what is linear in one operand
    bool linear = true;      ///< of places
    std::int64_t scale = 1;  ///< of places: whole numbers that they were multiplied with
  };

  void emit(FloatContext::Kind kind, SizeProduct size) {
    if (!size.sizes.empty() || size.constant > 1 || size.has_small || kind == FloatContext::Kind::Ranks) {
      found_.push_back({kind, divides_, std::move(size)});
    }
  }

  void read(InstructionId value, const Path& path) {
    for (const auto& [user, operand] : c_.users_[value]) read_by(user, operand, value, path);
  }

  const Computation& callee(InstructionId call) const {
    return module_.computation(module_.attributes(call).computations(module_[call].op == Op::Call ? Attr::ToApply : Attr::Calls).at(0));
  }
  InstructionId parameter(InstructionId call, std::uint32_t k) const { return callee(call).parameters.at(k); }

  void append(SizeProduct& product, InstructionId value, const IntList& dims) const {
    for (const std::int64_t d : dims) {
      const auto at = static_cast<std::size_t>(d);
      const std::int64_t extent = program_.type(value).dims[at];
      if (extent > 1) product.sizes.push_back(program_.dim(value, 0, at));
      product.has_small = product.has_small || extent <= SizeSystem::kSmall;
    }
  }

  SizeProduct all_dims(InstructionId value) const {
    SizeProduct product;
    IntList dims;
    for (std::size_t d = 0; d < program_.type(value).dims.size(); ++d) dims.push_back(static_cast<std::int64_t>(d));
    append(product, value, dims);
    return product;
  }

  /// The call from which `path` is left; kNone if it is not known.
  InstructionId caller(InstructionId inside, Path& path) const {
    if (!path.empty()) {
      const InstructionId call = path.back();
      path.pop_back();
      return call;
    }
    const auto& callers = c_.callers_[module_.computation_of(inside)];
    return callers.size() == 1 ? callers.front() : kNone;
  }

  std::size_t first_leaf_of(InstructionId element) const {
    return first_leaf(module_.type(module_.operands(element)[0]), module_.attributes(element).integer(Attr::Index));
  }

  void up(InstructionId id, std::size_t leaf, Path path, int steps, Above above) {
    if (steps > kSteps || ++visits_ > kMostVisits) return;
    const auto operands = module_.operands(id);
    const Op op = module_[id].op;
    switch (op) {
      case Op::GetTupleElement: return up(operands[0], leaf + first_leaf_of(id), path, steps, above);
      case Op::Tuple:
      case Op::OptimizationBarrier:
      case Op::AllReduce: {
        std::size_t at = leaf;
        for (const InstructionId operand : operands) {
          const std::size_t count = array_leaves(module_.type(operand));
          if (at >= count) {
            at -= count;
            continue;
          }
          if (op == Op::AllReduce) over_ranks(id, above.size);
          return up(operand, at, path, steps + (op == Op::AllReduce ? 1 : 0), above);
        }
        return;
      }
      case Op::Call:
      case Op::Fusion:
        path.push_back(id);
        return up(callee(id).root, leaf, path, steps, above);
      case Op::Parameter: {
        const auto number = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Parameter));
        const InstructionId call = caller(id, path);
        if (call == kNone || module_[call].op == Op::While) return;
        return up(module_.operands(call)[number], leaf, path, steps, above);
      }
      case Op::While: return passes(id, leaf, path, steps, std::move(above));
      case Op::Reduce:
        if (!adds(module_, id)) return;
        append(above.size, operands[leaf], module_.attributes(id).ints(Attr::BroadcastDims));
        emit(FloatContext::Kind::Sum, above.size);
        above.summed = true;
        return up(operands[leaf], 0, path, steps + 1, above);
      case Op::ReduceWindow:
        if (!adds(module_, id) || leaf != 0) return;
        for (std::size_t d = 0; d < module_.attributes(id).window().size(); ++d) {
          const WindowDim& w = module_.attributes(id).window()[d];
          const std::int64_t extent = program_.type(operands[0]).dims[d];
          if (is_running_window(w, extent) && extent > 1) above.size.sizes.push_back(program_.dim(operands[0], 0, d));
          else above.size.constant *= w.size;
        }
        return emit(FloatContext::Kind::Sum, above.size);
      case Op::Dot:
        append(above.size, operands[0], module_.attributes(id).ints(Attr::LhsContractingDims));
        return emit(above.summed ? FloatContext::Kind::Sum : FloatContext::Kind::Dot, above.size);
      case Op::Iota: {
        if (!above.linear || above.summed) return;
        SizeProduct size;
        append(size, id, {module_.attributes(id).integer(Attr::IotaDimension)});
        emit(FloatContext::Kind::Places, size);
        size.constant = above.scale;
        return above.scale == 1 ? void() : emit(FloatContext::Kind::Places, size);
      }
      default: break;
    }
    if (operands.empty()) return;
    if (moves_literals(op)) return up(operands[0], 0, path, steps, above);
    if (crosses_ranks(op) || takes_parts(op)) {
      if (op == Op::ReduceScatter) over_ranks(id, above.size);
      return up(operands[0], 0, path, steps + 1, above);
    }
    elementwise(id, path, steps + 1, above);
  }

  void over_ranks(InstructionId id, SizeProduct& size) {
    if (!adds(module_, id)) return;
    const ReplicaGroups& groups = module_.attributes(id).groups();
    size.summed_ranks *= groups.groups.empty() ? c_.ranks_ : static_cast<std::int64_t>(groups.groups.front().size());
    SizeProduct ranks;
    ranks.constant = size.summed_ranks;
    emit(FloatContext::Kind::Ranks, ranks);
  }

  void elementwise(InstructionId id, const Path& path, int steps, Above above) {
    const auto operands = module_.operands(id);
    const Op op = module_[id].op;
    const bool sum = op == Op::Add || op == Op::Subtract || op == Op::Negate || op == Op::Select;
    std::size_t followed = 0, numbers = 0;
    for (const InstructionId operand : operands) {
      if (c_.literals_[operand] == kNone && !program_.literal(operand)) ++followed;
      else ++numbers;
    }
    const bool scaled = (op == Op::Multiply && numbers == 1) || (op == Op::Divide && c_.literals_[operands[1]] != kNone);
    if (above.summed && !sum && !scaled) return;
    if (!sum && !scaled) above.linear = false;
    if (op == Op::Multiply && scaled) above.scale *= whole_factor(operands);
    if (followed == 0 || (info(module_[id].op).traits != OpTraits::Elementwise && !sum && !scaled)) return;
    for (std::size_t k = op == Op::Select ? 1 : 0; k < operands.size(); ++k) {
      if (c_.literals_[operands[k]] == kNone && !program_.literal(operands[k])) up(operands[k], 0, path, steps, above);
    }
  }

  std::int64_t whole_factor(std::span<const InstructionId> operands) const {
    for (const InstructionId operand : operands) {
      if (c_.literals_[operand] == kNone) continue;
      const double value = module_.attributes(c_.literals_[operand]).literal().values.front().real;
      const auto whole = static_cast<std::int64_t>(std::clamp(value, 1.0, 4096.0));
      if (static_cast<double>(whole) == value) return whole;
    }
    return 1;
  }

  /// A leaf to which each pass of a loop adds a term: a sum over the passes.
  void passes(InstructionId id, std::size_t leaf, Path path, int steps, Above above) {
    const auto trips = trip_count(id);
    if (!trips) return;
    const InstructionId root = module_.computation(module_.attributes(id).computations(Attr::Body).at(0)).root;
    path.push_back(id);
    if (!accumulates(root, leaf, leaf, path, kSteps)) return;
    above.size.sizes.push_back(*trips);
    emit(FloatContext::Kind::Sum, above.size);
    above.summed = true;
    up(root, leaf, path, steps + 1, above);
  }

  /// Is leaf `leaf` of this value in the body the loop's own leaf `own` and more, added?
  bool accumulates(InstructionId id, std::size_t leaf, std::size_t own, Path path, int steps) const {
    if (steps == 0) return false;
    const auto operands = module_.operands(id);
    switch (module_[id].op) {
      case Op::GetTupleElement: return accumulates(operands[0], leaf + first_leaf_of(id), own, path, steps);
      case Op::Tuple:
        for (const InstructionId operand : operands) {
          const std::size_t count = array_leaves(module_.type(operand));
          if (leaf < count) return accumulates(operand, leaf, own, path, steps);
          leaf -= count;
        }
        return false;
      case Op::Call:
      case Op::Fusion:
        path.push_back(id);
        return accumulates(callee(id).root, leaf, own, path, steps);
      case Op::Parameter: {
        const InstructionId call = path.back();
        path.pop_back();
        if (module_[call].op == Op::While) return leaf == own;
        const auto number = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Parameter));
        return accumulates(module_.operands(call)[number], leaf, own, path, steps);
      }
      case Op::Copy: return accumulates(operands[0], 0, own, path, steps);
      case Op::Add: return accumulates(operands[0], 0, own, path, steps - 1) || accumulates(operands[1], 0, own, path, steps - 1);
      default: return false;
    }
  }

  std::optional<SizeVar> trip_count(InstructionId loop) const {
    const InstructionId root = module_.computation(module_.attributes(loop).computations(Attr::Condition).at(0)).root;
    for (const LiteralUse& use : c_.all_.uses) {
      if (use.side != program_.side() || use.user != root || use.user == kNone) continue;
      const Attributes& constant = module_.attributes(*program_.literal(use.source));
      if (!constant.has(Attr::Literal)) continue;
      for (const auto& a : c_.all_.kinds.attachments(use.kind)) {
        if (c_.all_.sizes.size(a.dimension) == constant.literal().values.front().integer) return a.dimension;
      }
    }
    return std::nullopt;
  }

  void down(InstructionId id, Path path, int steps, const SizeProduct& size) {
    if (steps > kSteps || ++visits_ > kMostVisits) return;
    if (id == module_.computation(module_.computation_of(id)).root) {
      Path outer = path;
      const InstructionId call = caller(id, outer);
      if (call != kNone && module_[call].op != Op::While) down(call, outer, steps, size);
    }
    for (const auto& [user, k] : c_.users_[id]) reader(id, user, k, path, steps, size);
  }

  void reader(InstructionId id, InstructionId user, std::uint32_t k, const Path& path, int steps, SizeProduct size) {
    const Op op = module_[user].op;
    if (op == Op::Call || op == Op::Fusion) {
      Path inner = path;
      inner.push_back(user);
      return down(parameter(user, k), inner, steps, size);
    }
    if (op == Op::Broadcast && module_.type(id).dims.empty()) return emit(FloatContext::Kind::Spread, all_dims(user));
    if (moves_literals(op)) return down(user, path, steps, size);
    if (op == Op::Reduce && adds(module_, user) && k < module_.operands(user).size() / 2) {
      append(size, id, module_.attributes(user).ints(Attr::BroadcastDims));
      emit(FloatContext::Kind::LaterSum, size);
      return down(user, path, steps + 1, size);
    }
    if (op == Op::Dot) {
      append(size, id, module_.attributes(user).ints(k == 0 ? Attr::LhsContractingDims : Attr::RhsContractingDims));
      return emit(FloatContext::Kind::LaterDot, size);
    }
    const bool linear = op == Op::Multiply || op == Op::Add || op == Op::Subtract || op == Op::Negate || (op == Op::Divide && k == 0) ||
                        (op == Op::Select && k > 0);
    if ((op == Op::AllReduce || op == Op::ReduceScatter) && !adds(module_, user)) return;
    if (linear || crosses_ranks(op) || takes_parts(op)) down(user, path, steps + 1, size);
  }

  const FloatContexts& c_;
  const Module& module_;
  const ProgramSizes& program_;
  std::vector<FloatContext> found_;
  bool divides_ = false;
  int visits_ = 0;
};

std::vector<FloatContext> FloatContexts::of(InstructionId user, std::uint32_t operand) const {
  Walk walk(*this);
  walk.read_by(user, operand, module_.operands(user)[operand], {});
  return walk.take();
}

}  // namespace gg
