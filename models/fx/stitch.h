// Forward and backward graphs of a step as one graph.
#pragma once

#include <string>
#include <vector>

#include "models/fx/graph.h"

namespace gg::fx {

/// The graph of a step out of the graphs that one rank printed: the only one; or the forward followed by its backward, as AOT logs have them (a joint graph
/// beside those is the same step). The inputs are the forward's and the tangents; the outputs are what the forward returns but for
/// what it saves, then the gradients. Throws InputError where that is not what there is, or where what is saved is not what is read.
Graph step_of(std::vector<Graph> graphs, const std::string& file);

}  // namespace gg::fx
