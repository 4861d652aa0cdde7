// Results of the checker's pure functions, remembered by id. One struct, so that the store owns all of it.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "prover/checker/terms.h"

namespace gg::checker {

/// Range of an integer value, inclusive; saturates at +-kFar.
struct Range {
  Size lo, hi;
};
inline constexpr std::int64_t kFar = std::int64_t{1} << 61;

/// Is this end of a range the number itself, and this limit of a clamp one? At kFar both are where nothing is known, or no limit.
inline bool near(const Size& end) { return within(end, kFar - 1); }

/// A result, and the anchors that were opened for it.
template <class T>
struct Kept {
  T result;
  std::vector<std::uint32_t> opened;
};
template <class Key, class T>
using Results = std::unordered_map<Key, Kept<T>>;

struct Terms::Memo {
  Results<std::uint32_t, Classes> classes;                 // classes_of(value)
  Results<std::uint32_t, Bounds> bounds;                   // bounds_of(value)
  Results<std::uint32_t, Range> ranges;                    // integer_range(value)
  Results<std::uint64_t, Value> restricted;                // restrict(path, value)
  Results<std::uint64_t, std::optional<Value>> joined[2];  // join(fn, a, b), of sums and of maxima
  Results<std::uint64_t, std::optional<bool>> decided;     // decide(path, test)
  // What looks at the structure of terms alone, never at anchors.
  std::unordered_map<std::uint32_t, Index> refitted;  // refit(index)
  std::vector<Index> variables;                       // variable(v), by v; Index{} where it was not asked for
  std::array<Value, 16> specials{};                   // special(kind), by kind; Value{} where it was not asked for
};

/// What `make` returns, made once; what was opened for it counts as opened each time.
template <class Key, class T, class Make>
T remembered(Terms& t, Results<Key, T>& results, Key key, const Make& make) {
  if (const auto it = results.find(key); it != results.end()) {
    t.opened.insert(t.opened.end(), it->second.opened.begin(), it->second.opened.end());
    return it->second.result;
  }
  const std::size_t before = t.opened.size();
  T result = make();
  std::vector<std::uint32_t> opened(t.opened.begin() + static_cast<std::ptrdiff_t>(before), t.opened.end());
  std::sort(opened.begin(), opened.end());
  opened.erase(std::unique(opened.begin(), opened.end()), opened.end());
  results.insert_or_assign(key, Kept<T>{result, std::move(opened)});
  return result;
}

inline std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32U) | b; }

}  // namespace gg::checker
