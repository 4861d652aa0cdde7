// Private to real113.cpp and real226.cpp: real numbers as a domain of row kernels, with their ties, and as RealOps.
#pragma once

#include <string>

#include "kernels/numbers/real_math.h"
#include "kernels/numbers/row_loops.h"

namespace gg::numbers {

/// Operands closer than this many bits, yet unequal, are a tie (architecture.md, section 6).
inline constexpr std::int64_t kTieBits = 80;

template <class R>
struct RealDomain {
  using M = Math<R>;
  using N = typename M::N;
  using Stored = R;
  using Value = N;
  static constexpr bool kFast = false;

  explicit RealDomain(const RowContext& context) : ties(context.ties) {}
  std::int64_t* ties;

  static N load(const R& value) { return M::load(value); }
  static void store(R& out, const N& value) { M::store(out, value); }
  static const N& settle(const N& value) { return value; }

  // --- ties
  void tie_if(bool condition) const { *ties += condition ? 1 : 0; }
  /// Is |d| noise beside numbers of exponent e?
  static bool noise(const N& d, std::int64_t e) { return !M::is_zero(d) && M::exponent(d) < e - kTieBits; }
  /// Unequal, but by no more than noise. Beside zero, whatever is below 2^-80 is noise.
  static bool close(const N& a, const N& b) {
    if (!M::is_finite(a) || !M::is_finite(b)) return false;
    if (M::is_zero(a)) return noise(b, 0);
    if (M::is_zero(b)) return noise(a, 0);
    const std::int64_t e = std::max(M::exponent(a), M::exponent(b));
    return e - std::min(M::exponent(a), M::exponent(b)) <= 1 && noise(a - b, e);
  }
  /// Is x unequal to an integer by noise only?
  static bool close_to_integer(const N& x) {
    if (!M::is_finite(x) || M::is_zero(x)) return false;
    const std::int64_t e = M::exponent(x);
    if (e >= static_cast<std::int64_t>(M::kDigits)) return false;
    return noise(x - M::floor(x + M::scale(N(1), -1)), std::max<std::int64_t>(e, 0));
  }

  // --- arithmetic
  N operator()(Fn<ScalarFn::Add>, const N& a, const N& b) const { return a + b; }
  N operator()(Fn<ScalarFn::Subtract>, const N& a, const N& b) const { return a - b; }
  N operator()(Fn<ScalarFn::Multiply>, const N& a, const N& b) const { return a * b; }
  N operator()(Fn<ScalarFn::Divide>, const N& a, const N& b) const {
    // IEEE's division by the one zero, which counts as positive.
    if (M::is_zero(b) && !M::is_nan(a)) return M::is_zero(a) ? M::nan() : M::infinity(M::negative(a));
    return a / b;
  }
  N operator()(Fn<ScalarFn::Remainder>, const N& a, const N& b) const {
    const N rest = M::remainder(a, b);
    if (M::is_finite(a) && M::is_finite(b) && !M::is_zero(b) && !M::is_zero(rest)) {
      // A jump lies where the quotient is an integer: rest near zero or near the divisor.
      const std::int64_t e = M::exponent(a);
      tie_if(M::is_nan(rest) || noise(rest, e) || noise(M::abs(b) - M::abs(rest), e));
    }
    return rest;
  }
  N operator()(Fn<ScalarFn::Power>, const N& a, const N& b) const {
    return M::power(a, b, [](const N& x, const N& y) { return general_power(x, y); });
  }
  static N general_power(const N& x, const N& y) {
    if constexpr (M::kLong) {
      return M::exp(y * M::log(x));
    } else {
      R p, q;
      store(p, x);
      store(q, y);
      return load(power_with_226(p, q));
    }
  }
  N operator()(Fn<ScalarFn::Negate>, const N& a) const { return M::negate(a); }
  N operator()(Fn<ScalarFn::Abs>, const N& a) const { return M::abs(a); }
  N operator()(Fn<ScalarFn::Sign>, const N& a) const {
    if (M::is_nan(a) || M::is_zero(a)) return a;
    tie_if(close(a, N()));
    return M::negative(a) ? N(-1) : N(1);
  }

  // --- integers nearby
  N operator()(Fn<ScalarFn::Floor>, const N& a) const {
    tie_if(close_to_integer(a));
    return M::floor(a);
  }
  N operator()(Fn<ScalarFn::Ceil>, const N& a) const {
    tie_if(close_to_integer(a));
    return M::ceil(a);
  }
  N operator()(Fn<ScalarFn::RoundAfz>, const N& a) const {
    return round(a, [](const N& low, const N&) { return !M::negative(low); });
  }
  N operator()(Fn<ScalarFn::RoundEven>, const N& a) const {
    return round(a, [](const N& low, const N&) { return M::is_odd(low); });
  }
  /// Nearest integer; half way between `low` and its successor, `up` decides.
  template <class Up>
  N round(const N& a, const Up& up) const {
    if (!M::is_finite(a) || M::exponent(a) >= static_cast<std::int64_t>(M::kDigits) - 1) return a;
    const N half = M::scale(N(1), -1);
    tie_if(close_to_integer(a + half));
    const N low = M::floor(a);
    const N part = a - low;
    if (part == half) return up(low, a) ? N(low + 1) : low;
    return part > half ? N(low + 1) : low;
  }

  // --- elementary functions
  N operator()(Fn<ScalarFn::Sqrt>, const N& a) const { return M::sqrt(a); }
  N operator()(Fn<ScalarFn::Rsqrt>, const N& a) const { return M::is_zero(a) ? M::infinity() : N(M::rsqrt(a)); }
  N operator()(Fn<ScalarFn::Cbrt>, const N& a) const { return M::cbrt(a); }
  N operator()(Fn<ScalarFn::Exp>, const N& a) const { return M::exp(a); }
  N operator()(Fn<ScalarFn::Expm1>, const N& a) const { return M::expm1(a); }
  N operator()(Fn<ScalarFn::Log>, const N& a) const { return M::log(a); }
  N operator()(Fn<ScalarFn::Log1p>, const N& a) const { return M::log1p(a); }
  N operator()(Fn<ScalarFn::Logistic>, const N& a) const { return M::logistic(a); }
  N operator()(Fn<ScalarFn::Tanh>, const N& a) const { return M::tanh(a); }
  N operator()(Fn<ScalarFn::Erf>, const N& a) const { return M::erf(a); }
  N operator()(Fn<ScalarFn::Sin>, const N& a) const { return circular(a, M::sin); }
  N operator()(Fn<ScalarFn::Cos>, const N& a) const { return circular(a, M::cos); }
  N operator()(Fn<ScalarFn::Tan>, const N& a) const { return circular(a, M::tan); }
  /// Noise of an argument this large is a whole period.
  N circular(const N& a, N (*function)(const N&)) const {
    tie_if(M::is_finite(a) && !M::is_zero(a) && M::exponent(a) >= kTieBits);
    return function(a);
  }
  N operator()(Fn<ScalarFn::Atan2>, const N& a, const N& b) const { return M::atan2(a, b); }

  // --- order
  /// NaN in either argument wins.
  N operator()(Fn<ScalarFn::Max>, const N& a, const N& b) const { return M::is_nan(a) || a >= b ? a : b; }
  N operator()(Fn<ScalarFn::Min>, const N& a, const N& b) const { return M::is_nan(a) || a <= b ? a : b; }
  N operator()(Fn<ScalarFn::Clamp>, const N& low, const N& a, const N& high) const {
    return (*this)(Fn<ScalarFn::Min>{}, (*this)(Fn<ScalarFn::Max>{}, low, a), high);
  }
  bool compared(const N& a, const N& b, bool result) const {
    tie_if(close(a, b));
    return result;
  }
  bool operator()(Fn<ScalarFn::CompareEq>, const N& a, const N& b) const { return compared(a, b, a == b); }
  bool operator()(Fn<ScalarFn::CompareNe>, const N& a, const N& b) const { return compared(a, b, !(a == b)); }
  bool operator()(Fn<ScalarFn::CompareLt>, const N& a, const N& b) const { return compared(a, b, a < b); }
  bool operator()(Fn<ScalarFn::CompareLe>, const N& a, const N& b) const { return compared(a, b, a <= b); }
  bool operator()(Fn<ScalarFn::CompareGt>, const N& a, const N& b) const { return compared(a, b, a > b); }
  bool operator()(Fn<ScalarFn::CompareGe>, const N& a, const N& b) const { return compared(a, b, a >= b); }
  bool operator()(Fn<ScalarFn::IsFinite>, const N& a) const { return M::is_finite(a); }

  // --- conversions
  static N from_integer(std::int64_t value, bool u64) { return M::from_integer(value, u64); }
  /// Truncates; NaN gives 0; out of range gives the nearest end of the range. To pred: different from zero.
  std::int64_t to_integer(const N& a, ElementType target) const {
    if (target == ElementType::Pred) {
      tie_if(close(a, N()));
      return M::is_zero(a) ? 0 : 1;
    }
    if (M::is_nan(a) || M::is_zero(a)) return 0;
    if (M::is_finite(a) && M::exponent(a) >= -1) tie_if(close_to_integer(a));
    const auto [low, high] = range_of(target);
    const bool u64 = target == ElementType::U64;
    const bool large = M::is_infinite(a) || M::exponent(a) >= (u64 ? 64 : 63);
    if (large) return M::negative(a) ? low : high;
    const std::uint64_t magnitude = M::truncated_magnitude(a);
    if (u64) return M::negative(a) ? 0 : static_cast<std::int64_t>(magnitude);
    const auto value = static_cast<std::int64_t>(magnitude);
    return std::clamp(M::negative(a) ? -value : value, low, high);
  }

  // --- functions of integers only
  template <ScalarFn F>
  static constexpr bool kBits = F == ScalarFn::And || F == ScalarFn::Or || F == ScalarFn::Xor ||
                                F == ScalarFn::ShiftLeft || F == ScalarFn::ShiftRightA || F == ScalarFn::ShiftRightL;
  template <ScalarFn F>
  requires kBits<F> N operator()(Fn<F>, const N&, const N&) const { refuse(F, "reals"); }
  N operator()(Fn<ScalarFn::Not>, const N&) const { refuse(ScalarFn::Not, "reals"); }
};

/// x = m * 10^e with 1 <= |m| < 10, as decimal digits rounded to nearest; independent of the size of the exponent.
template <class R>
std::string decimal(const typename Math<R>::N& value, int digits) {
  using M = Math<R>;
  using N = typename M::N;
  if (M::is_nan(value)) return "nan";
  const std::string sign = M::negative(value) ? "-" : "";
  if (M::is_infinite(value)) return sign + "inf";
  if (M::is_zero(value)) return "0";
  const auto power_of_ten = [](std::int64_t e) {
    N result = 1, base = 10;
    for (auto n = static_cast<std::uint64_t>(e < 0 ? -e : e); n != 0; n >>= 1U, base *= base) {
      if ((n & 1U) != 0) result *= base;
    }
    return result;
  };
  const N magnitude = M::abs(value);
  auto e =
      static_cast<std::int64_t>(std::floor(static_cast<long double>(M::exponent(value)) * 0.30102999566398119521L));
  const auto scaled = [&](std::int64_t by) {
    return by >= 0 ? N(magnitude / power_of_ten(by)) : N(magnitude * power_of_ten(by));
  };
  N m = scaled(e);
  for (; m >= 10; m = scaled(e)) ++e;
  for (; m < 1; m = scaled(e)) --e;
  m += N(5) / power_of_ten(digits);
  if (m >= 10) {
    m /= 10;
    ++e;
  }
  std::string text;
  for (int k = 0; k < digits; ++k) {
    const std::uint64_t digit = M::truncated_magnitude(m);
    text += static_cast<char>('0' + digit);
    m = (m - N(digit)) * 10;
  }
  text.erase(std::max<std::size_t>(text.find_last_not_of('0') + 1, 1));
  const auto count = static_cast<std::int64_t>(text.size());
  if (e >= -5 && e < 0) return sign + "0." + std::string(static_cast<std::size_t>(-e - 1), '0') + text;
  if (e >= 0 && e < digits) {
    if (count <= e + 1) return sign + text + std::string(static_cast<std::size_t>(e + 1 - count), '0');
    return sign + text.substr(0, static_cast<std::size_t>(e + 1)) + "." + text.substr(static_cast<std::size_t>(e + 1));
  }
  if (count > 1) text.insert(1, ".");
  return sign + text + (e < 0 ? "e-" : "e+") + std::to_string(e < 0 ? -e : e);
}

}  // namespace gg::numbers

namespace gg {

template <class R>
using RealMath = numbers::Math<R>;

template <class R>
R stored(const typename RealMath<R>::N& value) {
  R out;
  numbers::Real<R>::store(out, value);
  return out;
}

template <class R>
R RealOps<R>::from_double(double value) {
  return stored<R>(RealMath<R>::from_double(value));
}
template <class R>
R RealOps<R>::from_int(std::int64_t value) {
  return stored<R>(RealMath<R>::from_integer(value, false));
}
template <class R>
double RealOps<R>::to_double(const R& value) {
  return RealMath<R>::to_double(RealMath<R>::load(value));
}
template <class R>
void RealOps<R>::to_pair(const R& value, double& high, double& low) {
  using M = RealMath<R>;
  const auto x = M::load(value);
  high = M::to_double(x);
  low = std::isfinite(high) ? M::to_double(x - M::from_double(high)) : 0.0;
}
template <class R>
R RealOps<R>::from_pair(double high, double low) {
  using M = RealMath<R>;
  if (!std::isfinite(high)) return from_double(high);
  return stored<R>(M::from_double(high) + M::from_double(low));
}
template <class R>
bool RealOps<R>::is_finite(const R& value) {
  return numbers::layout_of(value).exponent <= numbers::kStoredZero;
}
template <class R>
bool RealOps<R>::is_nan(const R& value) {
  return numbers::layout_of(value).exponent == numbers::kStoredNaN;
}
template <class R>
int RealOps<R>::compare(const R& a, const R& b) {
  if (is_nan(a) || is_nan(b)) return 2;
  const int order = RealMath<R>::load(a).compare(RealMath<R>::load(b));
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}
template <class R>
R RealOps<R>::subtract(const R& a, const R& b) {
  return stored<R>(RealMath<R>::load(a) - RealMath<R>::load(b));
}
template <class R>
R RealOps<R>::abs(const R& a) {
  auto layout = numbers::layout_of(a);
  layout.sign = 0;
  return numbers::real_of<R>(layout);
}
template <class R>
std::int64_t RealOps<R>::exponent(const R& value) {
  return RealMath<R>::exponent(RealMath<R>::load(value));
}
template <class R>
std::string RealOps<R>::to_string(const R& value, int digits) {
  return numbers::decimal<R>(RealMath<R>::load(value), digits);
}

}  // namespace gg
