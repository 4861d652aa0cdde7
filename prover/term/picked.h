// Internal to prover/term: values of which an integer of the data picks one, number by number (certificate.md, C13).
#pragma once

#include <vector>

#include "prover/term/store.h"

namespace gg::prover {

/// Two summands, or sums over one box, one where an integer of the data is k, the other where it is k + 1, h(k) and h(k + 1): h of the integer where it is one of the two; and what goes
/// on from there.
bool join_picked(Terms& t, std::vector<Summand>& list);

}  // namespace gg::prover
