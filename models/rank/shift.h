// Pairs of ranks that are a step along one digit of the mesh: `{{0,1},{1,2},{2,3},{3,0}}` for every number of ranks along it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/rank/refine.h"

namespace gg {

struct RankShift {
  std::vector<std::int64_t> extents;  ///< of the digits, major first
  std::size_t digit = 0;
  std::int64_t step = 1;
  bool ring = true;        ///< after the last rank comes the first
  bool by_target = false;  ///< the pairs are listed in the order of their targets

  RankPairs pairs() const;
  /// `2,4;1;-1;ring;source`
  std::string text() const;
  static std::optional<RankShift> parse(std::string_view text);
  /// The shift that these pairs are, in this order; a short one if there are several.
  static std::optional<RankShift> of(const RankPairs& pairs, const std::vector<std::int64_t>& extents);
};

}  // namespace gg
