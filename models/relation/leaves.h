// The array leaves of a module's entry parameters and root, depth first: what a relation speaks about.
#pragma once

#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// One array leaf. `name`: the parameter's or (outputs) the root's or its operand's name; leaves of tuples carry their
/// position, `params{0,1}`.
struct Leaf {
  std::string name;
  Type type;
};

std::vector<Leaf> input_leaves(const Module& module);
std::vector<Leaf> output_leaves(const Module& module);

}  // namespace gg
