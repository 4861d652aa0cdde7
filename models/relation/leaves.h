// The array leaves of a module's entry parameters and root, depth first: what a relation speaks about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/ir/module.h"

namespace gg {

/// One array leaf. `name`: the parameter's or (outputs) the root's or its operand's name; leaves of tuples carry their
/// position, `params{0,1}`. `label`: what the user's program calls it, a parameter's op_name (`s['p']['emb']`); "" if
/// unknown.
struct Leaf {
  std::string name;
  Type type;
  std::string label;
  /// The label, or the name where there is none.
  const std::string& shown() const { return label.empty() ? name : label; }
};

std::vector<Leaf> input_leaves(const Module& module);
std::vector<Leaf> output_leaves(const Module& module);
/// The leaf that a key names: by its name, what the user's program calls it, or its position.
std::optional<std::size_t> find_leaf(const std::vector<Leaf>& leaves, const std::string& key);

}  // namespace gg
