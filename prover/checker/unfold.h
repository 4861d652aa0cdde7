// Expansion of anchor reads to their definitions (docs/certificate.md, section 1): only where the indices are in range
// under the guards around the read, since a definition holds inside its box only.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Anchor -> levels. Every read of the anchor is replaced; with k levels the reads inside the definition are expanded
/// k - 1 levels.
using Marks = std::map<std::uint32_t, std::int64_t>;

Value unfold(Terms& t, Value v, const Marks& marks);
/// A read by its anchor's definition, if it has one and the indices are in range where the facts hold.
std::optional<Value> definition_at(Terms& t, Value read, const std::vector<Literal>& facts);
/// Every read of an anchor with a definition, `levels` times.
Value unfold_all(Terms& t, Value v, std::int64_t levels);

}  // namespace gg::checker
