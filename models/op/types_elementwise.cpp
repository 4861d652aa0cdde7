// Type rules of elementwise operators: equal dimensions, and the kinds of elements that each operator takes.
#include <algorithm>

#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

enum Kinds : unsigned { kPred = 1,
                        kSigned = 2,
                        kUnsigned = 4,
                        kFloat = 8 };
constexpr unsigned kInteger = kSigned | kUnsigned;
constexpr unsigned kNumber = kInteger | kFloat;
constexpr unsigned kBits = kPred | kInteger;
constexpr unsigned kAny = kPred | kNumber;

/// Element kinds of the operators with elementwise_type and predicate_type (StableHLO's specification; on pred, add is
/// `or` and multiply is `and`, as XLA has it).
struct Accepts {
  Op op;
  unsigned kinds;
};
constexpr Accepts kAccepts[] = {
    {Op::Abs, kSigned | kFloat},
    {Op::Acos, kFloat},
    {Op::Acosh, kFloat},
    {Op::Add, kAny},
    {Op::And, kBits},
    {Op::Asin, kFloat},
    {Op::Asinh, kFloat},
    {Op::Atan2, kFloat},
    {Op::Atanh, kFloat},
    {Op::Cbrt, kFloat},
    {Op::Ceil, kFloat},
    {Op::Cosh, kFloat},
    {Op::Cosine, kFloat},
    {Op::CountLeadingZeros, kInteger},
    {Op::Divide, kNumber},
    {Op::Erf, kFloat},
    {Op::Exponential, kFloat},
    {Op::ExponentialMinusOne, kFloat},
    {Op::Floor, kFloat},
    {Op::IsFinite, kFloat},
    {Op::Log, kFloat},
    {Op::LogPlusOne, kFloat},
    {Op::Logistic, kFloat},
    {Op::Maximum, kAny},
    {Op::Minimum, kAny},
    {Op::Multiply, kAny},
    {Op::Negate, kNumber},
    {Op::Not, kBits},
    {Op::Or, kBits},
    {Op::Popcnt, kInteger},
    {Op::Power, kNumber},
    {Op::Remainder, kNumber},
    {Op::RoundNearestAfz, kFloat},
    {Op::RoundNearestEven, kFloat},
    {Op::Rsqrt, kFloat},
    {Op::ShiftLeft, kInteger},
    {Op::ShiftRightArithmetic, kInteger},
    {Op::ShiftRightLogical, kInteger},
    {Op::Sign, kSigned | kFloat},
    {Op::Sine, kFloat},
    {Op::Sinh, kFloat},
    {Op::Sqrt, kFloat},
    {Op::Subtract, kNumber},
    {Op::Tan, kFloat},
    {Op::Tanh, kFloat},
    {Op::Xor, kBits},
};

unsigned kind_bit(ElementType type) {
  switch (info(type).kind) {
    case ElementKind::Pred:
      return kPred;
    case ElementKind::Signed:
      return kSigned;
    case ElementKind::Unsigned:
      return kUnsigned;
    case ElementKind::Float:
      return kFloat;
    default:
      return 0;
  }
}

void need_kind(const Call& call, const Type& type) {
  const auto* row = std::find_if(std::begin(kAccepts), std::end(kAccepts),
                                 [&](const Accepts& accepts) { return accepts.op == call.op; });
  if (row == std::end(kAccepts) || (row->kinds & kind_bit(type.element)) == 0) {
    refuse_operand(name_of(call) + " does not take elements of type " + std::string(info(type.element).name));
  }
}

}  // namespace

Type elementwise_type(const Call& call) {
  need_same(call, 0, call.operands.size() - 1, true);
  const Type& first = array_operand(call, 0);
  need_kind(call, first);
  return Type::array(first.element, first.dims);
}

Type predicate_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  need_kind(call, operand);
  return Type::array(ElementType::Pred, operand.dims);
}

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
  const unsigned kind = kind_bit(operand.element);
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
