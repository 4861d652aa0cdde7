// Sizes as products of digits. Every dimension of every value is a list of digits, major first; a digit stands for any
// number of values, of which the text shows one. What the programs say of sizes (operands of equal extents, reshapes,
// shards, gathered blocks) are equations between lists, solved by unification: equal digits become one, a digit whose
// place another list cuts falls apart. The extents of the text decide where lists meet; they are read for nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gg::sizes {

using DigitId = std::uint32_t;
using DigitList = std::vector<DigitId>;

class Digits {
 public:
  /// A digit that is `extent` in the text (at least 2).
  DigitId add(std::int64_t extent);
  /// The list of a dimension: one new digit, none for an extent of 1.
  DigitList dimension(std::int64_t extent);

  /// The digits of a list after all equations so far: representatives that are not cut.
  DigitList resolve(std::span<const DigitId> list) const;
  DigitId root(DigitId digit) const;  ///< of a digit that is not cut
  std::int64_t extent(DigitId digit) const { return rows_[digit].extent; }
  std::int64_t extent(std::span<const DigitId> list) const;

  /// Both lists are the same number. False if their digits have no common refinement at the extents of the text.
  bool unify(std::span<const DigitId> a, std::span<const DigitId> b);
  /// The digit's extent is the text's.
  void fix(DigitId digit);
  bool fixed(DigitId digit) const { return rows_[root(digit)].is_fixed; }

 private:
  struct Row {
    std::int64_t extent;
    DigitId parent;
    DigitId major = 0, minor = 0;  ///< of a digit that is cut
    bool is_cut = false, is_fixed = false;
  };
  void unite(DigitId a, DigitId b);
  void cut_digit(DigitId digit, std::int64_t stride);
  mutable std::vector<Row> rows_;  ///< root() shortens the chains of parents
};

}  // namespace gg::sizes
