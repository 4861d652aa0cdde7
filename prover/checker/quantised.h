// Numbers that are rounded to integers of a type that holds them (docs/certificate.md, P7 and section 5).
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

/// The point of the box of these at which the read `element` is the read `x`: each index is the same, or a binder of its own and the same beside it.
std::optional<std::vector<std::pair<Var, Index>>> point_of(Terms& t, const std::vector<Var>& box, Value element, Value x);
/// Of x * D^-1, x a read: within 1/c of 0 if D is a maximum of which c |x| is one, or the root of a sum of squares of which (c x)^2 is one.
Bounds bounds_of_share(Terms& t, const std::vector<Factor>& factors);
/// Of what is rounded to whole numbers.
Bounds bounds_of_rounded(Terms& t, const ValueNode& node);
/// An integer as a real: of whole numbers that their type holds, what was converted.
Value as_real(Terms& t, Value v);

}  // namespace gg::checker
