// Powers below zero that leave a sum although they may be infinite (docs/certificate.md, F11).
#pragma once

#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Does the power, free of the binders of a sum without guard whose body is the product of `all`, leave it? Where it is infinite
/// (zero) there is 0 * inf in every (a) summand, and outside.
bool inverse_leaves(Terms& t, const std::vector<Factor>& all, const Factor& inverse);
/// Is x, finite, a count of points some of which the fold of add runs over? Where it is zero the fold is empty, and beside x^-1 there is 0 * inf.
bool counts(Terms& t, Value x, Value fold);
/// Is what stands beside the fold finite, but for inverses of such counts?
bool finite_but_for_counts(Terms& t, Monomial rest, Value fold);

}  // namespace gg::checker
