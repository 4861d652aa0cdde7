// Float literals as balls of their type: f32(0.353553385) stands for whatever number rounds to it, or is rounded to it by a compiler that folds a few operators. The second look at a difference:
// what differs only within these balls is no refutation (docs/design.md).
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "kernels/numbers/buffer.h"
#include "models/ir/module.h"

namespace gg {

/// Half a unit in the last place of a value of `type`, two units in f32 and f64. Nothing for what is meant as it stands: infinities, integers that the
/// type cannot have rounded (counts below 2^(bits of the significand)) or that are masks (-1e9, -1e30), and short numbers (their significand needs at most half of
/// the type's bits: 0.5, 0.125).
double literal_radius(double value, ElementType type);

using LiteralSet = std::set<std::pair<ElementType, double>>;

/// How a run reads float literals.
struct LiteralReading {
  struct Number {
    double middle, radius;
  };
  bool balls = false;                  ///< as balls (literal_radius), else as they are printed
  const LiteralSet* shared = nullptr;  ///< these are no balls: the same numbers on both sides
  /// 0: as they are printed; 1 to kDraws: literal i of them moved by half of its radius over 1 + i / kColumns, to the side that the
  /// Walsh function of column i mod kColumns has: the effects of different columns on a result can be told apart.
  int draw = 0;
  bool meant = false;  ///< without balls: as the simplest number that rounds to it (models/type/closed_form.h), where there is one
  static constexpr int kColumns = 7, kDraws = 8;
  static int walsh(int literal, int draw);

  Number of(double literal, ElementType type) const { return rounded(literal, type, type); }
  bool as_printed() const { return !balls && !meant; }
  /// What a literal of type `from`, which was read in this way, is in a narrower type.
  Number rounded(double literal, ElementType from, ElementType type) const;
};

/// Does a conversion of a literal round it: to a float type of fewer digits?
bool rounds_literal(ElementType from, ElementType to);

/// The lifted buffer of a float constant (tables of many numbers in f32 and f64 were computed: their balls have 64 units in the last place of the largest), `ranks` copies of the array: balls where the storage has them, else the midpoints.
Buffer literal_balls(const ConstantArray& array, std::int64_t ranks, Storage storage, const LiteralReading& reading);

/// A literal's values of type `from` (moved by layout operators only) rounded to a narrower float type.
Buffer rounded_literal(const Buffer& values, ElementType from, ElementType type, const LiteralReading& reading);

/// The radii of literals that are kept as doubles, the error bound of a run in f64.
Buffer literal_radii(const Buffer& values, ElementType from, ElementType type, const LiteralReading& reading);

/// Float literals that are balls.
LiteralSet literals_of(const Module& module);
/// Those that stand in both programs: whatever number is meant, it is the same on both sides.
LiteralSet literals_shared(const Module& sequential, const Module& distributed);

/// Does every literal stand in both programs, none of them rounded to a narrower type? Then nothing is left of their balls where those
/// that are shared are one number.
bool all_literals_shared(const Module& sequential, const Module& distributed);

/// How literals are read where values of both programs are looked at side by side: where not every literal stands in both of them, 0.0833333358 on one side is
/// the 1/12 of the other.
LiteralReading comparable_literals(const Module& sequential, const Module& distributed);

/// At most how far `count` literals, as numbers that are moved within their balls by an orthogonal design that gives each column's effect, move
/// the value that the draws of LiteralReading give. Effects are what f64 says of them. Nothing where one draw alone moves it by `gap`.
std::optional<double> reach_of_literals(std::size_t count, double gap, const std::function<double(int draw)>& value);

}  // namespace gg
