// Integers that are polynomials in the sizes of a family of texts, with their values in one of these texts. Arithmetic keeps both; a
// comparison is decided by the values and notes what it rests on.
#pragma once

#include <cstdint>
#include <string>

#include "prover/checker/sized/polynomial.h"

namespace gg::checker {

__extension__ typedef __int128 Whole;

class Size {
 public:
  Size(std::int64_t value = 0) : value_(value) {}  // NOLINT: numbers are sizes
  /// The polynomial; a number where it is constant.
  static Size of(Polynomials::Sum sum);
  Polynomials::Sum sum() const;
  PolyId id() const { return id_; }
  Whole value() const { return value_; }
  bool is_number() const { return id_ == 0; }
  explicit operator std::int64_t() const;
  explicit operator std::size_t() const { return static_cast<std::size_t>(static_cast<std::int64_t>(*this)); }

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);
  /// Rounded to zero; of sizes: exact, or of a quotient that is known to be one less than an exact one, or between 0 and 1.
  friend Size operator/(const Size& a, const Size& b);
  friend Size operator%(const Size& a, const Size& b) { return a - a / b * b; }
  Size operator-() const { return Size(0) - *this; }
  Size& operator+=(const Size& b) { return *this = *this + b; }
  Size& operator-=(const Size& b) { return *this = *this - b; }
  Size& operator*=(const Size& b) { return *this = *this * b; }
  Size& operator/=(const Size& b) { return *this = *this / b; }
  Size& operator++() { return *this += 1; }
  Size& operator--() { return *this -= 1; }
  friend bool operator<(const Size& a, const Size& b);
  friend bool operator>(const Size& a, const Size& b) { return b < a; }
  friend bool operator<=(const Size& a, const Size& b) { return !(b < a); }
  friend bool operator>=(const Size& a, const Size& b) { return !(a < b); }
  friend bool operator==(const Size& a, const Size& b);

 private:
  Whole value_ = 0;
  PolyId id_ = 0;
};

using Wide = Size;

std::int64_t at_text(const Size& n);
inline bool same(const Size& a, const Size& b) { return a.value() == b.value() && a.id() == b.id(); }
bool divides(const Size& m, const Size& n);
bool never_divides(const Size& m, const Size& n);
Size common(const Size& a, const Size& b);
Size magnitude(const Size& n);
inline bool small(const Size& n, std::int64_t most) { return n.is_number() && n.value() <= most; }
/// A number of the programs or the relation as what it is in the family. Throws Limit where nothing explains it.
Size sized(std::int64_t n);
/// A number of a certificate as what it may be.
Size sized_text(std::int64_t n);
inline std::uint64_t bits(const Size& n) { return static_cast<std::uint64_t>(n.value()); }
std::string text(const Size& n);
inline bool product_fits(const Size& a, const Size& b, Size* product) { return *product = a * b, true; }
inline bool sum_fits(const Size& a, const Size& b, Size* sum) { return *sum = a + b, true; }
inline bool within(const Size& n, std::int64_t far) { return n.value() <= far && n.value() >= -far; }

}  // namespace gg::checker
