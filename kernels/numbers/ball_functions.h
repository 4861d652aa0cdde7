// Private to kernels/numbers: scalar functions of balls by name. Most are Arb's; the others decide where they are
// defined, and have its signature. Arguments are finite; a result may be an infinity, NaN, or nothing known.
#pragma once

#include <arb_hypgeom.h>

#include <optional>

#include "kernels/numbers/ball_number.h"
#include "kernels/numbers/row_table.h"

namespace gg::numbers {

using Unary = void (*)(arb_t out, const arb_t x, slong bits);
using Binary = void (*)(arb_t out, const arb_t x, const arb_t y, slong bits);

void ball_abs(arb_t out, const arb_t x, slong bits);
void ball_negate(arb_t out, const arb_t x, slong bits);
void ball_sqrt(arb_t out, const arb_t x, slong bits);
void ball_rsqrt(arb_t out, const arb_t x, slong bits);
void ball_log(arb_t out, const arb_t x, slong bits);
void ball_log1p(arb_t out, const arb_t x, slong bits);
void ball_erf(arb_t out, const arb_t x, slong bits);
void ball_cbrt(arb_t out, const arb_t x, slong bits);
void ball_logistic(arb_t out, const arb_t x, slong bits);
void ball_floor(arb_t out, const arb_t x, slong bits);
void ball_ceil(arb_t out, const arb_t x, slong bits);
void ball_round_away(arb_t out, const arb_t x, slong bits);
void ball_round_even(arb_t out, const arb_t x, slong bits);
void ball_sign(arb_t out, const arb_t x, slong bits);
/// The operand that it is for certain, else a ball of both.
void ball_max(arb_t out, const arb_t x, const arb_t y, slong bits);
void ball_min(arb_t out, const arb_t x, const arb_t y, slong bits);
void ball_divide(arb_t out, const arb_t x, const arb_t y, slong bits);
void ball_remainder(arb_t out, const arb_t x, const arb_t y, slong bits);
void ball_power(arb_t out, const arb_t x, const arb_t y, slong bits);

/// An optional, because whether the address of a function is null is no constant to g++ 12 under -fsanitize=undefined.
constexpr std::optional<Unary> unary_of(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::Abs: return ball_abs;
    case ScalarFn::Negate: return ball_negate;
    case ScalarFn::Sqrt: return ball_sqrt;
    case ScalarFn::Rsqrt: return ball_rsqrt;
    case ScalarFn::Cbrt: return ball_cbrt;
    case ScalarFn::Exp: return arb_exp;
    case ScalarFn::Expm1: return arb_expm1;
    case ScalarFn::Log: return ball_log;
    case ScalarFn::Log1p: return ball_log1p;
    case ScalarFn::Logistic: return ball_logistic;
    case ScalarFn::Tanh: return arb_tanh;
    case ScalarFn::Erf: return ball_erf;
    case ScalarFn::Sin: return arb_sin;
    case ScalarFn::Cos: return arb_cos;
    case ScalarFn::Tan: return arb_tan;
    case ScalarFn::Floor: return ball_floor;
    case ScalarFn::Ceil: return ball_ceil;
    case ScalarFn::RoundAfz: return ball_round_away;
    case ScalarFn::RoundEven: return ball_round_even;
    case ScalarFn::Sign: return ball_sign;
    default: return std::nullopt;
  }
}

constexpr std::optional<Binary> binary_of(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::Add: return arb_add;
    case ScalarFn::Subtract: return arb_sub;
    case ScalarFn::Multiply: return arb_mul;
    case ScalarFn::Divide: return ball_divide;
    case ScalarFn::Remainder: return ball_remainder;
    case ScalarFn::Power: return ball_power;
    case ScalarFn::Atan2: return arb_atan2;
    case ScalarFn::Max: return ball_max;
    case ScalarFn::Min: return ball_min;
    default: return std::nullopt;
  }
}

/// The orders -1, 0, 1, 2 (none: NaN) of its operands for which a comparison holds, as bits 0 to 3.
constexpr unsigned accepted_orders(ScalarFn fn) {
  switch (fn) {
    case ScalarFn::CompareLt: return 1U;
    case ScalarFn::CompareLe: return 3U;
    case ScalarFn::CompareEq: return 2U;
    case ScalarFn::CompareGe: return 6U;
    case ScalarFn::CompareGt: return 4U;
    case ScalarFn::CompareNe: return 13U;
    default: return 0;
  }
}

/// Of a: -1, 0, 1, or 2 where one is NaN. Where balls overlap (and are not one exact number) a tie: the midpoints' order.
int order(const Number& a, const Number& b, std::int64_t& ties);

/// `fn` where an argument is not finite; `b` null for functions of one.
Number special(ScalarFn fn, const Number& a, const Number* b);

/// Towards zero; NaN gives 0; out of range the nearest end of the range; to pred: different from zero. What the ball leaves open is a
/// tie, decided by the midpoint.
std::int64_t truncated(const Number& a, ElementType target, std::int64_t& ties);

}  // namespace gg::numbers
