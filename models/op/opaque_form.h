// Operators without a body that are nevertheless functions: of whole arrays along some dimensions, element by element along others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/op/op.h"

namespace gg {

/// What is known of such an operator. Equal `text`, equal element types, equal extents but for the batch, and equal operands at a
/// batch index: equal results there.
struct OpaqueForm {
  std::vector<std::int64_t> batch;  ///< dimensions, the same of all operands that are no scalars and of the results
  std::string text;                 ///< operator, attributes, regions by content
};

/// Nothing of operators that have a body, or an effect. A custom call is one that the user declared (its batch dimensions too).
std::optional<OpaqueForm> opaque_form(const Call& call);

}  // namespace gg
