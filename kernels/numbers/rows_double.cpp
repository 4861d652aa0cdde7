// Row kernels of floats kept as double: F64 as they are, F32 and Model modes rounded after each function (a double
// holds the exact result of one f32 operation to more than twice its precision, so that rounding it again is harmless).
#include <cmath>
#include <limits>

#include "kernels/numbers/row_loops.h"

namespace gg::numbers {
namespace {

enum class Step : std::uint8_t { None, F32, General };

Step step_of(Rounding rounding) {
  if (!is_float(rounding.type) || is_real(rounding.mode)) return Step::None;  // comparisons and conversions to integers
  switch (rounding.mode) {
    case NumberMode::F32:
      return Step::F32;
    case NumberMode::Model:
      if (rounding.type == ElementType::F64) return Step::None;
      return rounding.type == ElementType::F32 ? Step::F32 : Step::General;
    default:
      return Step::None;
  }
}

double to_f32(double value) { return static_cast<double>(static_cast<float>(value)); }

/// `kStep` is the rounding of one step of a fold; single functions are rounded row by row (finish_doubles).
template <Step kStep>
struct DoubleDomain {
  using Stored = double;
  using Value = double;
  static constexpr bool kFast = true;

  explicit DoubleDomain(const RowContext& context) : type(context.rounding.type), step(step_of(context.rounding)) {}
  ElementType type;
  Step step;

  static double load(double value) { return value; }
  static void store(double& out, double value) { out = value; }
  double settle(double value) const {
    if constexpr (kStep == Step::F32)
      return to_f32(value);
    else if constexpr (kStep == Step::General)
      return round_to(type, value);
    else
      return value;
  }

  double operator()(Fn<ScalarFn::Add>, double a, double b) const { return a + b; }
  double operator()(Fn<ScalarFn::Subtract>, double a, double b) const { return a - b; }
  double operator()(Fn<ScalarFn::Multiply>, double a, double b) const { return a * b; }
  double operator()(Fn<ScalarFn::Divide>, double a, double b) const { return a / b; }
  double operator()(Fn<ScalarFn::Remainder>, double a, double b) const { return std::fmod(a, b); }
  double operator()(Fn<ScalarFn::Power>, double a, double b) const { return std::pow(a, b); }
  double operator()(Fn<ScalarFn::Negate>, double a) const { return -a; }
  double operator()(Fn<ScalarFn::Abs>, double a) const { return std::fabs(a); }
  double operator()(Fn<ScalarFn::Sign>, double a) const { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }
  double operator()(Fn<ScalarFn::Floor>, double a) const { return std::floor(a); }
  double operator()(Fn<ScalarFn::Ceil>, double a) const { return std::ceil(a); }
  double operator()(Fn<ScalarFn::RoundAfz>, double a) const { return std::round(a); }
  double operator()(Fn<ScalarFn::RoundEven>, double a) const { return std::nearbyint(a); }
  double operator()(Fn<ScalarFn::Sqrt>, double a) const { return std::sqrt(a); }
  double operator()(Fn<ScalarFn::Rsqrt>, double a) const { return 1.0 / std::sqrt(a); }
  double operator()(Fn<ScalarFn::Cbrt>, double a) const { return std::cbrt(a); }
  double operator()(Fn<ScalarFn::Exp>, double a) const { return std::exp(a); }
  double operator()(Fn<ScalarFn::Expm1>, double a) const { return std::expm1(a); }
  double operator()(Fn<ScalarFn::Log>, double a) const { return std::log(a); }
  double operator()(Fn<ScalarFn::Log1p>, double a) const { return std::log1p(a); }
  double operator()(Fn<ScalarFn::Logistic>, double a) const {
    if (a >= 0) return 1.0 / (1.0 + std::exp(-a));
    const double e = std::exp(a);  // no overflow on this side, so that small results stay accurate
    return e / (1.0 + e);
  }
  double operator()(Fn<ScalarFn::Tanh>, double a) const { return std::tanh(a); }
  double operator()(Fn<ScalarFn::Erf>, double a) const { return std::erf(a); }
  double operator()(Fn<ScalarFn::Sin>, double a) const { return std::sin(a); }
  double operator()(Fn<ScalarFn::Cos>, double a) const { return std::cos(a); }
  double operator()(Fn<ScalarFn::Tan>, double a) const { return std::tan(a); }
  double operator()(Fn<ScalarFn::Atan2>, double a, double b) const { return std::atan2(a, b); }

  /// NaN in either argument wins.
  double operator()(Fn<ScalarFn::Max>, double a, double b) const { return a >= b || a != a ? a : b; }
  double operator()(Fn<ScalarFn::Min>, double a, double b) const { return a <= b || a != a ? a : b; }
  double operator()(Fn<ScalarFn::Clamp>, double low, double a, double high) const {
    return (*this)(Fn<ScalarFn::Min>{}, (*this)(Fn<ScalarFn::Max>{}, low, a), high);
  }
  bool operator()(Fn<ScalarFn::CompareEq>, double a, double b) const { return a == b; }
  bool operator()(Fn<ScalarFn::CompareNe>, double a, double b) const { return a != b; }
  bool operator()(Fn<ScalarFn::CompareLt>, double a, double b) const { return a < b; }
  bool operator()(Fn<ScalarFn::CompareLe>, double a, double b) const { return a <= b; }
  bool operator()(Fn<ScalarFn::CompareGt>, double a, double b) const { return a > b; }
  bool operator()(Fn<ScalarFn::CompareGe>, double a, double b) const { return a >= b; }
  bool operator()(Fn<ScalarFn::IsFinite>, double a) const { return std::isfinite(a); }

  /// Where a rounding follows, integers beyond 2^53 are first rounded to odd, so that they are rounded once in effect.
  double from_integer(std::int64_t value, bool u64) const {
    if (u64 && value < 0) {
      auto bits = static_cast<std::uint64_t>(value);
      if (step != Step::None) bits = (bits & ~std::uint64_t{0xfff}) | ((bits & 0xfffU) != 0 ? 0x1000U : 0U);
      return static_cast<double>(bits);
    }
    const std::int64_t magnitude = value < 0 ? ~value : value;
    if (step != Step::None && (magnitude >> 53) != 0) {
      value = (value & ~std::int64_t{0xfff}) | ((value & 0xfff) != 0 ? 0x1000 : 0);
    }
    return static_cast<double>(value);
  }
  /// Truncates; NaN gives 0; out of range gives the nearest end of the range. To pred: different from zero.
  std::int64_t to_integer(double a, ElementType target) const {
    if (target == ElementType::Pred) return a != 0 ? 1 : 0;
    if (a != a) return 0;
    const auto [low, high] = range_of(target);
    if (target == ElementType::U64) {
      if (a <= 0) return 0;
      return a >= 0x1p64 ? -1 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a));
    }
    if (a <= static_cast<double>(low)) return low;
    if (a >= static_cast<double>(high)) return high;  // 2^63 for s64: the double above its largest value
    return static_cast<std::int64_t>(a);
  }

  template <ScalarFn F>
  static constexpr bool kBits = F == ScalarFn::And || F == ScalarFn::Or || F == ScalarFn::Xor ||
                                F == ScalarFn::ShiftLeft || F == ScalarFn::ShiftRightA || F == ScalarFn::ShiftRightL;
  template <ScalarFn F>
  requires kBits<F>
  double operator()(Fn<F>, double, double) const { refuse(F, "floats"); }
  double operator()(Fn<ScalarFn::Not>, double) const { refuse(ScalarFn::Not, "floats"); }
};

template <ScalarFn F>
void fold(const RowContext& context, void* acc, Row x, std::int64_t n) {
  switch (step_of(context.rounding)) {
    case Step::None:
      return fold_row<DoubleDomain<Step::None>, F>(context, acc, x, n);
    case Step::F32:
      return fold_row<DoubleDomain<Step::F32>, F>(context, acc, x, n);
    case Step::General:
      return fold_row<DoubleDomain<Step::General>, F>(context, acc, x, n);
  }
}

void multiply_add(const RowContext& context, void* acc, Row a, Row b, std::int64_t n) {
  switch (step_of(context.rounding)) {
    case Step::None:
      return multiply_add_row<DoubleDomain<Step::None>>(context, acc, a, b, n);
    case Step::F32:
      return multiply_add_row<DoubleDomain<Step::F32>>(context, acc, a, b, n);
    case Step::General:
      return multiply_add_row<DoubleDomain<Step::General>>(context, acc, a, b, n);
  }
}

constexpr RowTable make_double_table() {
  RowTable table = make_row_table<DoubleDomain<Step::None>>();
  table.fold[static_cast<std::size_t>(ScalarFn::Add)] = &fold<ScalarFn::Add>;
  table.fold[static_cast<std::size_t>(ScalarFn::Multiply)] = &fold<ScalarFn::Multiply>;
  table.multiply_add = &multiply_add;
  return table;
}

constexpr RowTable kTable = make_double_table();

}  // namespace

const RowTable& double_rows() { return kTable; }

void finish_doubles(Rounding rounding, double* out, std::int64_t n) {
  switch (step_of(rounding)) {
    case Step::None:
      return;
    case Step::F32:
      for (std::int64_t k = 0; k < n; ++k) out[k] = to_f32(out[k]);
      return;
    case Step::General:
      for (std::int64_t k = 0; k < n; ++k) out[k] = round_to(rounding.type, out[k]);
      return;
  }
}

}  // namespace gg::numbers
