// Terms that are not the same and yet equal: by cases, and where a sum is finite (docs/certificate.md, section 1).
#pragma once

#include <utility>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

constexpr int kMaxCases = 4;   ///< distinctions, one inside the other
constexpr int kMaxFinite = 3;  ///< of what is compared where it is finite

/// Equal where `known` holds, or equal in each case of at most `depth` nested distinctions of index forms. `written`: short binders are written out already.
bool agree(Terms& t, Value a, Value b, int depth = kMaxCases, const std::vector<Literal>& known = {}, bool written = false);

/// As `agree`; cases of one condition, however many of them are one in the other, branch by branch.
bool agree_by_branches(Terms& t, Value a, Value b, const std::vector<Literal>& known = {});

/// Is the other value equal to this one, a real, wherever this one is finite, and so are the factors of its summands?
bool same_where_finite(Terms& t, Value real, Value other, int depth = kMaxFinite);

}  // namespace gg::checker
