// The front end of HLO text.
#pragma once

#include "models/pair/case.h"
#include "models/pair/frontend.h"

namespace gg {

/// Throws InputError.
ReadPair load_hlo_pair(const PairFiles& files, const CaseOptions& options);

}  // namespace gg
