// Quotients and remainders towards zero that a selection corrects (docs/certificate.md, C11).
#pragma once

#include <optional>

#include "prover/checker/terms.h"

namespace gg::checker {

/// A selection of integers that comes to one form wherever a number is below zero, is divided without rest, or is above zero.
std::optional<Value> floored(Terms& t, Value condition, Value yes, Value no);

}  // namespace gg::checker
