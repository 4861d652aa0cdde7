// Rationals that hang on sizes: a quotient of polynomials, with its value in the text. The same interface as Exact.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "prover/checker/sized/size.h"

namespace gg::checker {

class Rational {
 public:
  Rational(std::int64_t value = 0) : value_(value) {}  // NOLINT: integers are rationals
  Rational(const Size& n);                             // NOLINT
  Rational(Exact value) : value_(std::move(value)) {}  // NOLINT
  static Rational ratio(std::int64_t numerator, std::int64_t denominator) { return Exact::ratio(numerator, denominator); }
  static Rational of(double value) { return Exact::of(value); }
  static std::optional<Rational> parse(std::string_view text);

  bool is_number() const { return numerator_ == 0; }  ///< no size is in it
  bool is_zero() const;
  bool is_one() const { return is_number() && value_.is_one(); }
  int sign() const;
  bool long_to_write() const { return value_.long_to_write(); }
  std::optional<Size> integer() const;
  std::optional<std::pair<std::int64_t, std::int64_t>> parts() const { return is_number() ? value_.parts() : std::nullopt; }
  std::optional<double> exact_double() const;
  Rational inverse() const;
  Rational power(std::int64_t exponent) const;
  std::int64_t floor() const;
  std::optional<Rational> square_root() const;
  std::string print() const;
  std::size_t hash() const { return value_.hash(); }

  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a) { return a * Rational(-1); }
  friend Rational operator-(const Rational& a, const Rational& b) { return a + -b; }
  friend bool operator==(const Rational& a, const Rational& b);
  friend bool operator<(const Rational& a, const Rational& b) { return (a - b).sign() < 0; }

 private:
  static Rational quotient(Polynomials::Sum numerator, Polynomials::Sum denominator);
  Polynomials::Sum numerator() const;
  Polynomials::Sum denominator() const;
  Exact value_;
  PolyId numerator_ = 0, denominator_ = 0;  ///< 0: the value, or 1
};

}  // namespace gg::checker
