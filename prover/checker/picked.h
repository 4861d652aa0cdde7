// Values of which an integer of the data picks one, number by number, as one value of this integer (docs/certificate.md, section 4, C13).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// test ? a : b, the test that an integer of the data is a number: with h of the integer in place of h(k) and h(k + 1) where it is k and k + 1.
std::optional<Value> picked(Terms& t, Test test, Value a, Value b);
/// The same of two sums over one box.
std::optional<Value> picked_sums(Terms& t, Value a, Value b);

}  // namespace gg::checker
