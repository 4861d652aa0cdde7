// Sets of ranks during rank-varying control flow: which ranks execute, what a collective demands of them, and how the
// values of two branches are put together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/ir/module.h"
#include "runtime/value.h"

namespace gg {

/// The ranks that execute, by rank. Empty = all.
using RankMask = std::vector<bool>;

/// Number of ranks in a mask over `ranks` ranks.
std::int64_t count_ranks(const RankMask& mask, std::int64_t ranks);
/// Those of `mask` (empty = all) for which `chosen` holds.
RankMask restrict_ranks(const RankMask& mask, const std::vector<bool>& chosen);
/// `0, 2, 5`
std::string rank_list(std::span<const std::int64_t> ranks);

/// Rank by rank: `chosen` ranks take `with`, the others keep `without`. Both hold `ranks` equal parts, rank-major.
Value merge(const std::vector<bool>& chosen, std::int64_t ranks, const Value& with, const Value& without);

/// A rank that reaches a collective and one that it waits for there in vain.
struct Parted {
  std::string text;  ///< a sentence naming the ranks
  std::int64_t here = 0, absent = 0;
};

/// Why a collective cannot complete when only `active` ranks reach it; nothing if every group is wholly active or wholly
/// inactive (and every source of a permute is active with its target).
std::optional<Parted> mismatch(const RankMask& active, std::span<const std::vector<std::int64_t>> groups,
                               std::span<const std::pair<std::int64_t, std::int64_t>> pairs);

}  // namespace gg
