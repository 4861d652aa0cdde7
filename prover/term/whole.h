// Reals that are integers (certificate.md, P7), digits that equalities tell (C2).
#pragma once

#include "prover/term/terms.h"

namespace gg::prover {

/// Sums of integers over neighbouring boxes as one, where the same reals are one.
LinId joined_sums(Terms& t, LinId form);
/// f({case(g, i, j)}), j or i 0, as a case of reals; other terms as they are.
TermId chosen_number(Terms& t, TermId a);

/// v = v + a (L - digit) from an equality of a digit of v with L, without v, binders, and what the digit cannot be: (v div a) mod k = L, or v div a = L. The
/// lowest digit may be any number, those above only what is none.
std::optional<std::pair<VarId, LinId>> pinned_digit(Terms& t, LinId zero);

}  // namespace gg::prover
