// Which elements of its operands an expression reads, at most, when it is evaluated on a box of its index variables.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "kernels/plan/known_folds.h"
#include "models/relation/relation.h"

namespace gg {

/// Inclusive ranges, one an index.
using Box = std::vector<IntegerSpan>;
std::int64_t count(const Box& box);

class ReadBoxes {
 public:
  /// Called for every read with the box of its indices; they lie in the operand's extents where the ranges tell so.
  using Visit = std::function<void(std::size_t operand, const Box& box)>;
  ReadBoxes(const Arena& arena, Box levels, Visit visit) : arena_(arena), levels_(std::move(levels)), visit_(std::move(visit)), folds_(arena) {}
  /// Operations that one element takes, at most, on average over the box: a fold is made once for the levels that it depends on.
  double walk(ExprId root);

 private:
  enum class Truth : std::uint8_t { No,
                                    Yes,
                                    Perhaps };
  template <class Id>
  double inside(Id id);  ///< operations of the parts
  IntegerSpan range(LinId id) const;
  IntegerSpan range(const Atom& atom) const;
  Truth truth(GuardId id) const;

  const Arena& arena_;
  Box levels_;
  Visit visit_;
  KnownFolds folds_;
  std::unordered_set<std::uint32_t> seen_;
};

}  // namespace gg
