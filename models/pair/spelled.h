// How a proof spells functions that both programs can be said in.
#pragma once

#include "models/pair/case.h"

namespace gg {

/// Has one of the programs `logistic` (`tanh`) and the other none? Then both are said by exponentials: (1 + exp(-x))^-1, 2 (1 + exp(-2x))^-1 - 1.
bool sigmoids_by_exponentials(const Case& c);

}  // namespace gg
