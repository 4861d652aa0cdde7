// Internal to prover/term: comparisons of integers that wrap in an unsigned type (certificate.md, B8).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// A comparison `a >= 0` (`a = 0`) of a wrap of L with a form that is less than any negative L is when it is wrapped: one of L itself.
std::optional<TermId> wrap_compared(Terms& t, LinId a, bool equality);

/// A coefficient in a wrap, if that is a multiple of the count of the type's numbers, which makes no difference; otherwise 0.
std::int64_t multiple_of_all(Terms& t, ElementType type, std::int64_t coef);

}  // namespace gg::prover
