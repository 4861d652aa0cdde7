// The distributed program told along its instructions: what each holds of the sequential one, and by how much it differs
// from the mended program. For the page.
#pragma once

#include <vector>

#include "harness/pinpoint/pinpoint.h"
#include "harness/report/report.h"

namespace gg::pinpoint {

/// Rows in the order of the run, at most about 600; empty where the values are too many to be kept.
std::vector<StoryRow> story(Case& c, const InputSet& inputs, const Pinpointed& found, const Search& search);

}  // namespace gg::pinpoint
