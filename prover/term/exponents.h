// Internal to prover/term: exponentials of positions in a product (certificate.md, P5).
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

/// exp(2 f(i)) exp(f(j)) as exp(f(2*i + j)), as sums of positions are one position.
void join_exponentials(Terms& t, std::vector<Factor>& list);

}  // namespace gg::prover
