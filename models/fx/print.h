// Statements as torch prints them.
#pragma once

#include <string>

#include "models/fx/graph.h"

namespace gg::fx {

/// `all_reduce: "f32[4, 6]" = torch.ops._c10d_functional.all_reduce.default(mm, 'sum', '0')`. A table prints as its ranks' values.
std::string statement_text(const Statement& statement);
std::string argument_text(const Argument& argument);
/// `layers.py:276 in forward` of a statement, or "".
std::string source_text(const Graph& graph, const Statement& statement);

}  // namespace gg::fx
