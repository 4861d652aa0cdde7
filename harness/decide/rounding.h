// `--dtype model|f32` and `--device`: beside the verdict over the reals, a run in the types that round, judged in units of
// rounding (runtime/float_verdict.h).
#pragma once

#include "harness/options/options.h"
#include "harness/report/report.h"

namespace gg {

/// Is a run that rounds asked for?
bool wants_rounding(const Options& options);

/// What came of it. Beyond: an error is more than rounding, so that the backend is at fault, not the program over the reals.
enum class RoundedRun : std::uint8_t { NotAsked,
                                       Within,
                                       Undecided,
                                       Beyond,
                                       NotRun };

/// Runs it on the draws of the run over the reals and tells what it says: errors in roundings, reductions that depend on their
/// order, elements that rounding leaves undecided.
RoundedRun judge_floats(Case& c, const Options& options, Told& told);

}  // namespace gg
