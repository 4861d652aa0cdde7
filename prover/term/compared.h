// Internal to prover/term: comparisons of finite numbers in one form (certificate.md, B4).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// a < b or a = b, each summand of the difference on the side where its coefficient is positive, and increasing functions of both sides left
/// out; nothing where it is so already.
std::optional<TermId> compared(Terms& t, ScalarFn f, TermId a, TermId b);
/// u of a product of exponentials that is exp(u); 0 of 1.
std::optional<TermId> exponent_of(Terms& t, TermId x);
/// The exponents of all of a list, if all are such.
std::optional<std::vector<TermId>> exponents_of(Terms& t, std::span<const TermId> list);
/// A comparison a >= 0 of several digits of one variable that holds up to a place or from one on, as one with this place (B1).
std::optional<TermId> half_line(Terms& t, LinId a);

/// What a condition says to be 0, or no less; 0 of others. A form is at least 1 that is not 0, its least value.
LinId bounded_by(Terms& t, TermId condition);

}  // namespace gg::prover
