// Rewriting of a body before it is cut into loops: flat addresses, solved guards, scatters. Internal to kernels/plan.
#pragma once

#include <array>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/plan/program.h"

namespace gg::plan {

/// The variables of levels 0.. with these extents, as substitution values.
std::vector<LinId> identity(Arena& arena, std::span<const std::int64_t> extents);

/// Every read and constant gets one index: its row-major address in the operand.
ExprId flatten_reads(Arena& arena, ExprId root, std::span<const std::int64_t> extents,
                     std::span<const std::vector<std::int64_t>> operands, std::span<const ElementType> types);

/// Fold variables that a guard determines (equality, or an interval no longer than the coefficient) are replaced by
/// their value. The order in which the remaining tuples come is kept.
ExprId solve_guards(Arena& arena, ExprId root, std::span<const std::int64_t> extents);

/// Levels on which expressions depend, exactly.
class Levels {
 public:
  explicit Levels(const Arena& arena) : arena_(arena) {}
  template <class Id>
  Mask of(Id id);  ///< of an expression, a form or a guard

 private:
  const Arena& arena_;
  std::array<std::unordered_map<std::uint32_t, Mask>, 3> known_;
};

/// Rewrites the folds of an expression that no other fold holds, each once; what stands around them is made again over the results.
class FoldRewriter {
 public:
  /// `enters_cases`: also the folds of a branch, which may read out of range where the other one is taken.
  FoldRewriter(Arena& arena, bool enters_cases) : arena_(arena), enters_cases_(enters_cases) {}
  virtual ~FoldRewriter() = default;
  ExprId rewrite(ExprId id);

 protected:
  virtual ExprId fold(ExprId id, const Expr& e) = 0;
  Arena& arena_;

 private:
  bool enters_cases_;
  std::unordered_map<std::uint32_t, ExprId> memo_;
};

/// A read of a buffer over the levels in `used`, at their row-major address.
ExprId read_of_levels(Arena& arena, std::size_t buffer, ElementType type, Mask used, std::span<const std::int64_t> extents);

/// Takes folds out: each becomes a read of buffer `first_buffer` + its position in `found`.
template <class Source>
class FoldTaker : public FoldRewriter {
 public:
  FoldTaker(Arena& arena, bool enters_cases, std::span<const std::int64_t> extents, int first_buffer, std::vector<Source>& found)
      : FoldRewriter(arena, enters_cases), extents_(extents), levels_(arena), first_buffer_(static_cast<std::size_t>(first_buffer)), found_(found) {}

 protected:
  ExprId taken(Source source, ElementType type) {
    found_.push_back(std::move(source));
    return read_of_levels(arena_, first_buffer_ + found_.size() - 1, type, found_.back().used, extents_);
  }

  std::span<const std::int64_t> extents_;  ///< of the output
  Levels levels_;

 private:
  std::size_t first_buffer_;
  std::vector<Source>& found_;
};

/// A fold that runs as a scatter, still in the arena's terms.
struct ScatterSource {
  ExprId fold;
  Mask used = 0;                               // output levels of its buffer
  std::vector<std::pair<int, LinId>> targets;  // output level, its index
  GuardId rest;
  Mask before = 0;  // output levels on which the targets depend
};

/// Takes out the folds (outside of other folds) whose guards name output indices by data. Each becomes a read of buffer
/// `first_buffer` + its position in the result, at the row-major address over its used levels.
ExprId take_scatters(Arena& arena, ExprId root, std::span<const std::int64_t> extents, int first_buffer,
                     std::vector<ScatterSource>& scatters);

/// A fold that is computed beforehand, into a buffer over the output levels in `used`.
struct FoldSource {
  ExprId fold;
  Mask used = 0;
};

/// Takes out the folds (outside of cases and other folds) that do not depend on all output levels. Each becomes a read
/// of buffer `first_buffer` + its position in the result, at the row-major address over its used levels.
ExprId take_folds(Arena& arena, ExprId root, std::span<const std::int64_t> extents, int first_buffer,
                  std::vector<FoldSource>& folds);

/// A box of the output: `root` and the address `out` over levels with these extents.
struct Box {
  std::vector<std::int64_t> extents;
  ExprId root;
  LinId out;
};

/// Cuts a box at guards and divisions of single output variables and splits variables into digits, until the rest has
/// no such guard or at most kMaxPieces boxes are made.
std::vector<Box> split_boxes(Arena& arena, Box box);
inline constexpr std::size_t kMaxPieces = 64;

/// Loops of one box.
Piece lower(Arena& arena, const Box& box, const Plan::Impl& plan);
Hoisted lower_fold(Arena& arena, const FoldSource& source, std::span<const std::int64_t> extents,
                   const Plan::Impl& plan);
Scatter lower_scatter(Arena& arena, const ScatterSource& source, std::span<const std::int64_t> extents,
                      const Plan::Impl& plan);

}  // namespace gg::plan
