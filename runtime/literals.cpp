// Rational readings of literals (runtime/literals.h): the simplest fraction in an interval by continued fractions over
// exact 128-bit integers.
#include "runtime/literals.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <type_traits>

#include "kernels/numbers/rows.h"
#include "models/base/check.h"

namespace gg {
namespace {

__extension__ using Int128 = __int128;

struct Fraction {
  Int128 p, q;
};

// Simplest fraction in [low, high], 0 < low <= high: the integer part while both share it, then the reciprocal interval.
bool simplest_between(Fraction low, Fraction high, Fraction& result) {
  Int128 p0 = 0, q0 = 1, p1 = 1, q1 = 0;  // convergents
  constexpr Int128 kLimit = std::numeric_limits<std::int64_t>::max();
  for (int step = 0; step < 200; ++step) {
    const Int128 whole = low.p / low.q;
    const bool ends = low.p % low.q == 0;
    const bool inside = !ends && (whole + 1) * high.q <= high.p;
    const Int128 a = ends ? whole : inside ? whole + 1 : whole;
    if (a > kLimit) return false;
    const Int128 p = a * p1 + p0, q = a * q1 + q0;
    if (p > kLimit || q > kLimit) return false;
    if (ends || inside) {
      result = {p, q};
      return true;
    }
    p0 = p1, q0 = q1, p1 = p, q1 = q;
    const Fraction next_low{high.q, high.p - whole * high.q};
    high = {low.q, low.p - whole * low.q};
    low = next_low;
  }
  return false;
}

template <class R>
void store(R* out, double value, ElementType type, Storage storage) {
  Rational rational;
  if (!simplest_rational(value, type, rational)) {
    *out = RealOps<R>::from_double(value);
    return;
  }
  const R p = RealOps<R>::from_int(rational.numerator), q = RealOps<R>::from_int(rational.denominator);
  const Row args[] = {{&p, 0}, {&q, 0}};
  const Storage storages[] = {storage, storage};
  const ElementType types[] = {ElementType::F64, ElementType::F64};
  const NumberMode mode = storage == Storage::Real113 ? NumberMode::Real : NumberMode::Real226;
  TieCounter ties;
  row_apply(ScalarFn::Divide, {ElementType::F64, mode}, storage, out, args, storages, types, 1, ties);
}

template <>
void store(double* out, double value, ElementType type, Storage) {
  Rational rational;
  *out = simplest_rational(value, type, rational)
             ? static_cast<double>(rational.numerator) / static_cast<double>(rational.denominator)
             : value;
}

double as_double(double value) { return value; }
template <class R>
double as_double(const R& value) {
  return RealOps<R>::to_double(value);
}
template <class R>
R from_double(double value) {
  if constexpr (std::is_same_v<R, double>) {
    return value;
  } else {
    return RealOps<R>::from_double(value);
  }
}

template <class R>
Buffer constant_of(const ConstantArray& array, std::int64_t ranks, Storage storage) {
  const auto count = static_cast<std::int64_t>(array.values.size());
  Buffer out(storage, count * ranks);
  const auto data = out.as<R>();
  std::map<double, R> known;  // NaN never enters: it has no rational
  for (std::size_t k = 0; k < array.values.size(); ++k) {
    const double value = array.values[k].real;
    if (!std::isfinite(value)) {
      data[k] = from_double<R>(value);
      continue;
    }
    const auto [entry, fresh] = known.try_emplace(value);
    if (fresh) store(&entry->second, value, array.type.element, storage);
    data[k] = entry->second;
  }
  const std::size_t bytes = array.values.size() * sizeof(R);
  for (std::int64_t rank = 1; rank < ranks && bytes != 0; ++rank) {
    std::memcpy(static_cast<unsigned char*>(out.data()) + bytes * static_cast<std::size_t>(rank), out.data(), bytes);
  }
  return out;
}

template <class R>
Buffer rounded(const Buffer& values, ElementType type, bool rational) {
  Buffer out(values.storage(), values.count());
  const auto from = values.as<R>();
  const auto to = out.as<R>();
  for (std::size_t k = 0; k < from.size(); ++k) {
    const double value = round_to(type, as_double(from[k]));
    if (rational && std::isfinite(value)) {
      store(&to[k], value, type, values.storage());
    } else {
      to[k] = from_double<R>(value);
    }
  }
  return out;
}

}  // namespace

bool simplest_rational(double value, ElementType type, Rational& result) {
  if (value == 0 || !std::isfinite(value)) {
    result = {0, 1};
    return value == 0;
  }
  int exponent = 0;
  const double fraction = std::frexp(std::abs(value), &exponent);  // in [1/2, 1)
  const int bits = info(type).significand;
  if (bits <= 0 || bits > 53 || exponent < -40 || exponent > 60) return false;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  // |value| = mantissa * 2^(exponent - 53); half a unit in the last place = 2^(exponent - bits - 1).
  const int shift = 54 - exponent + 1;  // everything as integers over 2^shift
  const Int128 scaled = shift >= 0 ? Int128{mantissa} << 2 : 0;
  const Int128 half = Int128{1} << (53 - bits + 1);
  if (shift < 0) {  // a large integer: itself
    result = {static_cast<std::int64_t>(value), 1};
    return true;
  }
  const Int128 over = Int128{1} << shift;
  Fraction best{};
  if (!simplest_between({scaled - half, over}, {scaled + half, over}, best)) return false;
  // The value's own denominator: dyadic.
  Int128 own_p = scaled, own_q = over;
  while (own_p % 2 == 0 && own_q % 2 == 0) own_p /= 2, own_q /= 2;
  if (own_q <= best.q) best = {own_p, own_q};
  if (best.p > std::numeric_limits<std::int64_t>::max()) return false;
  result.numerator = static_cast<std::int64_t>(best.p) * (value < 0 ? -1 : 1);
  result.denominator = static_cast<std::int64_t>(best.q);
  return true;
}

Buffer rational_constant(const ConstantArray& array, std::int64_t ranks, Storage storage) {
  GG_CHECK(storage != Storage::Int64, "rational literals are floats");
  if (storage == Storage::Double) return constant_of<double>(array, ranks, storage);
  return storage == Storage::Real113 ? constant_of<Real113>(array, ranks, storage)
                                     : constant_of<Real226>(array, ranks, storage);
}

Buffer rounded_constant(const Buffer& values, ElementType type, bool rational) {
  GG_CHECK(values.storage() != Storage::Int64, "only floats round");
  if (values.storage() == Storage::Double) return rounded<double>(values, type, rational);
  return values.storage() == Storage::Real113 ? rounded<Real113>(values, type, rational)
                                              : rounded<Real226>(values, type, rational);
}

}  // namespace gg
