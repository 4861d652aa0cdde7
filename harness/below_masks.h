// Draws whose unmasked values lie below the literals of masks: what a proof under mask-is-minus-infinity says nothing of.
#pragma once

#include <string>

#include "harness/report.h"
#include "runtime/differential.h"

namespace gg {

/// One sentence where the pair, proved under assumptions about masks, differs for such inputs; "" where it does not, or where no
/// mask is assumed. May throw RuntimeFailure.
std::string differs_below_masks(Case& c, const std::vector<Assumption>& assumptions, const DifferentialOptions& options);

}  // namespace gg
