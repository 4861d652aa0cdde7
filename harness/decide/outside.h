// Integer inputs outside of what they index: no draw of the comparison goes there, and nothing there is refuted.
#pragma once

#include "harness/report/report.h"
#include "runtime/differential.h"

namespace gg {

/// Runs the pair with such values of each integer input that these assumptions do not exclude, and says in a note for which the
/// programs differ: `differs for ids >= 32000`. Returns whether one does. Call after the run of the comparison.
bool note_outside(Case& c, const DifferentialOptions& options, const std::vector<Assumption>& assumptions, std::vector<std::string>& notes);

}  // namespace gg
