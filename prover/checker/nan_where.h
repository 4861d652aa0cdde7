// What is NaN wherever a number is (docs/certificate.md, section 4, C10).
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

/// a, of a case by the test `m = m` of a and b that are both NaN where m is.
std::optional<Value> nan_either_way(Terms& t, Test test, Value a, Value b);
/// A sum without a summand that is 0, or NaN where the others are NaN.
std::optional<Value> without_zeros(Terms& t, Value sum);

/// 0 times a real: 0 or NaN, as is every multiple of it.
bool is_nothing(const ValueNode& node);

}  // namespace gg::checker
