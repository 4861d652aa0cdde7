// The page about operators, printed from the tables: `gg-harness ops` and docs/ops.md.
#pragma once

#include <string>
#include <string_view>

namespace gg {

/// docs/ops.md: for each operator its operands, attributes, type rule, and the body of an example as mathematics.
std::string print_ops_markdown();

/// The sentence of type_rules.def about a type rule, or "" if it has none.
std::string_view describe_type_rule(std::string_view function);

}  // namespace gg
