// What is known where a sum is finite (docs/certificate.md, section 1, Outputs): no summand has an infinite factor.
#pragma once

#include <utility>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Both values with the factors of `sum`, a real, as fresh names that can only be what such a factor is where `sum` is finite. They are equal
/// there if these are.
std::pair<Value, Value> where_finite(Terms& t, Value sum, Value a, Value b);

}  // namespace gg::checker
