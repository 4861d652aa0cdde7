// Private to real113.cpp and real226.cpp, the only users of Boost.Multiprecision: its number type, the one place where
// numbers are loaded and stored (cpp_bin_float is not trivially copyable), and exact manipulation of parts.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>

#include "kernels/numbers/real_layout.h"

namespace gg::numbers {

__extension__ using Word128 = unsigned __int128;

namespace mp = boost::multiprecision;

template <unsigned kDigits>
using Number =
    mp::number<mp::cpp_bin_float<kDigits, mp::digit_base_2, void, std::int64_t, -kExponentLimit, kExponentLimit>,
               mp::et_off>;

/// Boost's number of R and its parts.
template <class R>
struct Boosted {
  static constexpr unsigned kDigits = Layout<R>::kDigits;
  static constexpr int kWords = Layout<R>::kWords;
  using N = Number<kDigits>;
  using Backend = typename N::backend_type;
  static_assert(Backend::exponent_zero == kExponentShift && Backend::exponent_infinity == kExponentShift + 1 &&
                Backend::exponent_nan == kExponentShift + 2);

  static N load(const R& value) {
    const Layout<R> layout = layout_of(value);
    N out;
    set_words(out, layout.words);
    out.backend().exponent() = layout.exponent + kExponentShift;
    out.backend().sign() = layout.sign != 0;
    return out;
  }

  /// There is one zero and one NaN: both are stored without sign.
  static void store(R& out, const N& value) {
    const auto& backend = value.backend();
    Layout<R> layout{};
    layout.exponent = backend.exponent() - kExponentShift;
    if (layout.exponent < kStoredZero) get_words(value, layout.words);
    layout.sign = layout.exponent < kStoredZero || layout.exponent == kStoredInfinity ? backend.sign() : 0;
    out = real_of<R>(layout);
  }

  static void set_words(N& out, const std::uint64_t* words) {
    auto& bits = out.backend().bits();
    if constexpr (Layout<R>::kWords == 2) {
      static_assert(sizeof(*bits.limbs()) == 16, "one limb of 128 bits");
      *bits.limbs() = Word128{words[1]} << 64U | words[0];
    } else {
      static_assert(sizeof(*bits.limbs()) == 8, "limbs of 64 bits");
      bits.resize(Layout<R>::kWords, Layout<R>::kWords);
      std::copy(words, words + Layout<R>::kWords, bits.limbs());
      bits.normalize();
    }
  }

  static void get_words(const N& value, std::uint64_t* words) {
    const auto& bits = value.backend().bits();
    if constexpr (Layout<R>::kWords == 2) {
      words[0] = static_cast<std::uint64_t>(*bits.limbs());
      words[1] = static_cast<std::uint64_t>(*bits.limbs() >> 64U);
    } else {
      std::copy(bits.limbs(), bits.limbs() + bits.size(), words);
    }
  }

  static bool is_zero(const N& x) { return x.backend().exponent() == Backend::exponent_zero; }
  static bool is_nan(const N& x) { return x.backend().exponent() == Backend::exponent_nan; }
  static bool is_infinite(const N& x) { return x.backend().exponent() == Backend::exponent_infinity; }
  static bool is_finite(const N& x) { return x.backend().exponent() <= Backend::exponent_zero; }
  static bool negative(const N& x) { return x.backend().sign(); }
  /// floor(log2 |x|) of a finite number; kZeroExponent for zero.
  static std::int64_t exponent(const N& x) { return is_zero(x) ? kZeroExponent : x.backend().exponent(); }

  static N infinity(bool minus = false) {
    N x = std::numeric_limits<N>::infinity();
    x.backend().sign() = minus;
    return x;
  }
  static N nan() { return std::numeric_limits<N>::quiet_NaN(); }

  /// x * 2^k, exactly; to infinity or zero beyond the exponents.
  static N scale(N x, std::int64_t k) {
    if (!is_finite(x) || is_zero(x)) return x;
    const std::int64_t exponent = x.backend().exponent() + k;
    if (exponent > kExponentLimit) return infinity(negative(x));
    if (exponent < -kExponentLimit) return N();
    x.backend().exponent() = exponent;
    return x;
  }
  static N abs(N x) {
    x.backend().sign() = false;
    return x;
  }
  static N negate(N x) {
    x.backend().negate();
    return x;
  }

  static N floor(const N& x) { return is_finite(x) ? N(mp::floor(x)) : x; }
  static N ceil(const N& x) { return is_finite(x) ? N(mp::ceil(x)) : x; }
};

/// What follows for any number type from its parts.
template <class Parts>
struct Conversions : Parts {
  using N = typename Parts::N;
  using Parts::get_words;
  using Parts::infinity;
  using Parts::is_infinite;
  using Parts::is_nan;
  using Parts::is_zero;
  using Parts::kDigits;
  using Parts::kWords;
  using Parts::nan;
  using Parts::negative;
  using Parts::scale;
  static constexpr unsigned kTop = (kDigits - 1) % 64 + 1;  ///< bits in the highest word
  static constexpr int kLast = kWords - 1;

  /// (sum of words[i] * 2^(-64 (i+1))) * 2^scale_by, rounded; the first word is the most significant.
  static N fraction(const std::uint64_t* words, int count, std::int64_t scale_by) {
    N sum;
    for (int i = count; i-- > 0;) sum = scale(sum, -64) + scale(N(words[i]), -64);
    return scale(sum, scale_by);
  }

  /// |x| as 64 bits with the leading one set; the lowest bit is set if anything was cut off.
  static std::uint64_t top_word(const N& x) {
    std::uint64_t words[kWords] = {};
    get_words(x, words);
    std::uint64_t top = words[kLast] << (64 - kTop) | words[kLast - 1] >> kTop;
    std::uint64_t rest = words[kLast - 1] << (64 - kTop);
    for (int i = 0; i < kLast - 1; ++i) rest |= words[i];
    return top | static_cast<std::uint64_t>(rest != 0);
  }

  /// Nearest double, ties to even, subnormals rounded once.
  static double to_double(const N& x) {
    const double sign = negative(x) ? -1.0 : 1.0;
    if (is_nan(x)) return std::numeric_limits<double>::quiet_NaN();
    if (is_infinite(x)) return sign * std::numeric_limits<double>::infinity();
    if (is_zero(x)) return 0.0;
    const std::int64_t e = Parts::exponent(x);
    if (e > 1023) return sign * std::numeric_limits<double>::infinity();
    if (e < -1075) return 0.0;
    const std::uint64_t top = top_word(x);
    const int kept = e >= -1022 ? 53 : static_cast<int>(e + 1075);  // bits of the result, 0..53
    const int cut = 64 - kept;
    std::uint64_t mantissa = cut == 64 ? 0 : top >> cut;
    const std::uint64_t rest = cut == 64 ? top : top << kept;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;
    if (rest > kHalf || (rest == kHalf && (mantissa & 1U) != 0)) ++mantissa;
    return sign * std::ldexp(static_cast<double>(mantissa), static_cast<int>(e) - kept + 1) + 0.0;  // no -0
  }

  static N from_double(double value) {
    if (std::isnan(value)) return nan();
    if (std::isinf(value)) return infinity(value < 0);
    if (value == 0) return N();
    int e = 0;
    const double fraction_part = std::frexp(std::fabs(value), &e);
    const N x = scale(N(static_cast<std::uint64_t>(std::ldexp(fraction_part, 53))), e - 53);
    return value < 0 ? Parts::negate(x) : x;
  }

  static N from_integer(std::int64_t value, bool u64) {
    if (u64) return N(static_cast<std::uint64_t>(value));
    return N(value);
  }

  /// Towards zero; needs |x| < 2^64. The magnitude.
  static std::uint64_t truncated_magnitude(const N& x) {
    const std::int64_t e = Parts::exponent(x);
    if (e < 0) return 0;
    std::uint64_t words[kWords] = {};
    get_words(x, words);
    return (words[kLast] << (64 - kTop) | words[kLast - 1] >> kTop) >> (63 - e);
  }
};

/// The parts in which R computes. fast113.h has others for 113 bits.
template <class R>
struct PartsOf {
  using type = Boosted<R>;
};

/// The number type in which row kernels compute with R.
template <class R>
struct Real : Conversions<typename PartsOf<R>::type> {};

}  // namespace gg::numbers
