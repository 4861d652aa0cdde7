// Lifted extents: those of a value that holds all ranks.
#pragma once

#include <span>
#include <vector>

#include "models/rank/digits.h"

namespace gg {

/// The digits' extents before the local ones.
inline std::vector<std::int64_t> lifted_extents(const RankDigits& digits, std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> extents;
  for (const Digit& digit : digits.digits()) extents.push_back(digit.extent);
  extents.insert(extents.end(), dims.begin(), dims.end());
  return extents;
}

}  // namespace gg
