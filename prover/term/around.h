// Internal to prover/term: indices of the data that go around (certificate.md, C8).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// case(J >= 0, J, J + n) for J in [-n, n), as index of one read or as an integer, J hanging on data: J modulo n.
std::optional<TermId> around(Terms& t, TermId guard, TermId a, TermId b);

}  // namespace gg::prover
