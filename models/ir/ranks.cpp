// Ranks of a module: counts from its header or its collectives, and the digits that its collectives need.
#include <algorithm>
#include <set>

#include "models/ir/region.h"
#include "models/op/groups.h"

namespace gg {

RankLayout rank_layout(const Module& module, std::int64_t ranks) {
  if (module.replica_count || module.num_partitions) {
    const RankLayout layout{module.replica_count.value_or(1), module.num_partitions.value_or(1)};
    if (layout.replicas < 1 || layout.partitions < 1 || layout.replicas > kMaxRanks ||
        layout.partitions > kMaxRanks / layout.replicas) {
      throw InputError(DiagCode::RankCount, Location{module.file},
                       "replica_count=" + std::to_string(layout.replicas) + " times num_partitions=" +
                           std::to_string(layout.partitions) + " is no supported number of ranks");
    }
    return layout;
  }
  for (InstructionId id = 0; id < module.size(); ++id) {
    if (module[id].channel >= 0) return {1, ranks};
  }
  return {ranks, 1};
}

RankDigits rank_digits(const Module& module, const Mesh& mesh, RankLayout layout) {
  std::vector<std::vector<std::vector<std::int64_t>>> groups;
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> permutes;
  std::set<std::pair<Op, AttributesId>> seen;
  for (InstructionId id = 0; id < module.size(); ++id) {
    const Op op = module[id].op;
    if (info(op).traits != OpTraits::Collective || !seen.emplace(op, module[id].attributes).second) continue;
    const Attributes& attributes = module.attributes(id);
    try {
      if (attributes.has(Attr::SourceTargetPairs)) {
        permutes.push_back(rank_pairs(attributes, layout));
        continue;
      }
      auto found = rank_groups(op, attributes, layout);
      const bool equal = std::all_of(found.begin(), found.end(),
                                     [&](const auto& group) { return group.size() == found.front().size(); });
      if (equal) groups.push_back(std::move(found));
    } catch (const TypeError& error) {
      throw InputError(error.code, module.where(id), std::string(info(op).name) + ": " + error.message);
    }
  }
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::sort(permutes.begin(), permutes.end());
  permutes.erase(std::unique(permutes.begin(), permutes.end()), permutes.end());
  if (!mesh.axes.empty() && mesh.ranks() != layout.ranks()) {
    throw InputError(
        DiagCode::RankCount, Location{module.file},
        "the mesh has " + std::to_string(mesh.ranks()) + " ranks, the module " + std::to_string(layout.ranks()));
  }
  if (!mesh.axes.empty()) return RankDigits::refine(mesh, groups, permutes);
  const Mesh line{{{"rank", layout.ranks()}}, {}};
  return RankDigits::refine(line, groups, permutes);
}

}  // namespace gg
