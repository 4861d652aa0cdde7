// Calls that write into their arguments: the operators that compute what they write.
#pragma once

#include "models/fx/graph.h"

namespace gg::fx {

/// `op_(x, ...)` as `op(x, ...)`. Throws InputError where that operator is not known.
Statement written_form(const Statement& given);

}  // namespace gg::fx
