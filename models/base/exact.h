// Exact rationals of any size: coefficients and literals of the provers' terms. Small ones (both parts in int64) are kept
// inline; larger ones share a big number. Boost is included in exact.cpp only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gg {

class Exact {
 public:
  Exact(std::int64_t value = 0) : num_(value) {}                         // NOLINT: integers are rationals
  static Exact ratio(std::int64_t numerator, std::int64_t denominator);  ///< denominator != 0
  /// The exact value of a finite double.
  static Exact of(double value);
  /// `-12`, `3/4`; nothing for other text, a zero denominator or more than 1,300 digits.
  static std::optional<Exact> parse(std::string_view text);

  bool is_number() const { return true; }  ///< no size is in it (prover/checker/sized/rational.h)
  bool is_zero() const { return !big_ && num_ == 0; }
  bool is_one() const { return !big_ && num_ == 1 && den_ == 1; }
  int sign() const;
  /// Of the longer one of its parts.
  std::size_t bits() const;
  /// Would it take more than 512 bits to write one of its parts?
  bool long_to_write() const { return big_ && bits() > 512; }
  bool is_integer() const;
  /// The value, if it is an integer that fits.
  std::optional<std::int64_t> integer() const;
  /// Numerator and denominator, if they are kept inline.
  std::optional<std::pair<std::int64_t, std::int64_t>> parts() const {
    return big_ ? std::nullopt : std::optional(std::pair(num_, den_));
  }
  double nearest_double() const;
  /// The double of exactly this value, if there is one.
  std::optional<double> exact_double() const;
  Exact inverse() const;                     ///< of a nonzero value
  Exact power(std::int64_t exponent) const;  ///< |exponent| <= 2048; nonzero if negative
  std::int64_t floor() const;                ///< saturates at +-2^62
  std::optional<Exact> square_root() const;  ///< exact root of a square, else nothing
  std::string print() const;
  std::size_t hash() const;

  friend Exact operator+(const Exact& a, const Exact& b);
  friend Exact operator*(const Exact& a, const Exact& b);
  friend Exact operator-(const Exact& a) { return a * Exact(-1); }
  friend Exact operator-(const Exact& a, const Exact& b) { return a + -b; }
  friend bool operator==(const Exact& a, const Exact& b);
  friend bool operator<(const Exact& a, const Exact& b);

 private:
  struct Big;
  struct Access;
  std::int64_t num_ = 0, den_ = 1;  // lowest terms, den_ > 0; unused if big_
  std::shared_ptr<const Big> big_;  // only where the value does not fit
};

}  // namespace gg
