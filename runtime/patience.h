// After how many instructions a run is given up that does not end as it seems.
#pragma once

#include <cstdint>

#include "models/ir/module.h"

namespace gg {

/// A quarter of a million, and twenty times what the program executes if every loop runs as often as the largest integer says that stands in its text: what a counted
/// loop counts to. No limit for a program without loops.
std::int64_t patience_with(const Module& module);

}  // namespace gg
