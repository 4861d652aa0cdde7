// Activations and their derivatives, by torch's definitions (the page of torch.nn.functional).
#include <cmath>
#include <numbers>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

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
  const Formula f(call, computed_in(call.element()));
  const NodeId x = f.e.convert(argument(call, 0), f.type);
  const NodeId y = by_tanh(call, 1) ? f.mul(f.mul(f.n(0.5), x), f.add(f.n(1), gelu_tanh(f, x))) : f.mul(x, normal_cdf(f, x));
  return done(f.e.convert(y, call.element()));
}

Value gelu_backward(Operation& call) {
  const Formula f(call, computed_in(call.element()));
  const auto [given, stored] = both(call, 0, 1);
  const NodeId g = f.e.convert(given, f.type), x = f.e.convert(stored, f.type);
  const auto times = [&](NodeId slope) { return done(f.e.convert(f.mul(g, slope), call.element())); };
  if (!by_tanh(call, 2)) {  // g (cdf + x pdf)
    const NodeId density = f.mul(f.n(0.5 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi), f.e.unary(Op::Exponential, f.mul(f.n(-0.5), f.mul(x, x))));
    return times(f.add(normal_cdf(f, x), f.mul(x, density)));
  }
  const NodeId t = gelu_tanh(f, x);
  const NodeId left = f.mul(f.n(0.5), f.add(f.n(1), t));
  const NodeId inner = f.mul(f.n(kRoot2OverPi), f.add(f.n(1), f.mul(f.n(3 * kCubic), f.mul(x, x))));
  const NodeId right = f.mul(f.mul(f.mul(f.n(0.5), x), f.sub(f.n(1), f.mul(t, t))), inner);
  return times(f.add(left, right));
}

/// scale x for x > 0, else scale alpha (exp(input_scale x) - 1).
NodeId elu_of(const Formula& f, NodeId x, NodeId alpha, NodeId scale, NodeId input_scale) {
  const NodeId low = f.mul(f.mul(alpha, scale), f.e.unary(Op::ExponentialMinusOne, f.mul(x, input_scale)));
  return f.select(f.at_most(x, f.n(0)), low, f.mul(x, scale));
}

Value elu(Operation& call) {
  const Formula f(call);
  return done(elu_of(f, argument(call, 0), f.arg(1), f.arg(2), f.arg(3)));
}

Value celu(Operation& call) {
  const Formula f(call);
  return done(elu_of(f, argument(call, 0), f.arg(1), f.n(1), f.n(1 / call.number(1))));
}

/// (grad, alpha, scale, input_scale, is_result, self or result).
Value elu_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 5);
  const NodeId low = f.mul(f.arg(1), f.arg(2)), inner = f.mul(g, f.arg(3));
  const NodeId left = call.flag(4) ? f.mul(inner, f.add(x, low)) : f.mul(f.mul(inner, low), f.exp(f.mul(x, f.arg(3))));
  return done(f.select(f.at_most(x, f.n(0)), left, f.mul(g, f.arg(2))));
}

Value leaky_relu(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0);
  return done(f.select(f.less(f.n(0), x), x, f.mul(x, f.arg(1))));
}

Value leaky_relu_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  return done(f.select(f.less(f.n(0), x), g, f.mul(g, f.arg(2))));
}

/// x for x > 0, else weight x: (g, x, weight) gives the gradients of x and of each element of the weight.
Value prelu(Operation& call) {
  const Formula f(call);
  const auto [x, w] = both(call, 0, 1);
  return done(f.select(f.less(f.n(0), x), x, f.mul(w, x)));
}

Value prelu_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(1), zero = e.number(e.element(x), 0);
  const NodeId g = call.tensor(0), w = e.expand(call.tensor(2), e.dims(x)), positive = e.compare("GT", x, zero);
  const NodeId by_weight = e.select(positive, e.full(e.dims(x), zero), e.binary(Op::Multiply, x, g));
  return Value::tuple({done(e.select(positive, g, e.binary(Op::Multiply, w, g))), done(by_weight)});
}

/// 0 where x is at the bounds or beyond.
Value hardtanh_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  return done(f.select(call.e.binary(Op::Or, f.at_most(x, f.arg(2)), f.at_most(f.arg(3), x)), f.n(0), g));
}

/// x + 3 between 0 and 6, over 6.
NodeId hard_gate(const Formula& f, NodeId x) { return f.div(f.min(f.max(f.add(x, f.n(3)), f.n(0)), f.n(6)), f.n(6)); }

Value hardsigmoid(Operation& call) {
  const Formula f(call);
  return done(hard_gate(f, argument(call, 0)));
}

Value hardsigmoid_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  return done(f.select(f.both(f.less(f.n(-3), x), f.less(x, f.n(3))), f.div(g, f.n(6)), f.n(0)));
}

Value hardswish(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0);
  return done(f.mul(x, hard_gate(f, x)));
}

Value hardswish_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  const NodeId inner = f.mul(g, f.add(f.div(x, f.n(3)), f.n(0.5)));
  return done(f.select(f.at_most(x, f.n(-3)), f.n(0), f.select(f.less(x, f.n(3)), inner, g)));
}

/// log(1 + exp(beta x)) / beta; x itself where beta x is above the threshold.
Value softplus(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0), scaled = f.mul(x, f.arg(1));
  return done(f.select(f.less(f.arg(2), scaled), x, f.div(f.log1p(f.exp(scaled)), f.arg(1))));
}

Value softplus_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  const NodeId scaled = f.mul(x, f.arg(2)), z = f.exp(scaled);
  return done(f.select(f.less(f.arg(3), scaled), g, f.div(f.mul(g, z), f.add(z, f.n(1)))));
}

/// x tanh(log(1 + exp(x))).
Value mish(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0);
  return done(f.mul(x, f.tanh(f.log1p(f.exp(x)))));
}

Value mish_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  const NodeId t = f.tanh(f.log1p(f.exp(x)));
  return done(f.mul(g, f.add(t, f.mul(f.mul(x, f.sigmoid(x)), f.sub(f.n(1), f.mul(t, t))))));
}

/// (min(0, x) - log(1 + exp(-|x|)), exp(-|x|)).
Value log_sigmoid(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  if (!is_float(e.element(x))) call.refuse("of integers");
  const NodeId z = e.unary(Op::Exponential, e.unary(Op::Negate, e.unary(Op::Abs, x)));
  const NodeId low = e.binary(Op::Minimum, e.number(e.element(x), 0), x);
  return Value::tuple({done(e.binary(Op::Subtract, low, e.unary(Op::LogPlusOne, z))), done(z)});
}

/// g sigmoid(-x), with exp(-|x|).
Value log_sigmoid_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  const NodeId z = f.exp(f.neg(f.abs(x))), part = f.div(z, f.add(f.n(1), z));
  return done(f.mul(g, f.select(f.less(x, f.n(0)), f.sub(f.n(1), part), part)));
}

/// Halves a, b of a dimension.
std::pair<NodeId, NodeId> halves(Operation& call, NodeId x, std::int64_t dim) {
  const std::int64_t n = call.e.dims(x)[at(dim)];
  if (n % 2 != 0) call.refuse("of an odd dimension of " + std::to_string(n));
  return {call.e.slice(x, dim, 0, n / 2), call.e.slice(x, dim, n / 2, n)};
}

/// a sigmoid(b).
Value glu(Operation& call) {
  const Formula f(call);
  const NodeId x = call.tensor(0);
  const auto [a, b] = halves(call, x, call.dim(1, call.e.dims(x).size()));
  return done(f.mul(a, f.sigmoid(b)));
}

Value glu_backward(Operation& call) {
  const Formula f(call);
  const NodeId g = call.tensor(0), x = call.tensor(1);
  const std::int64_t dim = call.dim(2, call.e.dims(x).size());
  const auto [a, b] = halves(call, x, dim);
  const NodeId s = f.sigmoid(b), by_a = f.mul(g, s);
  return done(call.e.concatenate({by_a, f.mul(f.mul(by_a, f.sub(f.n(1), s)), a)}, dim));
}

constexpr Overload kActivationRows[] = {
    {"aten._prelu_kernel.default", "self, weight", prelu},
    {"aten._prelu_kernel_backward.default", "grad_output, self, weight", prelu_backward},
    {"aten.celu.default", "self, alpha=1.0", celu},
    {"aten.elu.default", "self, alpha=1, scale=1, input_scale=1", elu},
    {"aten.elu_backward.default", "grad_output, alpha, scale, input_scale, is_result, self_or_result", elu_backward},
    {"aten.gelu.default", "self, *, approximate='none'", gelu},
    {"aten.gelu_backward.default", "grad_output, self, *, approximate='none'", gelu_backward},
    {"aten.glu.default", "self, dim=-1", glu},
    {"aten.glu_backward.default", "grad_output, self, dim", glu_backward},
    {"aten.hardsigmoid.default", "self", hardsigmoid},
    {"aten.hardsigmoid_backward.default", "grad_output, self", hardsigmoid_backward},
    {"aten.hardswish.default", "self", hardswish},
    {"aten.hardswish_backward.default", "grad_output, self", hardswish_backward},
    {"aten.hardtanh_backward.default", "grad_output, self, min_val, max_val", hardtanh_backward},
    {"aten.leaky_relu.default", "self, negative_slope=0.01", leaky_relu},
    {"aten.leaky_relu_backward.default", "grad_output, self, negative_slope, self_is_result", leaky_relu_backward},
    {"aten.log_sigmoid_backward.default", "grad_output, self, buffer", log_sigmoid_backward},
    {"aten.log_sigmoid_forward.default", "self", log_sigmoid},
    {"aten.mish.default", "self", mish},
    {"aten.mish_backward.default", "grad_output, self", mish_backward},
    {"aten.relu.default", "self", relu},
    {"aten.sigmoid_backward.default", "grad_output, output", sigmoid_backward},
    {"aten.silu.default", "self", silu},
    {"aten.silu_backward.default", "grad_output, self", silu_backward},
    {"aten.softplus.default", "self, beta=1, threshold=20", softplus},
    {"aten.softplus_backward.default", "grad_output, self, beta, threshold", softplus_backward},
    {"aten.tanh_backward.default", "grad_output, output", tanh_backward},
    {"aten.threshold_backward.default", "grad_output, self, threshold", threshold_backward},
};

}  // namespace

std::span<const Overload> activation_rows() { return kActivationRows; }

}  // namespace gg::fx
