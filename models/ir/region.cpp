// Reading computations as scalar functions: every instruction becomes an expression over reads of the parameters, by
// the same bodies that whole arrays use.
#include "models/ir/region.h"

#include <optional>

#include "models/ir/canonical.h"
#include "models/op/body_support.h"
#include "models/op/compare.h"

namespace gg {

namespace {

/// Scalar leaves of one instruction, or nothing where it is no scalar function of the parameters.
using Value = std::optional<std::vector<ExprId>>;

bool is_scalar(const Type& type) {
  for (const Type* leaf : type.leaves()) {
    if (!leaf->is_array() || leaf->rank() != 0 || is_complex(leaf->element)) return false;
  }
  return true;
}

class Reader {
 public:
  Reader(Arena& arena, const Module& module) : arena_(arena), module_(module) {}

  /// The leaves of the root for these leaves of the parameters.
  Value read(ComputationId id, const std::vector<Value>& arguments) {
    const Computation& computation = module_.computation(id);
    std::vector<Value> values(computation.count);
    for (InstructionId k = computation.first; k < computation.first + computation.count; ++k) {
      if (!is_scalar(module_.type(k))) continue;
      values[k - computation.first] = instruction(k, computation.first, values, arguments);
    }
    return values[computation.root - computation.first];
  }

 private:
  Value instruction(InstructionId id, InstructionId first, const std::vector<Value>& values,
                    const std::vector<Value>& arguments) {
    const Attributes& attributes = module_.attributes(id);
    const Op op = module_[id].op;
    if (op == Op::Parameter) {
      const auto number = static_cast<std::size_t>(attributes.integer(Attr::Parameter));
      return number < arguments.size() ? arguments[number] : std::nullopt;
    }
    if (const auto floats = ordered_by_bits(module_, id)) return in_order(id, values[floats->first - first], values[floats->second - first]);
    std::vector<Value> operands;
    for (const InstructionId operand : module_.operands(id)) {
      if (!values[operand - first]) return std::nullopt;
      operands.push_back(values[operand - first]);
    }
    switch (op) {
      case Op::Tuple:
        return joined(operands);
      case Op::OptimizationBarrier:
        return operands[0];
      case Op::GetTupleElement:
        return element(id, *operands[0]);
      case Op::Call:
      case Op::Map:
        return read(attributes.computations(Attr::ToApply)[0], operands);
      case Op::Fusion:
        return read(attributes.computations(Attr::Calls)[0], operands);
      default:
        return by_body(id, operands);
    }
  }

  /// What is compared by the order of its bits.
  Value in_order(InstructionId id, const Value& a, const Value& b) {
    if (!a || !b) return std::nullopt;
    Attributes attributes = module_.attributes(id);
    attributes.set(Attr::CompareType, std::string("TOTALORDER"));
    try {
      return {{compare_values(arena_, attributes, a->front(), b->front())}};
    } catch (const TypeError&) {
      return std::nullopt;
    }
  }

  Value joined(const std::vector<Value>& operands) const {
    std::vector<ExprId> leaves;
    for (const Value& operand : operands) leaves.insert(leaves.end(), operand->begin(), operand->end());
    return leaves;
  }

  Value element(InstructionId id, const std::vector<ExprId>& leaves) const {
    const Type& tuple = module_.type(module_.operands(id)[0]);
    const auto index = static_cast<std::size_t>(module_.attributes(id).integer(Attr::Index));
    std::size_t from = 0;
    for (std::size_t k = 0; k < index; ++k) from += tuple.elements[k].leaves().size();
    const std::size_t count = tuple.elements[index].leaves().size();
    return std::vector<ExprId>(leaves.begin() + static_cast<std::ptrdiff_t>(from),
                               leaves.begin() + static_cast<std::ptrdiff_t>(from + count));
  }

  Value by_body(InstructionId id, const std::vector<Value>& operands) {
    const Op op = module_[id].op;
    const OpTraits traits = info(op).traits;
    if (traits != OpTraits::Elementwise && traits != OpTraits::Layout && op != Op::Constant) return std::nullopt;
    try {
      if (op == Op::Compare) {
        return {{compare_values(arena_, module_.attributes(id), operands[0]->front(), operands[1]->front())}};
      }
      const Body body = make_body(arena_, call_of(module_, id));
      Arena::Substitution substitution;
      substitution.read = [&](int operand, std::span<const LinId>, int) -> std::optional<ExprId> {
        return operands[static_cast<std::size_t>(operand)]->front();
      };
      return {{arena_.substitute(body.root, substitution)}};
    } catch (const TypeError&) {
      return std::nullopt;
    }
  }

  Arena& arena_;
  const Module& module_;
};

}  // namespace

Region read_region(Arena& arena, const Module& module, ComputationId id) {
  Region region;
  std::vector<Value> arguments;
  for (const InstructionId parameter : module.computation(id).parameters) {
    const Type& type = module.type(parameter);
    if (!type.is_array() || !is_scalar(type)) return {};
    arguments.push_back({{arena.read(static_cast<int>(region.parameters.size()), type.element, {})}});
    region.parameters.push_back(type.element);
  }
  if (const Value results = Reader(arena, module).read(id, arguments)) region.results = *results;
  if (region.results.size() == 1 && region.parameters.size() == 2) {
    region.monoid = find_monoid(arena, region, 0, region.parameters[0]);
  }
  return region;
}

}  // namespace gg
