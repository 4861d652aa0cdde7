// Scalar functions of doubles, floats and integers, each once: row kernels on the host, the steps of devices on the host and by nvcc (no
// library, C++17). `Fn` is an enumeration with a name a row of models/body/scalar.def.
#pragma once

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define GG_HOST_DEVICE __host__ __device__
#define GG_SCALAR __host__ __device__ inline
#else
#define GG_HOST_DEVICE
#define GG_SCALAR __attribute__((always_inline)) inline  // so that a function that is a constant is chosen when it is compiled
#endif

namespace gg::scalar {

// Math of both widths under one name.
#define GG_MATH(name)                                        \
  GG_SCALAR float m_##name(float x) { return ::name##f(x); } \
  GG_SCALAR double m_##name(double x) { return ::name(x); }
GG_MATH(cbrt)
GG_MATH(ceil)
GG_MATH(cos)
GG_MATH(erf)
GG_MATH(exp)
GG_MATH(expm1)
GG_MATH(fabs)
GG_MATH(floor)
GG_MATH(log)
GG_MATH(log1p)
GG_MATH(rint)
GG_MATH(round)
GG_MATH(sin)
GG_MATH(sqrt)
GG_MATH(tan)
GG_MATH(tanh)
#undef GG_MATH
#define GG_MATH(name)                                                    \
  GG_SCALAR float m_##name(float x, float y) { return ::name##f(x, y); } \
  GG_SCALAR double m_##name(double x, double y) { return ::name(x, y); }
GG_MATH(atan2)
GG_MATH(fmod)
GG_MATH(pow)
#undef GG_MATH

/// NaN in either argument wins.
template <class T>
GG_SCALAR T larger(T a, T b) { return a >= b || a != a ? a : b; }
template <class T>
GG_SCALAR T smaller(T a, T b) { return a <= b || a != a ? a : b; }

/// A function of floats whose result is a float.
template <class Fn, class T>
GG_SCALAR T float_value(Fn fn, T a, T b, T c) {
  switch (fn) {
    case Fn::Abs: return m_fabs(a);
    case Fn::Add: return a + b;
    case Fn::Atan2: return m_atan2(a, b);
    case Fn::Cbrt: return m_cbrt(a);
    case Fn::Ceil: return m_ceil(a);
    case Fn::Clamp: return smaller(larger(a, b), c);
    case Fn::Cos: return m_cos(a);
    case Fn::Divide: return a / b;
    case Fn::Erf: return m_erf(a);
    case Fn::Exp: return m_exp(a);
    case Fn::Expm1: return m_expm1(a);
    case Fn::Floor: return m_floor(a);
    case Fn::Log: return m_log(a);
    case Fn::Log1p: return m_log1p(a);
    case Fn::Logistic: {  // no overflow below zero, so that small results stay accurate
      const T e = m_exp(a >= T(0) ? -a : a);
      return (a >= T(0) ? T(1) : e) / (T(1) + e);
    }
    case Fn::Max: return larger(a, b);
    case Fn::Min: return smaller(a, b);
    case Fn::Multiply: return a * b;
    case Fn::Negate: return -a;
    case Fn::Power: return m_pow(a, b);
    case Fn::Remainder: return m_fmod(a, b);
    case Fn::RoundAfz: return m_round(a);
    case Fn::RoundEven: return m_rint(a);
    case Fn::Rsqrt: return T(1) / m_sqrt(a);
    case Fn::Sign: return a > T(0) ? T(1) : a < T(0) ? T(-1)
                                                     : a;
    case Fn::Sin: return m_sin(a);
    case Fn::Sqrt: return m_sqrt(a);
    case Fn::Subtract: return a - b;
    case Fn::Tan: return m_tan(a);
    case Fn::Tanh: return m_tanh(a);
    default: return a;
  }
}

template <class Fn>
GG_HOST_DEVICE constexpr bool compares(Fn fn) {
  return fn == Fn::CompareEq || fn == Fn::CompareNe || fn == Fn::CompareLt || fn == Fn::CompareLe || fn == Fn::CompareGt ||
         fn == Fn::CompareGe;
}
template <class Fn, class T>
GG_SCALAR bool compared(Fn fn, T a, T b) {
  switch (fn) {
    case Fn::CompareEq: return a == b;
    case Fn::CompareNe: return a != b;
    case Fn::CompareLt: return a < b;
    case Fn::CompareLe: return a <= b;
    case Fn::CompareGt: return a > b;
    case Fn::CompareGe: return a >= b;
    default: return false;
  }
}

/// How an integral type lies in 64 bits: two's complement of its width, u64 as its bit pattern.
struct Integers {
  int bits;
  bool is_unsigned, pred;
  GG_SCALAR std::int64_t bias() const { return is_unsigned && bits == 64 ? INT64_MIN : 0; }  ///< orders the bit patterns of u64
  GG_SCALAR std::uint64_t mask() const { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
  GG_SCALAR std::int64_t low() const { return is_unsigned ? 0 : INT64_MIN >> (64 - bits); }
  GG_SCALAR std::int64_t high() const { return is_unsigned ? static_cast<std::int64_t>(mask()) : ~low(); }
};

/// Powers wrap; a negative exponent gives the truncated quotient 1 / a^|b| (XLA), with 1 / 0 read as 0.
GG_HOST_DEVICE inline std::int64_t integer_power(bool is_unsigned, std::int64_t a, std::int64_t b) {
  if (!is_unsigned && b < 0) return a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? -1 : 1)
                                                         : 0;
  std::uint64_t result = 1, base = static_cast<std::uint64_t>(a);
  for (std::uint64_t e = static_cast<std::uint64_t>(b); e != 0; e >>= 1U, base *= base) {
    if ((e & 1U) != 0) result *= base;
  }
  return static_cast<std::int64_t>(result);
}

/// A function of integers of one type modulo 2^64: its result is still to be wrapped to the type.
template <class Fn>
GG_SCALAR std::int64_t integer_value(Fn fn, const Integers& type, std::int64_t a, std::int64_t b, std::int64_t c) {
  const bool u = type.is_unsigned;
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const auto wrapping = [](std::uint64_t word) { return static_cast<std::int64_t>(word); };
  const std::int64_t bias = type.bias();
  const bool beyond = (y & type.mask()) >= static_cast<std::uint64_t>(type.bits);  // shift amounts are read as unsigned
  switch (fn) {
    case Fn::Abs: return u || a >= 0 ? a : wrapping(0 - x);
    case Fn::Add: return wrapping(x + y);
    case Fn::And: return a & b;
    case Fn::Clamp: {
      const std::int64_t low = (a ^ bias) < (b ^ bias) ? b : a;
      return (c ^ bias) < (low ^ bias) ? c : low;
    }
    case Fn::Divide:
      if (b == 0) return -1;
      if (u) return wrapping(x / y);
      return b == -1 ? wrapping(0 - x) : a / b;  // the smallest / -1 wraps
    case Fn::Max: return (a ^ bias) < (b ^ bias) ? b : a;
    case Fn::Min: return (b ^ bias) < (a ^ bias) ? b : a;
    case Fn::Multiply: return wrapping(x * y);
    case Fn::Negate: return wrapping(0 - x);
    case Fn::Not: return type.pred ? 1 - a : ~a;
    case Fn::Or: return a | b;
    case Fn::Power: return integer_power(u, a, b);
    case Fn::Remainder:
      if (b == 0) return a;
      if (u) return wrapping(x % y);
      return b == -1 ? 0 : a % b;
    case Fn::ShiftLeft: return beyond ? 0 : wrapping(x << (y & 63U));
    case Fn::ShiftRightL: return beyond ? 0 : wrapping((x & type.mask()) >> (y & 63U));
    case Fn::ShiftRightA: {  // the sign bit of the type is copied in, for unsigned types too
      const int unused = 64 - type.bits;
      return (wrapping(x << unused) >> unused) >> (beyond ? 63 : static_cast<int>(y & 63U));
    }
    case Fn::Sign: return u ? (a != 0 ? 1 : 0) : (a > 0 ? 1 : 0) - (a < 0 ? 1 : 0);
    case Fn::Subtract: return wrapping(x - y);
    case Fn::Xor: return a ^ b;
    default: return a;
  }
}

/// Truncates; NaN gives 0; out of range gives the nearest end of the range. To pred: different from zero.
GG_SCALAR std::int64_t to_integer(const Integers& type, double a) {
  if (type.pred) return a != 0 ? 1 : 0;
  if (a != a) return 0;
  if (type.is_unsigned && type.bits == 64) {
    if (a <= 0) return 0;
    return a >= 0x1p64 ? -1 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a));
  }
  if (a <= static_cast<double>(type.low())) return type.low();
  if (a >= static_cast<double>(type.high())) return type.high();  // 2^63 for s64: the double above its largest value
  return static_cast<std::int64_t>(a);
}

/// Where a rounding follows, integers beyond 2^53 are first rounded to odd, so that they are rounded once in effect.
GG_SCALAR double from_integer(std::int64_t value, bool u64, bool rounds) {
  const bool large = u64 && value < 0;
  if (rounds && (large || ((value < 0 ? ~value : value) >> 53) != 0)) value = (value & ~std::int64_t{0xfff}) | ((value & 0xfff) != 0 ? 0x1000 : 0);
  return large ? static_cast<double>(static_cast<std::uint64_t>(value)) : static_cast<double>(value);
}

}  // namespace gg::scalar
