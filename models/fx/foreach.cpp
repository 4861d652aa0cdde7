// _foreach_ operators: one call an element of the lists; results are taken with getitem.
#include "models/fx/formula.h"

namespace gg::fx {
namespace {

void need_equal(Operation& call, std::size_t a, std::size_t b) {
  if (a != b) call.refuse("lists of " + std::to_string(a) + " and of " + std::to_string(b));
}

NodeId like(Operation& call, NodeId x, NodeId y) { return call.e.convert(call.e.expand(y, call.e.dims(x)), call.e.element(x)); }

NodeId number(Operation& call, NodeId x, double value) {
  if (!is_float(call.e.element(x))) call.refuse("of integers");
  return call.e.number(call.e.element(x), value);
}

template <Op kOp>
Value with_scalar(Operation& call) {
  std::vector<Value> items;
  for (const NodeId x : call.tensors(0)) items.push_back(done(call.e.binary(kOp, x, number(call, x, call.number(1)))));
  return Value::tuple(std::move(items));
}

template <Op kOp>
Value with_scalars(Operation& call) {
  std::vector<Value> items;
  const auto xs = call.tensors(0);
  const auto values = call.numbers(1);
  need_equal(call, xs.size(), values.size());
  for (std::size_t k = 0; k < xs.size(); ++k) items.push_back(done(call.e.binary(kOp, xs[k], number(call, xs[k], values[k]))));
  return Value::tuple(std::move(items));
}

template <Op kOp, bool kAlpha = false>
Value with_tensor(Operation& call) {
  std::vector<Value> items;
  for (const NodeId x : call.tensors(0)) {
    NodeId y = like(call, x, call.tensor(1));
    if (kAlpha && call.number(2) != 1) y = call.e.binary(Op::Multiply, y, number(call, y, call.number(2)));
    items.push_back(done(call.e.binary(kOp, x, y)));
  }
  return Value::tuple(std::move(items));
}

template <Op kOp, bool kAlpha = false>
Value with_list(Operation& call) {
  std::vector<Value> items;
  const auto xs = call.tensors(0), ys = call.tensors(1);
  need_equal(call, xs.size(), ys.size());
  for (std::size_t k = 0; k < xs.size(); ++k) {
    NodeId y = like(call, xs[k], ys[k]);
    if (kAlpha && call.number(2) != 1) y = call.e.binary(Op::Multiply, y, number(call, y, call.number(2)));
    items.push_back(done(call.e.binary(kOp, xs[k], y)));
  }
  return Value::tuple(std::move(items));
}

template <Op kOp>
Value each(Operation& call) {
  std::vector<Value> items;
  for (const NodeId x : call.tensors(0)) items.push_back(done(call.e.unary(kOp, x)));
  return Value::tuple(std::move(items));
}

/// x + w (y - x), w a number, one a tensor, or a tensor each.
enum class Weight { Number,
                    Numbers,
                    Tensors };
template <Weight kWeight>
Value lerp(Operation& call) {
  std::vector<Value> items;
  const auto xs = call.tensors(0), ys = call.tensors(1);
  need_equal(call, xs.size(), ys.size());
  const auto tensors = kWeight == Weight::Tensors ? call.tensors(2) : std::vector<NodeId>(xs.size());
  const auto values = kWeight == Weight::Numbers ? call.numbers(2) : std::vector<double>(xs.size(), kWeight == Weight::Number ? call.number(2) : 0);
  need_equal(call, xs.size(), tensors.size());
  need_equal(call, xs.size(), values.size());
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const NodeId apart = call.e.binary(Op::Subtract, ys[k], xs[k]);
    const NodeId weight = kWeight == Weight::Tensors ? like(call, apart, tensors[k]) : number(call, apart, values[k]);
    items.push_back(done(call.e.binary(Op::Add, xs[k], call.e.binary(Op::Multiply, weight, apart))));
  }
  return Value::tuple(std::move(items));
}

/// The 2-norm of each tensor.
Value each_norm(Operation& call) {
  if (call.number(1) != 2 || !call.none(2)) call.refuse("only the 2-norm, in the tensors' type");
  Emitter& e = call.e;
  std::vector<Value> items;
  for (const NodeId x : call.tensors(0)) {
    std::vector<std::int64_t> all;
    for (std::size_t d = 0; d < e.dims(x).size(); ++d) all.push_back(static_cast<std::int64_t>(d));
    items.push_back(done(e.unary(Op::Sqrt, e.reduce(Op::Add, e.binary(Op::Multiply, x, x), all))));
  }
  return Value::tuple(std::move(items));
}

/// number ^ tensor.
Value power_of_number(Operation& call) {
  std::vector<Value> items;
  for (const NodeId x : call.tensors(1)) items.push_back(done(call.e.binary(Op::Power, number(call, x, call.number(0)), x)));
  return Value::tuple(std::move(items));
}

Value each_reciprocal(Operation& call) {
  std::vector<Value> items;
  for (const NodeId x : call.tensors(0)) items.push_back(done(call.e.binary(Op::Divide, number(call, x, 1), x)));
  return Value::tuple(std::move(items));
}

template <Op kOp, bool kList>
Value addc(Operation& call) {
  std::vector<Value> items;
  const auto xs = call.tensors(0), as = call.tensors(1), bs = call.tensors(2);
  need_equal(call, xs.size(), as.size());
  need_equal(call, xs.size(), bs.size());
  const auto values = kList ? call.numbers(3) : std::vector<double>(xs.size(), call.number(3));
  need_equal(call, xs.size(), values.size());
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const NodeId product = call.e.binary(kOp, as[k], bs[k]);
    items.push_back(done(call.e.binary(Op::Add, xs[k], call.e.binary(Op::Multiply, product, number(call, product, values[k])))));
  }
  return Value::tuple(std::move(items));
}

Value each_copy(Operation& call) {
  std::vector<Value> items;
  const auto xs = call.tensors(0), ys = call.tensors(1);
  need_equal(call, xs.size(), ys.size());
  for (std::size_t k = 0; k < xs.size(); ++k) items.push_back(done(like(call, xs[k], ys[k])));
  return Value::tuple(std::move(items));
}

constexpr Overload kForeachRows[] = {
    {"aten._foreach_abs.default", "self", each<Op::Abs>},
    {"aten._foreach_add.List", "self, other, *, alpha=1", with_list<Op::Add, true>},
    {"aten._foreach_add.Scalar", "self, scalar", with_scalar<Op::Add>},
    {"aten._foreach_add.ScalarList", "self, scalars", with_scalars<Op::Add>},
    {"aten._foreach_add.Tensor", "self, other, *, alpha=1", with_tensor<Op::Add, true>},
    {"aten._foreach_addcdiv.Scalar", "self, tensor1, tensor2, value=1", addc<Op::Divide, false>},
    {"aten._foreach_addcdiv.ScalarList", "self, tensor1, tensor2, scalars", addc<Op::Divide, true>},
    {"aten._foreach_addcmul.Scalar", "self, tensor1, tensor2, value=1", addc<Op::Multiply, false>},
    {"aten._foreach_addcmul.ScalarList", "self, tensor1, tensor2, scalars", addc<Op::Multiply, true>},
    {"aten._foreach_clamp_max.Scalar", "self, scalar", with_scalar<Op::Minimum>},
    {"aten._foreach_clamp_min.Scalar", "self, scalar", with_scalar<Op::Maximum>},
    {"aten._foreach_copy.default", "self, src", each_copy},
    {"aten._foreach_div.List", "self, other", with_list<Op::Divide>},
    {"aten._foreach_div.Scalar", "self, scalar", with_scalar<Op::Divide>},
    {"aten._foreach_div.ScalarList", "self, scalars", with_scalars<Op::Divide>},
    {"aten._foreach_div.Tensor", "self, other", with_tensor<Op::Divide>},
    {"aten._foreach_exp.default", "self", each<Op::Exponential>},
    {"aten._foreach_lerp.List", "self, tensors1, weights", lerp<Weight::Tensors>},
    {"aten._foreach_lerp.Scalar", "self, tensors1, weight", lerp<Weight::Number>},
    {"aten._foreach_lerp.ScalarList", "self, tensors1, weight", lerp<Weight::Numbers>},
    {"aten._foreach_maximum.List", "self, other", with_list<Op::Maximum>},
    {"aten._foreach_maximum.Scalar", "self, scalar", with_scalar<Op::Maximum>},
    {"aten._foreach_minimum.List", "self, other", with_list<Op::Minimum>},
    {"aten._foreach_mul.List", "self, other", with_list<Op::Multiply>},
    {"aten._foreach_mul.Scalar", "self, scalar", with_scalar<Op::Multiply>},
    {"aten._foreach_mul.ScalarList", "self, scalars", with_scalars<Op::Multiply>},
    {"aten._foreach_mul.Tensor", "self, other", with_tensor<Op::Multiply>},
    {"aten._foreach_neg.default", "self", each<Op::Negate>},
    {"aten._foreach_norm.Scalar", "self, ord=2, dtype=None", each_norm},
    {"aten._foreach_pow.ScalarAndTensor", "self, exponent", power_of_number},
    {"aten._foreach_reciprocal.default", "self", each_reciprocal},
    {"aten._foreach_rsqrt.default", "self", each<Op::Rsqrt>},
    {"aten._foreach_sqrt.default", "self", each<Op::Sqrt>},
    {"aten._foreach_sub.List", "self, other, *, alpha=1", with_list<Op::Subtract, true>},
    {"aten._foreach_sub.Scalar", "self, scalar", with_scalar<Op::Subtract>},
    {"aten._foreach_sub.ScalarList", "self, scalars", with_scalars<Op::Subtract>},
};

}  // namespace

std::span<const Overload> foreach_rows() { return kForeachRows; }

}  // namespace gg::fx
