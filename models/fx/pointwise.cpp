// Elementwise operators that are one operator of the table, and arithmetic with its scalars.
#include <cmath>
#include <limits>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

template <Op kOp>
Value unary(Operation& call) {
  return done(call.e.unary(kOp, argument(call, 0)));
}

/// Booleans are no numbers: `add` of two is or, `mul` is and.
constexpr std::pair<Op, Op> kOfBooleans[] = {{Op::Add, Op::Or}, {Op::Maximum, Op::Or}, {Op::Or, Op::Or}, {Op::Multiply, Op::And}, {Op::Minimum, Op::And}, {Op::And, Op::And}, {Op::Xor, Op::Xor}};

template <Op kOp>
Value arithmetic(Operation& call) {
  const auto [a, b] = kOp == Op::Multiply || kOp == Op::Divide ? computed(call, 0, 1) : both(call, 0, 1);
  if (call.element() == ElementType::Pred) {
    for (const auto& [number, truth] : kOfBooleans) {
      if (number == kOp) return done(call.e.binary(truth, a, b));
    }
    call.refuse("of Booleans");
  }
  return done(call.e.convert(call.e.binary(kOp, a, b), call.element()));
}

/// other, times alpha unless that is 1.
NodeId scaled(Operation& call, NodeId x, std::size_t alpha) {
  if (call.raw(alpha).kind != Argument::Kind::Table && call.number(alpha) == 1) return x;
  if (call.element() == ElementType::Pred) call.refuse("alpha of Booleans");
  return call.e.binary(Op::Multiply, x, call.operand(alpha, call.element()));
}

template <Op kOp, bool kReversed = false>
Value with_alpha(Operation& call) {
  const auto [a, b] = both(call, 0, 1);
  if (call.element() == ElementType::Pred) {
    if (kOp != Op::Add || call.number(2) != 1) call.refuse("of Booleans");
    return done(call.e.binary(Op::Or, a, b));
  }
  if (kReversed) return done(call.e.binary(kOp, b, scaled(call, a, 2)));
  return done(call.e.binary(kOp, a, scaled(call, b, 2)));
}

Value divide(Operation& call) {
  if (!is_float(call.element())) call.refuse("true division whose result is no float");
  return arithmetic<Op::Divide>(call);
}

/// An integer divisor must be a number other than zero: torch raises, the operator table does not.
void need_divisor(Operation& call, std::size_t k) {
  if (is_float(call.element())) return;
  if (call.raw(k).kind != Argument::Kind::Integer || call.integer(k) == 0) call.refuse("of integers by anything but a number other than 0");
}

/// floor(a / b) of integers: the truncated quotient, less one where signs differ and something is left.
NodeId floor_integers(Operation& call, NodeId a, NodeId b) {
  Emitter& e = call.e;
  const NodeId quotient = e.binary(Op::Divide, a, b), rest = e.binary(Op::Remainder, a, b), zero = e.integer(e.element(a), 0);
  const NodeId apart = e.binary(Op::Xor, e.compare("LT", rest, zero), e.compare("LT", b, zero));
  const NodeId lower = e.binary(Op::And, e.compare("NE", rest, zero), apart);
  return e.select(lower, e.binary(Op::Subtract, quotient, e.integer(e.element(a), 1)), quotient);
}

/// floor(a / b) of floats, as torch: from the remainder, so that -1 // inf is -1 and inf // 1 is NaN; a / 0 where b is 0.
NodeId floor_floats(Operation& call, NodeId a, NodeId b) {
  Emitter& e = call.e;
  const NodeId rest = e.binary(Op::Remainder, a, b), zero = scalar(call, 0);
  const NodeId whole = e.unary(Op::RoundNearestEven, e.binary(Op::Divide, e.binary(Op::Subtract, a, rest), b));
  const NodeId apart = e.binary(Op::Xor, e.compare("LT", rest, zero), e.compare("LT", b, zero));
  const NodeId lower = e.binary(Op::And, e.compare("NE", rest, zero), apart);
  const NodeId quotient = e.select(lower, e.binary(Op::Subtract, whole, scalar(call, 1)), whole);
  return e.select(e.compare("EQ", b, zero), e.binary(Op::Divide, a, b), quotient);
}

NodeId truncated(Operation& call, NodeId x) {
  Emitter& e = call.e;
  return e.select(e.compare("LT", x, scalar(call, 0)), e.unary(Op::Ceil, x), e.unary(Op::Floor, x));
}

Value divide_mode(Operation& call) {
  if (call.none(2)) return divide(call);
  const std::string mode = call.text(2);
  if (mode != "floor" && mode != "trunc") call.refuse("rounding mode '" + mode + "'");
  need_divisor(call, 1);
  const auto [a, b] = both(call, 0, 1);
  if (!is_float(call.element())) return done(mode == "trunc" ? call.e.binary(Op::Divide, a, b) : floor_integers(call, a, b));
  return done(mode == "floor" ? floor_floats(call, a, b) : truncated(call, call.e.binary(Op::Divide, a, b)));
}

Value floor_divide(Operation& call) {
  need_divisor(call, 1);
  const auto [a, b] = both(call, 0, 1);
  return done(is_float(call.element()) ? floor_floats(call, a, b) : floor_integers(call, a, b));
}

Value fmod(Operation& call) {
  need_divisor(call, 1);
  const auto [a, b] = both(call, 0, 1);
  return done(call.e.binary(Op::Remainder, a, b));
}

/// The sign of the divisor.
Value remainder(Operation& call) {
  need_divisor(call, 1);
  Emitter& e = call.e;
  const auto [a, b] = both(call, 0, 1);
  const NodeId rest = e.binary(Op::Remainder, a, b), zero = scalar(call, 0);
  const NodeId apart = e.binary(Op::Xor, e.compare("LT", rest, zero), e.compare("LT", b, zero));
  return done(e.select(e.binary(Op::And, e.compare("NE", rest, zero), apart), e.binary(Op::Add, rest, b), rest));
}

/// Products for small whole exponents, roots for halves: as torch computes them.
NodeId power(Operation& call, NodeId x, double exponent) {
  Emitter& e = call.e;
  if (exponent == 0) return e.full(e.dims(x), scalar(call, 1));
  if (exponent == 1) return x;
  if (exponent == 2 || exponent == 3) {
    const NodeId square = e.binary(Op::Multiply, x, x);
    return exponent == 2 ? square : e.binary(Op::Multiply, square, x);
  }
  if (!is_float(call.element())) {
    if (exponent < 0) call.refuse("a negative power of integers");
    return e.binary(Op::Power, x, scalar(call, exponent));
  }
  if (exponent == 0.5) return e.unary(Op::Sqrt, x);
  if (exponent == -0.5) return e.unary(Op::Rsqrt, x);
  if (exponent == -1) return e.binary(Op::Divide, scalar(call, 1), x);
  if (exponent == -2) return e.binary(Op::Divide, scalar(call, 1), e.binary(Op::Multiply, x, x));
  return e.binary(Op::Power, x, scalar(call, exponent));
}

Value pow_scalar(Operation& call) {
  if (call.element() == ElementType::Pred) call.refuse("of Booleans");
  return done(power(call, argument(call, 0), call.number(1)));
}

Value pow_tensor(Operation& call) {
  if (!is_float(call.element())) call.refuse("of integers");
  return arithmetic<Op::Power>(call);
}

template <int kDirection>
Value compared(Operation& call) {
  constexpr const char* kNames[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  const ElementType type = common_type(call, 0, 1);
  const NodeId a = shaped(call, call.operand(0, type));
  return done(call.e.compare(kNames[kDirection], a, shaped(call, call.operand(1, type))));
}

template <Op kOp>
Value bitwise(Operation& call) {
  if (is_float(call.element())) call.refuse("of floats");
  return arithmetic<kOp>(call);
}

template <Op kOp>
Value logical(Operation& call) {
  const NodeId a = shaped(call, call.e.convert(call.tensor(0), ElementType::Pred));
  return done(call.e.binary(kOp, a, shaped(call, call.e.convert(call.tensor(1), ElementType::Pred))));
}

Value logical_not(Operation& call) { return done(call.e.unary(Op::Not, call.e.convert(call.tensor(0), ElementType::Pred))); }

Value reciprocal(Operation& call) { return done(call.e.binary(Op::Divide, scalar(call, 1), argument(call, 0))); }

Value truncate(Operation& call) { return done(is_float(call.element()) ? truncated(call, argument(call, 0)) : call.tensor(0)); }

template <Op kOp>
Value rounded(Operation& call) {
  return is_float(call.element()) ? unary<kOp>(call) : done(call.tensor(0));
}

/// Of unsigned integers themselves.
Value absolute(Operation& call) {
  const NodeId x = argument(call, 0);
  const ElementType type = call.element();
  return done(is_integral(type) && type != ElementType::Pred && !is_signed(type) ? x : call.e.unary(Op::Abs, x));
}

/// 0 for NaN.
Value sign(Operation& call) {
  const NodeId x = argument(call, 0);
  if (!is_float(call.element())) return done(call.e.unary(Op::Sign, x));
  return done(call.e.select(call.e.compare("NE", x, x), scalar(call, 0), call.e.unary(Op::Sign, x)));
}

Value is_nan(Operation& call) {
  const NodeId x = call.tensor(0);
  return done(call.e.compare("NE", x, x));
}

Value is_infinite(Operation& call) {
  const NodeId x = call.tensor(0);
  if (!is_float(call.e.element(x))) return done(call.e.full(call.out().dims, scalar(call, 0)));
  return done(call.e.compare("EQ", call.e.unary(Op::Abs, x), call.e.number(call.e.element(x), std::numeric_limits<double>::infinity())));
}

Value is_finite(Operation& call) {
  const NodeId x = call.tensor(0);
  if (!is_float(call.e.element(x))) return done(call.e.full(call.out().dims, scalar(call, 1)));
  return done(call.e.compare("LT", call.e.unary(Op::Abs, x), call.e.number(call.e.element(x), std::numeric_limits<double>::infinity())));
}

Value square(Operation& call) {
  const NodeId x = argument(call, 0);
  return done(power(call, x, 2));
}

/// x - trunc(x).
Value fraction(Operation& call) {
  if (!is_float(call.element())) call.refuse("of integers");
  const NodeId x = argument(call, 0);
  return done(call.e.binary(Op::Subtract, x, truncated(call, x)));
}

/// By a number of bits that the type has.
template <Op kOp>
Value shifted(Operation& call) {
  if (is_float(call.element()) || call.element() == ElementType::Pred) call.refuse("of floats or Booleans");
  if (call.raw(1).kind != Argument::Kind::Integer || call.integer(1) < 0 || call.integer(1) >= info(call.element()).bits) call.refuse("by anything but a number of bits of its type");
  const auto [x, bits] = both(call, 0, 1);
  return done(call.e.binary(kOp == Op::ShiftRightArithmetic && !is_signed(call.element()) ? Op::ShiftRightLogical : kOp, x, bits));
}

constexpr Overload kPointwiseRows[] = {
    {"aten.__and__.Tensor", "self, other", bitwise<Op::And>},
    {"aten.__lshift__.Scalar", "self, other", shifted<Op::ShiftLeft>},
    {"aten.__or__.Tensor", "self, other", bitwise<Op::Or>},
    {"aten.__rshift__.Scalar", "self, other", shifted<Op::ShiftRightArithmetic>},
    {"aten.__xor__.Tensor", "self, other", bitwise<Op::Xor>},
    {"aten.abs.default", "self", absolute},
    {"aten.acos.default", "self", unary<Op::Acos>},
    {"aten.acosh.default", "self", unary<Op::Acosh>},
    {"aten.add.Scalar", "self, other, alpha=1", with_alpha<Op::Add>},
    {"aten.add.Tensor", "self, other, *, alpha=1", with_alpha<Op::Add>},
    {"aten.asin.default", "self", unary<Op::Asin>},
    {"aten.asinh.default", "self", unary<Op::Asinh>},
    {"aten.atan2.default", "self, other", arithmetic<Op::Atan2>},
    {"aten.atanh.default", "self", unary<Op::Atanh>},
    {"aten.bitwise_and.Scalar", "self, other", bitwise<Op::And>},
    {"aten.bitwise_and.Tensor", "self, other", bitwise<Op::And>},
    {"aten.bitwise_left_shift.Tensor_Scalar", "self, other", shifted<Op::ShiftLeft>},
    {"aten.bitwise_not.default", "self", unary<Op::Not>},
    {"aten.bitwise_or.Scalar", "self, other", bitwise<Op::Or>},
    {"aten.bitwise_or.Tensor", "self, other", bitwise<Op::Or>},
    {"aten.bitwise_right_shift.Tensor_Scalar", "self, other", shifted<Op::ShiftRightArithmetic>},
    {"aten.bitwise_xor.Scalar", "self, other", bitwise<Op::Xor>},
    {"aten.bitwise_xor.Tensor", "self, other", bitwise<Op::Xor>},
    {"aten.ceil.default", "self", rounded<Op::Ceil>},
    {"aten.cos.default", "self", unary<Op::Cosine>},
    {"aten.cosh.default", "self", unary<Op::Cosh>},
    {"aten.div.Scalar", "self, other", divide},
    {"aten.div.Scalar_mode", "self, other, *, rounding_mode", divide_mode},
    {"aten.div.Tensor", "self, other", divide},
    {"aten.div.Tensor_mode", "self, other, *, rounding_mode", divide_mode},
    {"aten.eq.Scalar", "self, other", compared<0>},
    {"aten.eq.Tensor", "self, other", compared<0>},
    {"aten.erf.default", "self", unary<Op::Erf>},
    {"aten.exp.default", "self", unary<Op::Exponential>},
    {"aten.expm1.default", "self", unary<Op::ExponentialMinusOne>},
    {"aten.floor.default", "self", rounded<Op::Floor>},
    {"aten.floor_divide.default", "self, other", floor_divide},
    {"aten.fmod.Scalar", "self, other", fmod},
    {"aten.fmod.Tensor", "self, other", fmod},
    {"aten.frac.default", "self", fraction},
    {"aten.ge.Scalar", "self, other", compared<5>},
    {"aten.ge.Tensor", "self, other", compared<5>},
    {"aten.gt.Scalar", "self, other", compared<4>},
    {"aten.gt.Tensor", "self, other", compared<4>},
    {"aten.isfinite.default", "self", is_finite},
    {"aten.isinf.default", "self", is_infinite},
    {"aten.isnan.default", "self", is_nan},
    {"aten.le.Scalar", "self, other", compared<3>},
    {"aten.le.Tensor", "self, other", compared<3>},
    {"aten.log.default", "self", unary<Op::Log>},
    {"aten.log1p.default", "self", unary<Op::LogPlusOne>},
    {"aten.logical_and.default", "self, other", logical<Op::And>},
    {"aten.logical_not.default", "self", logical_not},
    {"aten.logical_or.default", "self, other", logical<Op::Or>},
    {"aten.logical_xor.default", "self, other", logical<Op::Xor>},
    {"aten.lt.Scalar", "self, other", compared<2>},
    {"aten.lt.Tensor", "self, other", compared<2>},
    {"aten.maximum.default", "self, other", arithmetic<Op::Maximum>},
    {"aten.minimum.default", "self, other", arithmetic<Op::Minimum>},
    {"aten.mul.Scalar", "self, other", arithmetic<Op::Multiply>},
    {"aten.mul.Tensor", "self, other", arithmetic<Op::Multiply>},
    {"aten.ne.Scalar", "self, other", compared<1>},
    {"aten.ne.Tensor", "self, other", compared<1>},
    {"aten.neg.default", "self", unary<Op::Negate>},
    {"aten.pow.Scalar", "self, exponent", pow_tensor},
    {"aten.pow.Tensor_Scalar", "self, exponent", pow_scalar},
    {"aten.pow.Tensor_Tensor", "self, exponent", pow_tensor},
    {"aten.reciprocal.default", "self", reciprocal},
    {"aten.remainder.Scalar", "self, other", remainder},
    {"aten.remainder.Tensor", "self, other", remainder},
    {"aten.round.default", "self", rounded<Op::RoundNearestEven>},
    {"aten.rsqrt.default", "self", unary<Op::Rsqrt>},
    {"aten.rsub.Scalar", "self, other, alpha=1", with_alpha<Op::Subtract, true>},
    {"aten.rsub.Tensor", "self, other, *, alpha=1", with_alpha<Op::Subtract, true>},
    {"aten.sgn.default", "self", sign},
    {"aten.sigmoid.default", "self", unary<Op::Logistic>},
    {"aten.sign.default", "self", sign},
    {"aten.sin.default", "self", unary<Op::Sine>},
    {"aten.sinh.default", "self", unary<Op::Sinh>},
    {"aten.special_expit.default", "self", unary<Op::Logistic>},
    {"aten.sqrt.default", "self", unary<Op::Sqrt>},
    {"aten.square.default", "self", square},
    {"aten.sub.Scalar", "self, other, alpha=1", with_alpha<Op::Subtract>},
    {"aten.sub.Tensor", "self, other, *, alpha=1", with_alpha<Op::Subtract>},
    {"aten.tan.default", "self", unary<Op::Tan>},
    {"aten.tanh.default", "self", unary<Op::Tanh>},
    {"aten.true_divide.Tensor", "self, other", divide},
    {"aten.trunc.default", "self", truncate},
};

}  // namespace

std::span<const Overload> pointwise_rows() { return kPointwiseRows; }

}  // namespace gg::fx
