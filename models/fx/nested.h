// Calls of nested graphs: cond, scan and while_loop as computations of the module; regions that are only marked are written out.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "models/fx/emitter.h"
#include "models/fx/graph.h"
#include "models/fx/lowering.h"

namespace gg::fx {

/// What the caller knows: the graph that an argument names, tensors, and how a graph is written into an emitter (results in its order).
struct NestedGraphs {
  std::function<const Graph*(const std::string& name)> graph;
  std::function<Value(const std::string& name)> value;
  std::function<std::vector<NodeId>(const Graph& graph, Emitter& e, const std::vector<NodeId>& inputs)> write;
};

/// Is it an operator of torch.ops.higher_order that is known?
bool calls_graphs(std::string_view target);

/// The tuple of results. Throws InputError where the arguments or the graphs do not fit.
Value lower_nested(Emitter& e, const Statement& statement, const NestedGraphs& nested);

}  // namespace gg::fx
