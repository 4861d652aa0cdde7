// Counts of conditions compared with numbers (docs/certificate.md, F14).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Is a sum at least the bound (CompareGe), above it (CompareGt), or equal (CompareEq), where it is one of positive numbers under conditions over
/// boxes, or of multiples of one sign of such, and what is asked is whether any condition holds, or all do.
std::optional<Value> counted(Terms& t, ScalarFn compared, Value sum, const Rational& bound);

}  // namespace gg::checker
