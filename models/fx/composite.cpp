// Elementwise operators that are formulas.
#include <cmath>
#include <limits>
#include <numbers>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

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

/// Does a Python number lie beyond all integers of the type, on the side where as a bound (kOp) it binds none of them? On the other side torch refuses it.
template <Op kOp>
bool binds_nothing(Operation& call, const Argument& bound) {
  const ElementType type = call.element();
  if (bound.kind != Argument::Kind::Integer || !is_integral(type) || type == ElementType::Pred) return false;
  const int bits = info(type).bits - (is_signed(type) ? 1 : 0);
  const bool above = bits < 63 && bound.integer >> bits > 0, below = is_signed(type) ? bits < 63 && bound.integer >> bits < -1 : bound.integer < 0;
  if (above ? kOp == Op::Maximum : below && kOp == Op::Minimum) call.refuse("with a bound outside of its type");
  return above || below;
}

template <Op kOp>
NodeId bounded(Operation& call, NodeId x, std::size_t k) {
  const Argument& bound = call.raw(k);
  std::size_t beyond = binds_nothing<kOp>(call, bound) ? 1 : 0;
  if (bound.kind == Argument::Kind::Table)
    for (const Argument& own : bound.items) beyond += binds_nothing<kOp>(call, own) ? 1 : 0;
  if (beyond > 0 && bound.kind == Argument::Kind::Table && beyond < bound.items.size()) call.refuse("with a bound outside of its type on some ranks");
  return beyond > 0 ? x : call.e.binary(kOp, x, argument(call, k));
}

/// Lower bound first, then the upper one: the upper wins where they cross; NaN stays.
Value clamp(Operation& call) {
  NodeId x = argument(call, 0);
  if (!call.none(1)) x = bounded<Op::Maximum>(call, x, 1);
  if (!call.none(2)) x = bounded<Op::Minimum>(call, x, 2);
  return done(x);
}

template <Op kOp>
Value clamp_one(Operation& call) {
  return done(bounded<kOp>(call, argument(call, 0), 1));
}

Value where(Operation& call) {
  const NodeId condition = shaped(call, call.e.convert(call.tensor(0), ElementType::Pred));
  const auto [a, b] = both(call, 1, 2);
  return done(call.e.select(condition, a, b));
}

Value masked_fill(Operation& call) {
  const NodeId mask = shaped(call, call.tensor(1));
  const NodeId value = call.stored(2, call.element());
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

/// log(exp(a) + exp(b)), by the larger one; equal infinities are themselves. kBase: powers of 2.
template <bool kBase2>
Value logaddexp(Operation& call) {
  const Formula f(call);
  const auto [a, b] = both(call, 0, 1);
  const double base = kBase2 ? std::numbers::ln2 : 1;
  const NodeId apart = f.neg(f.abs(f.sub(a, b)));
  const NodeId rest = f.log1p(f.exp(kBase2 ? f.mul(apart, f.n(base)) : apart));
  const NodeId sum = f.add(f.max(a, b), kBase2 ? f.mul(rest, f.n(1 / base)) : rest);
  const NodeId infinite = f.equal(f.abs(a), f.n(std::numeric_limits<double>::infinity()));
  return done(f.select(f.both(infinite, f.equal(a, b)), a, sum));
}

/// x log y; 0 where x is 0, unless y is NaN.
Value xlogy(Operation& call) {
  const Formula f(call);
  const auto [x, y] = both(call, 0, 1);
  return done(f.select(f.nan(y), y, f.select(f.equal(x, f.n(0)), f.n(0), f.mul(x, f.log(y)))));
}

Value atan(Operation& call) {
  const Formula f(call);
  return done(call.e.binary(Op::Atan2, argument(call, 0), shaped(call, f.n(1))));
}

Value hypot(Operation& call) {
  const Formula f(call);
  const auto [a, b] = both(call, 0, 1);
  return done(call.e.unary(Op::Sqrt, f.add(f.mul(a, a), f.mul(b, b))));
}

/// The other one where one is NaN.
template <Op kOp>
Value without_nan(Operation& call) {
  const Formula f(call);
  const auto [a, b] = both(call, 0, 1);
  return done(f.select(f.nan(a), b, f.select(f.nan(b), a, call.e.binary(kOp, a, b))));
}

/// f(x) times a number.
template <Op kOp>
NodeId in_units(Operation& call, double factor) {
  const Formula f(call);
  return f.mul(call.e.unary(kOp, argument(call, 0)), f.n(factor));
}

Value log2(Operation& call) { return done(in_units<Op::Log>(call, std::numbers::log2e)); }
Value log10(Operation& call) { return done(in_units<Op::Log>(call, std::numbers::log10e)); }

Value exp2(Operation& call) {
  const Formula f(call);
  return done(f.exp(f.mul(argument(call, 0), f.n(std::numbers::ln2))));
}

Value deg2rad(Operation& call) {
  const Formula f(call);
  return done(f.mul(argument(call, 0), f.n(std::numbers::pi / 180)));
}

Value erfc(Operation& call) {
  const Formula f(call);
  return done(f.sub(f.n(1), call.e.unary(Op::Erf, argument(call, 0))));
}

/// sin(pi x) / (pi x), 1 at 0.
Value sinc(Operation& call) {
  const Formula f(call);
  const NodeId x = argument(call, 0), product = f.mul(f.n(std::numbers::pi), x), zero = f.equal(x, f.n(0));
  return done(f.select(zero, f.n(1), f.div(call.e.unary(Op::Sine, product), f.select(zero, f.n(1), product))));
}

/// log(z / (1 - z)), z clamped to [eps, 1 - eps] where eps is given.
Value logit(Operation& call) {
  const Formula f(call);
  NodeId z = argument(call, 0);
  if (!call.none(1)) z = f.min(f.max(z, f.arg(1)), f.sub(f.n(1), f.arg(1)));
  return done(f.log(f.div(z, f.sub(f.n(1), z))));
}

/// g / (x (1 - x)); outside of [eps, 1 - eps] 0, outside of [0, 1] NaN.
Value logit_backward(Operation& call) {
  const Formula f(call);
  const auto [g, x] = both(call, 0, 1);
  const NodeId low = call.none(2) ? f.n(0) : f.arg(2), high = call.none(2) ? f.n(1) : f.sub(f.n(1), f.arg(2));
  const NodeId inside = f.both(f.at_most(low, x), f.at_most(x, high));
  const NodeId outside = f.n(call.none(2) ? std::numeric_limits<double>::quiet_NaN() : 0);
  return done(f.select(inside, f.div(g, f.mul(x, f.sub(f.n(1), x))), outside));
}

/// Numbers in place of NaN and the infinities; absent: 0 and the largest of the type.
Value nan_to_num(Operation& call) {
  const NodeId x = argument(call, 0);
  if (!is_float(call.element())) return done(x);
  const Formula f(call);
  const double most = info(call.element()).bits == 64 ? std::numeric_limits<double>::max() : info(call.element()).bits == 32 ? static_cast<double>(std::numeric_limits<float>::max())
                                                                                                                             : 0;
  if (most == 0) call.refuse("of 16 bits");
  const double infinity = std::numeric_limits<double>::infinity();
  const NodeId high = call.none(2) ? f.n(most) : f.arg(2), low = call.none(3) ? f.n(-most) : f.arg(3);
  const NodeId finite = f.select(f.equal(x, f.n(infinity)), high, f.select(f.equal(x, f.n(-infinity)), low, x));
  return done(f.select(f.nan(x), call.none(1) ? f.n(0) : f.arg(1), finite));
}

/// x in place of all elements.
Value fill(Operation& call) { return done(shaped(call, call.stored(1, call.element()))); }

Value zero(Operation& call) { return done(call.e.full(call.out().dims, scalar(call, 0))); }

/// a b + c.
Value fused_multiply_add(Operation& call) {
  const auto [a, b] = both(call, 0, 1);
  return done(call.e.binary(Op::Add, call.e.binary(Op::Multiply, a, b), argument(call, 2)));
}

constexpr Overload kCompositeRows[] = {
    {"aten.addcdiv.default", "self, tensor1, tensor2, *, value=1", addc<Op::Divide>},
    {"aten.addcmul.default", "self, tensor1, tensor2, *, value=1", addc<Op::Multiply>},
    {"aten.atan.default", "self", atan},
    {"aten.clamp.Tensor", "self, min=None, max=None", clamp},
    {"aten.clamp.default", "self, min=None, max=None", clamp},
    {"aten.clamp_max.Tensor", "self, max", clamp_one<Op::Minimum>},
    {"aten.clamp_max.default", "self, max", clamp_one<Op::Minimum>},
    {"aten.clamp_min.Tensor", "self, min", clamp_one<Op::Maximum>},
    {"aten.clamp_min.default", "self, min", clamp_one<Op::Maximum>},
    {"aten.clip.default", "self, min=None, max=None", clamp},
    {"aten.deg2rad.default", "self", deg2rad},
    {"aten.erfc.default", "self", erfc},
    {"aten.exp2.default", "self", exp2},
    {"aten.fill.Scalar", "self, value", fill},
    {"aten.fill.Tensor", "self, value", fill},
    {"aten.fmax.default", "self, other", without_nan<Op::Maximum>},
    {"aten.fmin.default", "self, other", without_nan<Op::Minimum>},
    {"aten.hardtanh.default", "self, min_val=-1, max_val=1", clamp},
    {"aten.hypot.default", "self, other", hypot},
    {"aten.lerp.Scalar", "self, end, weight", lerp},
    {"aten.lerp.Tensor", "self, end, weight", lerp},
    {"aten.log10.default", "self", log10},
    {"aten.log2.default", "self", log2},
    {"aten.logaddexp.default", "self, other", logaddexp<false>},
    {"aten.logaddexp2.default", "self, other", logaddexp<true>},
    {"aten.logit.default", "self, eps=None", logit},
    {"aten.logit_backward.default", "grad_output, self, eps=None", logit_backward},
    {"aten.masked_fill.Scalar", "self, mask, value", masked_fill},
    {"aten.masked_fill.Tensor", "self, mask, value", masked_fill},
    {"aten.nan_to_num.default", "self, nan=None, posinf=None, neginf=None", nan_to_num},
    {"aten.sinc.default", "self", sinc},
    {"aten.tril.default", "self, diagonal=0", triangle<true>},
    {"aten.triu.default", "self, diagonal=0", triangle<false>},
    {"aten.where.Scalar", "condition, self, other", where},
    {"aten.where.ScalarOther", "condition, self, other", where},
    {"aten.where.ScalarSelf", "condition, self, other", where},
    {"aten.where.self", "condition, self, other", where},
    {"aten.xlogy.Scalar_Other", "self, other", xlogy},
    {"aten.xlogy.Scalar_Self", "self, other", xlogy},
    {"aten.xlogy.Tensor", "self, other", xlogy},
    {"aten.zero.default", "self", zero},
    {"prims.fma.default", "a, b, c", fused_multiply_add},
};

}  // namespace

std::span<const Overload> composite_rows() { return kCompositeRows; }

}  // namespace gg::fx
