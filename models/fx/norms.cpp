// Normalisation and softmax, with the backward operators that torch has for them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

/// Arithmetic whose second operand is broadcast over dimensions of extent one.
struct Shape {
  Emitter& e;
  std::vector<std::int64_t> dims;
  NodeId op(Op which, NodeId a, NodeId b) const { return e.binary(which, e.expand(a, dims), e.expand(b, dims)); }
  /// Sum over dimensions that stay as 1.
  NodeId sum(NodeId x, const std::vector<std::int64_t>& over) const {
    std::vector<std::int64_t> kept = dims;
    for (const std::int64_t d : over) kept[at(d)] = 1;
    return e.reshape(e.reduce(Op::Add, x, over), kept);
  }
};

/// The last dimensions, as many as `normalized_shape` has, and how many elements they hold.
struct Normal {
  std::vector<std::int64_t> over, others;
  double count = 1;
};

Normal normal(Operation& call, const std::vector<std::int64_t>& dims, std::size_t k) {
  const auto shape = call.integers(k);
  if (shape.size() > dims.size() || !std::equal(shape.rbegin(), shape.rend(), dims.rbegin())) call.refuse("normalized_shape is not the end of the tensor's shape");
  Normal result;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const bool inner = d + shape.size() >= dims.size();
    (inner ? result.over : result.others).push_back(static_cast<std::int64_t>(d));
    if (inner) result.count *= static_cast<double>(dims[d]);
  }
  return result;
}

void need_float(Operation& call, NodeId x) {
  if (!is_float(call.e.element(x))) call.refuse("of integers");
}

/// Positions of arguments.
struct NormPlaces {
  std::size_t shape, weight, bias, eps;
};

/// (y, mean, rstd): y = (x - mean) rstd w + b, the statistics keep dimensions as 1.
Value layer_norm_of(Operation& call, NormPlaces at_place) {
  Emitter& e = call.e;
  need_float(call, call.tensor(0));
  const ElementType stored = e.element(call.tensor(0)), type = computed_in(stored);
  const NodeId x = e.convert(call.tensor(0), type);
  const Shape s{e, e.dims(x)};
  const Normal n = normal(call, s.dims, at_place.shape);
  const NodeId count = e.number(type, n.count);
  const NodeId mean = e.binary(Op::Divide, s.sum(x, n.over), count);
  const NodeId apart = s.op(Op::Subtract, x, mean);
  const NodeId variance = e.binary(Op::Divide, s.sum(s.op(Op::Multiply, apart, apart), n.over), count);
  const NodeId rstd = e.unary(Op::Rsqrt, e.binary(Op::Add, variance, e.number(type, call.number(at_place.eps))));
  NodeId y = s.op(Op::Multiply, apart, rstd);
  if (!call.none(at_place.weight)) y = s.op(Op::Multiply, y, e.convert(call.tensor(at_place.weight), type));
  if (!call.none(at_place.bias)) y = s.op(Op::Add, y, e.convert(call.tensor(at_place.bias), type));
  return Value::tuple({done(e.convert(y, stored)), done(e.convert(mean, stored)), done(e.convert(rstd, stored))});
}

Value native_layer_norm(Operation& call) { return layer_norm_of(call, {1, 2, 3, 4}); }

/// What the backward of a layer norm reads: tensors, and positions of normalized_shape and weight.
struct Backward {
  NodeId grad, input, mean, rstd;
  std::size_t shape, weight;
};

/// Gradients of x, weight and bias; None where not wanted. mean and rstd are the forward's.
Value gradients(Operation& call, const Backward& b, const std::vector<bool>& wanted) {
  Emitter& e = call.e;
  const NodeId x = b.input;
  need_float(call, x);
  const ElementType type = e.element(x);
  const Shape s{e, e.dims(x)};
  const Normal n = normal(call, s.dims, b.shape);
  const NodeId g = e.convert(b.grad, type), rstd = e.convert(b.rstd, type);
  const NodeId hat = s.op(Op::Multiply, s.op(Op::Subtract, x, e.convert(b.mean, type)), rstd);
  Value result = Value::tuple({{}, {}, {}});
  if (wanted[0]) {  // rstd (gw - mean(gw) - hat mean(gw hat))
    const NodeId scaled = call.none(b.weight) ? g : s.op(Op::Multiply, g, e.convert(call.tensor(b.weight), type));
    const NodeId count = e.number(type, n.count);
    const NodeId first = e.binary(Op::Divide, s.sum(scaled, n.over), count);
    const NodeId second = e.binary(Op::Divide, s.sum(s.op(Op::Multiply, scaled, hat), n.over), count);
    const NodeId inner = s.op(Op::Subtract, s.op(Op::Subtract, scaled, first), s.op(Op::Multiply, hat, second));
    result.items[0] = done(s.op(Op::Multiply, inner, rstd));
  }
  if (wanted[1]) result.items[1] = done(e.reduce(Op::Add, s.op(Op::Multiply, g, hat), n.others));
  if (wanted[2]) result.items[2] = done(e.reduce(Op::Add, g, n.others));
  return result;
}

Value native_layer_norm_backward(Operation& call) {
  return gradients(call, {call.tensor(0), call.tensor(1), call.tensor(3), call.tensor(4), 2, 5}, call.mask(7, 3));
}

/// (y, rstd): y = x rstd w.
Value rms_norm(Operation& call) {
  Emitter& e = call.e;
  need_float(call, call.tensor(0));
  const ElementType stored = e.element(call.tensor(0)), type = computed_in(stored);
  const NodeId x = e.convert(call.tensor(0), type);
  const Shape s{e, e.dims(x)};
  const Normal n = normal(call, s.dims, 1);
  const double eps = call.none(3) ? std::ldexp(1.0, 1 - info(stored).significand) : call.number(3);
  const NodeId square = e.binary(Op::Divide, s.sum(e.binary(Op::Multiply, x, x), n.over), e.number(type, n.count));
  const NodeId rstd = e.unary(Op::Rsqrt, e.binary(Op::Add, square, e.number(type, eps)));
  NodeId y = s.op(Op::Multiply, x, rstd);
  if (!call.none(2)) y = s.op(Op::Multiply, y, e.convert(call.tensor(2), type));
  return Value::tuple({done(e.convert(y, stored)), done(e.convert(rstd, stored))});
}

/// (rstd (gw - hat mean(gw hat)), sum of g hat), hat = x rstd.
Value rms_norm_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(1);
  need_float(call, x);
  const ElementType type = e.element(x);
  const Shape s{e, e.dims(x)};
  const Normal n = normal(call, s.dims, 2);
  const NodeId g = e.convert(call.tensor(0), type), rstd = e.convert(call.tensor(3), type);
  const NodeId hat = s.op(Op::Multiply, x, rstd);
  const auto wanted = call.mask(5, 2);
  Value result = Value::tuple({{}, {}});
  if (wanted[0]) {
    const NodeId scaled = call.none(4) ? g : s.op(Op::Multiply, g, e.convert(call.tensor(4), type));
    const NodeId along = e.binary(Op::Divide, s.sum(s.op(Op::Multiply, scaled, hat), n.over), e.number(type, n.count));
    result.items[0] = done(s.op(Op::Multiply, s.op(Op::Subtract, scaled, s.op(Op::Multiply, hat, along)), rstd));
  }
  if (wanted[1]) result.items[1] = done(e.reduce(Op::Add, s.op(Op::Multiply, g, hat), n.others));
  return result;
}

struct Softmax {
  std::int64_t dim = 0;
  NodeId shifted = 0, sum = 0, exponentials = 0;
};

Softmax softmax_of(Operation& call, NodeId x, bool guard = false) {
  Emitter& e = call.e;
  need_float(call, x);
  if (e.dims(x).empty()) x = e.reshape(x, {1});
  const Shape s{e, e.dims(x)};
  Softmax result;
  result.dim = call.dim(1, s.dims.size());
  std::vector<std::int64_t> kept = s.dims;
  kept[at(result.dim)] = 1;
  NodeId most = e.reshape(e.reduce(Op::Maximum, x, {result.dim}), kept);
  if (guard) {
    const NodeId none = e.compare("EQ", most, e.number(e.element(x), -std::numeric_limits<double>::infinity()));
    most = e.select(none, e.number(e.element(x), 0), most);
  }
  result.shifted = s.op(Op::Subtract, x, most);
  result.exponentials = e.unary(Op::Exponential, result.shifted);
  result.sum = s.sum(result.exponentials, {result.dim});
  return result;
}

Value softmax(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  const Softmax m = softmax_of(call, x);
  const Shape s{call.e, call.e.dims(m.shifted)};
  return done(call.e.reshape(s.op(Op::Divide, m.exponentials, m.sum), call.out().dims));
}

/// 0 in rows that are -infinity throughout.
Value safe_softmax(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.operand(0, call.element());
  const Softmax m = softmax_of(call, x, true);
  const Shape s{e, e.dims(m.shifted)};
  const NodeId zero = e.number(call.element(), 0), empty = e.compare("EQ", m.sum, zero);
  const NodeId quotient = s.op(Op::Divide, m.exponentials, e.select(empty, e.number(call.element(), 1), m.sum));
  return done(e.reshape(quotient, call.out().dims));
}

Value log_softmax(Operation& call) {
  const NodeId x = call.operand(0, call.element());
  const Softmax m = softmax_of(call, x);
  const Shape s{call.e, call.e.dims(m.shifted)};
  return done(call.e.reshape(s.op(Op::Subtract, m.shifted, call.e.unary(Op::Log, m.sum)), call.out().dims));
}

/// (g - sum(g y)) y, and for logarithms g - exp(y) sum(g).
template <bool kLog>
Value softmax_backward(Operation& call) {
  Emitter& e = call.e;
  const ElementType type = e.element(call.tensor(1));
  const NodeId g = e.convert(call.tensor(0), type), y = call.tensor(1);
  if (e.dims(y).empty()) call.refuse("of a scalar");
  const Shape s{e, e.dims(y)};
  const std::int64_t dim = call.dim(2, s.dims.size());
  NodeId result = 0;
  if (kLog) {
    result = s.op(Op::Subtract, g, s.op(Op::Multiply, e.unary(Op::Exponential, y), s.sum(g, {dim})));
  } else {
    const NodeId product = s.op(Op::Multiply, g, y);
    result = s.op(Op::Subtract, product, s.op(Op::Multiply, y, s.sum(product, {dim})));
  }
  return done(e.convert(result, call.element()));
}

/// apex's fused layer norm: statistics one entry a row, in float.
Value apex_layer_norm(Operation& call) {
  Value result = layer_norm_of(call, {3, 1, 2, 4});
  for (std::size_t k = 1; k < 3; ++k) {
    const NodeId flat = call.e.reshape(result.items[k].node, {call.e.type(result.items[k].node).count()});
    result.items[k] = done(call.e.convert(flat, ElementType::F32));
  }
  return result;
}

/// (grad, mean, inverse variance, input, normalized_shape, weight, bias, eps).
Value apex_layer_norm_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(3);
  std::vector<std::int64_t> rows = e.dims(x);
  for (const std::int64_t d : normal(call, rows, 4).over) rows[at(d)] = 1;
  const NodeId mean = e.reshape(call.tensor(1), rows);
  return gradients(call, {call.tensor(0), x, mean, e.reshape(call.tensor(2), rows), 4, 5}, {true, true, true});
}

constexpr Overload kNormRows[] = {
    {"apex.fused_layer_norm_affine_bwd.default", "grad_output, mean, invvar, input, normalized_shape, weight, bias, eps", apex_layer_norm_backward},
    {"apex.fused_layer_norm_affine_fwd.default", "input, weight, bias, normalized_shape, eps", apex_layer_norm},
    {"aten._fused_rms_norm.default", "input, normalized_shape, weight, eps", rms_norm},
    {"aten._fused_rms_norm_backward.default", "grad_out, input, normalized_shape, rstd, weight, output_mask", rms_norm_backward},
    {"aten._log_softmax.default", "self, dim, half_to_float", log_softmax},
    {"aten._log_softmax_backward_data.default", "grad_output, output, dim, input_dtype", softmax_backward<true>},
    {"aten._safe_softmax.default", "self, dim, dtype=None", safe_softmax},
    {"aten._softmax.default", "self, dim, half_to_float", softmax},
    {"aten._softmax_backward_data.default", "grad_output, output, dim, input_dtype", softmax_backward<false>},
    {"aten.layer_norm.default", "input, normalized_shape, weight=None, bias=None, eps=1e-05, cudnn_enable=True", first<native_layer_norm>},
    {"aten.log_softmax.int", "self, dim, dtype=None", log_softmax},
    {"aten.native_layer_norm.default", "input, normalized_shape, weight, bias, eps", native_layer_norm},
    {"aten.native_layer_norm_backward.default", "grad_out, input, normalized_shape, mean, rstd, weight, bias, output_mask", native_layer_norm_backward},
    {"aten.rms_norm.default", "input, normalized_shape, weight=None, eps=None", first<rms_norm>},
    {"aten.softmax.int", "self, dim, dtype=None", softmax},
};

}  // namespace

std::span<const Overload> norm_rows() { return kNormRows; }

}  // namespace gg::fx
