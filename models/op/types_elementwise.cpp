// Type rules of elementwise operators: equal dimensions, and the kinds of elements that each operator takes.
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

constexpr unsigned bit(ElementKind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr unsigned kPred = bit(ElementKind::Pred), kSigned = bit(ElementKind::Signed), kUnsigned = bit(ElementKind::Unsigned), kFloat = bit(ElementKind::Float);
constexpr unsigned kInteger = kSigned | kUnsigned, kNumber = kInteger | kFloat;

/// The one type of all operands, whose elements are of these kinds (StableHLO's specification; on pred, add is `or` and multiply is `and`, as
/// XLA has it).
Type alike(const Call& call, unsigned kinds) {
  need_same(call, 0, call.operands.size() - 1, true);
  const Type& first = array_operand(call, 0);
  if ((kinds & bit(info(first.element).kind)) == 0) {
    refuse_operand(name_of(call) + " does not take elements of type " + std::string(info(first.element).name));
  }
  return Type::array(first.element, first.dims);
}

}  // namespace

Type elementwise_type(const Call& call) { return alike(call, kPred | kNumber); }
Type numbers_type(const Call& call) { return alike(call, kNumber); }
Type floats_type(const Call& call) { return alike(call, kFloat); }
Type signed_type(const Call& call) { return alike(call, kSigned | kFloat); }
Type integers_type(const Call& call) { return alike(call, kInteger); }
Type bits_type(const Call& call) { return alike(call, kPred | kInteger); }
Type predicate_type(const Call& call) { return Type::array(ElementType::Pred, floats_type(call).dims); }

Type clamp_type(const Call& call) {
  const Type& value = array_operand(call, 1);
  for (const std::size_t k : {std::size_t{0}, std::size_t{2}}) {
    const Type& bound = array_operand(call, k);
    if (bound.element != value.element || (bound.rank() != 0 && bound.dims != value.dims)) {
      refuse_operand("clamp: the bound " + to_string(bound) + " is neither a scalar nor of the shape of " +
                     to_string(value));
    }
  }
  return Type::array(value.element, value.dims);
}

Type compare_type(const Call& call) {
  need_same(call, 0, 1, true);
  const Type& operand = array_operand(call, 0);
  if (!scalar_of(Op::Compare, *call.attributes)) {
    refuse_attribute("compare: direction=" + call.attributes->text(Attr::Direction) +
                     " is none of EQ, NE, GE, GT, LE, LT");
  }
  const std::string& order = call.attributes->text(Attr::CompareType);
  const unsigned kind = bit(info(operand.element).kind);
  const bool fits = order.empty() || order == "TOTALORDER" || (order == "FLOAT" && kind == kFloat) ||
                    (order == "SIGNED" && kind == kSigned) ||
                    (order == "UNSIGNED" && (kind == kUnsigned || kind == kPred));
  if (!fits) {
    refuse_attribute("compare: type=" + order + " does not fit elements of type " +
                     std::string(info(operand.element).name));
  }
  return Type::array(ElementType::Pred, operand.dims);
}

Type convert_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& result = stated_array(call);
  if (operand.dims != result.dims) {
    refuse(DiagCode::TypeMismatch,
           "convert keeps the dimensions: from " + to_string(operand) + " to " + to_string(result));
  }
  return Type::array(result.element, operand.dims);
}

Type reduce_precision_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const std::int64_t exponent = call.attributes->integer(Attr::ExponentBits);
  const std::int64_t mantissa = call.attributes->integer(Attr::MantissaBits);
  if (!is_float(operand.element)) refuse_operand("reduce-precision does not take " + to_string(operand));
  if (exponent < 1 || mantissa < 0) {
    refuse_attribute("reduce-precision: " + std::to_string(exponent) + " exponent and " + std::to_string(mantissa) +
                     " mantissa bits are no float format");
  }
  return Type::array(operand.element, operand.dims);
}

Type stochastic_convert_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& random = array_operand(call, 1);
  const Type& result = stated_array(call);
  const bool fits = is_float(operand.element) && info(random.element).kind == ElementKind::Unsigned &&
                    info(random.element).bits == info(operand.element).bits && random.dims == operand.dims;
  if (!fits) {
    refuse_operand("stochastic-convert takes floats and unsigned integers of their width, not " + to_string(operand) +
                   " and " + to_string(random));
  }
  if (result.dims != operand.dims) {
    refuse(DiagCode::TypeMismatch, "stochastic-convert keeps the dimensions: from " + to_string(operand) + " to " + to_string(result));
  }
  return Type::array(result.element, operand.dims);
}

Type select_type(const Call& call) {
  const Type& predicate = array_operand(call, 0);
  need_same(call, 1, 2, true);
  const Type& value = array_operand(call, 1);
  if (predicate.element != ElementType::Pred || (predicate.rank() != 0 && predicate.dims != value.dims)) {
    refuse_operand("select: the predicate " + to_string(predicate) + " is neither pred[] nor a pred of the shape of " +
                   to_string(value));
  }
  return Type::array(value.element, value.dims);
}

Type map_type(const Call& call) {
  need_same(call, 0, call.operands.size() - 1, false);
  const Type& operand = array_operand(call, 0);
  const Type& result = stated_array(call);
  const IntList& dimensions = call.attributes->ints(Attr::BroadcastDims);
  if (call.attributes->has(Attr::BroadcastDims)) {
    if (dimensions.size() != operand.dims.size()) {
      refuse_attribute("map: dimensions=" + list(dimensions) + " must list all " + std::to_string(operand.rank()) +
                       " dimensions of the operand");
    }
    for (std::size_t k = 0; k < dimensions.size(); ++k) {
      if (dimensions[k] != static_cast<std::int64_t>(k)) {
        refuse_attribute("map: dimensions=" + list(dimensions) + " must be in ascending order from 0");
      }
    }
  }
  if (result.dims != operand.dims) {
    refuse(DiagCode::TypeMismatch, "map keeps the dimensions: from " + to_string(operand) + " to " + to_string(result));
  }
  return Type::array(result.element, operand.dims);
}

}  // namespace gg
