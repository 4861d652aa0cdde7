// Reads of anchors (docs/certificate.md, sections 1 and 4, A) and their unfolding.
#pragma once

#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Element of anchor `anchor`; a boolean one is a condition. Where the definition is a case and the indices (in range)
/// decide one of its index tests, it is the definition there.
Value read(Terms& t, std::uint32_t anchor, const std::vector<Index>& index);
/// The same whatever the definition is there.
Value plain_read(Terms& t, std::uint32_t anchor, std::vector<Index> index);
/// Is the k-th index of a read inside its extent by its range?
bool in_extent(const Terms& t, std::uint32_t anchor, std::size_t k, Index index);
/// Are all of them?
bool in_extents(const Terms& t, std::uint32_t anchor, const std::vector<Index>& index);
/// What of each of an anchor's variables its definition hangs on: all of it (of the first `context` always, where it occurs), the
/// variable without the digits that make no difference, or 0. Holds for indices inside the extents; 0 for all.
std::vector<Index> used_parts(Terms& t, const std::vector<Var>& vars, std::size_t context, Value definition);
/// `form`, a term over the anchor's variables, at these indices.
Value instantiate(Terms& t, std::uint32_t anchor, Value form, const std::vector<Index>& index);

}  // namespace gg::checker
