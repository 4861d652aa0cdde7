// `--dtype model|f32` and `--device`: beside the verdict over the reals, a run in the types that round, judged in units of
// rounding (runtime/float_verdict.h).
#pragma once

#include "harness/options.h"
#include "harness/report.h"

namespace gg {

/// Is a run that rounds asked for?
bool wants_rounding(const Options& options);

/// Runs it on the draws of the run over the reals and adds what it says to the report: errors in roundings, reductions that
/// depend on their order, elements that rounding leaves undecided. An error beyond rounding makes the verdict refuted with
/// level=backend: the program over the reals is not at fault.
void judge_floats(Case& c, const Options& options, Report& report);

}  // namespace gg
