// Private to kernels/numbers: the table of row kernels of one number type, which rows.cpp calls through. A table is
// made by make_row_table (row_loops.h) from a domain: a class with one overload for each scalar function.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/numbers/rows.h"

namespace gg::numbers {

/// Number of rows of scalar.def.
inline constexpr std::size_t kScalarFunctions = 0
#define SCALAR(Enum, name, arity, Class, Result, Fact) +1
#include "models/body/scalar.def"
#undef SCALAR
    ;

/// A scalar function as a type, for overloading.
template <ScalarFn F>
using Fn = std::integral_constant<ScalarFn, F>;

/// Functions that the type rules admit for integers, or for floats, only.
constexpr bool of_bits_only(ScalarFn fn) {
  return fn == ScalarFn::And || fn == ScalarFn::Or || fn == ScalarFn::Xor || fn == ScalarFn::Not || fn == ScalarFn::ShiftLeft ||
         fn == ScalarFn::ShiftRightA || fn == ScalarFn::ShiftRightL;
}
constexpr bool of_floats_only(ScalarFn fn) {
  return fn == ScalarFn::Atan2 || fn == ScalarFn::Cbrt || fn == ScalarFn::Ceil || fn == ScalarFn::Cos || fn == ScalarFn::Erf ||
         fn == ScalarFn::Exp || fn == ScalarFn::Expm1 || fn == ScalarFn::Floor || fn == ScalarFn::IsFinite || fn == ScalarFn::Log ||
         fn == ScalarFn::Log1p || fn == ScalarFn::Logistic || fn == ScalarFn::RoundAfz || fn == ScalarFn::RoundEven ||
         fn == ScalarFn::Rsqrt || fn == ScalarFn::Sin || fn == ScalarFn::Sqrt || fn == ScalarFn::Tan || fn == ScalarFn::Tanh;
}

/// What a row kernel knows besides its data.
struct RowContext {
  Rounding rounding;
  const Storage* storages;   ///< of the arguments
  const ElementType* types;  ///< of the arguments
  std::int64_t* ties;
};

using ApplyRow = void (*)(const RowContext& context, void* out, const Row* args, std::int64_t n);
using FoldRow = void (*)(const RowContext& context, void* acc, Row x, std::int64_t n);
using MultiplyAddRow = void (*)(const RowContext& context, void* acc, Row a, Row b, std::int64_t n, Turns turns);

/// Balls only: *acc += the sum of products, in no order.
using DotRow = void (*)(const RowContext& context, void* acc, Row a, Row b, std::int64_t n);

struct RowTable {
  std::array<ApplyRow, kScalarFunctions> apply;
  std::array<FoldRow, kScalarFunctions> fold;  ///< null unless a monoid
  MultiplyAddRow multiply_add;
  DotRow dot;  ///< null but for balls
};

const RowTable& int64_rows();
const RowTable& double_rows();
template <class B>
const RowTable& ball_rows();

/// Brings a row of results to their type: wraps integers, rounds floats (F32 and Model modes).
void finish_integers(ElementType type, std::int64_t* out, std::int64_t n);
void finish_doubles(Rounding rounding, double* out, std::int64_t n);

/// Smallest and largest value of an integral type as stored (u64: 0 and -1, its bit patterns).
struct IntegerRange {
  std::int64_t low, high;
};
IntegerRange range_of(ElementType type);
/// Truncated; NaN gives 0, out of range the nearest end of the range; to pred: different from zero.
std::int64_t to_integer(double value, ElementType type);

/// Stops: the type rules admit no such function of this number type.
[[noreturn]] void refuse(ScalarFn fn, const char* domain);

}  // namespace gg::numbers
