// Numbers that are rounded to integers of a type that holds them (docs/certificate.md, P7 and section 5).
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

/// Of x * D^-1, x a read: within 1/c of 0 if D is a maximum of which c |x| is one.
Bounds bounds_of_share(Terms& t, const std::vector<Factor>& factors);
/// Of what is rounded to whole numbers.
Bounds bounds_of_rounded(Terms& t, const ValueNode& node);
/// An integer as a real: of whole numbers that their type holds, what was converted.
Value as_real(Terms& t, Value v);

}  // namespace gg::checker
