// What a value of a program is to the integers that the program is given: elements of one, a test of some, a number (index_uses.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/body/scalar.h"
#include "models/relation/relation.h"

namespace gg {

/// Elements of one free input, each plus one of `shifts`; or the places lo..hi of an iota; or a number; or a truth that hangs on tests of inputs;
/// or a float that is no number (NotANumber), or may be none where such a test puts NaN (Missing).
struct Flow {
  enum class Kind : std::uint8_t { None,
                                   Input,
                                   Iota,
                                   Number,
                                   Test,
                                   NotANumber,
                                   Missing } kind = Kind::None;
  std::size_t input = 0;               ///< Missing: the value, among those of its computation
  std::vector<std::int64_t> shifts{};  ///< ascending
  IntegerSpan places{};                ///< Iota; Number: lo == hi; Input: what clamps leave of its values, shifted as they are
  /// Test, Missing: of which inputs which values one of the comparisons tells from the one below or above, or from all others.
  std::vector<std::pair<std::size_t, std::int64_t>> told{};
  friend bool operator==(const Flow&, const Flow&) = default;

  /// A value that is missing where the other is, too. Is it missing more often than before?
  bool join_missing(const Flow& other);
  /// The flow of the value of this number.
  Flow named(std::size_t value) const;

  static Flow of_input(std::size_t input) { return {Kind::Input, input, {0}, {INT64_MIN, INT64_MAX}}; }
  static Flow number(std::int64_t value) { return {Kind::Number, 0, {}, {value, value}}; }
};

/// The flow with a number added; none where the sum is far away.
Flow shifted(Flow flow, std::int64_t by);

/// A value that is one of two. A number beside elements of an input replaces some of them.
Flow either(const Flow& a, const Flow& b);

/// Of elements of an input: not below, or not above, a number.
Flow at_least(Flow flow, std::int64_t least);
Flow at_most(Flow flow, std::int64_t most);

/// A truth that hangs on both.
Flow both(const Flow& a, const Flow& b);

/// Which numbers a comparison with `number` tells apart, each from all others or from its neighbour: of x < 4 those are 3 and 4. `sides`: whether
/// its order counts; of x = 4, and without, the number itself.
std::vector<std::int64_t> told_apart(ScalarFn comparison, std::int64_t number, bool sides);
bool is_comparison(ScalarFn fn);
/// What it says of two numbers; nothing of other flows.
std::optional<bool> decided(ScalarFn comparison, const Flow& a, const Flow& b);
/// The comparison with its arguments exchanged.
ScalarFn mirrored(ScalarFn comparison);

}  // namespace gg
