// Scalar functions applied to single values, for the tests of kernels/numbers and kernels.
#pragma once

#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "kernels/numbers/rows.h"

namespace gg::test {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
inline constexpr Storage kStorageOf = Storage::Int64;
template <>
inline constexpr Storage kStorageOf<double> = Storage::Double;
template <>
inline constexpr Storage kStorageOf<Ball128> = Storage::Bits128;
template <>
inline constexpr Storage kStorageOf<Ball256> = Storage::Bits256;
template <>
inline constexpr Storage kStorageOf<Ball512> = Storage::Bits512;

template <class T>
inline constexpr NumberMode kModeOf = NumberMode::F64;
template <>
inline constexpr NumberMode kModeOf<Ball128> = NumberMode::Real;
template <>
inline constexpr NumberMode kModeOf<Ball256> = NumberMode::Real256;
template <>
inline constexpr NumberMode kModeOf<Ball512> = NumberMode::Real512;

/// fn(arguments...) where all arguments have type `from` and the result `to`.
template <class Out, class In>
Out apply_to(ScalarFn fn, Rounding rounding, ElementType from, std::initializer_list<In> arguments,
             std::int64_t* ties = nullptr) {
  std::vector<In> values(arguments);
  std::vector<Row> rows;
  for (const In& value : values) rows.push_back({&value, 0});
  const std::vector<Storage> storages(values.size(), kStorageOf<In>);
  const std::vector<ElementType> types(values.size(), from);
  Out out{};
  TieCounter counter;
  row_apply(fn, rounding, kStorageOf<Out>, &out, rows.data(), storages.data(), types.data(), 1, counter);
  if (ties != nullptr) *ties = counter.ties;
  return out;
}

/// Integer functions of one type.
inline std::int64_t integer(ScalarFn fn, ElementType type, std::initializer_list<std::int64_t> arguments) {
  return apply_to<std::int64_t>(fn, {type, NumberMode::Real}, type, arguments);
}
inline std::int64_t compare_integers(ScalarFn fn, ElementType type, std::int64_t a, std::int64_t b) {
  return apply_to<std::int64_t>(fn, {ElementType::Pred, NumberMode::Real}, type, {a, b});
}

/// Float functions of doubles, and of reals given as doubles.
inline double f64(ScalarFn fn, std::initializer_list<double> arguments) {
  return apply_to<double>(fn, {ElementType::F64, NumberMode::F64}, ElementType::F64, arguments);
}
template <class R>
R real(ScalarFn fn, std::initializer_list<R> arguments, std::int64_t* ties = nullptr) {
  return apply_to<R>(fn, {ElementType::F32, kModeOf<R>}, ElementType::F32, arguments, ties);
}
template <class R>
double real_of_doubles(ScalarFn fn, std::initializer_list<double> arguments, std::int64_t* ties = nullptr) {
  std::vector<R> reals;
  for (const double x : arguments) reals.push_back(BallOps<R>::from_double(x));
  R out{};
  if (reals.size() == 1) out = real<R>(fn, {reals[0]}, ties);
  if (reals.size() == 2) out = real<R>(fn, {reals[0], reals[1]}, ties);
  if (reals.size() == 3) out = real<R>(fn, {reals[0], reals[1], reals[2]}, ties);
  return BallOps<R>::to_double(out);
}
template <class R>
std::int64_t compare_reals(ScalarFn fn, R a, R b, std::int64_t* ties = nullptr) {
  return apply_to<std::int64_t>(fn, {ElementType::Pred, kModeOf<R>}, ElementType::F32, {a, b}, ties);
}

/// x + y, for numbers that no double is.
template <class R>
R sum_of(double x, double y) {
  return real<R>(ScalarFn::Add, {BallOps<R>::from_double(x), BallOps<R>::from_double(y)});
}
/// floor(log2) of the radius against the value.
template <class R>
std::int64_t radius_bits(const R& a) {
  return BallOps<R>::radius_exponent(a) - BallOps<R>::exponent(a);
}

}  // namespace gg::test
