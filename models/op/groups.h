// Which ranks take part in a collective: the group modes of StableHLO's specification (cross_replica, cross_partition,
// cross_replica_and_partition, flattened_ids), chosen by channel_id and use_global_device_ids.
#pragma once

#include <cstdint>
#include <vector>

#include "models/op/op.h"

namespace gg {

/// Largest number of ranks of one program.
inline constexpr std::int64_t kMaxRanks = most(Limit::Ranks);

/// The groups of a collective as lists of ranks, complete and disjoint, in the order of the text; position in a group
/// matters. Throws TypeError(BadGroups) with a sentence (overlap, missing or nonexistent ranks, unequal sizes where the
/// operator needs equal ones; all but all-reduce), and TypeError(UnsupportedForm) where positions matter and a group
/// has several replicas of several partitions: StableHLO and XLA order such groups differently.
std::vector<std::vector<std::int64_t>> rank_groups(Op op, const Attributes& attributes, RankLayout layout);

/// Source-target pairs as ranks (cross_replica or cross_partition mode). Throws TypeError(BadPermute).
std::vector<std::pair<std::int64_t, std::int64_t>> rank_pairs(const Attributes& attributes, RankLayout layout);

}  // namespace gg
