// Integers that wrap in an unsigned type (docs/certificate.md, B8 and I7).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// A comparison `a >= 0` (`a = 0`) of a wrap of L with a form that is less than any negative L is when it is wrapped: one of L itself.
std::optional<Value> wrap_compared(Terms& t, Index a, bool equality);
/// Is it a multiple of the count of a type's numbers, and of an integer?
bool multiple_of_all(const Terms& t, int width, const PolyPart& p);
/// An integer that becomes one of an unsigned type of few bits: its remainder.
Value narrowed(Terms& t, ElementType type, Value v);

}  // namespace gg::checker
