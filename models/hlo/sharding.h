// Shardings in HLO text: replicated, maximal, manual, V1 tile lists, V2 iota, V3 named meshes, subgroups, tuples.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/rank/digits.h"

namespace gg {

enum class ShardingKind : std::uint8_t { Replicated,
                                         Maximal,
                                         Manual,
                                         Unknown,
                                         Unreduced,
                                         Tiled,
                                         Tuple };

/// Meaning of the trailing tile dimensions of a tiled sharding.
enum class Subgroup : std::uint8_t { Replicated,
                                     Manual,
                                     Unreduced };

/// A sharding. Tiled: `tiles` per tensor dimension, then one tile dimension for each entry of `subgroups`; `devices` is
/// the row-major list of ranks over all tile dimensions.
struct Sharding {
  ShardingKind kind = ShardingKind::Replicated;
  std::vector<std::int64_t> tiles;
  std::vector<Subgroup> subgroups;
  std::vector<std::int64_t> devices;
  std::int64_t device = 0;         ///< Maximal
  std::vector<Sharding> elements;  ///< Tuple
  friend bool operator==(const Sharding&, const Sharding&) = default;
};

/// Throws InputError. `ranks` expands spellings that leave the number of devices open (named meshes know it).
Sharding parse_sharding(std::string_view text);
std::string to_string(const Sharding& sharding);  ///< V2 where the devices are an iota, else V1

}  // namespace gg
