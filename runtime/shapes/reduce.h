// Shape reduction: a pair with the same instructions, names, ranks, groups, tables and loops at smaller sizes, so that a
// program that fits no machine can be run (docs/shape-reduction.md). No solver and no guess: what cannot be explained keeps
// its size and is named.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/pair/case.h"
#include "models/size/system.h"

namespace gg {

/// One size that changed: how many dimensions had it, and an instruction with one.
struct SizeChange {
  std::int64_t before, after, dimensions;
  std::string example;
};

/// An integer literal that has another value now.
struct LiteralChange {
  std::int64_t before, after;
};

/// Float literals: kept all, or those rewritten that are made of sizes, all or none. Keeping is wrong where a size is a literal
/// in one place and a count in another (a sum of ones), rewriting where a literal is read wrongly: a difference counts
/// only if both modes show it.
enum class Floats : std::uint8_t { Keep,
                                   Rewrite };

struct ShapeReduction {
  Module sequential, distributed;
  std::string relation;                                ///< text of relation.json
  std::vector<SizeChange> sizes;                       ///< by size before, largest first
  std::vector<std::string> kept;                       ///< `size 96: borders across digits (distributed %slice.3)`
  std::vector<LiteralChange> changes;                  ///< of integers, by use
  std::vector<std::string> literals;                   ///< rewritten literals: `%constant.4: 128256 -> 40`
  std::string floats_kept;                             ///< why Floats::Rewrite is not applicable; "" if it is
  bool floats_rewritten = false;                       ///< some float literal changed
  std::int64_t steps = 0;                              ///< of the search
  std::int64_t largest_before = 0, largest_after = 0;  ///< elements of the largest array
};

/// Reduces both programs and the relation consistently; `like`: parameters and results to the extents of that pair, captured
/// from the same program at smaller sizes. Throws InputError where the result would not be well typed (a rule is missing;
/// the message says which instruction). Floats are kept where their rewriting is not applicable.
ShapeReduction reduce_shapes(const Case& c, const Case* like = nullptr, Floats floats = Floats::Keep);

/// A free size of a family of pairs.
struct FreeSize {
  std::int64_t value;  ///< in the texts as given
  std::string axis;    ///< of ranks along a digit of the mesh: its name
};

/// The pair with other values of its free sizes: one of a family of pairs.
struct ResizedPair {
  ShapeReduction pair;
  std::vector<FreeSize> symbols;    ///< those of ranks first, as many as values were used
  std::vector<std::int64_t> ranks;  ///< along each digit of the mesh; empty where it stays
};
/// What is free in a family beside sizes above two.
struct Freedom {
  bool general = false;   ///< the number of ranks along an axis is a size, and so is what is two
  std::string kept_axis;  ///< but along this one
};
/// Nothing where these values do not fit what the programs say of their sizes. Throws as reduce_shapes does.
std::optional<ResizedPair> resize_shapes(const Case& c, const FamilySizes& values, const Freedom& freedom);

/// The reduced pair as a case that can be run: printed, read again and verified like any other.
Case reduced_case(const Case& c, const ShapeReduction& reduction);

}  // namespace gg
