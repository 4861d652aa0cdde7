// The pipeline behind check, run and prove: evidence of a proof and of runs, a judgement, a report.
#pragma once

#include "harness/decide/evidence.h"
#include "harness/report/report.h"

namespace gg {

/// Decides one case and fills the report; writes certificate and witness where asked. Throws InternalError when a proof
/// and a confirmed difference contradict each other (exit 4).
Report decide(Case& c, const Options& options, Parts parts);

/// The exit code of a report under --require, --allow-assumption and --require-precision.
int exit_code(const Report& report, const Options& options);

/// Prints the report on stdout, writes the files that the options name, and gives the exit code.
int publish(const Report& report, const Options& options);

}  // namespace gg
