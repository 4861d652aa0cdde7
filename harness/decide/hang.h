// Programs that hang whatever their inputs are, as a report.
#pragma once

#include "harness/options/options.h"
#include "harness/report/report.h"
#include "models/transfer/hang.h"

namespace gg {

/// Refuted without a run: the statement at which a rank waits is blamed, what another rank calls in its place is a note.
Report report_of(const RanksHang& hang, const Options& options);

}  // namespace gg
