// The front end of HLO text.
#pragma once

#include "models/pair/case.h"
#include "models/pair/frontend.h"

namespace gg {

/// Throws InputError.
ReadPair load_hlo_pair(const PairFiles& files, const CaseOptions& options);

/// A pair of HLO texts and a relation's, without what only files have (hashes, options). Throws InputError where they are not well formed.
Case case_of_texts(const std::string& sequential, const std::string& distributed, const std::string& relation);

}  // namespace gg
