// Private to real113.cpp and real226.cpp: elementary functions accurate to a few units in the last place over the whole
// range of exponents. Boost's own lose bits where arguments are large (exp, sin) or results small; so arguments are
// reduced with long constants, and Taylor series run on small reduced arguments (Muller, Elementary Functions, ch. 11).
// Special values follow IEEE 754 with one zero.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "kernels/numbers/constants.h"
#include "kernels/numbers/real_number.h"
#include "models/base/check.h"

namespace gg::numbers {

template <class R>
struct Math : Real<R> {
  using Base = Real<R>;
  using N = typename Base::N;
  using Base::abs;
  using Base::exponent;
  using Base::from_double;
  using Base::infinity;
  using Base::is_finite;
  using Base::is_infinite;
  using Base::is_nan;
  using Base::is_zero;
  using Base::kDigits;
  using Base::nan;
  using Base::negate;
  using Base::negative;
  using Base::scale;
  using Base::to_double;
  static constexpr bool kLong = kDigits > 128;

  // Lengths of the series: the first omitted term is below 2^-(digits + 4) of the sum on the reduced range.
  static constexpr int kExpHalvings = kLong ? 10 : 6;
  static constexpr int kExpTerms = kLong ? 18 : 13;
  static constexpr int kLogTerms = kLong ? 46 : 24;
  static constexpr int kTrigTerms = kLong ? 28 : 17;
  static constexpr int kErfTerms = kLong ? 900 : 450;
  static constexpr double kSaturation = kDigits * 0.7;  ///< e^-x is below half a unit of 1 beyond

  struct Constants {
    N ln2_high, ln2_low;  ///< ln2_high has so few bits that its product with any exponent is exact
    N half_pi;
    N two_over_sqrt_pi;
    std::array<N, kExpTerms + 1> inverse_factorial;  ///< 1/k!
    std::array<N, kLogTerms> inverse_odd;            ///< 1/(2k+1)
    std::array<N, kTrigTerms> sine, cosine;          ///< (-1)^k/(2k+1)!, (-1)^k/(2k)!
    std::array<N, kErfTerms> erf;                    ///< 2^k/(2k+1)!!

    Constants() {
      split_ln2();
      half_pi = Base::fraction(kHalfPi, 6, 1);
      two_over_sqrt_pi = N(2) / Math::sqrt(scale(half_pi, 1));
      inverse_factorial[0] = 1;
      for (int k = 1; k <= kExpTerms; ++k) inverse_factorial[at(k)] = inverse_factorial[at(k - 1)] / k;
      for (int k = 0; k < kLogTerms; ++k) inverse_odd[at(k)] = N(1) / (2 * k + 1);
      sine[0] = cosine[0] = erf[0] = 1;
      for (int k = 1; k < kTrigTerms; ++k) {
        sine[at(k)] = sine[at(k - 1)] / (-2 * k * (2 * k + 1));
        cosine[at(k)] = cosine[at(k - 1)] / (-2 * k * (2 * k - 1));
      }
      for (int k = 1; k < kErfTerms; ++k) erf[at(k)] = erf[at(k - 1)] * 2 / (2 * k + 1);
    }

   private:
    void split_ln2() {
      constexpr unsigned kHighBits = kDigits - 48;
      std::uint64_t high[6] = {}, low[6] = {};
      for (unsigned i = 0; i < 6; ++i) {
        const unsigned bits = kHighBits > 64 * i ? std::min(64U, kHighBits - 64 * i) : 0;
        const std::uint64_t mask = bits == 0 ? 0 : ~std::uint64_t{0} << (64 - bits);
        high[i] = kLn2[i] & mask;
        low[i] = kLn2[i] & ~mask;
      }
      ln2_high = Base::fraction(high, 6, 0);
      ln2_low = Base::fraction(low, 6, 0);
    }
  };
  static constexpr std::size_t at(int k) { return static_cast<std::size_t>(k); }
  static const Constants& constants() {
    static const Constants kConstants;
    return kConstants;
  }

  /// c[0] + c[1] z + ... + c[count - 1] z^(count - 1).
  template <class Coefficients>
  static N polynomial(const Coefficients& c, int count, const N& z) {
    N sum = c[at(count - 1)];
    for (int k = count - 1; k-- > 0;) sum = sum * z + c[at(k)];
    return sum;
  }

  // --- roots

  static N sqrt(const N& x) {
    if (is_nan(x) || (negative(x) && !is_zero(x))) return nan();
    if (is_zero(x) || is_infinite(x)) return x;
    const std::int64_t half = exponent(x) >> 1;
    const N m = scale(x, -2 * half);  // [1, 4)
    N y = from_double(1.0 / std::sqrt(to_double(m)));
    for (int step = 0; step < (kLong ? 2 : 1); ++step) y += scale(y * (1 - m * y * y), -1);
    N root = m * y;
    root += scale(y * (m - root * root), -1);
    return scale(root, half);
  }

  static N rsqrt(const N& x) { return N(1) / sqrt(x); }

  static N cbrt(const N& x) {
    if (!is_finite(x) || is_zero(x)) return x;
    std::int64_t third = exponent(x) / 3;
    if (third * 3 > exponent(x)) --third;
    const N m = scale(x, -3 * third);  // magnitude in [1, 8)
    N y = from_double(std::cbrt(to_double(m)));
    for (int step = 0; step < (kLong ? 3 : 2); ++step) {
      const N square = y * y;
      y -= (square * y - m) / (3 * square);
    }
    return scale(y, third);
  }

  // --- exponentials

  /// e^r - 1 for |r| <= 0.36, to full relative precision: the series at r / 2^k, then k times p -> p (p + 2).
  static N expm1_small(const N& r) {
    const auto& c = constants().inverse_factorial;
    const N t = scale(r, -kExpHalvings);
    N p = c[at(kExpTerms)];
    for (int k = kExpTerms; k-- > 1;) p = p * t + c[at(k)];
    p *= t;
    for (int k = 0; k < kExpHalvings; ++k) p = p * (p + 2);
    return p;
  }

  static N exp(const N& x) {
    if (is_nan(x)) return x;
    if (is_zero(x)) return 1;
    if (exponent(x) > 40) return negative(x) ? N() : infinity();
    const std::int64_t n = std::llround(to_double(x) * 1.4426950408889634);
    if (n == 0) return 1 + expm1_small(x);
    const N count(n);
    const N r = (x - count * constants().ln2_high) - count * constants().ln2_low;
    return scale(1 + expm1_small(r), n);
  }

  static N expm1(const N& x) {
    if (is_nan(x) || is_zero(x)) return x;
    if (exponent(x) < -2) return expm1_small(x);  // |x| < 1/4
    return exp(x) - 1;
  }

  /// log((1 + z) / (1 - z)) = 2 z (1 + z^2/3 + z^4/5 + ...) for |z| < 0.172.
  static N twice_atanh(const N& z) { return scale(z * polynomial(constants().inverse_odd, kLogTerms, N(z * z)), 1); }

  static N log(const N& x) {
    if (is_nan(x) || (negative(x) && !is_zero(x))) return nan();
    if (is_zero(x)) return infinity(true);
    if (is_infinite(x)) return x;
    std::int64_t e = exponent(x);
    N m = scale(x, -e);
    if (m > from_double(1.4142135623730951)) {
      m = scale(m, -1);
      ++e;
    }
    const N part = twice_atanh((m - 1) / (m + 1));
    if (e == 0) return part;
    const N count(e);
    return count * constants().ln2_high + (count * constants().ln2_low + part);
  }

  static N log1p(const N& x) {
    if (is_zero(x) || is_nan(x)) return x;
    if (is_finite(x) && exponent(x) < -2) return twice_atanh(x / (x + 2));  // |x| < 1/4
    return log(1 + x);
  }

  static N logistic(const N& x) {
    if (is_nan(x)) return x;
    if (!negative(x)) return 1 / (1 + exp(negate(x)));
    const N e = exp(x);
    return e / (1 + e);
  }

  static N tanh(const N& x) {
    if (is_nan(x) || is_zero(x)) return x;
    const N one = negative(x) ? N(-1) : N(1);
    if (std::fabs(to_double(x)) > kSaturation) return one;
    if (exponent(x) < -3) {  // |x| < 1/8
      const N t = expm1_small(scale(x, 1));
      return t / (t + 2);
    }
    const N magnitude = 1 - N(2) / (exp(scale(abs(x), 1)) + 1);
    return negative(x) ? negate(magnitude) : magnitude;
  }

  /// erf(x) = 2/sqrt(pi) e^(-x^2) x (1 + 2x^2/3 + (2x^2)^2/(3*5) + ...): no cancellation.
  static N erf(const N& x) {
    if (is_nan(x) || is_zero(x)) return x;
    const double magnitude = std::fabs(to_double(x));
    if (magnitude * magnitude > kSaturation) return negative(x) ? N(-1) : N(1);
    const N square = x * x;
    const double twice = 2 * magnitude * magnitude;
    int terms = 1;
    double term = 1, sum = 1;
    for (; term > std::ldexp(sum, -static_cast<int>(kDigits) - 6); ++terms) {
      term *= twice / (2 * terms + 1);
      sum += term;
    }
    GG_CHECK(terms <= kErfTerms, "series of erf too short");
    // e^(-x^2) with x = h + l, where h has so few bits that h * h is exact.
    const std::int64_t shift = static_cast<std::int64_t>(kDigits / 2) - 1 - exponent(x);
    const N h = scale(Base::floor(scale(x, shift)), -shift);
    const N small = (x - h) * (x + h);
    const N gauss = exp(negate(h * h)) * (1 + expm1_small(negate(small)));
    return constants().two_over_sqrt_pi * gauss * x * polynomial(constants().erf, terms, square);
  }

  // --- circular functions

  struct Reduced {
    int quadrant = 0;  ///< 0..3
    N r;               ///< |r| <= pi/4 (a little more is harmless)
  };

  /// x = k * pi/2 + r with k = quadrant mod 4, for finite |x| < 2^kLargestTrigExponent: the product of the mantissa
  /// with the words of 2/pi that matter modulo 4 (Payne and Hanek, 1983), in integers, so that r has full relative
  /// precision.
  static Reduced reduce(const N& x) {
    const std::int64_t e = exponent(x);
    if (e < -1) return {0, x};
    constexpr int kMantissa = Layout<R>::kWords;
    constexpr int kWindow = (3 * static_cast<int>(kDigits) + 34) / 64 + 2;
    constexpr int kProduct = kMantissa + kWindow;
    const std::int64_t unit = e - static_cast<std::int64_t>(kDigits) + 1;  // x = mantissa * 2^unit
    const std::int64_t first = unit > 2 ? (unit - 2) / 64 : 0;
    std::uint64_t mantissa[kMantissa] = {};
    Base::get_words(x, mantissa);
    std::uint64_t product[kProduct + 1] = {};  // least significant word first
    for (int i = 0; i < kMantissa; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < kWindow; ++j) {
        const Word128 t = Word128{mantissa[i]} * kTwoOverPi[first + kWindow - 1 - j] + product[i + j] + carry;
        product[i + j] = static_cast<std::uint64_t>(t);
        carry = static_cast<std::uint64_t>(t >> 64U);
      }
      product[i + kWindow] = carry;
    }
    // x * 2/pi = product * 2^-point
    const auto point = static_cast<int>(64 * (first + kWindow) - unit);
    return from_product(product, kProduct, point, negative(x));
  }

  static Reduced from_product(std::uint64_t* product, int words, int point, bool minus) {
    const auto bit = [&](int k) { return static_cast<int>(product[k / 64] >> (k % 64) & 1U); };
    int quadrant = bit(point) + 2 * bit(point + 1);
    const bool up = bit(point - 1) != 0;  // fraction >= 1/2: one quadrant more, and the fraction's complement
    if (up) ++quadrant;
    const int top = point / 64;
    product[top] &= point % 64 == 0 ? 0 : ~std::uint64_t{0} >> (64 - point % 64);
    for (int i = top + 1; i < words; ++i) product[i] = 0;
    if (up) {
      std::uint64_t borrow = 0;  // product = 2^point - product
      for (int i = 0; i <= top; ++i) {
        const std::uint64_t minuend = i == top && point % 64 != 0 ? std::uint64_t{1} << (point % 64) : 0;
        const std::uint64_t difference = minuend - product[i] - borrow;
        borrow = static_cast<std::uint64_t>(product[i] != 0 || borrow != 0);
        product[i] = difference;
      }
      if (point % 64 == 0) product[top] = 0;
    }
    N fraction;
    int used = 0;
    for (int i = top; i >= 0 && used < Layout<R>::kWords + 2; --i) {
      if (used > 0 || product[i] != 0) ++used;
      if (product[i] != 0) fraction += scale(N(product[i]), 64 * i - point);
    }
    N r = fraction * constants().half_pi;
    if (up != minus) r = negate(r);
    if (minus) quadrant = -quadrant;
    return {quadrant & 3, r};
  }

  static N sine_series(const N& r) { return r * polynomial(constants().sine, kTrigTerms, N(r * r)); }
  static N cosine_series(const N& r) { return polynomial(constants().cosine, kTrigTerms, N(r * r)); }

  /// Beyond the stored digits of 2/pi, and at infinity, there is no value.
  static bool beyond_trig(const N& x) { return !is_finite(x) || exponent(x) >= kLargestTrigExponent; }

  /// sin(x + quarter_turns * pi/2).
  static N sine(const N& x, int quarter_turns) {
    if (is_nan(x) || beyond_trig(x)) return nan();
    if (is_zero(x)) return N(quarter_turns);
    const Reduced reduced = reduce(x);
    const int quadrant = (reduced.quadrant + quarter_turns) & 3;
    const N value = (quadrant & 1) != 0 ? cosine_series(reduced.r) : sine_series(reduced.r);
    return quadrant >= 2 ? negate(value) : value;
  }
  static N sin(const N& x) { return sine(x, 0); }
  static N cos(const N& x) { return sine(x, 1); }

  static N tan(const N& x) {
    if (is_nan(x) || beyond_trig(x)) return nan();
    if (is_zero(x)) return x;
    const Reduced reduced = reduce(x);
    const N s = sine_series(reduced.r), c = cosine_series(reduced.r);
    return (reduced.quadrant & 1) != 0 ? negate(c / s) : s / c;
  }

  /// atan(t) for |t| < 2^-20.
  static N atan_small(const N& t) {
    const N z = t * t;
    N sum;
    for (int k = kLong ? 7 : 4; k-- > 0;) {
      const N& c = constants().inverse_odd[at(k)];
      sum = (k % 2 != 0 ? negate(c) : c) + sum * z;
    }
    return t * sum;
  }

  /// Angle of the point (x, y): a double approximation, then the exact rotation by it.
  static N atan2(const N& y, const N& x) {
    if (is_nan(y) || is_nan(x)) return nan();
    if (is_zero(y)) return negative(x) ? scale(constants().half_pi, 1) : N();
    if (is_infinite(x) || is_infinite(y) || is_zero(x)) {
      const double quarter = std::round(std::atan2(unit(y), unit(x)) * 1.2732395447351628);  // in units of pi/4
      return scale(constants().half_pi, -1) * static_cast<int>(quarter);
    }
    const std::int64_t e = exponent(y) - exponent(x);
    if (e < -21 && !negative(x)) return atan_small(y / x);
    const std::int64_t shift = -std::max(exponent(x), exponent(y));
    const N sx = scale(x, shift), sy = scale(y, shift);
    const N angle = from_double(std::atan2(to_double(sy), to_double(sx)));
    const N s = sin(angle), c = cos(angle);
    return angle + atan_small((sy * c - sx * s) / (sx * c + sy * s));
  }
  /// A stand-in with the same angle: infinite coordinates rule over finite ones.
  static double unit(const N& x) {
    if (is_zero(x)) return 0.0;
    return (negative(x) ? -1.0 : 1.0) * (is_infinite(x) ? 1.0 : 1e-300);
  }

  // --- powers

  static bool is_integer(const N& x) {
    const std::int64_t e = exponent(x);
    if (is_zero(x) || e >= static_cast<std::int64_t>(kDigits) - 1) return true;
    return e >= 0 && Base::floor(x) == x;
  }
  static bool is_odd(const N& x) {
    return is_integer(x) && !is_zero(x) && exponent(x) < static_cast<std::int64_t>(kDigits) &&
           !is_integer(scale(x, -1));
  }

  /// x^n by squaring, for small n.
  static N integer_power(N x, unsigned n) {
    N result = 1;
    for (; n != 0; n >>= 1U, x *= x) {
      if ((n & 1U) != 0) result *= x;
    }
    return result;
  }

  /// x^y by IEEE's pow with one zero; `general` computes it for finite positive x and finite y.
  template <class General>
  static N power(const N& x, const N& y, const General& general) {
    if (is_zero(y) || x == 1) return 1;
    if (is_nan(x) || is_nan(y)) return nan();
    if (is_infinite(y)) {
      const N magnitude = abs(x);
      if (magnitude == 1) return 1;
      return (magnitude > 1) != negative(y) ? infinity() : N();
    }
    const bool odd = negative(x) && is_odd(y);
    if (is_zero(x)) return negative(y) ? infinity() : N();
    if (is_infinite(x)) return negative(y) ? N() : infinity(odd);
    if (negative(x) && !is_integer(y)) return nan();
    if (is_integer(y) && exponent(y) < 5) {  // |y| < 32
      const N result = integer_power(x, static_cast<unsigned>(Base::truncated_magnitude(y)));
      return negative(y) ? 1 / result : result;
    }
    const N result = general(abs(x), y);
    return odd ? negate(result) : result;
  }

  /// x - y * trunc(x / y), exactly; the sign of x. Quotients beyond 2^4096 have no meaning: NaN.
  static N remainder(const N& x, const N& y) {
    if (is_nan(x) || is_nan(y) || is_infinite(x) || is_zero(y)) return nan();
    if (is_infinite(y) || is_zero(x)) return x;
    N rest = abs(x);
    const N divisor = abs(y);
    if (exponent(x) - exponent(y) > 4096) return nan();
    while (rest >= divisor) {
      N step = scale(divisor, exponent(rest) - exponent(divisor));
      if (step > rest) step = scale(step, -1);
      rest -= step;  // exact: step <= rest < 2 step
    }
    return negative(x) ? negate(rest) : rest;
  }
};

}  // namespace gg::numbers
