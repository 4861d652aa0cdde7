// From a confirmed difference to findings and hypotheses of the report (harness/pinpoint).
#pragma once

#include "harness/options.h"
#include "harness/report.h"
#include "runtime/differential.h"

namespace gg {

/// Fills divergent, findings and hypotheses, and writes the repaired program where --repaired asks for it.
void explain_difference(Case& c, const InputSet& inputs, const DrawOutcome& outcome, const Options& options, Report& report);

}  // namespace gg
