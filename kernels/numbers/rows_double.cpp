// Row kernels of floats kept as double: F64 as they are, F32 and Model modes rounded after each function (a double
// holds the exact result of one f32 operation to more than twice its precision, so that rounding it again is harmless).
#include <cmath>

#include "kernels/numbers/row_loops.h"
#include "kernels/numbers/scalar_values.h"

namespace gg::numbers {
namespace {

enum class Step : std::uint8_t { None,
                                 F32,
                                 General };

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

  template <ScalarFn F, class... Rest>
  auto operator()(Fn<F>, double a, Rest... rest) const {
    const double x[3] = {a, rest...};
    if constexpr (of_bits_only(F)) refuse(F, "floats");
    if constexpr (scalar::compares(F)) return scalar::compared(F, x[0], x[1]);
    else if constexpr (F == ScalarFn::IsFinite) return std::isfinite(a);
    else return scalar::float_value(F, x[0], x[1], x[2]);
  }

  double from_integer(std::int64_t value, bool u64) const { return scalar::from_integer(value, u64, step != Step::None); }
  static std::int64_t to_integer(double a, ElementType target) { return numbers::to_integer(a, target); }
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

void multiply_add(const RowContext& context, void* acc, Row a, Row b, std::int64_t n, Turns turns) {
  switch (step_of(context.rounding)) {
    case Step::None:
      return multiply_add_row<DoubleDomain<Step::None>>(context, acc, a, b, n, turns);
    case Step::F32:
      return multiply_add_row<DoubleDomain<Step::F32>>(context, acc, a, b, n, turns);
    case Step::General:
      return multiply_add_row<DoubleDomain<Step::General>>(context, acc, a, b, n, turns);
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
