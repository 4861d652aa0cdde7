// What the programs do with the integers that they are given: which extents an input indexes, and with which numbers it is
// compared. Derived from the bodies of the operators; drawn inputs and the premise in-bounds follow from it, for the search
// and for the checker alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/pair/case.h"
#include "models/pair/verdict.h"

namespace gg {

/// Of one free input; empty where it is no integer or its values reach no such place.
struct IndexUses {
  /// Values for which an index of the sequential program that is the input (converted, moved, a constant added) lies in the extent that it
  /// indexes, were it not clamped.
  std::optional<IntegerSpan> indexed;
  /// Values for which it lies there as it is. Nothing is left out of what the program itself clamps to the extent, and of a scatter's places, which
  /// drops those beyond, but for what counts from the end.
  std::optional<IntegerSpan> needed;
  /// Values beside `indexed` that the sequential program brings into the extent: of `select(x < 0, x + n, x)` those in [-n, 0), which count from the end.
  std::optional<IntegerSpan> wrapped;
  std::string instruction;  ///< of the sequential program: where the widest of the extents is indexed that need bounds
  /// Values for which it is a place of an iota that the sequential program compares it with.
  std::optional<IntegerSpan> matched;
  /// Does anything that is computed of it stand inside an index, or decide how often a loop runs? Of either program; true where in doubt.
  /// Not what is sorted beside it.
  bool reaches = false;
  /// Numbers that one of the programs compares it with, ascending; those on both sides of an order of the sequential one. Not those of a test that
  /// counts from the end or puts NaN for what is out of range.
  std::vector<std::int64_t> compared;
  bool filled = false;               ///< does the sequential program put NaN for what it looks up out of range?
  std::vector<bool> spoils;          ///< outputs of the sequential program, by number, that hang on what it looks up; empty where it looks up nothing that needs bounds
  std::vector<std::int64_t> turned;  ///< the first that a remainder of the sequential program brings back
  bool operator==(const IndexUses&) const = default;
};

/// One entry a free input. What passes through a concatenation with other values, arithmetic with other values, a fold or a
/// float is not followed; carries of loops are where the loop hands them on unchanged.
std::vector<IndexUses> index_uses(Case& c);

/// The premise `in-bounds`: `needed`, wide enough for every number in `compared`. Nothing for inputs that index nothing, that
/// a range is given for, or that are put together from several (partial).
std::optional<IntegerSpan> in_bounds(const FreeInput& input, const IndexUses& uses);

/// Values that the sequential program takes and that the premise leaves out: those of `wrapped` below it, if any.
std::optional<IntegerSpan> from_end(const FreeInput& input, const IndexUses& uses);

/// The premise with these values.
std::optional<IntegerSpan> bounds_from_end(const FreeInput& input, const IndexUses& uses);

/// `in-bounds x<k> LO HI INSTRUCTION` of a certificate, half open; nothing where there is no such premise. `ends`: with what counts from the end.
enum class Ends : std::uint8_t { Near,
                                 Both };
std::optional<Assumption> in_bounds_assumption(const Case& c, std::size_t input, const IndexUses& uses, Ends ends = Ends::Near);

}  // namespace gg
