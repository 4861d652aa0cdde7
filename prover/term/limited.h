// Internal to prover/term: comparisons of integers with what limits keep of them (certificate.md, B1).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// A comparison `a >= 0` (`a = 0`) of clamp(X, lo, hi) with X less a number: one of X with the limits.
std::optional<TermId> beside_itself(Terms& t, LinId a, bool equality);

}  // namespace gg::prover
