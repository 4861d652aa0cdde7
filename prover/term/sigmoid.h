// Sigmoids by exponentials (certificate.md, P5), where only one of the programs has them as such.
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// logistic(x) or tanh(x) as c (1 + exp(-c x))^-1 - (c - 1), c = 1 or 2.
std::optional<TermId> sigmoid(Terms& t, ScalarFn f, TermId x);

}  // namespace gg::prover
