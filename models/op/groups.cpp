// The four group modes: replica groups as the text has them (replicas, partitions or global ids) to lists of ranks.
#include "models/op/groups.h"

#include <string>

namespace gg {

namespace {

using Groups = std::vector<std::vector<std::int64_t>>;

[[noreturn]] void bad_groups(std::string message) { throw TypeError{DiagCode::BadGroups, std::move(message)}; }

/// 0, 1, ..., n-1.
std::vector<std::int64_t> iota(std::int64_t n) {
  std::vector<std::int64_t> values;
  for (std::int64_t k = 0; k < n; ++k) values.push_back(k);
  return values;
}

/// The groups of ids as written, checked: each of 0..count-1 exactly once; one group of all where the text names none.
Groups checked_ids(const ReplicaGroups& written, std::int64_t count, const char* kind) {
  if (written.everyone || written.groups.empty()) return {iota(count)};
  std::vector<bool> seen(static_cast<std::size_t>(count), false);
  std::int64_t found = 0;
  for (const auto& group : written.groups) {
    if (group.empty()) bad_groups("a replica group is empty");
    for (const std::int64_t id : group) {
      if (id < 0 || id >= count) {
        bad_groups("a replica group names " + std::string(kind) + " " + std::to_string(id) + " of " +
                   std::to_string(count));
      }
      if (seen[static_cast<std::size_t>(id)]) {
        bad_groups("the replica groups name " + std::string(kind) + " " + std::to_string(id) + " twice");
      }
      seen[static_cast<std::size_t>(id)] = true;
      ++found;
    }
  }
  if (found != count) {
    for (std::int64_t id = 0; id < count; ++id) {
      if (!seen[static_cast<std::size_t>(id)]) {
        bad_groups(std::string(kind) + " " + std::to_string(id) + " is in no replica group");
      }
    }
  }
  return written.groups;
}

/// The groups of ids that are `stride` ranks apart, once for each of `copies` ids of the other kind, which are `step` ranks apart.
Groups each_of(const Groups& ids, std::int64_t stride, std::int64_t copies, std::int64_t step) {
  Groups ranks;
  for (const auto& group : ids) {
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      auto& members = ranks.emplace_back();
      for (const std::int64_t id : group) members.push_back(id * stride + copy * step);
    }
  }
  return ranks;
}

Groups cross_replica(const Groups& ids, RankLayout layout) { return each_of(ids, layout.partitions, layout.partitions, 1); }
Groups cross_partition(const Groups& ids, RankLayout layout) { return each_of(ids, 1, layout.replicas, layout.partitions); }

/// StableHLO lists such a group partition by partition, XLA replica by replica; where the difference shows (positions
/// matter, several of both), the form is refused.
Groups cross_replica_and_partition(const Groups& ids, RankLayout layout, bool ordered) {
  Groups ranks;
  for (const auto& group : ids) {
    if (ordered && group.size() > 1 && layout.partitions > 1) {
      throw TypeError{DiagCode::UnsupportedForm,
                      "the order of " + std::to_string(group.size()) + " replicas of " +
                          std::to_string(layout.partitions) +
                          " partitions in one group is not settled (channel_id without use_global_device_ids)"};
    }
    auto& members = ranks.emplace_back();
    for (const std::int64_t replica : group) {
      for (std::int64_t partition = 0; partition < layout.partitions; ++partition) {
        members.push_back(replica * layout.partitions + partition);
      }
    }
  }
  return ranks;
}

void need_sane(RankLayout layout) {
  if (layout.replicas < 1 || layout.partitions < 1 || layout.replicas > kMaxRanks ||
      layout.partitions > kMaxRanks / layout.replicas) {
    bad_groups(std::to_string(layout.replicas) + " replicas of " + std::to_string(layout.partitions) +
               " partitions are beyond the supported number of ranks, " + std::to_string(kMaxRanks));
  }
}

void need_equal_sizes(const Groups& groups) {
  for (const auto& group : groups) {
    if (group.size() != groups.front().size()) {
      bad_groups("replica groups of " + std::to_string(groups.front().size()) + " and of " +
                 std::to_string(group.size()) + " members");
    }
  }
}

}  // namespace

Groups rank_groups(Op op, const Attributes& attributes, RankLayout layout) {
  need_sane(layout);
  const bool channel = attributes.flag(Attr::HasChannel);
  const bool global = attributes.flag(Attr::UseGlobalDeviceIds);
  const ReplicaGroups& written = attributes.groups();
  if (global && !channel) bad_groups("use_global_device_ids needs a channel_id");
  Groups groups;
  if (global) {
    groups = checked_ids(written, layout.ranks(), "rank");
  } else if (!channel) {
    groups = cross_replica(checked_ids(written, layout.replicas, "replica"), layout);
  } else if (op == Op::AllToAll || op == Op::CollectiveBroadcast) {
    groups = cross_partition(checked_ids(written, layout.partitions, "partition"), layout);
  } else {
    groups = cross_replica_and_partition(checked_ids(written, layout.replicas, "replica"), layout, op != Op::AllReduce);
  }
  if (op != Op::AllReduce) need_equal_sizes(groups);
  return groups;
}

std::vector<std::pair<std::int64_t, std::int64_t>> rank_pairs(const Attributes& attributes, RankLayout layout) {
  need_sane(layout);
  const bool channel = attributes.flag(Attr::HasChannel);
  const std::int64_t count = channel ? layout.partitions : layout.replicas;
  const std::string kind = channel ? "partition " : "replica ";
  std::vector<bool> sources(static_cast<std::size_t>(count), false), targets(static_cast<std::size_t>(count), false);
  std::vector<std::pair<std::int64_t, std::int64_t>> ranks;
  const auto mark = [&](std::vector<bool>& seen, std::int64_t id, const char* role) {
    if (id < 0 || id >= count) {
      throw TypeError{DiagCode::BadPermute,
                      "the " + std::string(role) + " is " + kind + std::to_string(id) + " of " + std::to_string(count)};
    }
    if (seen[static_cast<std::size_t>(id)]) {
      throw TypeError{DiagCode::BadPermute, kind + std::to_string(id) + " is a " + role + " twice"};
    }
    seen[static_cast<std::size_t>(id)] = true;
  };
  for (const auto& [source, target] : attributes.pairs()) {
    mark(sources, source, "source");
    mark(targets, target, "target");
    const std::int64_t others = channel ? layout.replicas : layout.partitions;
    for (std::int64_t other = 0; other < others; ++other) {
      const auto rank = [&](std::int64_t id) {
        return channel ? other * layout.partitions + id : id * layout.partitions + other;
      };
      ranks.emplace_back(rank(source), rank(target));
    }
  }
  return ranks;
}

}  // namespace gg
