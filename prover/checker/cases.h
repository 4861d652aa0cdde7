// Equality by cases (docs/certificate.md, section 1, Cases).
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

constexpr int kMaxCases = 3;  ///< distinctions, one inside the other

/// Equal where `known` holds, or equal in each case of at most `depth` nested distinctions of index forms.
bool agree(Terms& t, Value a, Value b, int depth = kMaxCases, const std::vector<Literal>& known = {});

}  // namespace gg::checker
