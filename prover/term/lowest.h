// Internal to prover/term: maxima that are minus infinity where nothing is unmasked (certificate.md, B6, P10 and F16).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// a = b as `X = -inf`: |X| = inf of an X that is no NaN and below infinity, and c*X = -inf.
std::optional<TermId> is_lowest(Terms& t, TermId a, TermId b);
/// A product with exp(X), or a case that is 0 where X is -inf, and the inverse of exp(case(X = -inf, c, X)): the first two are 0 where X is -inf, else 1.
std::optional<TermId> lowest_share(Terms& t, RatId coef, const std::vector<Factor>& list);
/// The guard of a sum without each `not (X = -inf)`, X a maximum, by which only elements are left out that are 0, or none.
TermId without_lowest(Terms& t, std::span<const LinId> vars, TermId guard, TermId body);

}  // namespace gg::prover
