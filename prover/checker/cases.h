// Terms that are not the same and yet equal: by cases, and where a sum is finite (docs/certificate.md, section 1).
#pragma once

#include <utility>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

constexpr int kMaxCases = 3;  ///< distinctions, one inside the other

/// Equal where `known` holds, or equal in each case of at most `depth` nested distinctions of index forms.
bool agree(Terms& t, Value a, Value b, int depth = kMaxCases, const std::vector<Literal>& known = {});

/// Both values with the factors of `sum`, a real, as fresh names that can only be what such a factor is where `sum` is finite. They are equal
/// there if these are.
std::pair<Value, Value> where_finite(Terms& t, Value sum, Value a, Value b);

}  // namespace gg::checker
