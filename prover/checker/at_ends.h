// Sums over boxes by their first and last elements (docs/certificate.md, section 5).
#pragma once

#include "prover/checker/terms.h"

namespace gg::checker {

/// Of a sum without guard of reads that are exponentials by definition: is the first or the last one positive, by definitions (a row of a triangle has its first column)?
bool positive_at_end(Terms& t, const ValueNode& node);

}  // namespace gg::checker
