// Integers beside what limits keep of them (docs/certificate.md, B1).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// A comparison `a >= 0` (`a = 0`) of clamp(X, lo, hi) with X less a number: one of X with the limits.
std::optional<Value> beside_itself(Terms& t, Index a, bool equality);

}  // namespace gg::checker
