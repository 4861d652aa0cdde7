// Real numbers of runs: 113 and 226 bits of precision with exponents to +-2^40, so that exp(-30000) is no zero.
// Opaque here (Boost.Multiprecision lives in real113.cpp and real226.cpp only); trivially copyable by layout.
#pragma once

#include <cstdint>
#include <string>

namespace gg {

/// Both: words of the mantissa, exponent, sign (real_domain.h). All bytes zero is the number zero, the only one; equal
/// numbers have equal bytes.
struct alignas(16) Real113 {
  unsigned char bytes[32];
};
struct alignas(16) Real226 {
  unsigned char bytes[48];
};

/// Scalar access for draws, comparison and reports. All conversions round to nearest even.
template <class R>
struct RealOps {
  static R from_double(double value);
  static R from_int(std::int64_t value);
  static double to_double(const R& value);
  /// high + low is the value to 106 bits.
  static void to_pair(const R& value, double& high, double& low);
  static R from_pair(double high, double low);
  static bool is_finite(const R& value);
  static bool is_nan(const R& value);
  static int compare(const R& a, const R& b);  ///< -1, 0, 1; NaN: 2
  static R subtract(const R& a, const R& b);
  static R abs(const R& a);
  /// floor(log2 |value|); a value below every magnitude for zero.
  static std::int64_t exponent(const R& value);
  static std::string to_string(const R& value, int digits = 17);
};
extern template struct RealOps<Real113>;
extern template struct RealOps<Real226>;

inline constexpr std::int64_t kZeroExponent = INT64_MIN / 2;

}  // namespace gg
