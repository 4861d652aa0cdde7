// Private to real113.cpp: 113-bit numbers with sums and products on 128-bit words, several times faster than the
// general library. Finite operands and results only; whatever is special (infinity, NaN, exponents at their limit) goes
// to Boost, and so does division. Rounding is to nearest, ties to even: results are those of Boost bit for bit
// (tested).
#pragma once

#include <bit>

#include "kernels/numbers/real_number.h"

namespace gg::numbers {

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
    out = real_of<Real113>(
        {{static_cast<std::uint64_t>(x.mantissa), static_cast<std::uint64_t>(x.mantissa >> 64U)}, x.exponent, x.sign});
  }
  bool finite_nonzero() const { return exponent < kStoredZero; }
  /// Orders magnitudes of numbers other than NaN: zero below all others.
  std::int64_t rank() const { return exponent == kStoredZero ? INT64_MIN : exponent; }
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

/// A 113-bit number with the operators of Boost's, which it falls back to.
class Number113 {
 public:
  Number113() = default;
  Number113(int value) : Number113(static_cast<std::int64_t>(value)) {}  // NOLINT: like Boost's
  Number113(std::int64_t value)                                          // NOLINT
      : Number113(value < 0 ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value)) {
    if (value < 0) parts.sign = 1;
  }
  Number113(std::uint64_t value) {  // NOLINT
    if (value == 0) return;
    const int zeros = std::countl_zero(value);
    parts = {Word128{value << zeros} << 49U, 63 - zeros - kExponentShift, 0};
  }
  explicit Number113(const Fast113& value) : parts(value) {}

  Fast113 parts{0, kStoredZero, 0};

  using Boost = Boosted<Real113>;
  Boost::N boost() const {
    Real113 memory;
    Fast113::store(memory, parts);
    return Boost::load(memory);
  }
  explicit Number113(const Boost::N& value) {
    Real113 memory;
    Boost::store(memory, value);
    parts = Fast113::load(memory);
  }

  friend Number113 operator-(Number113 a) {
    if (a.parts.exponent != kStoredZero && a.parts.exponent != kStoredNaN) a.parts.sign ^= 1U;
    return a;
  }
  friend Number113 operator+(const Number113& a, const Number113& b) {
    Number113 out;
    return fast_add(a.parts, b.parts, out.parts) ? out : Number113(Boost::N(a.boost() + b.boost()));
  }
  friend Number113 operator-(const Number113& a, const Number113& b) { return a + -b; }
  friend Number113 operator*(const Number113& a, const Number113& b) {
    Number113 out;
    return fast_multiply(a.parts, b.parts, out.parts) ? out : Number113(Boost::N(a.boost() * b.boost()));
  }
  friend Number113 operator/(const Number113& a, const Number113& b) {
    return Number113(Boost::N(a.boost() / b.boost()));
  }
  Number113& operator+=(const Number113& b) { return *this = *this + b; }
  Number113& operator-=(const Number113& b) { return *this = *this - b; }
  Number113& operator*=(const Number113& b) { return *this = *this * b; }
  Number113& operator/=(const Number113& b) { return *this = *this / b; }

  bool nan() const { return parts.exponent == kStoredNaN; }
  /// -1, 0, 1 for numbers without NaN.
  int compare(const Number113& b) const {
    const int sign_a = direction(), sign_b = b.direction();
    if (sign_a != sign_b) return sign_a < sign_b ? -1 : 1;
    const std::int64_t e = parts.rank(), f = b.parts.rank();
    if (e != f) return e < f ? -sign_a : sign_a;
    if (parts.mantissa == b.parts.mantissa) return 0;
    return parts.mantissa < b.parts.mantissa ? -sign_a : sign_a;
  }
  friend bool operator==(const Number113& a, const Number113& b) { return !a.nan() && !b.nan() && a.compare(b) == 0; }
  friend bool operator<(const Number113& a, const Number113& b) { return !a.nan() && !b.nan() && a.compare(b) < 0; }
  friend bool operator<=(const Number113& a, const Number113& b) { return !a.nan() && !b.nan() && a.compare(b) <= 0; }
  friend bool operator>(const Number113& a, const Number113& b) { return b < a; }
  friend bool operator>=(const Number113& a, const Number113& b) { return b <= a; }

 private:
  int direction() const { return parts.exponent == kStoredZero ? 0 : parts.sign != 0 ? -1 : 1; }
};

/// Number113 as the parts of Real<Real113>.
struct FastParts {
  static constexpr unsigned kDigits = 113;
  static constexpr int kWords = 2;
  using N = Number113;

  static N load(const Real113& value) { return N(Fast113::load(value)); }
  static void store(Real113& out, const N& value) { Fast113::store(out, value.parts); }
  static void get_words(const N& value, std::uint64_t* words) {
    words[0] = static_cast<std::uint64_t>(value.parts.mantissa);
    words[1] = static_cast<std::uint64_t>(value.parts.mantissa >> 64U);
  }
  static bool is_zero(const N& x) { return x.parts.exponent == kStoredZero; }
  static bool is_nan(const N& x) { return x.parts.exponent == kStoredNaN; }
  static bool is_infinite(const N& x) { return x.parts.exponent == kStoredInfinity; }
  static bool is_finite(const N& x) { return x.parts.exponent <= kStoredZero; }
  static bool negative(const N& x) { return x.parts.sign != 0; }
  static std::int64_t exponent(const N& x) { return is_zero(x) ? kZeroExponent : x.parts.exponent + kExponentShift; }
  static N infinity(bool minus = false) { return N(Fast113{0, kStoredInfinity, static_cast<std::uint64_t>(minus)}); }
  static N nan() { return N(Fast113{0, kStoredNaN, 0}); }
  static N scale(N x, std::int64_t k) {
    if (!x.parts.finite_nonzero()) return x;
    x.parts.exponent += k;
    if (x.parts.exponent > kHighestStored) return infinity(negative(x));
    return x.parts.exponent < kLowestStored ? N() : x;
  }
  static N abs(N x) {
    x.parts.sign = 0;
    return x;
  }
  static N negate(const N& x) { return -x; }

  /// The integer next to x towards zero.
  static N truncate(N x) {
    const std::int64_t e = exponent(x);
    if (!x.parts.finite_nonzero() || e >= 112) return x;
    if (e < 0) return N();
    x.parts.mantissa &= ~Word128{0} << (112 - e);
    return x;
  }
  static N floor(const N& x) {
    const N whole = truncate(x);
    return negative(x) && is_finite(x) && !(whole == x) ? whole - 1 : whole;
  }
  static N ceil(const N& x) { return -floor(-x); }
};

template <>
struct PartsOf<Real113> {
  using type = FastParts;
};

}  // namespace gg::numbers
