// Type rules and bodies of known custom calls; others are opaque and have the type that the text states.
#include "models/op/custom_calls.h"

#include <charconv>

#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

void need_operands(const Call& call, std::size_t count) {
  if (call.operands.size() != count) {
    refuse_operand(call.attributes->text(Attr::CustomCallTarget) + " takes " + std::to_string(count) +
                   " operands, not " + std::to_string(call.operands.size()));
  }
}

/// AwsNeuronRmsNorm(x, w, eps): the dimension over which the mean is taken, backend_config="d".
std::int64_t norm_dimension(const Call& call) {
  const std::string& text = call.attributes->text(Attr::BackendConfig);
  std::int64_t d = -1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), d);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size()) {
    refuse_attribute("AwsNeuronRmsNorm: backend_config=\"" + text + "\" must be the number of a dimension");
  }
  need_dimension(call, d, call.operands[0]->rank(), "backend_config of AwsNeuronRmsNorm");
  return d;
}

Type rms_norm_type(const Call& call) {
  need_operands(call, 3);
  const Type& x = array_operand(call, 0);
  const Type& weight = array_operand(call, 1);
  const Type& epsilon = array_operand(call, 2);
  const Type& result = stated_array(call);
  const std::int64_t d = norm_dimension(call);
  if (!is_float(x.element) || !is_float(weight.element) || !is_float(epsilon.element) || epsilon.rank() != 0 ||
      weight.rank() != 1 || weight.dims[0] != x.dims[static_cast<std::size_t>(d)]) {
    refuse_operand("AwsNeuronRmsNorm of " + to_string(x) + ", " + to_string(weight) + " and " + to_string(epsilon) +
                   " over dimension " + std::to_string(d));
  }
  if (!is_float(result.element) || result.dims != x.dims) {
    refuse(DiagCode::TypeMismatch, "AwsNeuronRmsNorm of " + to_string(x) + " does not give " + to_string(result));
  }
  return Type::array(result.element, result.dims);
}

/// y[i] = w[i_d] * x[i] * rsqrt((sum over dimension d of x^2) / n + eps), in f32 (f64 where x has it), then converted.
Body rms_norm_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const std::int64_t d = norm_dimension(call);
  const ElementType element = call.operands[0]->element == ElementType::F64 ? ElementType::F64 : ElementType::F32;
  const auto fn = [&](ScalarFn f, std::initializer_list<ExprId> kids) {
    return arena.fn(f, element, {kids.begin(), kids.size()});
  };
  const std::int64_t n[] = {lift.type.dims[static_cast<std::size_t>(d)]};
  const ExprId other = lift.convert(lift.read(0, with(lift.index, d, lift.fold_var(0, n[0]))), element);
  const ExprId squares = arena.fold(ScalarFn::Add, unit_of(arena, ScalarFn::Add, element), lift.depth(), n,
                                    arena.always(), fn(ScalarFn::Multiply, {other, other}));
  const ExprId count = arena.lit(Scalar::of(element, static_cast<double>(n[0])));
  const ExprId mean = fn(ScalarFn::Divide, {squares, count});
  const ExprId epsilon = lift.convert(lift.scalar(2), element);
  const ExprId scale = fn(ScalarFn::Rsqrt, {fn(ScalarFn::Add, {mean, epsilon})});
  const LinId place = lift.at(d);
  const ExprId weight = lift.convert(lift.read(1, {&place, 1}), element);
  const ExprId normal = fn(ScalarFn::Multiply, {lift.convert(lift.read(0, lift.index), element), scale});
  return lift.finish(lift.convert(fn(ScalarFn::Multiply, {normal, weight}), lift.type.element));
}

/// AwsNeuronTransferWithStaticRing(x) = x.
Type transfer_type(const Call& call) {
  need_operands(call, 1);
  const Type& x = array_operand(call, 0);
  return Type::array(x.element, x.dims);
}

Body transfer_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  return lift.finish(lift.read(0, lift.index));
}

constexpr CustomCall kCustomCalls[] = {
#define CUSTOM_CALL(target, type, body) {target, &type, &body, #type, #body},
#include "models/op/custom_calls.def"
#undef CUSTOM_CALL
};

}  // namespace

std::span<const CustomCall> custom_calls() { return kCustomCalls; }

const CustomCall* find_custom_call(std::string_view target) {
  for (const CustomCall& row : kCustomCalls) {
    if (row.target == target) return &row;
  }
  return nullptr;
}

Type custom_call_type(const Call& call) {
  const CustomCall* row = find_custom_call(call.attributes->text(Attr::CustomCallTarget));
  return row != nullptr ? row->type(call) : stated_type(call);
}

Body custom_call_body(Arena& arena, const Call& call, int leaf) {
  const std::string& target = call.attributes->text(Attr::CustomCallTarget);
  const CustomCall* row = find_custom_call(target);
  if (row == nullptr) refuse_form("the custom call " + target + " is opaque");
  return row->body(arena, call, leaf);
}

}  // namespace gg
