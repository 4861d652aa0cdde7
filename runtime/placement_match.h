// Is a lifted value of the distributed program a sequential value under a plain placement: shards by rank digits,
// replicas, or partial sums (maxima) over some digits? Compared by value, as doubles; a proposal for blame, no proof.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/rank/digits.h"

namespace gg {

/// How far numbers may be apart that are taken for the same, as a share of their scale: doubles of 113-bit values, far above their noise, far
/// below a difference; and where both programs round the same literal in their own ways.
inline constexpr double kSameNumber = 0x1p-44, kSameButForLiterals = 0x1p-20;

/// Values of one tensor as doubles (integers converted), row-major; `scale` is the largest finite magnitude, or a
/// bounded multiple of the usual one where a few are far larger (masks).
struct Samples {
  bool integral = false;
  std::vector<std::int64_t> dims;  ///< local, without ranks
  std::vector<double> values;      ///< ranks * elements
  double scale = 0;
  double apart = kSameNumber;   ///< what is taken for the same
  bool trivial = false;         ///< zeros, or one integer, everywhere: found anywhere, says nothing
  bool nowhere_finite = false;  ///< floats: infinite or NaN everywhere
};

Samples make_samples(bool integral, std::span<const std::int64_t> dims, std::vector<double> values);

/// How a distributed value hangs together with a sequential one.
struct Match {
  std::uint32_t candidate = 0;           ///< index into the candidates
  std::vector<int> partial;              ///< digits over which the ranks' values must still be combined
  bool sum = true;                       ///< of `partial`: sum, else maximum
  std::vector<std::vector<int>> splits;  ///< a dimension's digits, major first
};

/// The first candidate (in order) that fits without partial digits, else with the fewest.
std::optional<Match> match_placement(const RankDigits& digits, const Samples& value,
                                     std::span<const Samples> candidates);

/// Every way to split a value of extents `global` into blocks of extents `local` over distinct digits (a dimension's
/// digits major first), at most 256.
std::vector<std::vector<std::vector<int>>> plain_placements(const RankDigits& digits, std::span<const std::int64_t> local,
                                                            std::span<const std::int64_t> global);

}  // namespace gg
