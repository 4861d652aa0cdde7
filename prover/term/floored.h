// Internal to prover/term: quotients and remainders towards zero that a selection corrects (certificate.md, C11).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// A selection of integers that comes to one form wherever a number is below zero, is divided without rest, or is above zero.
std::optional<TermId> floored(Terms& t, TermId guard, TermId a, TermId b);

}  // namespace gg::prover
