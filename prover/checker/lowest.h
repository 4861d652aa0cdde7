// Maxima that are minus infinity where nothing is unmasked (docs/certificate.md, section 4, B4, P10 and F16).
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

/// a = b as `X = -inf`: |X| = inf of an X that is no NaN and below infinity, and c*X = -inf.
std::optional<Value> is_lowest(Terms& t, Value a, Value b);
/// x, of x = -inf ? c : x (x below infinity), |x| = inf ? c : x and x is finite ? x : c, x no NaN: one value that is finite, and goes into no cases.
std::optional<Value> finite_part(Terms& t, Test test, Value a, Value b);
/// A product with exp(X) and the inverse of exp(X where it is finite, else c): these two are 0 where X is -inf, else 1.
std::optional<Value> lowest_share(Terms& t, const Rational& coef, const std::vector<Factor>& factors);
/// The path of a sum without one test that X is not -inf, X a maximum, by which only elements are left out that are 0, or none.
std::optional<std::vector<Literal>> without_lowest(Terms& t, const std::vector<Var>& vars, const std::vector<Literal>& path, Monomial body);

}  // namespace gg::checker
