// Private to real113.cpp: sums and products of 113-bit numbers on their words in memory, several times faster than the
// general library. Finite operands and results only; whatever is special (zero, infinity, NaN, exponents at their limit)
// says so and goes to Boost. Rounding is to nearest, ties to even: results are those of Boost bit for bit (tested).
#pragma once

#include <bit>

#include "kernels/numbers/real_layout.h"

namespace gg::numbers {

__extension__ using Word128 = unsigned __int128;

/// A number in registers.
struct Fast113 {
  Word128 mantissa;       ///< 113 bits, the leading one at bit 112; 0 for special numbers
  std::int64_t exponent;  ///< as stored (shifted)
  std::uint64_t sign;

  static Fast113 load(const Real113& value) {
    const Layout<Real113> layout = layout_of(value);
    return {Word128{layout.words[1]} << 64U | layout.words[0], layout.exponent, layout.sign};
  }
  static void store(Real113& out, const Fast113& x) {
    out = real_of<Real113>({{static_cast<std::uint64_t>(x.mantissa), static_cast<std::uint64_t>(x.mantissa >> 64U)},
                            x.exponent,
                            x.sign});
  }
  bool finite_nonzero() const { return exponent < kStoredZero; }
};

inline constexpr std::int64_t kLowestStored = -kExponentLimit - kExponentShift;
inline constexpr std::int64_t kHighestStored = kExponentLimit - kExponentShift;

inline int leading_zeros(Word128 x) {
  const auto high = static_cast<std::uint64_t>(x >> 64U);
  return high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(static_cast<std::uint64_t>(x));
}

/// x >> by, with the lowest bit set if a one was cut off.
inline Word128 shift_right_sticky(Word128 x, std::int64_t by) {
  if (by >= 128) return static_cast<Word128>(x != 0);
  const Word128 shifted = x >> by;
  return shifted | static_cast<Word128>((shifted << by) != x);
}

/// Rounds `mantissa`, a number whose leading one is at bit 126 and whose lowest bit is sticky. False: special result.
inline bool round_113(Word128 mantissa, std::int64_t exponent, std::uint64_t sign, Fast113& out) {
  constexpr unsigned kExtra = 14;
  constexpr Word128 kHalf = Word128{1} << (kExtra - 1);
  const Word128 rest = mantissa & ((Word128{1} << kExtra) - 1);
  mantissa >>= kExtra;
  if (rest > kHalf || (rest == kHalf && (mantissa & 1U) != 0)) {
    ++mantissa;
    if (mantissa >> 113U != 0) {
      mantissa >>= 1U;
      ++exponent;
    }
  }
  out = {mantissa, exponent, sign};
  return exponent >= kLowestStored && exponent <= kHighestStored;
}

/// out = a + b; false if it must be computed by the general library.
inline bool fast_add(const Fast113& a, const Fast113& b, Fast113& out) {
  if (!a.finite_nonzero() || !b.finite_nonzero()) {
    // x + 0 = x for every x; both zero included.
    if (b.exponent == kStoredZero) {
      out = a;
      return true;
    }
    if (a.exponent == kStoredZero) {
      out = b;
      return true;
    }
    return false;
  }
  const bool swap = a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa);
  const Fast113& large = swap ? b : a;
  const Fast113& small = swap ? a : b;
  const Word128 x = large.mantissa << 14U;
  const Word128 y = shift_right_sticky(small.mantissa << 14U, large.exponent - small.exponent);
  std::int64_t exponent = large.exponent;
  if (large.sign == small.sign) {
    Word128 sum = x + y;
    if (sum >> 127U != 0) {
      sum = sum >> 1U | (sum & 1U);
      ++exponent;
    }
    return round_113(sum, exponent, large.sign, out);
  }
  const Word128 difference = x - y;
  if (difference == 0) {
    out = {0, kStoredZero, 0};
    return true;
  }
  const int shift = leading_zeros(difference) - 1;
  return round_113(difference << shift, exponent - shift, large.sign, out);
}

/// out = a * b; false if it must be computed by the general library.
inline bool fast_multiply(const Fast113& a, const Fast113& b, Fast113& out) {
  if (!a.finite_nonzero() || !b.finite_nonzero()) return false;
  const auto a0 = static_cast<std::uint64_t>(a.mantissa), a1 = static_cast<std::uint64_t>(a.mantissa >> 64U);
  const auto b0 = static_cast<std::uint64_t>(b.mantissa), b1 = static_cast<std::uint64_t>(b.mantissa >> 64U);
  const Word128 low = Word128{a0} * b0;
  const Word128 cross0 = Word128{a0} * b1, cross1 = Word128{a1} * b0;
  const Word128 middle = (low >> 64U) + static_cast<std::uint64_t>(cross0) + static_cast<std::uint64_t>(cross1);
  const Word128 high = Word128{a1} * b1 + (cross0 >> 64U) + (cross1 >> 64U) + (middle >> 64U);
  const bool rest = static_cast<std::uint64_t>(low) != 0;
  // The product has 225 or 226 bits; its upper 128 of 256 are `high`, the leading one at bit 96 or 97 of it.
  const auto under = static_cast<std::uint64_t>(middle);
  std::int64_t exponent = a.exponent + b.exponent + kExponentShift;
  unsigned shift = 30;
  if (high >> 97U != 0) {
    shift = 29;
    ++exponent;
  }
  const Word128 mantissa = high << shift | under >> (64 - shift);
  const bool sticky = rest || under << shift != 0;
  return round_113(mantissa | static_cast<Word128>(sticky), exponent, a.sign ^ b.sign, out);
}

}  // namespace gg::numbers
