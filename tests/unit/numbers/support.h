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
inline constexpr Storage kStorageOf<Real113> = Storage::Real113;
template <>
inline constexpr Storage kStorageOf<Real226> = Storage::Real226;

template <class T>
inline constexpr NumberMode kModeOf = NumberMode::F64;
template <>
inline constexpr NumberMode kModeOf<Real113> = NumberMode::Real;
template <>
inline constexpr NumberMode kModeOf<Real226> = NumberMode::Real226;

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
  for (const double x : arguments) reals.push_back(RealOps<R>::from_double(x));
  R out{};
  if (reals.size() == 1) out = real<R>(fn, {reals[0]}, ties);
  if (reals.size() == 2) out = real<R>(fn, {reals[0], reals[1]}, ties);
  if (reals.size() == 3) out = real<R>(fn, {reals[0], reals[1], reals[2]}, ties);
  return RealOps<R>::to_double(out);
}
template <class R>
std::int64_t compare_reals(ScalarFn fn, R a, R b, std::int64_t* ties = nullptr) {
  return apply_to<std::int64_t>(fn, {ElementType::Pred, kModeOf<R>}, ElementType::F32, {a, b}, ties);
}

/// floor(log2 |a / b - 1|); very small where they are equal.
template <class R>
std::int64_t difference_bits(const R& a, const R& b) {
  const R difference = RealOps<R>::subtract(a, b);
  if (!RealOps<R>::is_finite(difference)) return 0;
  if (RealOps<R>::exponent(difference) == kZeroExponent) return kZeroExponent;
  return RealOps<R>::exponent(difference) - RealOps<R>::exponent(b);
}

}  // namespace gg::test
