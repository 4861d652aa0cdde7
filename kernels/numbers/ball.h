// Real numbers of runs: balls. A midpoint of so many 64-bit limbs with a radius that encloses the exact value; exponents
// are so wide that exp(-30000) is no zero. Computed by Arb, which is seen in ball_number.h and what includes it only.
#pragma once

#include <cstdint>
#include <string>

namespace gg {

/// Trivially copyable, with the layout of Arb's own number where it has two limbs. All bytes zero is the number zero.
template <int kLimbs>
struct alignas(16) Ball {
  std::int64_t exponent, size;  ///< as Arb's: the size of a number without limbs is zero, its exponent says which it is
  std::uint64_t limbs[kLimbs];
  std::int64_t radius_exponent;
  std::uint64_t radius;
  static constexpr int kBits = 64 * kLimbs;
};
using Ball128 = Ball<2>;
using Ball256 = Ball<4>;
using Ball512 = Ball<8>;

/// What is known of a number.
enum class Known : std::uint8_t {
  Finite,     ///< a real number in the ball
  Infinite,   ///< plus or minus infinity for certain
  NaN,        ///< not a number for certain
  NotFinite,  ///< one of the two for certain: infinity times a ball around zero
  Nothing,    ///< any of these: a decision or a division that the ball straddles
};

/// Scalar access for draws, comparison and reports.
template <class B>
struct BallOps {
  /// Exact.
  static B from_double(double value);
  static B from_int(std::int64_t value);
  /// Encloses [value - radius, value + radius].
  static B around(double value, double radius);
  /// The midpoint, rounded to nearest even; NaN where nothing is known.
  static double to_double(const B& value);
  /// At least the radius; infinite where the value is not finite.
  static double radius(const B& value);
  static Known known(const B& value);
  static bool is_finite(const B& value) { return known(value) == Known::Finite; }
  static B subtract(const B& a, const B& b);
  static B abs(const B& a);
  /// -1, 0, 1 for certain (0: both exact); 2: NaN, or the balls overlap.
  static int compare(const B& a, const B& b);
  /// Do both enclose no common number? Finite balls.
  static bool disjoint(const B& a, const B& b) { return compare(a, b) == -1 || compare(a, b) == 1; }
  /// floor(log2 |midpoint|); kZeroExponent for zero.
  static std::int64_t exponent(const B& value);
  /// The same of the radius.
  static std::int64_t radius_exponent(const B& value);
  /// The midpoint in decimal.
  static std::string to_string(const B& value, int digits = 17);
};
extern template struct BallOps<Ball128>;
extern template struct BallOps<Ball256>;
extern template struct BallOps<Ball512>;

inline constexpr std::int64_t kZeroExponent = INT64_MIN / 2;

}  // namespace gg
