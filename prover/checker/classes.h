// What a value can be: a set of the six classes -inf, negative, zero, positive, +inf, NaN. The premises of the normal
// form ("finite", "positive", ...) are questions about these sets; docs/certificate.md, section 5.
#pragma once

#include <bit>
#include <cstdint>

#include "models/body/scalar.h"

namespace gg::checker {

class Classes {
 public:
  static constexpr std::uint8_t kNegInf = 1, kNeg = 2, kZero = 4, kPos = 8, kPosInf = 16, kNaN = 32;
  static constexpr std::uint8_t kReal = kNeg | kZero | kPos, kEverything = 63;

  constexpr Classes() = default;
  constexpr explicit Classes(std::uint8_t set) : set_(set) {}
  static Classes of_sign(int sign) { return Classes(sign < 0 ? kNeg : sign > 0 ? kPos
                                                                               : kZero); }

  std::uint8_t set() const { return set_; }
  bool within(std::uint8_t set) const { return (set_ & ~set) == 0; }
  bool finite() const { return within(kReal); }
  bool finite_or_nan() const { return within(kReal | kNaN); }
  bool nonzero() const { return within(kEverything & ~kZero); }
  bool positive() const { return within(kPos | kPosInf | kNaN); }
  bool nonnegative() const { return within(kZero | kPos | kPosInf | kNaN); }
  std::uint8_t lowest() const { return static_cast<std::uint8_t>(set_ & -set_); }  ///< the least of its classes, in their order
  std::uint8_t highest() const { return std::bit_floor(set_); }
  bool no_nan() const { return within(kEverything & ~kNaN); }
  Classes operator|(Classes other) const { return Classes(set_ | other.set_); }
  friend bool operator==(Classes, Classes) = default;

 private:
  std::uint8_t set_ = kEverything;
};

Classes sum(Classes a, Classes b);
Classes product(Classes a, Classes b);
Classes inverse(Classes a);  ///< 1 / x, with 1/0 = +inf
Classes root(Classes a);     ///< a fractional positive power
Classes exponential(Classes a);
Classes logarithm(Classes a);
Classes larger(Classes a, Classes b);  ///< maximum, NaN wins
/// base ^ exponent, an integer or (`fraction`) not
Classes power(Classes base, int sign, bool fraction, bool even);
/// Sum of at least one element; with `maybe_none` also of none.
Classes repeated_sum(Classes element, bool maybe_none);
/// Any other function of the scalar table, by its range there: finite arguments give a finite value of that range.
Classes by_table(const ScalarInfo& info, bool finite_arguments);

}  // namespace gg::checker
