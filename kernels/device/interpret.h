// The machine of kernels/device/code.h: one element of a result. Compiled for the host (the device that tests use) and by
// nvcc (kernels/cuda/interpret.cu), so that a GPU differs from the tested code by its launch and its math library only.
#pragma once

#include "kernels/device/elements.h"

namespace gg::device {

/// ScalarFn, by the same table (a static_assert in lower.cpp compares the numbers).
enum class Fn : std::uint8_t {
#define SCALAR(Enum, name, arity, Class, Result) Enum,
#include "models/body/scalar.def"
#undef SCALAR
};

// Math of both widths under one name.
GG_HOST_DEVICE inline float m_exp(float x) { return expf(x); }
GG_HOST_DEVICE inline double m_exp(double x) { return exp(x); }
#define GG_MATH(name)                                                        \
  GG_HOST_DEVICE inline float m_##name(float x) { return name##f(x); }       \
  GG_HOST_DEVICE inline double m_##name(double x) { return name(x); }
GG_MATH(expm1)
GG_MATH(log)
GG_MATH(log1p)
GG_MATH(sqrt)
GG_MATH(cbrt)
GG_MATH(tanh)
GG_MATH(erf)
GG_MATH(sin)
GG_MATH(cos)
GG_MATH(tan)
GG_MATH(floor)
GG_MATH(ceil)
GG_MATH(round)
GG_MATH(rint)
GG_MATH(fabs)
#undef GG_MATH
GG_HOST_DEVICE inline float m_pow(float x, float y) { return powf(x, y); }
GG_HOST_DEVICE inline double m_pow(double x, double y) { return pow(x, y); }
GG_HOST_DEVICE inline float m_atan2(float x, float y) { return atan2f(x, y); }
GG_HOST_DEVICE inline double m_atan2(double x, double y) { return atan2(x, y); }
GG_HOST_DEVICE inline float m_fmod(float x, float y) { return fmodf(x, y); }
GG_HOST_DEVICE inline double m_fmod(double x, double y) { return fmod(x, y); }

template <class T>
GG_HOST_DEVICE inline T larger(T a, T b) { return a >= b || a != a ? a : b; }
template <class T>
GG_HOST_DEVICE inline T smaller(T a, T b) { return a <= b || a != a ? a : b; }

/// A function of floats whose result is a float.
template <class T>
GG_HOST_DEVICE inline T float_value(Fn fn, T a, T b, T c) {
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
    case Fn::Logistic: {
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
    case Fn::Sign: return a > T(0) ? T(1) : a < T(0) ? T(-1) : a;
    case Fn::Sin: return m_sin(a);
    case Fn::Sqrt: return m_sqrt(a);
    case Fn::Subtract: return a - b;
    case Fn::Tan: return m_tan(a);
    case Fn::Tanh: return m_tanh(a);
    default: return a;
  }
}

template <class T>
GG_HOST_DEVICE inline bool compared(Fn fn, T a, T b) {
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
GG_HOST_DEVICE inline bool compares(Fn fn) {
  return fn == Fn::CompareEq || fn == Fn::CompareNe || fn == Fn::CompareLt || fn == Fn::CompareLe || fn == Fn::CompareGt ||
         fn == Fn::CompareGe;
}

GG_HOST_DEVICE inline std::int64_t integer_power(bool is_unsigned, std::int64_t a, std::int64_t b) {
  if (!is_unsigned && b < 0) return a == 1 ? 1 : a == -1 ? ((b & 1) != 0 ? -1 : 1) : 0;
  std::uint64_t result = 1, base = static_cast<std::uint64_t>(a);
  for (std::uint64_t e = static_cast<std::uint64_t>(b); e != 0; e >>= 1U, base *= base) {
    if ((e & 1U) != 0) result *= base;
  }
  return static_cast<std::int64_t>(result);
}

/// A function of integers of one type, before its result is wrapped.
GG_HOST_DEVICE inline std::int64_t integer_value(Fn fn, Element type, std::int64_t a, std::int64_t b, std::int64_t c) {
  const bool u = is_unsigned(type);
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  const int bits = bits_of(type);
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::int64_t bias = type == Element::U64 ? INT64_MIN : 0;  // orders the bit patterns of u64
  const bool beyond = (y & mask) >= static_cast<std::uint64_t>(bits);
  if (compares(fn)) return compared(fn, a ^ bias, b ^ bias) ? 1 : 0;
  switch (fn) {
    case Fn::Abs: return u || a >= 0 ? a : static_cast<std::int64_t>(0 - x);
    case Fn::Add: return static_cast<std::int64_t>(x + y);
    case Fn::And: return a & b;
    case Fn::Clamp: {
      const std::int64_t low = (a ^ bias) < (b ^ bias) ? b : a;
      return (c ^ bias) < (low ^ bias) ? c : low;
    }
    case Fn::Divide:
      if (b == 0) return -1;
      if (u) return static_cast<std::int64_t>(x / y);
      return b == -1 ? static_cast<std::int64_t>(0 - x) : a / b;
    case Fn::Max: return (a ^ bias) < (b ^ bias) ? b : a;
    case Fn::Min: return (b ^ bias) < (a ^ bias) ? b : a;
    case Fn::Multiply: return static_cast<std::int64_t>(x * y);
    case Fn::Negate: return static_cast<std::int64_t>(0 - x);
    case Fn::Not: return type == Element::Pred ? 1 - a : ~a;
    case Fn::Or: return a | b;
    case Fn::Power: return integer_power(u, a, b);
    case Fn::Remainder:
      if (b == 0) return a;
      if (u) return static_cast<std::int64_t>(x % y);
      return b == -1 ? 0 : a % b;
    case Fn::ShiftLeft: return beyond ? 0 : static_cast<std::int64_t>(x << (y & 63U));
    case Fn::ShiftRightL: return beyond ? 0 : static_cast<std::int64_t>((x & mask) >> (y & 63U));
    case Fn::ShiftRightA: {
      const int unused = 64 - bits;
      return (static_cast<std::int64_t>(x << unused) >> unused) >> (beyond ? 63 : static_cast<int>(y & 63U));
    }
    case Fn::Sign: return u ? (a != 0 ? 1 : 0) : (a > 0 ? 1 : 0) - (a < 0 ? 1 : 0);
    case Fn::Subtract: return static_cast<std::int64_t>(x - y);
    case Fn::Xor: return a ^ b;
    default: return a;
  }
}

/// Truncates; NaN gives 0; out of range gives the nearest end of the range. To pred: different from zero.
GG_HOST_DEVICE inline std::int64_t integer_from(Element type, double a) {
  if (type == Element::Pred) return a != 0 ? 1 : 0;
  if (a != a) return 0;
  const int bits = bits_of(type);
  if (type == Element::U64) {
    if (a <= 0) return 0;
    return a >= 18446744073709551616.0 ? -1 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a));
  }
  const std::int64_t low = is_unsigned(type) ? 0 : INT64_MIN >> (64 - bits);
  const std::int64_t high = is_unsigned(type) ? (std::int64_t{1} << bits) - 1 : ~low;
  if (a <= static_cast<double>(low)) return low;
  if (a >= static_cast<double>(high)) return high;
  return static_cast<std::int64_t>(a);
}

GG_HOST_DEVICE inline std::uint64_t converted(Element type, Element from, std::uint64_t bits) {
  if (is_float(from)) {
    const double value = is_short(from) ? static_cast<double>(single_of(bits)) : bits_as<double>(bits);
    if (!is_float(type)) return static_cast<std::uint64_t>(integer_from(type, value));
    if (type == Element::F64) return bits_as<std::uint64_t>(value);
    return bits_of_single(is_short(from) ? rounded(type, single_of(bits)) : rounded_from_f64(type, value));
  }
  auto integer = static_cast<std::int64_t>(bits);
  if (!is_float(type)) return static_cast<std::uint64_t>(wrapped(type, integer));
  // Integers beyond 2^53 to odd first where a second rounding follows.
  const bool large_unsigned = from == Element::U64 && integer < 0;
  const std::int64_t magnitude = integer < 0 ? ~integer : integer;
  if (type != Element::F64 && (large_unsigned || (magnitude >> 53) != 0)) {
    integer = (integer & ~std::int64_t{0xfff}) | ((integer & 0xfff) != 0 ? 0x1000 : 0);
  }
  const double value = from == Element::U64 ? static_cast<double>(static_cast<std::uint64_t>(integer)) : static_cast<double>(integer);
  return type == Element::F64 ? bits_as<std::uint64_t>(value) : bits_of_single(rounded_from_f64(type, value));
}

GG_HOST_DEVICE inline std::uint64_t applied(const Step& s, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const Fn fn = static_cast<Fn>(s.fn);
  if (fn == Fn::Select) return a != 0 ? b : c;
  if (s.from == Element::F64) {
    const double x = bits_as<double>(a), y = bits_as<double>(b), z = bits_as<double>(c);
    if (compares(fn)) return compared(fn, x, y) ? 1 : 0;
    if (fn == Fn::IsFinite) return x - x == 0 ? 1 : 0;
    return bits_as<std::uint64_t>(float_value(fn, x, y, z));
  }
  if (is_float(s.from)) {
    const float x = single_of(a), y = single_of(b), z = single_of(c);
    if (compares(fn)) return compared(fn, x, y) ? 1 : 0;
    if (fn == Fn::IsFinite) return x - x == 0 ? 1 : 0;
    return bits_of_single(rounded(s.type, float_value(fn, x, y, z)));
  }
  const auto value = integer_value(fn, s.from, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b), static_cast<std::int64_t>(c));
  return static_cast<std::uint64_t>(wrapped(s.type, value));
}

/// Computes element `element` of the result and stores it.
GG_HOST_DEVICE inline void run_element(const Launch& launch, std::int64_t element) {
  std::uint64_t registers[kRegisters];
  const auto integer = [&](std::int32_t k) { return static_cast<std::int64_t>(registers[k]); };
  for (std::int32_t level = launch.dims; level < launch.levels; ++level) registers[level] = 0;
  std::int64_t rest = element;
  for (std::int32_t d = launch.dims; d-- > 0;) {
    registers[d] = static_cast<std::uint64_t>(rest % launch.extents[d]);
    rest /= launch.extents[d];
  }
  for (std::int64_t at = 0; at < launch.count; ++at) {
    const Step& s = launch.steps[at];
    std::int64_t value = 0;
    switch (s.kind) {
      case StepKind::Constant: value = s.imm; break;
      case StepKind::Copy: value = integer(s.a); break;
      case StepKind::MultiplyAdd: value = integer(s.a) + s.imm * integer(s.b); break;
      case StepKind::Quotient: value = integer(s.a) / s.imm - (integer(s.a) % s.imm < 0 ? 1 : 0); break;
      case StepKind::Table: value = launch.tables[s.imm + integer(s.a)]; break;
      case StepKind::Clamp: {
        const std::int64_t low = launch.tables[s.imm], high = launch.tables[s.imm + 1];
        value = integer(s.a);
        if (s.from == Element::U64 && value < 0) value = high;
        value = value < low ? low : value > high ? high : value;
        break;
      }
      case StepKind::NotAbove: value = integer(s.a) <= 0 ? 1 : 0; break;
      case StepKind::IsZero: value = integer(s.a) == 0 ? 1 : 0; break;
      case StepKind::And: value = integer(s.a) & integer(s.b); break;
      case StepKind::Or: value = integer(s.a) | integer(s.b); break;
      case StepKind::Not: value = 1 - integer(s.a); break;
      case StepKind::JumpUnless:
        if (registers[s.a] == 0) at = s.imm - 1;
        continue;
      case StepKind::Jump: at = s.imm - 1; continue;
      case StepKind::Next:
        value = integer(s.dst) + 1;
        if (value < integer(s.a)) at = s.imm - 1;
        else value = 0;
        break;
      case StepKind::Read: registers[s.dst] = load(s.from, launch.operands[s.b], integer(s.a)); continue;
      case StepKind::Index: registers[s.dst] = converted(s.type, Element::S64, registers[s.a]); continue;
      case StepKind::Convert: registers[s.dst] = converted(s.type, s.from, registers[s.a]); continue;
      case StepKind::Apply: registers[s.dst] = applied(s, registers[s.a], registers[s.b], registers[s.c]); continue;
    }
    registers[s.dst] = static_cast<std::uint64_t>(value);
  }
  store(launch.type, launch.out, element, registers[launch.result]);
}

}  // namespace gg::device
