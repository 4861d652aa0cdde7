// Programs of ranks, where collectives meet across them: as sends and receives, which several programs may have.
#pragma once

#include <vector>

#include "models/fx/fold.h"
#include "models/fx/relation.h"

namespace gg::fx {

/// Graphs of ranks 0, 1, ... as programs. Where ranks of a group run different ones, its collectives are what each member sends to the others and makes of
/// what it gets, in the order of the group. Programs have as many ranks as one another, else each rank is its own. The graphs' collectives meet (check_meetings).
std::vector<RankGraphs> programs_of(std::vector<Graph> ranks, const GraphRelation& relation);

}  // namespace gg::fx
