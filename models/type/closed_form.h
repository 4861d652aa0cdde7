// The number that a float literal was rounded from: f32(0.0833333358) from 1/12, f32(0.408248305) from sqrt(1/6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/type/type.h"

namespace gg {

/// p/q, or its square root, with a sign.
struct ClosedForm {
  bool negative = false, root = false;
  std::int64_t p = 1, q = 1;  ///< positive, in lowest terms
  double value() const;       ///< the nearest double, or the one beside it
};

/// `1/12`, `-3`, `sqrt(1/6)`.
std::string to_string(const ClosedForm& form);

/// The simplest number that rounds to this literal of `type`, if it is simple enough to have been meant. Only of f32 and f64 (narrower
/// types coincide with too much), and of literals that must have been rounded: no integers, and none whose significand needs at most
/// half of the type's bits (0.5).
std::optional<ClosedForm> closed_form(ElementType type, double value);

}  // namespace gg
