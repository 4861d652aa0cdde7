// Of all numbers that round to a literal, the simplest. The interval of rounding has ends m +- 1/2 in units of the last place.
//
// How likely is a coincidence, a literal that was not rounded from the form that is found for it? In [1,2) there are some 14,000 fractions
// with p*q <= 2^16, each in the interval of one of 2^23 floats: two in a thousand; as many roots of them; 1/2^11 as many of f64. A decimal of five
// digits comes to ten in a thousand at most. Whatever is found is an assumption that a verdict names.
#include "models/type/closed_form.h"

#include <bit>
#include <cmath>
#include <numeric>

namespace gg {
namespace {

__extension__ typedef unsigned __int128 Whole;

struct Limits {
  int product;  ///< bits of p*q at the most
  int digits;   ///< of a decimal
};
constexpr Limits kF32{16, 5}, kF64{32, 10};

struct Fraction {
  Whole p, q;
};

/// Numbers strictly between two fractions of one denominator.
struct Interval {
  Whole low, high, q;
};

int bits(Whole x) {
  const auto high = static_cast<std::uint64_t>(x >> 64);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(x)));
}

/// a * b, unless it has more than 127 bits.
std::optional<Whole> product(Whole a, Whole b) {
  if (bits(a) + bits(b) > 127) return std::nullopt;
  return a * b;
}

bool contains(const Interval& i, const Fraction& f) {
  const auto low = product(i.low, f.q), middle = product(f.p, i.q), high = product(i.high, f.q);
  return low && middle && high && *low < *middle && *middle < *high;
}

/// The fraction with the least denominator and numerator strictly between a/b and c/d: where both have the same whole part it is that of
/// what is left, turned over. At most `most` is asked of its terms.
std::optional<Fraction> simplest(Whole a, Whole b, Whole c, Whole d, Whole most) {
  const Whole whole = a / b;
  if (whole > most) return std::nullopt;
  if ((whole + 1) * d < c) return Fraction{whole + 1, 1};
  if (c == whole * d) return std::nullopt;  // an empty interval
  a -= whole * b;
  c -= whole * d;  // 0 <= a/b < c/d <= 1
  std::optional<Fraction> rest;
  if (a == 0) rest = Fraction{d / c + 1, 1};  // the least integer beyond d/c
  else rest = simplest(d, c, b, a, most);
  if (!rest || rest->p > most || rest->q > most) return std::nullopt;
  return Fraction{whole * rest->p + rest->q, rest->p};
}

std::optional<Fraction> simple_fraction(const Interval& i, int most_bits) {
  const auto f = simplest(i.low, i.q, i.high, i.q, Whole{1} << most_bits);
  return f && f->p * f->q <= Whole{1} << most_bits ? f : std::nullopt;
}

/// A decimal of a few digits.
std::optional<Fraction> decimal(double size, const Interval& i, int most_digits) {
  for (int digits = 1; digits <= most_digits; ++digits) {
    const int places = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
    if (places < 0 || places > 17) continue;
    std::int64_t q = 1;
    for (int k = 0; k < places; ++k) q *= 10;
    const auto p = std::llround(size * static_cast<double>(q));
    if (p > 0 && contains(i, {static_cast<Whole>(p), static_cast<Whole>(q)})) return Fraction{static_cast<Whole>(p), static_cast<Whole>(q)};
  }
  return std::nullopt;
}

/// Between the squares of its ends.
std::optional<Interval> squared(const Interval& i) {
  const auto low = product(i.low, i.low), high = product(i.high, i.high), q = product(i.q, i.q);
  if (!low || !high || !q) return std::nullopt;
  return Interval{*low, *high, *q};
}

}  // namespace

std::string to_string(const ClosedForm& form) {
  const std::string ratio = std::to_string(form.p) + (form.q == 1 ? "" : "/" + std::to_string(form.q));
  return (form.negative ? "-" : "") + (form.root ? "sqrt(" + ratio + ")" : ratio);
}

double ClosedForm::value() const {
  const double ratio = static_cast<double>(p) / static_cast<double>(q);
  return (negative ? -1 : 1) * (root ? std::sqrt(ratio) : ratio);
}

std::optional<ClosedForm> closed_form(ElementType type, double value) {
  if (type != ElementType::F32 && type != ElementType::F64) return std::nullopt;
  const Limits limits = type == ElementType::F32 ? kF32 : kF64;
  const int significand = info(type).significand;
  const double size = std::abs(value);
  if (!std::isfinite(value) || value == std::floor(value)) return std::nullopt;
  int exponent = 0;
  const double fraction = std::frexp(size, &exponent);  // in [1/2,1)
  const double half = std::ldexp(fraction, significand / 2);
  // Below 2^-32 no p/q is simple but powers of ten, beyond 2^16 no literal has decimals that matter.
  if (half == std::floor(half) || exponent < -40 || exponent > 16) return std::nullopt;
  const auto m = static_cast<std::int64_t>(std::ldexp(fraction, significand));
  const int places = significand - exponent + 1;  // of the ends
  const Interval interval{static_cast<Whole>(2 * m - 1), static_cast<Whole>(2 * m + 1), Whole{1} << places};
  const auto form = [&](const std::optional<Fraction>& f, bool root) -> std::optional<ClosedForm> {
    if (!f) return std::nullopt;
    const auto p = static_cast<std::int64_t>(f->p), q = static_cast<std::int64_t>(f->q), common = std::gcd(p, q);
    return ClosedForm{value < 0, root, p / common, q / common};
  };
  if (const auto f = form(simple_fraction(interval, limits.product), false)) return f;
  if (const auto f = form(decimal(size, interval, limits.digits), false)) return f;
  const auto squares = squared(interval);
  return squares ? form(simple_fraction(*squares, limits.product), true) : std::nullopt;
}

}  // namespace gg
