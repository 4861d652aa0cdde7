// What the bodies share: the index variables of a lifted result, reads on the own rank and on others, literals of
// monoids, regions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/op/op.h"

namespace gg {

/// The frame in which the body of one result leaf is written: levels 0..digits-1 are the rank digits, the next ones the
/// dimensions of the leaf, then fold variables.
class Lift {
 public:
  Lift(Arena& arena, const Call& call, int leaf);

  Arena& arena;
  const Call& call;
  Type type;                 ///< of the leaf
  RankDigits digits;         ///< none in a sequential program
  std::vector<LinId> rank;   ///< own digits
  std::vector<LinId> index;  ///< variables of the result's dimensions

  /// First level of fold variables.
  int depth() const { return digits.count() + type.rank(); }
  /// A fold variable, the `k`-th of the fold directly inside the body.
  LinId fold_var(int k, std::int64_t extent) { return arena.var(depth() + k, extent); }
  LinId at(std::int64_t dimension) const { return index[static_cast<std::size_t>(dimension)]; }
  /// Element of operand k at `position`, on the own rank or on the rank with the given digits.
  ExprId read(int k, std::span<const LinId> position) { return read_on(k, rank, position); }
  ExprId read_on(int k, std::span<const LinId> rank_digits, std::span<const LinId> position);
  /// A scalar operand.
  ExprId scalar(int k) { return read(k, {}); }
  ExprId fn(ScalarFn f, std::initializer_list<ExprId> kids) {
    return arena.fn(f, type.element, {kids.begin(), kids.size()});
  }
  /// The value in another element type (itself if it has it).
  ExprId convert(ExprId value, ElementType to);
  Body finish(ExprId root) const;
};

/// A copy of `base` with position `k` replaced.
std::vector<LinId> with(std::span<const LinId> base, std::int64_t k, LinId value);

/// 0 for add, 1 for multiply, the lowest value for maximum, ...: the element that changes nothing.
ExprId unit_of(Arena& arena, ScalarFn monoid, ElementType type);

/// The only region of the call. Throws UnsupportedForm if it is no scalar function.
const Region& region_of(const Call& call);
/// The monoid by which result `k` of the region combines its parameters k and n + k (of 2n), in `element`, if it does.
std::optional<ScalarFn> find_monoid(const Arena& arena, const Region& region, int k, ElementType element);
/// The same of the only region of the call; throws UnsupportedForm where there is none.
ScalarFn monoid_of(const Arena& arena, const Call& call, int k, ElementType element);
/// Result k of the region with its parameters replaced; `depth` is the first free level.
ExprId apply_region(Arena& arena, const Region& region, std::size_t k, std::span<const ExprId> arguments, int depth);

/// start of a slice in one dimension: data(value, lo, hi) of an integral expression, u64 included.
LinId data_index(Arena& arena, ExprId value, std::int64_t lo, std::int64_t hi);
/// -1 .. hi + 1: the value clamped to one beyond the range on either side, so that a guard sees what is outside.
LinId unclamped_index(Arena& arena, ExprId value, std::int64_t hi);

}  // namespace gg
