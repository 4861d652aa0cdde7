#include "prover/checker/classes.h"

namespace gg::checker {
namespace {

constexpr std::uint8_t kAll[] = {Classes::kNegInf, Classes::kNeg, Classes::kZero,
                                 Classes::kPos, Classes::kPosInf, Classes::kNaN};
constexpr std::uint8_t kInfinite = Classes::kNegInf | Classes::kPosInf;

template <class F>
Classes map1(Classes a, F f) {
  std::uint8_t result = 0;
  for (const std::uint8_t x : kAll)
    if (a.set() & x) result = static_cast<std::uint8_t>(result | f(x));
  return Classes(result);
}

template <class F>
Classes map2(Classes a, Classes b, F f) {
  return map1(a, [&](std::uint8_t x) { return map1(b, [&](std::uint8_t y) { return f(x, y); }).set(); });
}

int sign_of(std::uint8_t x) {
  if (x & (Classes::kNegInf | Classes::kNeg)) return -1;
  return x & (Classes::kPos | Classes::kPosInf) ? 1 : 0;
}

std::uint8_t add_one(std::uint8_t x, std::uint8_t y) {
  if ((x | y) & Classes::kNaN) return Classes::kNaN;
  if ((x & kInfinite) && (y & kInfinite)) return x == y ? x : Classes::kNaN;
  if (x & kInfinite) return x;
  if (y & kInfinite) return y;
  if (x == Classes::kZero) return y;
  if (y == Classes::kZero) return x;
  return x == y ? x : Classes::kReal;
}

std::uint8_t multiply_one(std::uint8_t x, std::uint8_t y) {
  if ((x | y) & Classes::kNaN) return Classes::kNaN;
  const int sign = sign_of(x) * sign_of(y);
  if ((x | y) & kInfinite) {
    if (sign == 0) return Classes::kNaN;
    return sign > 0 ? Classes::kPosInf : Classes::kNegInf;
  }
  return Classes::of_sign(sign).set();
}

// -inf < negative < zero < positive < +inf are the bits in ascending order.
std::uint8_t larger_one(std::uint8_t x, std::uint8_t y) {
  if ((x | y) & Classes::kNaN) return Classes::kNaN;
  return x > y ? x : y;
}

}  // namespace

Classes sum(Classes a, Classes b) { return map2(a, b, add_one); }
Classes product(Classes a, Classes b) { return map2(a, b, multiply_one); }
Classes larger(Classes a, Classes b) { return map2(a, b, larger_one); }

Classes inverse(Classes a) {
  return map1(a, [](std::uint8_t x) -> std::uint8_t {
    if (x & kInfinite) return Classes::kZero;
    return x == Classes::kZero ? Classes::kPosInf : x;
  });
}

Classes root(Classes a) {
  return map1(a, [](std::uint8_t x) -> std::uint8_t {
    return x & (Classes::kNeg | Classes::kNegInf) ? Classes::kNaN : x;
  });
}

Classes exponential(Classes a) {
  return map1(a, [](std::uint8_t x) -> std::uint8_t {
    if (x & (Classes::kNaN | Classes::kPosInf)) return x;
    return x == Classes::kNegInf ? Classes::kZero : Classes::kPos;
  });
}

Classes logarithm(Classes a) {
  return map1(a, [](std::uint8_t x) -> std::uint8_t {
    if (x & (Classes::kNaN | Classes::kPosInf)) return x;
    if (x == Classes::kZero) return Classes::kNegInf;
    return x == Classes::kPos ? Classes::kReal : Classes::kNaN;
  });
}

Classes power(Classes base, int sign, bool fraction, bool even) {
  if (sign < 0) return inverse(power(base, 1, fraction, even));
  if (fraction) return root(base);
  return even ? map1(base, [](std::uint8_t x) { return multiply_one(x, x); }) : base;
}

Classes repeated_sum(Classes element, bool maybe_none) {
  const Classes twice = element | sum(element, element);
  const Classes more = twice | sum(twice, twice);
  return maybe_none ? more | Classes(Classes::kZero) : more;
}

Classes by_table(const ScalarInfo& info, bool finite_arguments) {
  std::uint8_t set = Classes::kReal;
  if (info.range == ScalarRange::NonNegative || info.range == ScalarRange::UnitInterval) set = Classes::kZero | Classes::kPos;
  if (info.range == ScalarRange::Positive) set = Classes::kPos;
  return finite_arguments ? Classes(set) : Classes();
}

}  // namespace gg::checker
