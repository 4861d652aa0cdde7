// A mask as the only index (x[mask]) where it hangs on no input: how many elements it takes is then known, and which.
#pragma once

#include <optional>

#include "models/fx/lowering.h"

namespace gg::fx {

/// Is the list of indices that is argument `k` a mask alone? Which.
std::optional<NodeId> lone_mask(const Operation& call, std::size_t k);
/// x[mask]; nothing where the mask is data, or takes other numbers of elements on other ranks.
std::optional<NodeId> taken_by_mask(Operation& call, NodeId x, NodeId mask);
/// x with `values`, in the form of x[mask], put there or added.
std::optional<NodeId> put_by_mask(Operation& call, NodeId x, NodeId mask, NodeId values, bool add);

/// How many elements the mask of this name takes, of a graph of which the statements before are read; nothing where that is data.
std::optional<std::int64_t> taken_by(const Graph& graph, const std::string& mask);

}  // namespace gg::fx
