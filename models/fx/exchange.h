// Programs of ranks, where collectives meet across them: as sends and receives, which several programs may have.
#pragma once

#include <vector>

#include "models/fx/fold.h"
#include "models/fx/meet.h"

namespace gg::fx {

/// Graphs of ranks 0, 1, ... as programs. Where ranks of a group run different ones, its collectives are what each member sends to the others and makes of
/// what it gets, in the order of the group. Programs have as many ranks as one another, else each rank is its own. `queues`: how the collectives meet.
std::vector<RankGraphs> programs_of(std::vector<Graph> ranks, const Queues& queues);

}  // namespace gg::fx
