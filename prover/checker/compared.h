// Comparisons of finite numbers in one form (docs/certificate.md, B4); extrema of exponentials (P8).
#pragma once

#include <functional>
#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// a < b, or a = b, with each summand on the side where it is added, and without increasing functions around both sides.
std::optional<Value> compared(Terms& t, bool equality, Value a, Value b);
/// u of exp(u), a product of exponentials or 1.
std::optional<Value> exponent_of(Terms& t, Value v);
/// A maximum over a box without guard of an increasing function, an exponential or a clamp (or of the negative of one), by the maximum `over` of its
/// argument.
std::optional<Value> maximum_inside(Terms& t, Value element, const std::function<Value(Value)>& over);

}  // namespace gg::checker
