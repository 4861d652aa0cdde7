// Coefficients and literals of terms: exact rationals, over sizes quotients of polynomials (size.h).
#pragma once

#include "models/base/exact.h"

#ifdef GG_OF_SIZES
#include "prover/checker/sized/rational.h"
#else
namespace gg::checker {
using Rational = Exact;
}  // namespace gg::checker
#endif
