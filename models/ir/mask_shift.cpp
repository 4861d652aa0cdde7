#include "models/ir/mask_shift.h"

#include <algorithm>
#include <cmath>

namespace gg {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Shift kAnything{-kInfinity, kInfinity}, kNothing{0, 0}, kUnit{-1, 1};

Shift hull(const Shift& a, const Shift& b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Shift sum(const Shift& a, const Shift& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return {a.lo + b.lo, a.hi + b.hi};
}

Shift negative(const Shift& a) { return a.empty() ? a : Shift{-a.hi, -a.lo}; }

Shift product(const Shift& a, const Shift& b) {
  if (a.empty() || b.empty()) return {};
  Shift out;
  for (const double x : {a.lo, a.hi}) {
    for (const double y : {b.lo, b.hi}) {
      if (std::isnan(x * y)) return kAnything;
      out = hull(out, {x * y, x * y});
    }
  }
  return out;
}

Shift of_literal(const Attributes& attributes) {
  if (!attributes.has(Attr::Literal)) return kAnything;
  Shift out;
  for (const Scalar& s : attributes.literal().values) {
    const double x = is_integral(s.type) ? static_cast<double>(s.integer) : s.real;
    if (!is_integral(s.type) && !is_float(s.type)) return kAnything;
    if (std::isnan(x)) return kAnything;
    if (x != -kInfinity) out = hull(out, {x, x});
  }
  return out;
}

class Facts {
 public:
  Facts(const Module& module, const FlatProgram& flat, const std::vector<bool>& masks) : module_(module), flat_(flat), masks_(masks) {}

  std::vector<ShiftFact> run() {
    for (std::uint32_t node = 0; node < flat_.nodes.size(); ++node) facts_.push_back(fact(node));
    return std::move(facts_);
  }

 private:
  const ShiftFact& operand(std::uint32_t node, std::size_t k) const { return facts_[flat_.operands(flat_.nodes[node])[k].node]; }

  /// Values that depend on inputs have the size of one, beside what was added to them.
  Shift size(const ShiftFact& f) const { return f.constant ? f.shift : hull(f.shift, kUnit); }

  Shift scaled(std::uint32_t node, bool divides) const {
    const ShiftFact &a = operand(node, 0), &b = operand(node, 1);
    if (!a.constant && !b.constant) return kNothing;
    if (!divides) return product(size(a), size(b));
    if (!b.constant) return hull(product(a.shift, kUnit), kNothing);
    if (b.shift.empty() || (b.shift.lo <= 0 && b.shift.hi >= 0)) return kAnything;
    return product(size(a), {1 / b.shift.hi, 1 / b.shift.lo});
  }

  Shift all(std::uint32_t node, std::size_t from) const {
    Shift out;
    for (std::size_t k = from; k < flat_.nodes[node].operand_count; ++k) out = hull(out, operand(node, k).shift);
    return out;
  }

  ShiftFact fact(std::uint32_t node) const {
    const InstructionId id = flat_.nodes[node].instruction;
    ShiftFact out;
    const Op op = module_[id].op;
    out.constant = op != Op::Parameter && op != Op::RngBitGenerator;
    out.uniform = out.constant && op != Op::Iota && op != Op::PartitionId && op != Op::ReplicaId;
    for (std::size_t k = 0; k < flat_.nodes[node].operand_count; ++k) {
      out.constant &= operand(node, k).constant;
      out.uniform &= operand(node, k).uniform;
    }
    if (masks_[node]) return out;
    out.shift = shift(node, id, out.constant);
    return out;
  }

  Shift shift(std::uint32_t node, InstructionId id, bool constant) const {
    switch (module_[id].op) {
      case Op::Constant: return of_literal(module_.attributes(id));
      case Op::Iota: {
        const auto& dims = module_.type(id).dims;
        return {0, dims.empty() ? 0.0 : static_cast<double>(*std::max_element(dims.begin(), dims.end()))};
      }
      case Op::PartitionId:
      case Op::ReplicaId:
        return {0, static_cast<double>(module_.num_partitions.value_or(1) * module_.replica_count.value_or(1))};
      case Op::Add: return sum(operand(node, 0).shift, operand(node, 1).shift);
      case Op::Subtract: return sum(operand(node, 0).shift, negative(operand(node, 1).shift));
      case Op::Negate: return negative(operand(node, 0).shift);
      case Op::Abs: return hull(operand(node, 0).shift, negative(operand(node, 0).shift));
      case Op::Multiply: return scaled(node, false);
      case Op::Divide: return scaled(node, true);
      case Op::Select: return all(node, 1);
      case Op::Clamp:
      case Op::Maximum:
      case Op::Minimum:
      case Op::Concatenate:
      case Op::Pad:
      case Op::Broadcast:
      case Op::Convert:
      case Op::Copy:
      case Op::Reshape:
      case Op::Bitcast:
      case Op::Transpose:
      case Op::Slice:
      case Op::Reverse:
      case Op::ReducePrecision:
      case Op::AllGather:
      case Op::AllToAll:
      case Op::CollectivePermute:
      case Op::CollectiveBroadcast: return all(node, 0);
      case Op::Reduce:
      case Op::ReduceWindow:
      case Op::AllReduce:
      case Op::ReduceScatter:
        if (reducer(module_, id) == Op::Maximum) return all(node, 0);
        return constant ? kAnything : kNothing;
      case Op::Remainder: {
        const Shift& by = operand(node, 1).shift;
        return operand(node, 1).constant && !by.empty() ? hull(by, negative(by)) : kAnything;
      }
      case Op::DynamicSlice:
      case Op::Gather: return operand(node, 0).shift;
      case Op::DynamicUpdateSlice: return hull(operand(node, 0).shift, operand(node, 1).shift);
      case Op::Cosine:
      case Op::Sine:
      case Op::Tanh:
      case Op::Erf:
      case Op::Sign:
      case Op::Logistic:
      case Op::Compare: return kUnit;
      default: return constant ? kAnything : kNothing;
    }
  }

  const Module& module_;
  const FlatProgram& flat_;
  const std::vector<bool>& masks_;
  std::vector<ShiftFact> facts_;
};

}  // namespace

std::optional<Op> reducer(const Module& module, InstructionId id) {
  const Attributes& attributes = module.attributes(id);
  if (!attributes.has(Attr::ToApply)) return std::nullopt;
  const auto& regions = attributes.computations(Attr::ToApply);
  if (regions.size() != 1) return std::nullopt;
  const Computation& c = module.computation(regions[0]);
  const auto operands = module.operands(c.root);
  if (c.parameters.size() != 2 || operands.size() != 2) return std::nullopt;
  if (!std::is_permutation(operands.begin(), operands.end(), c.parameters.begin())) return std::nullopt;
  return module[c.root].op;
}

std::vector<ShiftFact> shift_facts(const Module& module, const FlatProgram& flat, const std::vector<bool>& masks) {
  return Facts(module, flat, masks).run();
}

}  // namespace gg
