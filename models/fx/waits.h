// Collectives run beside the program until wait_tensor: what they read must not be written, what they give must not be read before.
#pragma once

#include <string>
#include <vector>

#include "models/fx/definitions.h"
#include "models/fx/graph.h"

namespace gg::fx {

/// Functional collectives and receives (torch/distributed/_functional_collectives.py) whose results are read or returned before wait_tensor,
/// in order: that they have ended by then is the premise `waited`. Throws InputError(UnsupportedForm) at a statement that writes what one
/// that was not waited for reads.
std::vector<std::string> not_waited_for(const Graph& graph, const Definitions& definitions);

}  // namespace gg::fx
