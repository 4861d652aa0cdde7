// What a verdict does not say, told beside it: values that an assumption excludes, ranges that a step may leave, ignored outputs.
#pragma once

#include <string>
#include <vector>

#include "harness/report/report.h"
#include "runtime/differential.h"

namespace gg {

/// Of a pair proved under assumptions about masks: a note if it differs where unmasked values lie below their literals.
void note_below_masks(Case& c, const DifferentialOptions& options, const std::vector<Assumption>& assumptions, std::vector<std::string>& notes);

/// An output that becomes an input of which the proof assumes a range: that it stays in it is shown only where it is that input.
/// A sentence, "" if there is none.
std::string leaves_range(const Case& c, const std::vector<Assumption>& assumptions);

}  // namespace gg
