// Integers of HLO as single values: the range of a type, and scalar functions of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "models/body/scalar.h"
#include "models/type/type.h"

namespace gg {

/// Floor and ceiling division, and the nonnegative remainder, for b >= 1.
inline std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }
inline std::int64_t floor_mod(std::int64_t a, std::int64_t b) { return a % b + (a % b < 0 ? b : 0); }

/// Inclusive interval of int64.
struct Interval {
  std::int64_t lo, hi;
};

/// Values an index form of this integral type can take without wrapping, as int64 (u64: the lower half).
Interval integral_range(ElementType type);

/// An integral scalar function on values of `type` (architecture, section 6); nothing for functions that are not
/// integral. Comparisons take the type of their operands and give 0 or 1.
std::optional<std::int64_t> integer_fn(ScalarFn fn, ElementType type, std::span<const std::int64_t> args);

}  // namespace gg
