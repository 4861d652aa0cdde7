// The graphs of several ranks as one: aligned by position, literals that differ become tables over the rank.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/fx/graph.h"

namespace gg::fx {

/// Ranks whose graphs align, and the graph of them all; its names and places are the first rank's.
struct RankGraphs {
  std::vector<std::int64_t> ranks;
  Graph graph;
};

/// Where two graphs stop being the same program: statements (positions in each; the end: nothing) and in what they differ.
struct Divergence {
  std::size_t position = 0;
  std::string what;
};
std::optional<Divergence> compare_graphs(const Graph& a, const Graph& b);

/// Ranks 0, 1, ... in as few classes as there are programs, in the order of their first ranks; `apart`: each in its own.
std::vector<RankGraphs> fold_ranks(const std::vector<Graph>& ranks, bool apart = false);

}  // namespace gg::fx
