// Results of the checker's pure functions, remembered by id. One struct, so that the store owns all of it.
#pragma once

#include <optional>
#include <unordered_map>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Range of an integer value, inclusive; saturates at +-kFar.
struct Range {
  Size lo, hi;
};
inline constexpr std::int64_t kFar = std::int64_t{1} << 61;

struct Terms::Memo {
  std::unordered_map<std::uint32_t, Classes> classes;             // classes_of(value)
  std::unordered_map<std::uint32_t, Bounds> bounds;               // bounds_of(value)
  std::unordered_map<std::uint32_t, Range> ranges;                // integer_range(value)
  std::unordered_map<std::uint32_t, Index> refitted;              // refit(index)
  std::unordered_map<std::uint64_t, Value> restricted;            // restrict(path, value)
  std::unordered_map<std::uint64_t, Index> restricted_index;      // restrict(path, index)
  std::unordered_map<std::uint32_t, std::uint64_t> skeletons;     // join_folds
  std::unordered_map<std::uint32_t, std::uint64_t> reads;         // reads_key(value)
  std::unordered_map<std::uint64_t, std::optional<Value>> joined;
  std::unordered_map<std::uint64_t, signed char> decided;         // decide(path, test): 1, 0, or -1 = open
};

inline std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32U) | b; }

}  // namespace gg::checker
