// How the literals of both programs and the ranges of the relation are read: as sizes, or as they are.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/shapes/collect.h"
#include "runtime/shapes/rewrite.h"

namespace gg {

constexpr std::size_t kMaxReported = 200;  ///< lines of each list of a report

/// Readings of every value of one use.
struct ReadUse {
  const LiteralUse* use;
  std::map<std::int64_t, SizeExpr> readings;
};

/// The instruction, or the relation, that a constraint comes from: `distributed %slice.3`.
std::string name_at(const Constraints& all, SizeOrigin origin);

/// Literals that are read. `grows`: only those that are bound to sizes, since a reading is part of what is said; the others stay.
std::vector<ReadUse> read_uses(Constraints& all, bool grows);

/// Given ranges of integers, by free input.
std::map<std::size_t, std::pair<SizeExpr, SizeExpr>> read_ranges(Constraints& all, const Case& c);

/// What becomes of the literals at the new sizes.
LiteralPlan make_plan(const Constraints& all, const std::vector<ReadUse>& read);

/// Which literals the programs themselves relate to sizes: uses beside places that are counted from the rank's number, and beside the counter of a loop; where the number of ranks is
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

/// The second mode for float literals, where those that are made of sizes follow them, all or none (floats.cpp). Adds to `plan` what becomes of them at the new sizes, after solve, if every one that may be made of sizes has
/// exactly one reading in context (docs/shape-reduction.md). Else returns why not and leaves the plan as it is. `ranks` of
/// the distributed program.
std::string plan_floats(const Constraints& all, std::int64_t ranks, LiteralPlan& plan);

}  // namespace gg
