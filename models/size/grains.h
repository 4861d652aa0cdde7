// Sizes as products of grains. Every dimension of every value is a list of grains, major first; a grain stands for any
// number of values, of which the text shows one. What the programs say of sizes (operands of equal extents, reshapes,
// shards, gathered blocks) are equations between lists, solved by unification: equal grains become one, a grain whose
// place another list cuts falls apart. The extents of the text decide where lists meet; they are read for nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gg::sizes {

using GrainId = std::uint32_t;
using GrainList = std::vector<GrainId>;

class Grains {
 public:
  /// A grain that is `extent` in the text (at least 2).
  GrainId add(std::int64_t extent);
  /// The list of a dimension: one new grain, none for an extent of 1.
  GrainList dimension(std::int64_t extent);

  /// The grains of a list after all equations so far: representatives that are not cut.
  GrainList resolve(std::span<const GrainId> list) const;
  GrainId root(GrainId grain) const;  ///< of a grain that is not cut
  std::int64_t extent(GrainId grain) const { return rows_[grain].extent; }
  std::int64_t extent(std::span<const GrainId> list) const;

  /// Both lists are the same number. False if their grains have no common refinement at the extents of the text.
  bool unify(std::span<const GrainId> a, std::span<const GrainId> b);
  /// The grain's extent is the text's.
  void fix(GrainId grain);
  bool fixed(GrainId grain) const { return rows_[root(grain)].is_fixed; }

 private:
  struct Row {
    std::int64_t extent;
    GrainId parent;
    GrainId major = 0, minor = 0;  ///< of a grain that is cut
    bool is_cut = false, is_fixed = false;
  };
  void unite(GrainId a, GrainId b);
  void cut_grain(GrainId grain, std::int64_t stride);
  mutable std::vector<Row> rows_;  ///< root() shortens the chains of parents
};

}  // namespace gg::sizes
