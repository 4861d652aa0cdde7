// check, run and prove on a dump folder: the largest pair, or all of them.
#pragma once

#include "harness/decide/decide.h"

namespace gg {

/// Decides the pair (with --all-modules: every pair) of options.xla_dump and publishes; returns the exit code, with
/// several pairs that of the worst verdict: refuted, unknown, proved.
int decide_dump(const Options& options, Parts parts);

/// The report on the largest pair of options.xla_dump.
Report decide_largest(const Options& options, Parts parts);

}  // namespace gg
