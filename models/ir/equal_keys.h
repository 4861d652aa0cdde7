// Sorts that may put equal keys in any order.
#pragma once

#include "models/ir/module.h"

namespace gg {

/// Is there a sort of several operands that is not stable? What it gives beside equal keys is not defined.
bool orders_freely(const Module& module);

}  // namespace gg
