// Integers and truth values that hang on no input: which elements a mask such as ~eye(n) takes is then no data.
#pragma once

#include <optional>
#include <vector>

#include "models/fx/emitter.h"

namespace gg::fx {

/// The elements of `x`, row-major, one list a rank (0, 1, ... of `ranks`): by the bodies of the operators that make it. Nothing where an input, an operator
/// with a region or a number that is no small integer takes part, or where more elements are computed on the way than a text may spell out.
std::optional<std::vector<std::vector<std::int64_t>>> known_elements(const Emitter& e, NodeId x, std::int64_t ranks);

/// Those of the first output of a module at one rank.
std::optional<std::vector<std::int64_t>> known_elements(const Module& module);

}  // namespace gg::fx
