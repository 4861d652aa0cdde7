// Do the collectives of the ranks meet? Each process group is a queue: its n-th call must be the same on all of its members.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/fx/graph.h"
#include "models/fx/relation.h"

namespace gg::fx {

/// The queue of every call of a collective, by rank and name of its statement, and whom a queue's calls meet.
struct Queues {
  std::vector<std::map<std::string, std::size_t, std::less<>>> of;
  std::vector<std::vector<std::int64_t>> members;  ///< by queue, in the order of their first calls
};

/// Throws RanksHang at the first call of a group that one member makes and another never does, or makes as another collective or
/// with other sizes; at a wait for one that another rank calls only after a wait for this rank; and at a receive that nobody sends to. Graphs in order of the ranks, functional. Says nothing where a rank calls
/// something of c10d that is not known. Throws InputError for unknown groups.
Queues check_meetings(const std::vector<Graph>& ranks, const GraphRelation& relation);

}  // namespace gg::fx
