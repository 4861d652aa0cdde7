// Private to kernels/numbers: how a real number lies in memory, free of Boost. The value of a finite number is
// (-1)^sign * 0x1.f... * 2^e with `bits` significant bits, the leading one set, in words (least significant first).
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/numbers/real.h"

namespace gg::numbers {

/// Exponents of finite numbers lie in [-kExponentLimit, kExponentLimit].
inline constexpr std::int64_t kExponentLimit = std::int64_t{1} << 40;

/// Stored exponents are shifted so that zero (the number) is all zero bytes.
inline constexpr std::int64_t kStoredZero = 0;
inline constexpr std::int64_t kStoredInfinity = 1;
inline constexpr std::int64_t kStoredNaN = 2;
inline constexpr std::int64_t kExponentShift = kExponentLimit + 1;  ///< stored = exponent - shift

template <class R>
struct Layout;
template <>
struct Layout<Real113> {
  static constexpr unsigned kDigits = 113;
  static constexpr int kWords = 2;
  std::uint64_t words[kWords];
  std::int64_t exponent;  ///< shifted
  std::uint64_t sign;
};
template <>
struct Layout<Real226> {
  static constexpr unsigned kDigits = 226;
  static constexpr int kWords = 4;
  std::uint64_t words[kWords];
  std::int64_t exponent;
  std::uint64_t sign;
};
static_assert(sizeof(Layout<Real113>) == sizeof(Real113) && sizeof(Layout<Real226>) == sizeof(Real226));

template <class R>
Layout<R> layout_of(const R& value) {
  Layout<R> layout;
  std::memcpy(&layout, value.bytes, sizeof layout);
  return layout;
}
template <class R>
R real_of(const Layout<R>& layout) {
  R value;
  std::memcpy(value.bytes, &layout, sizeof layout);
  return value;
}

/// x^y for 113-bit numbers, computed with 226 bits: y log x loses as many bits as its exponent has.
Real113 power_with_226(const Real113& x, const Real113& y);

}  // namespace gg::numbers
