// Which literals the programs themselves relate to sizes.
#pragma once

#include <array>
#include <set>

#include "runtime/shapes/collect.h"

namespace gg {

/// Uses of literals beside places that are counted from the rank's number, and beside the counter of a loop; where the number of ranks is
/// a size, also `(i + c) mod n` that chooses one of n places. After the kinds are closed.
class BoundToSizes {
 public:
  explicit BoundToSizes(const Constraints& all);
  bool operator()(const LiteralUse& use, std::int64_t value) const;

 private:
  const Constraints& all_;
  std::array<std::set<KindId>, 2> bound_;  ///< by side
  std::set<KindId> rings_;
};

}  // namespace gg
