// `passes DIR...`: the states of one module between XLA's passes. Before partitioning each state is compared with the one
// before it, after partitioning with the text just before it; the first that differs names the pass that broke the module.
#pragma once

#include <string>
#include <vector>

#include "harness/options/options.h"

namespace gg {

/// A dumped text of a module.
struct ModuleState {
  std::string path;
  std::string pass;      ///< that has just run; `before-optimizations`, `after-optimizations` at the ends
  std::string pipeline;  ///< "" at the ends
  std::string number;    ///< of the file, as printed
  bool partitioned = false;
};

/// The states of one module in the order in which they came to be.
struct ModuleStates {
  std::string module, stem;
  std::vector<ModuleState> states;
  std::size_t before = 0;  ///< the last one that is not partitioned
};

/// The module of `folder` with the largest texts among those that have two states at least and match `regex`. Throws
/// InputError (GG-Xnnn) where there is none.
ModuleStates read_states(const std::string& folder, const std::string& regex);

/// Prints a line a state and the verdict: refuted with the pass, or unknown "agrees". Exit code: the worst of the folders.
int passes_command(const Options& options);

}  // namespace gg
