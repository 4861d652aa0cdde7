// Internal to prover/term: quotients and remainders towards zero that a selection corrects (certificate.md, C11).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// Is a form a multiple of m at all places, by its coefficients?
bool multiple_of(const Terms& t, LinId form, std::int64_t m);
/// The form, or one that leaves the same rest when it is divided by m: what a remainder by a multiple of m is of, in its place.
LinId congruent(Terms& t, LinId form, std::int64_t m);
/// The quotient of a form of data by m > 1 by that of its negative, if this is the one that is kept of the two.
std::optional<LinId> quotient_of_negative(Terms& t, LinId form, std::int64_t m);
/// An integer whose low bits a mask of a signed type clears.
std::optional<TermId> high_bits(Terms& t, ElementType type, LinId form, LinId mask);
/// A selection of integers that comes to one form wherever a number is below zero, is divided without rest, or is above zero.
std::optional<TermId> floored(Terms& t, TermId guard, TermId a, TermId b);

}  // namespace gg::prover
