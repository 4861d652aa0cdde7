// Numbers that are rounded to integers of a type that holds them (certificate.md, P7 and section 5).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// The point of the box at which the read `element` is the read `x`: each index is the same, or a binder of its own and the same beside it.
std::optional<Terms::Map> point_of(Terms& t, const Opened& box, TermId element, TermId x);
/// Is x, where it is no NaN, no less (no more) than the constant?
bool passed(Terms& t, RatId constant, TermId x, bool upwards);
/// Of x over a maximum of which c |x| is one, or over the root of a sum of squares of which (c x)^2 is one.
Bounds bounds_of_share(Terms& t, std::span<const Factor> list);
/// Of what is rounded to whole numbers, and of minima.
Bounds bounds_of_rounded(Terms& t, ScalarFn f, TermId id);
/// A whole number that its type holds, converted to it, as a real.
std::optional<TermId> unrounded(Terms& t, AtomId atom);

}  // namespace gg::prover
