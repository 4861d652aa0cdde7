// Rank digits: the ranks of a program as a mixed-radix number whose digits are the coarsest common refinement of the
// mesh axes, all replica groups, device orders and those permutes that are digit permutations or affine
// (docs/design.md). Every lifted value has the digits as its leading dimensions, major first, so a lifted
// buffer is rank-major whatever the digits are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/body/arena.h"

namespace gg {

/// One digit of the rank: value (rank / stride) mod extent.
struct Digit {
  std::int64_t extent;
  std::int64_t stride;
  std::string name;  ///< `tp`, or `fsdp.0` where an axis is cut; `rank` where no axis fits
};

/// A named mesh axis of the relation, in mesh order (major first).
struct MeshAxis {
  std::string name;
  std::int64_t size;
};

/// The mesh of a relation. `devices` (row-major over the axes) gives the rank at each coordinate; identity if empty.
struct Mesh {
  std::vector<MeshAxis> axes;
  std::vector<std::int64_t> devices;
  std::int64_t ranks() const;  ///< product of the sizes (1 without axes)
  /// The axis of this name.
  std::optional<std::size_t> find(const std::string& name) const;
  /// Coordinate of `rank` on axis `axis`.
  std::int64_t coordinate(std::int64_t rank, int axis) const;
};

/// How a module counts its ranks: rank = replica * partitions + partition.
struct RankLayout {
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  std::int64_t ranks() const { return replicas * partitions; }
  friend bool operator==(const RankLayout&, const RankLayout&) = default;
};

/// "Any value will do" in a table given to RankDigits::by_rank.
inline constexpr std::int64_t kAnyValue = INT64_MIN;

/// The digits of one program. A sequential program has none (ranks() == 1).
class RankDigits {
 public:
  RankDigits() = default;
  /// digits major first; strides must telescope to the product of extents.
  explicit RankDigits(std::vector<Digit> digits);
  /// One digit for all ranks: always valid, used where nothing finer is known.
  static RankDigits whole(std::int64_t ranks);
  /// Coarsest refinement of the mesh axes, the groups (each a list of equally long rank lists) and the permutes that
  /// permute digits. Whatever does not fit is left to tables.
  static RankDigits refine(const Mesh& mesh, std::span<const std::vector<std::vector<std::int64_t>>> groups,
                           std::span<const std::vector<std::pair<std::int64_t, std::int64_t>>> permutes);

  const std::vector<Digit>& digits() const { return digits_; }
  int count() const { return static_cast<int>(digits_.size()); }
  std::int64_t ranks() const;

  /// The rank as an index form over the digit variables at levels 0..count()-1.
  LinId rank_form(Arena& arena) const;
  /// Digit variables as index forms, level d for digit d.
  std::vector<LinId> variables(Arena& arena) const;
  /// The digits of a rank that is itself an index form: (rank div stride) mod extent each.
  std::vector<LinId> digits_of(Arena& arena, LinId rank) const;
  /// f(rank) for a table of one integer a rank: an affine form of the digits if one fits all ranks (checked); for maps
  /// between ranks (permutes) also digit by digit an affine form modulo the extent (rings); else a table atom. Ranks
  /// with the value kAnyValue may get any value.
  LinId by_rank(Arena& arena, std::span<const std::int64_t> values) const;
  /// True exactly on the ranks with members[rank] != 0: a box of the digits or its complement where one fits, else a
  /// table.
  GuardId where(Arena& arena, std::span<const std::int64_t> members) const;
  /// The value of digit `d` for a rank.
  std::int64_t value(std::int64_t rank, int d) const;
  /// Digits (by position in digits(), major first) whose mixed radix is a mesh axis' coordinate, if there are such.
  std::optional<std::vector<int>> axis_digits(const Mesh& mesh, int axis) const;
  /// Digits (by position in digits(), major first) whose mixed radix is the position inside each group, if the groups
  /// are exactly the classes of ranks that agree on the other digits, in that order.
  std::optional<std::vector<int>> group_digits(std::span<const std::vector<std::int64_t>> groups) const;

 private:
  std::vector<Digit> digits_;
};

/// The digits' extents before the local ones.
inline std::vector<std::int64_t> lifted_extents(const RankDigits& digits, std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> extents;
  for (const Digit& digit : digits.digits()) extents.push_back(digit.extent);
  extents.insert(extents.end(), dims.begin(), dims.end());
  return extents;
}

}  // namespace gg
