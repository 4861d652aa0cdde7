// Cutting the ranks into digits: which strides a list of ranks needs, and chains of strides that divide each other.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "models/rank/digits.h"

namespace gg {

/// A run of ranks with one step: member k of the run is base + k * stride, k < extent.
struct RankPiece {
  std::int64_t extent;
  std::int64_t stride;
  friend bool operator==(const RankPiece&, const RankPiece&) = default;
};

using RankGroups = std::vector<std::vector<std::int64_t>>;
using RankPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The coarsest pieces (minor first) such that ranks[k] - ranks[0] is the sum of the mixed-radix digits of k times
/// their strides; nothing if there are none with positive strides.
std::optional<std::vector<RankPiece>> pieces_of(std::span<const std::int64_t> ranks);

/// The pieces that all groups have in common, if each starts where all of its pieces are zero.
std::optional<std::vector<RankPiece>> common_pieces(const RankGroups& groups);

/// For each coordinate of the other axes the ranks along `axis`, in order.
RankGroups axis_groups(const Mesh& mesh, int axis);

/// Strides at which the ranks are cut, each dividing the next; 1 and the number of ranks are always among them.
class RankCuts {
 public:
  explicit RankCuts(std::int64_t ranks);
  /// Cuts at both ends of each piece; changes nothing and returns false if the strides would not divide each other.
  bool add(const std::vector<RankPiece>& pieces);
  /// Cuts at the digits in which ranks that exchange their values differ; closes the cuts under permutes that map digits to digits, so that each
  /// digit's image is a product of digits.
  /// Permutes that are no permutation of digits, or need more than kMaxPermutedDigits digits, are left out.
  void close(std::span<const RankPairs> permutes);
  const std::set<std::int64_t>& strides() const { return strides_; }

 private:
  std::int64_t ranks_;
  std::set<std::int64_t> strides_;
};

/// Beyond this number of digits a permute is better served by division atoms (plans have 16 levels in all).
inline constexpr std::size_t kMaxPermutedDigits = 8;

}  // namespace gg
