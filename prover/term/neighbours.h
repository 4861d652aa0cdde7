// Internal to prover/term: sums of the same elements under bounds that are one apart (certificate.md, F19).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// Of c times the sum of e[b] for b <= L and -c times that for b <= L - 1, e finite, in a list: c e[L] where L >= 0.
bool join_neighbours(Terms& t, std::vector<Summand>& list);

}  // namespace gg::prover
