// What is zero where a sum of elements that are not negative is (docs/certificate.md, F11): beside it, powers of that sum below zero leave a
// fold although they may be infinite, and a count over itself is one.
#pragma once

#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Is `sum` one of elements that are not negative, and x zero (or NaN) where it is zero?
bool idle_without(Terms& t, Value sum, Value x);
/// Does the power, free of the binders of a sum without guard whose body is the product of `all`, leave it? Where it is infinite
/// there is 0 * inf in every summand, and outside.
bool inverse_leaves(Terms& t, const std::vector<Factor>& all, const Factor& inverse);
/// Is what stands beside the fold finite, but for inverses of sums without which it is idle?
bool finite_but_for_idle(Terms& t, Monomial rest, Value fold);
/// N * max(N, c)^-1 is 1 beside what is zero where N is zero, N a count of elements that are at least c > 0: taken out, if it is there.
bool drop_share(Terms& t, std::vector<Factor>& factors);

/// If `sum` is a count and its condition holds at some point by the facts: what none of its elements is below, a number above zero.
std::optional<Rational> least_where(Terms& t, Value sum, const std::vector<Literal>& facts);

}  // namespace gg::checker
