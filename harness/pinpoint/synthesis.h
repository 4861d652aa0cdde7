// The last resort among repairs: a wrong value replaced by what the sequential program computes in its place. Operands that
// the distributed program holds are gathered where they are distributed, the sequential instructions between them and the
// value are copied, and the rank takes its own block. It says what should be there, not where the slip is.
#pragma once

#include <vector>

#include "harness/pinpoint/repair.h"

namespace gg::pinpoint {

/// Replacements of the suspects, fewest instructions first. `context` must have a complete trace.
std::vector<Repair> replacements(const Context& context);

}  // namespace gg::pinpoint
