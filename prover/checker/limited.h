// Integers beside what limits keep of them (docs/certificate.md, B1).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// A comparison `a >= 0` (`a = 0`) of clamp(X, lo, hi) with X less a number: one of X with the limits.
std::optional<Value> beside_itself(Terms& t, Index a, bool equality);

/// |x|, the larger one of x and -x, which wraps where it may leave the type.
Value absolute(Terms& t, ElementType type, Value x, Value size);

}  // namespace gg::checker
