// Quotients and remainders towards zero that a selection corrects (docs/certificate.md, C11).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Is an index form a multiple of m at all places, by its coefficients?
bool multiple_of(const Terms& t, Index form, Size m);
/// The form, or one that leaves the same rest when it is divided by m: what a remainder by a multiple of m is of, in its place.
Index congruent(Terms& t, Index form, Size m);
/// Is the quotient of a form of data by m kept as that of its negative?
bool turned_quotient(const Terms& t, Index form, Size m);
/// A quotient or remainder of a multiple, or of a form that is on one side of zero.
std::optional<Value> exact_quotient(Terms& t, ScalarFn fn, Index dividend, Size by);
/// What a mask leaves that clears all low bits, or (of a signed type) all others.
std::optional<Value> masked(Terms& t, ElementType type, Value v, Size mask);
/// A selection of integers that comes to one form wherever a number is below zero, is divided without rest, or is above zero.
std::optional<Value> floored(Terms& t, Value condition, Value yes, Value no);

}  // namespace gg::checker
