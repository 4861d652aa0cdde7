// How the literals of both programs and the ranges of the relation are read: as sizes, or as they are.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace gg
