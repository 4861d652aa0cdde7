// What a body says of sizes and of integers. Every read states how the extents of an operand hang on those of the result and of the
// folds: an index that is a variable is the same dimension, one with an offset a part of it, digits of variables are a product, the
// sum of a place and a tap a window, data a block somewhere. What is added, chosen or moved counts the same thing.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "models/body/arena.h"
#include "models/size/kinds.h"
#include "models/size/system.h"

namespace gg {

class BodySizes {
 public:
  /// The unknowns of one instruction, of which this is the body of one result.
  struct Frame {
    std::size_t digits = 0;       ///< rank digits: the first variables, and the first indices of every read
    std::vector<SizeVar> result;  ///< dimensions of the result
    std::function<SizeVar(int operand, std::size_t dim)> dim;
    std::function<std::optional<KindId>(int operand)> kind;  ///< of an operand's values, where they count something
    std::function<bool(int operand)> literal;
    std::vector<KindId>* rank_kinds;  ///< takes the kinds of numbers of ranks
    /// Takes the kinds of what is divided with a remainder, and those that choose a place; null: not asked.
    std::vector<KindId>*remainders = nullptr, *places = nullptr;
    std::vector<SizeVar> ranks;  ///< of the digits; empty: they stay
    /// The digits, major first, that operand k, a number of the rank, counts in units of `unit` up to `count` of them; empty: it is no such number.
    std::function<std::vector<SizeVar>(int operand, std::int64_t unit, std::int64_t count)> blocks;
    SizeOrigin origin;
  };

  BodySizes(Arena& arena, SizeSystem& sizes, Kinds& kinds, Frame frame);
  /// States all that `root` says; the kind of its values, where they count something.
  std::optional<KindId> state(ExprId root);

 private:
  struct Value {
    std::optional<KindId> kind;
    bool literal = false;
  };
  struct Interval {
    std::int64_t lo, hi;  ///< half open
  };
  /// coef * piece: a variable, its lower or upper part, or a number of the rank, which has no unknown.
  struct Piece {
    std::int64_t coef = 1, extent = 1;
    SizeVar var = kNoSize;
    std::uint16_t level = 0;
    bool fold = false;
    enum class Part : std::uint8_t { None,
                                     Lower,
                                     Upper } part = Part::None;
    SizeVar whole = kNoSize;  ///< of a part
  };
  /// An index form, taken apart.
  struct Form {
    std::int64_t constant = 0, data_coef = 0;
    std::vector<Piece> pieces;
    std::optional<KindId> data;
    std::uint32_t data_expr = 0;
    bool known = true;  ///< false: there is more in it
  };
  using Dims = std::vector<SizeVar>;

  Value expr(ExprId id);
  Value function(ExprId id);
  Value either(const Value& a, const Value& b);
  Value under(GuardId guard, bool holds, ExprId id);
  void refine(GuardId guard, bool holds);
  void guard_data(GuardId guard);
  std::optional<KindId> data_kind(std::uint32_t expr);

  void read(ExprId id);
  void dimension(const Dims& dims, LinId index);
  bool single(const Dims& dims, const Form& form);
  bool digits(const Dims& dims, std::vector<Piece> pieces);
  bool window(SizeVar dim, const Form& form);
  bool block(const Dims& dims, const Form& form);
  void block_in(SizeVar whole, SizeVar part, const Form& form);
  void rank_index(SizeVar ranks, LinId index);
  void factor_above(std::uint16_t level, std::int64_t from, std::int64_t to, std::vector<SizeFactor>& factors) const;
  void refuse(const Dims& dims, const Form& form, const char* reason);

  Form form(LinId index);
  bool cut(Form& form, const Multiple& term);
  Piece variable(const Atom& atom, std::int64_t coef) const;
  Interval values_of(const Piece& piece) const;
  SizeVar unknown(Piece& piece);
  void is_part(const Piece& piece);
  bool is_rank(const Piece& piece) const { return piece.level < frame_.digits; }
  bool is_divided(LinId index) const;

  Arena& arena_;
  SizeSystem& sizes_;
  Kinds& kinds_;
  Frame frame_;
  std::map<std::uint16_t, SizeVar> folds_;    ///< by level of the variable, once an operand has it
  std::map<std::uint16_t, Interval> bounds_;  ///< what guards say of variables, here
  std::map<std::uint32_t, std::optional<KindId>> data_;
  struct RankPart {
    std::int64_t stride, extent;
    SizeVar ranks;
  };
  std::map<std::uint16_t, std::vector<RankPart>> rank_parts_;  ///< by level of a variable: its digits that are digits of the rank, minor first
  std::vector<std::uint16_t> taps_;                            ///< variables of windows, whose extents attributes state
};

/// A window that reaches over `reach` elements of `dim` at each of the places of `place`, one step apart: extents that move together.
void state_window(SizeSystem& sizes, SizeVar dim, SizeVar place, std::int64_t reach, SizeOrigin origin);

}  // namespace gg
