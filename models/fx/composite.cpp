// Elementwise operators that are formulas, and the derivatives that torch writes as operators of their own.
#include <cmath>
#include <numbers>

#include "models/fx/types.h"

namespace gg::fx {
namespace {

Value done(NodeId node) { return Value::tensor(node); }

/// Arithmetic on nodes of the result's type.
struct Formula {
  Operation& call;
  Emitter& e;
  explicit Formula(Operation& c) : call(c), e(c.e) {
    if (!is_float(call.element())) call.refuse("of integers");
  }
  NodeId n(double value) const { return scalar(call, value); }
  NodeId add(NodeId a, NodeId b) const { return e.binary(Op::Add, a, b); }
  NodeId sub(NodeId a, NodeId b) const { return e.binary(Op::Subtract, a, b); }
  NodeId mul(NodeId a, NodeId b) const { return e.binary(Op::Multiply, a, b); }
  NodeId div(NodeId a, NodeId b) const { return e.binary(Op::Divide, a, b); }
};

/// The larger of x and 0; NaN stays.
Value relu(Operation& call) { return done(call.e.binary(Op::Maximum, argument(call, 0), scalar(call, 0))); }

/// grad where x > threshold; 0 where x <= threshold (x = NaN gives grad).
Value threshold_backward(Operation& call) {
  const ElementType type = call.e.element(call.tensor(1));
  const NodeId x = shaped(call, call.tensor(1));
  return done(call.e.select(call.e.compare("LE", x, call.operand(2, type)), scalar(call, 0), argument(call, 0)));
}

Value silu(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0);
  return done(f.mul(x, call.e.unary(Op::Logistic, x)));
}

/// g s (1 + x (1 - s)), s = sigmoid(x).
Value silu_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  const NodeId s = call.e.unary(Op::Logistic, x);
  return done(f.mul(f.mul(g, s), f.add(f.n(1), f.mul(x, f.sub(f.n(1), s)))));
}

/// g (1 - y^2).
Value tanh_backward(Operation& call) {
  const Formula f(call);
  const auto [g, y] = both(call, 0, 1);
  return done(f.mul(g, f.sub(f.n(1), f.mul(y, y))));
}

/// g y (1 - y).
Value sigmoid_backward(Operation& call) {
  const Formula f(call);
  const auto [g, y] = both(call, 0, 1);
  return done(f.mul(g, f.mul(f.sub(f.n(1), y), y)));
}

constexpr double kCubic = 0.044715;
const double kRoot2OverPi = std::sqrt(2 / std::numbers::pi);

bool by_tanh(Operation& call, std::size_t k) {
  const std::string approximate = call.text(k);
  if (approximate != "none" && approximate != "tanh") call.refuse("approximate = '" + approximate + "'");
  return approximate == "tanh";
}

/// tanh(sqrt(2/pi) (x + 0.044715 x^3)).
NodeId gelu_tanh(const Formula& f, NodeId x) {
  const NodeId cube = f.mul(f.mul(x, x), x);
  return f.e.unary(Op::Tanh, f.mul(f.n(kRoot2OverPi), f.add(x, f.mul(f.n(kCubic), cube))));
}

/// (1 + erf(x / sqrt 2)) / 2.
NodeId normal_cdf(const Formula& f, NodeId x) {
  return f.mul(f.n(0.5), f.add(f.n(1), f.e.unary(Op::Erf, f.mul(x, f.n(1 / std::numbers::sqrt2)))));
}

Value gelu(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0);
  if (by_tanh(call, 1)) return done(f.mul(f.mul(f.n(0.5), x), f.add(f.n(1), gelu_tanh(f, x))));
  return done(f.mul(x, normal_cdf(f, x)));
}

Value gelu_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  if (!by_tanh(call, 2)) {  // g (cdf + x pdf)
    const NodeId density = f.mul(f.n(0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi), f.e.unary(Op::Exponential, f.mul(f.n(-0.5), f.mul(x, x))));
    return done(f.mul(g, f.add(normal_cdf(f, x), f.mul(x, density))));
  }
  const NodeId t = gelu_tanh(f, x);
  const NodeId left = f.mul(f.n(0.5), f.add(f.n(1), t));
  const NodeId inner = f.mul(f.n(kRoot2OverPi), f.add(f.n(1), f.mul(f.n(3 * kCubic), f.mul(x, x))));
  const NodeId right = f.mul(f.mul(f.mul(f.n(0.5), x), f.sub(f.n(1), f.mul(t, t))), inner);
  return done(f.mul(g, f.add(left, right)));
}

/// a + w (b - a), as torch for |w| < 1/2; over the reals the other form is the same.
Value lerp(Operation& call) {
  const Formula f(call);
  const auto [a, b] = both(call, 0, 1);
  return done(f.add(a, f.mul(call.is_tensor(2) ? argument(call, 2) : call.operand(2, call.element()), f.sub(b, a))));
}

/// self + value t1 t2, or t1 / t2.
template <Op kOp>
Value addc(Operation& call) {
  const auto [a, b] = both(call, 1, 2);
  if (kOp == Op::Divide && !is_float(call.element())) call.refuse("of integers");
  NodeId product = call.e.binary(kOp, a, b);
  if (call.raw(3).kind == Argument::Kind::Table || call.number(3) != 1) product = call.e.binary(Op::Multiply, product, call.operand(3, call.element()));
  return done(call.e.binary(Op::Add, argument(call, 0), product));
}

/// Lower bound first, then the upper one: the upper wins where they cross; NaN stays.
Value clamp(Operation& call) {
  NodeId x = argument(call, 0);
  if (!call.none(1)) x = call.e.binary(Op::Maximum, x, argument(call, 1));
  if (!call.none(2)) x = call.e.binary(Op::Minimum, x, argument(call, 2));
  return done(x);
}

template <Op kOp>
Value clamp_one(Operation& call) {
  const auto [x, b] = both(call, 0, 1);
  return done(call.e.binary(kOp, x, b));
}

Value where(Operation& call) {
  const NodeId condition = shaped(call, call.e.convert(call.tensor(0), ElementType::Pred));
  const auto [a, b] = both(call, 1, 2);
  return done(call.e.select(condition, a, b));
}

Value masked_fill(Operation& call) {
  const NodeId mask = shaped(call, call.tensor(1));
  const NodeId value = call.operand(2, call.element());
  return done(call.e.select(mask, shaped(call, value), argument(call, 0)));
}

/// Elements on or below (above) diagonal k of the last two dimensions.
template <bool kLower>
Value triangle(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.size() < 2) call.refuse("of fewer than two dimensions");
  const auto rank = static_cast<std::int64_t>(dims.size());
  const NodeId row = e.iota(ElementType::S64, dims, rank - 2), column = e.iota(ElementType::S64, dims, rank - 1);
  const NodeId limit = e.binary(Op::Add, row, call.operand(1, ElementType::S64));
  return done(e.select(e.compare(kLower ? "LE" : "GE", column, limit), x, e.integer(e.element(x), 0)));
}

constexpr Overload kRows[] = {
    {"aten.addcdiv.default", "self, tensor1, tensor2, *, value=1", addc<Op::Divide>},
    {"aten.addcmul.default", "self, tensor1, tensor2, *, value=1", addc<Op::Multiply>},
    {"aten.clamp.Tensor", "self, min=None, max=None", clamp},
    {"aten.clamp.default", "self, min=None, max=None", clamp},
    {"aten.clamp_max.default", "self, max", clamp_one<Op::Minimum>},
    {"aten.clamp_min.default", "self, min", clamp_one<Op::Maximum>},
    {"aten.gelu.default", "self, *, approximate='none'", gelu},
    {"aten.gelu_backward.default", "grad_output, self, *, approximate='none'", gelu_backward},
    {"aten.lerp.Scalar", "self, end, weight", lerp},
    {"aten.lerp.Tensor", "self, end, weight", lerp},
    {"aten.masked_fill.Scalar", "self, mask, value", masked_fill},
    {"aten.masked_fill.Tensor", "self, mask, value", masked_fill},
    {"aten.relu.default", "self", relu},
    {"aten.sigmoid_backward.default", "grad_output, output", sigmoid_backward},
    {"aten.silu.default", "self", silu},
    {"aten.silu_backward.default", "grad_output, self", silu_backward},
    {"aten.tanh_backward.default", "grad_output, output", tanh_backward},
    {"aten.threshold_backward.default", "grad_output, self, threshold", threshold_backward},
    {"aten.tril.default", "self, diagonal=0", triangle<true>},
    {"aten.triu.default", "self, diagonal=0", triangle<false>},
    {"aten.where.ScalarSelf", "condition, self, other", where},
    {"aten.where.self", "condition, self, other", where},
};

}  // namespace

std::span<const Overload> composite_rows() { return kRows; }

}  // namespace gg::fx
