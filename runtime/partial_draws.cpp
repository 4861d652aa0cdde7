
#include <algorithm>
#include <cmath>

#include "runtime/inputs.h"

namespace gg {
namespace {

constexpr int kTargets = 0x20000000;  ///< regime of the stream that the values themselves are drawn from
constexpr int kGridBits = 30;         ///< summands are multiples of so small a part of the range that their sums are exact in f64

/// The number on the grid nearest to `value`, inside of the range; the range's lower end where the grid has none in it.
double on_grid(double value, double grid, const Range& range) {
  const double lowest = std::ceil(range.lo / grid) * grid, highest = std::floor(range.hi / grid) * grid;
  return lowest > highest ? range.lo : std::clamp(std::round(value / grid) * grid, lowest, highest);
}

/// The summands of one value, `step` elements apart.
class Parts {
 public:
  Parts(std::span<double> all, std::size_t first, std::size_t step) : all_(all), first_(first), step_(step), count_(all.size() / step) {}
  std::size_t count() const { return count_; }
  double& operator[](std::size_t k) { return all_[first_ + k * step_]; }

 private:
  std::span<double> all_;
  std::size_t first_, step_, count_;
};

void make_real(const FreeInput& input, double target, std::size_t turn, Parts parts) {
  const Range& range = input.range;
  const std::size_t chosen = turn % parts.count();
  const std::string& op = input.combined_by;
  const double most = std::max({std::abs(range.lo), std::abs(range.hi), 0x1p-60});
  if (op == "max" || op == "min") {
    for (std::size_t k = 0; k < parts.count(); ++k) {
      const double away = most * std::abs(parts[k]);
      parts[k] = k == chosen ? target : op == "max" ? target - away
                                                    : target + away;
    }
  } else if (op == "mul") {  // by powers of two: exact
    double others = 1;
    for (std::size_t k = 0; k < parts.count(); ++k) {
      if (k == chosen) continue;
      parts[k] = std::copysign(std::ldexp(1.0, static_cast<int>(std::abs(parts[k]) * 2) - 2), parts[k]);
      others *= parts[k];
    }
    parts[chosen] = target / others;
  } else {
    const double grid = std::ldexp(1.0, std::ilogb(most) - kGridBits);
    double whole = on_grid(target, grid, range);
    const bool exact = whole == std::round(whole / grid) * grid;  // a range so narrow that the grid has no number in it: one summand is the value
    if (op == "avg") whole *= static_cast<double>(parts.count());
    double others = 0;
    for (std::size_t k = 0; k < parts.count(); ++k) {
      if (k == chosen) continue;
      parts[k] = exact ? std::round(parts[k] * most / grid) * grid : 0;
      others += parts[k];
    }
    parts[chosen] = whole - others;
  }
}

}  // namespace

void combine_into_range(const FreeInput& input, std::uint64_t seed, std::uint32_t number, Buffer& summands) {
  std::size_t count = 1;
  for (std::size_t k = 0; k < input.leading; ++k) count *= static_cast<std::size_t>(input.type.dims[k]);
  const auto step = static_cast<std::size_t>(summands.count()) / std::max<std::size_t>(count, 1);
  const bool integral = summands.storage() == Storage::Int64;
  for (std::size_t at = 0; at < step; ++at) {
    if (!integral) {
      make_real(input, draw_real(seed, kTargets, number, at, input.range), at, Parts(summands.as<double>(), at, step));
      continue;
    }
    const auto values = summands.as<std::int64_t>();
    const std::int64_t target = draw_int(seed, kTargets, number, at, input.range);
    const auto chosen = static_cast<std::size_t>(at % count);
    auto whole = static_cast<std::uint64_t>(target);
    for (std::size_t k = 0; k < count; ++k) {
      std::int64_t& value = values[at + k * step];
      value = wrap_to(input.type.element, value);
      if (input.combined_by == "max") value = std::min(value, target);
      if (input.combined_by == "min") value = std::max(value, target);
      if (input.combined_by == "mul") value = 1;
      if (k != chosen && input.combined_by == "sum") whole -= static_cast<std::uint64_t>(value);
    }
    values[at + chosen * step] = wrap_to(input.type.element, static_cast<std::int64_t>(whole));
  }
}

}  // namespace gg
