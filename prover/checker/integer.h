// Scalar functions of integers: exact where the ranges exclude a wrap, else wrapped (docs/certificate.md, I7).
#pragma once

#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// fn(args) as a value of which nothing else is known; of `type` where the function has several.
Value uninterpreted(Terms& t, ScalarFn fn, ElementType type, const std::vector<Value>& args);

/// fn(args) of operands of integral type `type` (not pred), none of them a case.
Value integer_by_forms(Terms& t, ScalarFn fn, ElementType type, const std::vector<Value>& args);

/// Is a real an integer of this type, by how it is made: of integers, and sums of such over boxes?
bool whole_of(Terms& t, ElementType type, Value v);

/// `n` as a number of the type.
Size wrapped_size(ElementType type, const Size& n);

}  // namespace gg::checker
