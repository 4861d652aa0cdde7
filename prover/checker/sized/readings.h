// What the numbers of a pair are read as in a theorem about its sizes, beyond the extents of values.
#pragma once

#include <string>
#include <vector>

#include "prover/checker/sized/family_text.h"

namespace gg::checker {

/// `literal 4 of %c = a`, `number 3 of %slice.1 = b`, `number 7 of the relation = tp*a - 1`: every number of the texts that is another one at
/// other sizes, but for types, what an attribute says of extents of its own operands and results, groups of ranks and the mesh.
std::vector<std::string> readings_of(const FamilyText& family, const std::string& file);

}  // namespace gg::checker
