// Terms that differ by constants in the indices of reads: pieces of something, one after the other (docs/certificate.md, F7 and F17).
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "prover/checker/terms.h"

namespace gg::checker {

/// How often an anchor is read, and the constants in each of its indices, added up.
struct ReadSum {
  std::int64_t reads = 0;
  std::vector<Wide> constants{};
};
using Sums = std::map<std::uint32_t, ReadSum>;  ///< by anchor
Sums sums_of(Terms& t, Value v);

/// By anchor: what each index of its reads has more.
using Steps = std::map<std::uint32_t, std::vector<Size>>;
/// From one term to another, if they read the same anchors equally often and every read of an anchor may have moved by the same.
std::optional<Steps> steps_between(const Sums& from, const Sums& to);
/// The term with its reads moved `number` times.
Value moved(Terms& t, Value v, const Steps& steps, Index number);

}  // namespace gg::checker
