// Index forms as functions of their variables: all their values, and one spelling for those of the same values (docs/certificate.md, section 1,
// Two spellings).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Values of a form without data atoms of these variables, ascending, at all points, the first variable fastest; none of more than `most` points.
std::vector<Size> values_of(const Terms& t, Index a, const std::vector<Var>& vars, std::int64_t most);

/// A number and multiples of digits of the variables that have these values (values_of), if there are such.
std::optional<Index> fit_of(Terms& t, const std::vector<Var>& vars, const std::vector<Size>& values);

/// Equal once index forms of few points that differ by one number at all of them where these literals hold are one form and this number, and such forms added as numbers are one form?
bool spelled_alike(Terms& t, Value a, Value b, const std::vector<Literal>& known);

}  // namespace gg::checker
