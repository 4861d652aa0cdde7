// One small example of every operator that has a body, for the documentation.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "models/op/op.h"

namespace gg {

/// A complete call: operand and result types, attributes, a region of addition, four ranks `dp` x `tp`.
struct OpExample {
  Op op;
  Attributes attributes;
  std::vector<Type> operands;
  Type result;
  std::vector<Region> regions;
  RankDigits digits;
  RankLayout layout;
  /// The call that points into this example, which must stay where it is.
  Call call() const;
};

/// The example of an operator, or nothing if it has no body; custom calls by target.
std::unique_ptr<OpExample> example_of(Arena& arena, Op op, std::string_view target = {});

/// docs/ops.md: for each operator its operands, attributes, type rule, and the body of an example as mathematics.
std::string print_ops_markdown();

/// The sentence of type_rules.def about a type rule, or "" if it has none.
std::string_view describe_type_rule(std::string_view function);

}  // namespace gg
