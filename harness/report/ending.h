// What is told of a process that came to no end of its own (models/base/watch.h).
#pragma once

#include <string>

#include "harness/report/report.h"
#include "models/base/watch.h"

namespace gg {

/// A verdict that stands whatever becomes of what is told beside it: published if the process is ended before it reports.
void keep_so_far(const Report& report);

/// What is told of a process that did not end by itself: a verdict (unknown, or the one that was kept) or a failure.
Report report_of(const Ending& ending, const std::string& command, const std::string& name);

}  // namespace gg
