// `explain`: everything that a report prints as a code or a closed word, what it means and what to do.
#pragma once

#include "harness/options/options.h"

namespace gg {

/// `explain CODE|REASON|ASSUMPTION...`; without a name: all of them. Throws InputError(Usage) for a name that nothing prints.
int explain_command(const Options& options);

}  // namespace gg
