// Reads replaced by something else; expansion of anchor reads to their definitions (docs/certificate.md, section 1): only where the
// indices are in range under the guards around the read, since a definition holds inside its box only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// What stands for a read of this anchor at these indices where the facts, the conditions around it, hold; nothing: the read.
using ReadsBy = std::function<std::optional<Value>(std::uint32_t anchor, const std::vector<Index>& index, const std::vector<Literal>& facts)>;
/// Every read by what `by` says of it, those in its indices first.
Value replace_reads(Terms& t, Value v, const ReadsBy& by);

/// Anchor -> levels. Every read of the anchor is replaced; with k levels the reads inside the definition are expanded
/// k - 1 levels.
using Marks = std::map<std::uint32_t, std::int64_t>;

Value unfold(Terms& t, Value v, const Marks& marks);
/// A read by its anchor's definition, if it has one and the indices are in range where the facts hold; reads inside it expanded
/// `levels` - 1 times.
std::optional<Value> definition_at(Terms& t, std::uint32_t anchor, const std::vector<Index>& index, const std::vector<Literal>& facts, std::int64_t levels = 1);
/// Every read of an anchor with a definition, `levels` times.
Value unfold_all(Terms& t, Value v, std::int64_t levels);

}  // namespace gg::checker
