// The body of one operator instance: one expression for an element of the result.
#pragma once

#include <vector>

#include "models/body/arena.h"

namespace gg {

/// out[digits..., dims...] = root. `extents` are the rank digits (major first; none in a sequential program) followed by
/// the local dimensions of the result. Reads of operand k take [digits..., dims of operand k...].
struct Body {
  ElementType type;
  std::vector<std::int64_t> extents;
  ExprId root;
};

}  // namespace gg
