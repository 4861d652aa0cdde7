// Writes into tensors (copy_, add_, all_reduce_) as values: each name is a base and a path of views from it; a write makes a new value
// of the base, and what is read later is read from that.
#pragma once

#include <set>
#include <string>

#include "models/fx/definitions.h"
#include "models/fx/graph.h"

namespace gg::fx {

/// The graph without writes. Throws InputError(UnsupportedForm | UnsupportedOps) at a write that is not understood or that races with a collective (waits.h).
Graph functional(Graph graph, const Definitions& definitions = {});

/// Statements that are left out because nobody needs their results must not write: an operator that is not known and takes a needed tensor,
/// or a view of one, is refused. `needed`: names.
void check_left_out(const Graph& graph, const std::set<std::string>& needed, const Definitions& definitions);

}  // namespace gg::fx
