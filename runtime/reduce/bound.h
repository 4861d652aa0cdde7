// Which literals the programs themselves relate to sizes.
#pragma once

#include <array>
#include <set>

#include "runtime/reduce/collect.h"

namespace gg {

/// Uses of literals beside places that are counted from the rank's number, and beside the counter of a loop. After the kinds are closed.
class BoundToSizes {
 public:
  explicit BoundToSizes(const Constraints& all);
  bool operator()(const LiteralUse& use) const { return bound_[use.side].count(all_.kinds.root(use.kind)) != 0; }

 private:
  const Constraints& all_;
  std::array<std::set<KindId>, 2> bound_;  ///< by side
};

}  // namespace gg
