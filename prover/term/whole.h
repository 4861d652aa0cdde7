// Reals that are integers (certificate.md, P7).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// Sums of integers over neighbouring boxes as one, where the same reals are one.
LinId joined_sums(Terms& t, LinId form);
/// f({case(g, i, j)}), j or i 0, as a case of reals; other terms as they are.
TermId chosen_number(Terms& t, TermId a);

}  // namespace gg::prover
