// Unrolled programs with fewer layers: what `shapes/reduce.h` is for the trips of a loop.
#pragma once

#include <optional>
#include <string>

#include "models/pair/case.h"

namespace gg {

/// A pair without some of its layers. Its instructions are those of the pair as given, by name; where a layer was left out, the one
/// behind it reads the one before it.
struct FewerLayers {
  Case pair;
  std::vector<std::size_t> outputs;  ///< those of the pair as given that it still has
  std::size_t left_out = 0;          ///< instructions, of both programs
};

/// Leaves out layers that are like their neighbours in both programs, with their inputs and outputs; what is not like the others, and
/// what reads it, stays. Nothing where no layers are found, or not the same ones in both programs.
std::optional<FewerLayers> with_fewer_layers(const Case& c);

}  // namespace gg
