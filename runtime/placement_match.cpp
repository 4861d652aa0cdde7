// Matching by value (runtime/placement_match.h).
#include "runtime/placement_match.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gg {
namespace {

constexpr double kRelative = 0x1p-44;  ///< doubles of 113-bit values: far above their noise, far below a difference
constexpr double kSpan = 0x1p10;         ///< a scale is at most so many times the lower quartile of magnitudes
constexpr std::size_t kMaxPlacements = 256;
constexpr int kMaxPartialDigits = 4;

bool same(double a, double b, double scale) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::abs(a - b) <= kRelative * std::max(scale, std::abs(a));
}

using Splits = std::vector<std::vector<int>>;

/// All ways to give each split dimension an ordered list of distinct digits with the needed product.
void placements(const RankDigits& digits, std::span<const std::int64_t> local, std::span<const std::int64_t> global,
                const std::vector<bool>& excluded, std::vector<Splits>& out) {
  const auto& all = digits.digits();
  Splits current(local.size());
  std::vector<bool> used = excluded;
  const std::function<void(std::size_t, std::int64_t)> next = [&](std::size_t dim, std::int64_t rest) {
    if (out.size() >= kMaxPlacements) return;
    if (rest == 1) {
      if (dim + 1 == local.size()) {
        out.push_back(current);
        return;
      }
      const std::int64_t blocks = (global[dim + 1] + local[dim + 1] - 1) / local[dim + 1];
      next(dim + 1, blocks);
      return;
    }
    for (std::size_t d = 0; d < all.size(); ++d) {
      if (used[d] || rest % all[d].extent != 0) continue;
      used[d] = true;
      current[dim].push_back(static_cast<int>(d));
      next(dim, rest / all[d].extent);
      current[dim].pop_back();
      used[d] = false;
    }
  };
  if (local.empty()) {
    out.emplace_back();
    return;
  }
  next(0, (global[0] + local[0] - 1) / local[0]);
}

/// Do the ranks' blocks under this placement hold the sequential values? Padding beyond the end is not looked at.
bool holds(const RankDigits& digits, const Samples& value, const std::vector<double>& values, const Samples& whole,
           const Splits& splits) {
  const std::size_t rank_count = static_cast<std::size_t>(digits.ranks());
  const std::size_t dims = value.dims.size();
  const std::size_t elements = values.size() / rank_count;
  std::vector<std::int64_t> origin(dims), index(dims);
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    for (std::size_t d = 0; d < dims; ++d) {
      std::int64_t block = 0;
      for (const int digit : splits[d]) {
        const Digit& at = digits.digits()[static_cast<std::size_t>(digit)];
        block = block * at.extent + (static_cast<std::int64_t>(rank) / at.stride) % at.extent;
      }
      origin[d] = block * value.dims[d];
    }
    std::fill(index.begin(), index.end(), std::int64_t{0});
    for (std::size_t k = 0; k < elements; ++k) {
      std::int64_t address = 0;
      bool inside = true;
      for (std::size_t d = 0; d < dims; ++d) {
        const std::int64_t at = origin[d] + index[d];
        inside = inside && at < whole.dims[d];
        address = address * whole.dims[d] + at;
      }
      if (inside && !same(values[rank * elements + k], whole.values[static_cast<std::size_t>(address)], whole.scale)) {
        return false;
      }
      for (std::size_t d = dims; d-- > 0;) {
        if (++index[d] < value.dims[d]) break;
        index[d] = 0;
      }
    }
  }
  return true;
}

/// The value with the ranks of each class over `over` combined, on all of them.
std::vector<double> combined(const RankDigits& digits, const Samples& value, const std::vector<int>& over, bool sum) {
  std::vector<double> result = value.values;
  const auto ranks = static_cast<std::size_t>(digits.ranks());
  const std::size_t elements = value.values.size() / ranks;
  for (const int digit : over) {
    const Digit& d = digits.digits()[static_cast<std::size_t>(digit)];
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      if ((static_cast<std::int64_t>(rank) / d.stride) % d.extent != 0) continue;
      for (std::size_t k = 0; k < elements; ++k) {
        double total = result[rank * elements + k];
        for (std::int64_t j = 1; j < d.extent; ++j) {
          const double more = result[(rank + static_cast<std::size_t>(j * d.stride)) * elements + k];
          total = sum ? total + more : std::max(total, more);
        }
        for (std::int64_t j = 0; j < d.extent; ++j) {
          result[(rank + static_cast<std::size_t>(j * d.stride)) * elements + k] = total;
        }
      }
    }
  }
  return result;
}

/// Do the ranks that differ in these digits only hold different values? Equal ones are replicas, however scaled.
bool varies(const RankDigits& digits, const Samples& value, const std::vector<int>& over) {
  const auto ranks = static_cast<std::size_t>(digits.ranks());
  const std::size_t elements = value.values.size() / ranks;
  for (const int digit : over) {
    const Digit& d = digits.digits()[static_cast<std::size_t>(digit)];
    bool differs = false;
    for (std::size_t rank = 0; rank < ranks && !differs; ++rank) {
      const std::int64_t coordinate = (static_cast<std::int64_t>(rank) / d.stride) % d.extent;
      const auto first = (rank - static_cast<std::size_t>(coordinate * d.stride)) * elements;
      for (std::size_t k = 0; k < elements && !differs; ++k) {
        differs = !same(value.values[rank * elements + k], value.values[first + k], value.scale);
      }
    }
    if (!differs) return false;
  }
  return true;
}

bool fits(const Samples& value, const Samples& whole) {
  if (value.dims.size() != whole.dims.size() || value.integral != whole.integral || whole.trivial) return false;
  for (std::size_t d = 0; d < value.dims.size(); ++d) {
    if (whole.dims[d] < value.dims[d] || value.dims[d] == 0) return false;
  }
  return true;
}

std::optional<Match> match_with(const RankDigits& digits, const Samples& value, const std::vector<double>& values,
                                std::span<const Samples> candidates, const std::vector<int>& partial, bool sum) {
  std::vector<bool> excluded(digits.digits().size());
  for (const int digit : partial) excluded[static_cast<std::size_t>(digit)] = true;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    // Rank 0 holds block 0 of every split, so its first element is the whole's.
    if (!fits(value, candidates[k]) || !same(values[0], candidates[k].values[0], candidates[k].scale)) continue;
    std::vector<Splits> ways;
    placements(digits, value.dims, candidates[k].dims, excluded, ways);
    for (const Splits& splits : ways) {
      if (holds(digits, value, values, candidates[k], splits)) {
        return Match{static_cast<std::uint32_t>(k), partial, sum, splits};
      }
    }
  }
  return std::nullopt;
}

/// A small one (the lower quartile) of the magnitudes that are not zero: what masks (-1e9) leave alone.
double usual_magnitude(const std::vector<double>& values) {
  std::vector<double> magnitudes;
  for (const double value : values) {
    if (std::isfinite(value) && value != 0) magnitudes.push_back(std::abs(value));
  }
  if (magnitudes.empty()) return 0;
  const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>((magnitudes.size() - 1) / 4);
  std::nth_element(magnitudes.begin(), at, magnitudes.end());
  return *at;
}

}  // namespace

Samples make_samples(bool integral, std::span<const std::int64_t> dims, std::vector<double> values) {
  Samples samples{integral, {dims.begin(), dims.end()}, std::move(values), 0, true};
  for (const double value : samples.values) {
    if (std::isfinite(value)) samples.scale = std::max(samples.scale, std::abs(value));
    const double usual = integral ? samples.values.front() : 0;
    samples.trivial = samples.trivial && (value == usual || !std::isfinite(value));
  }
  samples.scale = std::min(samples.scale, kSpan * usual_magnitude(samples.values));
  return samples;
}

std::optional<Match> match_placement(const RankDigits& digits, const Samples& value,
                                     std::span<const Samples> candidates) {
  if (auto plain = match_with(digits, value, value.values, candidates, {}, true)) return plain;
  const int count = std::min(digits.count(), kMaxPartialDigits);
  for (int size = 1; size <= count && !value.integral; ++size) {
    for (unsigned set = 1; set < (1U << static_cast<unsigned>(count)); ++set) {
      std::vector<int> partial;
      for (int d = 0; d < count; ++d) {
        if ((set >> static_cast<unsigned>(d) & 1U) != 0) partial.push_back(d);
      }
      if (static_cast<int>(partial.size()) != size || !varies(digits, value, partial)) continue;
      for (const bool sum : {true, false}) {
        if (auto match = match_with(digits, value, combined(digits, value, partial, sum), candidates, partial, sum)) {
          return match;
        }
      }
    }
  }
  return std::nullopt;
}

std::vector<std::vector<std::vector<int>>> plain_placements(const RankDigits& digits, std::span<const std::int64_t> local,
                                                            std::span<const std::int64_t> global) {
  std::vector<Splits> ways;
  if (local.size() != global.size()) return ways;
  for (std::size_t d = 0; d < local.size(); ++d) {
    if (local[d] == 0 || global[d] < local[d]) return ways;
  }
  placements(digits, local, global, std::vector<bool>(digits.digits().size()), ways);
  return ways;
}

}  // namespace gg
