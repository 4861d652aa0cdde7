// Matching by value (runtime/placement_match.h).
#include "runtime/placement_match.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gg {
namespace {

constexpr double kSpan = 0x1p10;  ///< a scale is at most so many times the lower quartile of magnitudes
constexpr std::size_t kMaxPlacements = 256;
constexpr int kMaxPartialDigits = 10;
constexpr int kMaxTries = 64;  ///< splits that are compared in full, a candidate

/// In a tensor of these samples.
bool same(double a, double b, const Samples& in) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::abs(a - b) <= in.apart * std::max(in.scale, std::abs(a));
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

/// One value against one candidate.
class Fit {
 public:
  Fit(const RankDigits& digits, const Samples& value, const std::vector<double>& values, const Samples& whole)
      : digits_(digits), value_(value), values_(values), whole_(whole), elements_(values.size() / static_cast<std::size_t>(digits.ranks())), index_(value.dims.size()) {
    for (std::size_t d = 0; d < value.dims.size(); ++d) blocks_.push_back((whole.dims[d] + value.dims[d] - 1) / value.dims[d]);
  }

  /// A split under which the ranks' blocks hold the sequential values. Padding beyond the end is not looked at. Where
  /// each digit goes is read off the one rank that differs from rank 0 in it, so that the number of digits matters little.
  std::optional<Splits> find(const std::vector<bool>& excluded) {
    const auto& all = digits_.digits();
    options_.assign(all.size(), {});
    for (std::size_t d = 0; d < all.size(); ++d) {
      const Digit& digit = all[d];
      const auto rank = static_cast<std::size_t>(digit.stride);
      for (std::size_t dim = 0; dim < blocks_.size() && !excluded[d]; ++dim) {
        for (std::int64_t weight = blocks_[dim] / digit.extent; weight > 0; --weight) {
          if (blocks_[dim] % (weight * digit.extent) != 0) continue;
          std::vector<std::int64_t> origin(blocks_.size());
          origin[dim] = weight * value_.dims[dim];
          if (block(rank, origin)) options_[d].push_back({dim, weight});
        }
      }
      if (excluded[d] || block(rank, std::vector<std::int64_t>(blocks_.size()))) options_[d].push_back({blocks_.size(), 0});
      if (options_[d].empty()) return std::nullopt;
    }
    places_.assign(all.size(), {blocks_.size(), 0});
    taken_.assign(all.size(), false);
    splits_.assign(blocks_.size(), {});
    return blocks_.empty() ? complete() : choose(0, blocks_[0]);
  }

 private:
  /// The digit moves the block along `dim` (none: behind the last) by `weight` blocks.
  struct Place {
    std::size_t dim = 0;
    std::int64_t weight = 0;
  };

  bool block(std::size_t rank, const std::vector<std::int64_t>& origin) {
    std::fill(index_.begin(), index_.end(), std::int64_t{0});
    for (std::size_t k = 0; k < elements_; ++k) {
      std::int64_t address = 0;
      bool inside = true;
      for (std::size_t d = 0; d < index_.size(); ++d) {
        const std::int64_t at = origin[d] + index_[d];
        inside = inside && at < whole_.dims[d];
        address = address * whole_.dims[d] + at;
      }
      if (inside && !same(values_[rank * elements_ + k], whole_.values[static_cast<std::size_t>(address)], whole_)) return false;
      for (std::size_t d = index_.size(); d-- > 0;) {
        if (++index_[d] < value_.dims[d]) break;
        index_[d] = 0;
      }
    }
    return true;
  }

  bool may(std::size_t digit, std::size_t dim, std::int64_t weight) const {
    const auto& list = options_[digit];
    return std::any_of(list.begin(), list.end(), [&](const Place& p) { return p.dim == dim && p.weight == weight; });
  }

  /// Gives every split dimension its digits, major first, so that only mixed radices are looked at: `rest` blocks of
  /// dimension `dim` are to be told apart by further digits.
  std::optional<Splits> choose(std::size_t dim, std::int64_t rest) {
    while (rest == 1 && ++dim < blocks_.size()) rest = blocks_[dim];
    if (rest == 1) return complete();
    const auto& all = digits_.digits();
    for (std::size_t d = 0; d < all.size(); ++d) {
      if (taken_[d] || rest % all[d].extent != 0 || !may(d, dim, rest / all[d].extent)) continue;
      taken_[d] = true;
      splits_[dim].push_back(static_cast<int>(d));
      places_[d] = {dim, rest / all[d].extent};
      if (auto found = choose(dim, rest / all[d].extent)) return found;
      places_[d] = {blocks_.size(), 0};
      splits_[dim].pop_back();
      taken_[d] = false;
      if (tries_ > kMaxTries) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Do the digits that are left tell replicas apart, and all ranks' blocks hold?
  std::optional<Splits> complete() {
    const auto& all = digits_.digits();
    for (std::size_t d = 0; d < all.size(); ++d) {
      if (!taken_[d] && !may(d, blocks_.size(), 0)) return std::nullopt;
    }
    ++tries_;
    std::vector<std::int64_t> origin(blocks_.size());
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(digits_.ranks()); ++rank) {
      std::fill(origin.begin(), origin.end(), std::int64_t{0});
      for (std::size_t d = 0; d < places_.size(); ++d) {
        if (places_[d].dim == blocks_.size()) continue;
        const std::int64_t coordinate = (static_cast<std::int64_t>(rank) / all[d].stride) % all[d].extent;
        origin[places_[d].dim] += coordinate * places_[d].weight * value_.dims[places_[d].dim];
      }
      if (!block(rank, origin)) return std::nullopt;
    }
    return splits_;
  }

  const RankDigits& digits_;
  const Samples& value_;
  const std::vector<double>& values_;
  const Samples& whole_;
  std::size_t elements_;
  std::vector<std::int64_t> index_, blocks_;
  std::vector<std::vector<Place>> options_;
  std::vector<Place> places_;
  std::vector<bool> taken_;
  Splits splits_;
  int tries_ = 0;
};

/// The sum, or the maximum, which is NaN where one of both is.
double added(double a, double b, bool sum) { return sum || std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }

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
          total = added(total, more, sum);
        }
        for (std::int64_t j = 0; j < d.extent; ++j) {
          result[(rank + static_cast<std::size_t>(j * d.stride)) * elements + k] = total;
        }
      }
    }
  }
  return result;
}

/// The digits in which ranks that differ in nothing else hold different values: equal ones are replicas, however scaled.
std::vector<int> varying(const RankDigits& digits, const Samples& value, int count) {
  const std::size_t elements = value.values.size() / static_cast<std::size_t>(digits.ranks());
  const auto varies = [&](const Digit& d) {
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(digits.ranks()); ++rank) {
      const std::int64_t coordinate = (static_cast<std::int64_t>(rank) / d.stride) % d.extent;
      const double* own = &value.values[rank * elements];
      const double* first = own - static_cast<std::size_t>(coordinate * d.stride) * elements;
      if (!std::equal(own, own + elements, first, [&](double a, double b) { return same(a, b, value); })) return true;
    }
    return false;
  };
  std::vector<int> found;
  for (int d = 0; d < count; ++d) {
    if (varies(digits.digits()[static_cast<std::size_t>(d)])) found.push_back(d);
  }
  return found;
}

bool fits(const Samples& value, const Samples& whole) {
  if (value.dims.size() != whole.dims.size() || value.integral != whole.integral || whole.trivial) return false;
  for (std::size_t d = 0; d < value.dims.size(); ++d) {
    if (whole.dims[d] < value.dims[d] || value.dims[d] == 0) return false;
  }
  return true;
}

/// An element (counted over all ranks) of `combined` where the digits `over` are 0, in the same order.
double combined_at(const RankDigits& digits, const Samples& value, std::span<const int> over, std::size_t at, bool sum) {
  if (over.empty()) return value.values[at];
  const Digit& d = digits.digits()[static_cast<std::size_t>(over.back())];
  const std::size_t next = static_cast<std::size_t>(d.stride) * (value.values.size() / static_cast<std::size_t>(digits.ranks()));
  const auto less = over.first(over.size() - 1);
  double total = combined_at(digits, value, less, at, sum);
  for (std::int64_t j = 1; j < d.extent; ++j) {
    const double more = combined_at(digits, value, less, at + static_cast<std::size_t>(j) * next, sum);
    total = added(total, more, sum);
  }
  return total;
}

/// Candidates of a shape that the value may be a block of, found by their first element.
class Fitting {
 public:
  Fitting(const Samples& value, std::span<const Samples> candidates) : candidates_(candidates) {
    for (std::uint32_t k = 0; k < candidates.size(); ++k) {
      if (!fits(value, candidates[k])) continue;
      if (std::isnan(candidates[k].values[0])) {
        undefined_.push_back(k);
        continue;
      }
      order_.push_back(k);
      scale_ = std::max(scale_, candidates[k].scale);
      apart_ = std::max(apart_, candidates[k].apart);
    }
    std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return candidates[a].values[0] < candidates[b].values[0]; });
  }
  bool empty() const { return order_.empty() && undefined_.empty(); }

  /// Those whose first element is `first`, in the order given.
  std::vector<std::uint32_t> with(double first) const {
    std::vector<std::uint32_t> found;
    if (std::isnan(first)) return undefined_;
    // Infinities stand alone; else what is further away than the widest tolerance is another number.
    const double margin = std::isfinite(first) ? 2 * apart_ * std::max(scale_, std::abs(first)) : 0;
    const auto low = std::lower_bound(order_.begin(), order_.end(), first - margin,
                                      [&](std::uint32_t k, double x) { return candidates_[k].values[0] < x; });
    for (auto k = low; k != order_.end() && !(candidates_[*k].values[0] > first + margin); ++k) {
      if (same(first, candidates_[*k].values[0], candidates_[*k])) found.push_back(*k);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::span<const Samples> candidates_;
  std::vector<std::uint32_t> order_, undefined_;
  double scale_ = 0, apart_ = 0;
};

/// Calls `each` with the address in an array of extents `whole` of every element of its block 0, of extents `block`, until it says false.
template <class F>
bool for_first_block(std::span<const std::int64_t> block, std::span<const std::int64_t> whole, const F& each) {
  std::vector<std::int64_t> index(block.size());
  for (std::size_t address = 0, k = 0;; ++k) {
    if (!each(k, address)) return false;
    std::size_t d = block.size(), step = 1;
    for (;; step *= static_cast<std::size_t>(whole[d])) {
      if (d-- == 0) return true;
      address += step;
      if (++index[d] < block[d]) break;
      address -= step * static_cast<std::size_t>(block[d]);
      index[d] = 0;
    }
  }
}

std::optional<Match> match_with(const RankDigits& digits, const Samples& value, std::span<const Samples> candidates,
                                const Fitting& fitting, const std::vector<int>& partial, bool sum) {
  std::vector<bool> excluded(digits.digits().size());
  for (const int digit : partial) excluded[static_cast<std::size_t>(digit)] = true;
  std::vector<double> values;
  for (const std::uint32_t k : fitting.with(combined_at(digits, value, partial, 0, sum))) {
    // Rank 0 holds block 0 of every split. Where the sums of many digits are tried, this tells most of them apart.
    const bool first = for_first_block(value.dims, candidates[k].dims, [&](std::size_t at, std::size_t address) {
      return same(combined_at(digits, value, partial, at, sum), candidates[k].values[address], candidates[k]);
    });
    if (!first) continue;
    if (!partial.empty() && values.empty()) values = combined(digits, value, partial, sum);
    if (auto splits = Fit(digits, value, partial.empty() ? value.values : values, candidates[k]).find(excluded)) {
      return Match{k, partial, sum, std::move(*splits)};
    }
  }
  return std::nullopt;
}

/// The largest magnitude, or kSpan times a small one (the lower quartile of those that are not zero) where this is less: what masks (-1e9) leave alone.
double scale_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  std::size_t count = 0, small = 0;
  const auto matters = [](double value) { return std::isfinite(value) && value != 0; };
  for (const double value : values) {
    count += matters(value) ? 1 : 0;
    small += matters(value) && kSpan * std::abs(value) < largest ? 1 : 0;
  }
  const std::size_t quartile = count == 0 ? 0 : (count - 1) / 4;
  if (small <= quartile) return largest;
  std::vector<double> magnitudes;
  for (const double value : values) {
    if (matters(value)) magnitudes.push_back(std::abs(value));
  }
  const auto at = magnitudes.begin() + static_cast<std::ptrdiff_t>(quartile);
  std::nth_element(magnitudes.begin(), at, magnitudes.end());
  return kSpan * *at;
}

}  // namespace

Samples make_samples(bool integral, std::span<const std::int64_t> dims, std::vector<double> values) {
  Samples samples{integral, {dims.begin(), dims.end()}, std::move(values)};
  samples.nowhere_finite = !samples.values.empty() && std::none_of(samples.values.begin(), samples.values.end(), [](double x) { return std::isfinite(x); });
  const double usual = integral && !samples.values.empty() ? samples.values.front() : 0;
  samples.trivial = std::all_of(samples.values.begin(), samples.values.end(), [&](double value) { return value == usual || !std::isfinite(value); });
  samples.scale = scale_of(samples.values);
  return samples;
}

std::optional<Match> match_placement(const RankDigits& digits, const Samples& value,
                                     std::span<const Samples> candidates) {
  const Fitting fitting(value, candidates);
  if (auto plain = match_with(digits, value, candidates, fitting, {}, true)) return plain;
  if (value.integral || fitting.empty()) return std::nullopt;
  const std::vector<int> digit = varying(digits, value, std::min(digits.count(), kMaxPartialDigits));
  for (std::size_t size = 1; size <= digit.size(); ++size) {
    for (unsigned set = 1; set < (1U << digit.size()); ++set) {
      std::vector<int> partial;
      for (std::size_t d = 0; d < digit.size(); ++d) {
        if ((set >> d & 1U) != 0) partial.push_back(digit[d]);
      }
      if (partial.size() != size) continue;
      for (const bool sum : {true, false}) {
        if (auto match = match_with(digits, value, candidates, fitting, partial, sum)) return match;
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
