// Sizes of dimensions as unknowns: equalities (union-find), products (reshapes, shards) cut into grains, sums (slices,
// concatenations, pads) cut into parts, linear equations for what is left. Every constraint is checked at the sizes of the
// text when it is made, so a wrong rule is an InternalError that names the instruction, never a wrong reduction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/size/grains.h"

namespace gg {

using SizeVar = std::uint32_t;
inline constexpr SizeVar kNoSize = 0xffffffffU;

/// Where a constraint comes from: an instruction of a side, or the relation.
struct SizeOrigin {
  std::uint8_t side = 2;  ///< 0 sequential, 1 distributed, 2 relation
  std::uint32_t instruction = 0;
};

/// One factor of a product, major first: an unknown or a constant (number of ranks, of blocks, a stride).
struct SizeFactor {
  SizeVar var = kNoSize;
  std::int64_t constant = 1;
};

/// Why a size is kept.
struct KeptSize {
  SizeVar var;
  const char* reason;
  SizeOrigin origin;
};

/// sum of coefficient * size + constant.
struct SizeExpr {
  std::vector<std::pair<std::int64_t, SizeVar>> terms;
  std::int64_t constant = 0;
};

/// Values of the free sizes of a family: of numbers of ranks along an axis, and of the others, each in an order that is the same for all values.
struct FamilySizes {
  std::vector<std::int64_t> ranks, others;
};

/// A free size: what it is in the text, and which unknown counts ranks by it (kNoSize: none).
struct ChosenSize {
  std::int64_t value;
  SizeVar ranks = kNoSize;
};
using ChosenSizes = std::vector<ChosenSize>;

class SizeSystem {
 public:
  SizeVar add(std::int64_t size);
  std::int64_t size(SizeVar v) const { return sizes_[v]; }
  std::size_t count() const { return sizes_.size(); }

  void equal(SizeVar a, SizeVar b, SizeOrigin origin);
  /// size(whole) = product of factors.
  void factor(SizeVar whole, std::vector<SizeFactor> factors, SizeOrigin origin);
  /// `part` is [start, end) of `whole`.
  void span(SizeVar whole, std::int64_t start, std::int64_t end, SizeVar part, SizeOrigin origin);
  void linear(SizeExpr zero, SizeOrigin origin);
  void keep(SizeVar v, const char* reason, SizeOrigin origin);
  void at_least(SizeVar v, std::int64_t bound);
  /// Asks for this new size (at most the old one). Where it cannot be had, the size is kept.
  void aim(SizeVar v, std::int64_t value);

  /// Closes spans and products under each other; afterwards root() is final. Constraints may be added and resolve called
  /// again.
  void resolve();
  /// `v` counts ranks: other than that, it is a size like all.
  void count_ranks(SizeVar v) { ranks_.push_back(v); }
  /// Chooses new sizes, deterministically: propagation, backtracking in counted steps; what cannot be solved is kept.
  void solve();
  /// The free grains of ranks, and then the others, get these values, above their own or not; grains that equations give follow. Those that
  /// were chosen, as they were so far; nothing where an equation has no solution then.
  std::optional<ChosenSizes> choose(const FamilySizes& values);

  /// A border inside of a class that is cut into blocks keeps the class, rather than to move with the blocks.
  void keep_borders_in_blocks() { borders_move_ = false; }
  /// Makes kept() say so of what has been kept since resolve.
  void mark_kept();
  SizeVar root(SizeVar v) const;
  bool kept(SizeVar v) const { return sizes_[v] <= small_ || kept_roots_.count(root(v)) != 0; }
  /// After solve.
  std::int64_t reduced(SizeVar v) const;
  /// The place of border `position` of `v`; it was made a border by a span, or is one or two places beside one, or v keeps
  /// its size.
  std::int64_t reduced_position(SizeVar v, std::int64_t position) const;
  std::int64_t reduced(const SizeExpr& expr) const;
  /// The coordinate of the full program for which coordinate `k` of the reduced one stands.
  std::int64_t full_coordinate(SizeVar v, std::int64_t k) const;
  /// Borders of a class, ends excluded, ascending.
  std::vector<std::int64_t> borders(SizeVar v) const;
  /// Classes that hang together with this one by a constant factor or as part or whole of a sum.
  std::vector<SizeVar> relatives(SizeVar v) const;
  /// The first part of `v` up to a border, as a sum of parts.
  std::optional<SizeExpr> border_expr(SizeVar v, std::int64_t position) const;
  /// Do two expressions have the same value whatever the free grains are? After resolve.
  bool same(const SizeExpr& a, const SizeExpr& b) const;
  /// The grains of a product that may change, ascending: equal ones are the same product, but for a constant factor.
  std::vector<std::uint32_t> free_grains_of(const std::vector<SizeVar>& product) const;
  const std::vector<KeptSize>& kept_sizes() const { return keeps_; }
  std::int64_t steps() const { return steps_; }

  /// Sizes up to this stay as they are.
  std::int64_t small() const { return small_; }
  /// Those of two may change too. Before anything is added.
  void free_twos() { small_ = 1; }
  /// Places as near as this to a border move with it.
  static constexpr std::int64_t kNear = 2;
  /// What a part lacks at both ends together is a shift, which stays, up to this length and this share of the part.
  static constexpr std::int64_t kShift = 8, kShiftShare = 8;

 private:
  struct Product {
    SizeVar whole;
    std::vector<SizeFactor> factors;
    SizeOrigin origin;
  };
  struct Span {
    SizeVar whole;
    std::int64_t start, end;
    SizeVar part;
    SizeOrigin origin;
  };
  struct Linear {
    SizeExpr zero;
    SizeOrigin origin;
  };
  /// Grains of a root, major first: positions in grain_roots_ arrays.
  using Grains = std::vector<std::uint32_t>;

  friend class GrainSearch;
  std::set<SizeVar> aligned_;  ///< classes whose borders lie between blocks
  SizeVar find(SizeVar v);
  bool counts_ranks(SizeVar v) const;
  void unite(SizeVar a, SizeVar b);
  void canonicalize();
  void keep_margins();
  bool close_spans();
  void drop_shifted();
  void spread_borders();
  void make_atoms();
  void link_atoms();
  void make_grains();
  bool unify(sizes::Grains& table, const std::map<SizeVar, sizes::GrainList>& lists, const Product& product) const;
  void number_grains(const sizes::Grains& table, const std::map<SizeVar, sizes::GrainList>& lists);
  void keep_crossings();
  void check_solution() const;

  std::vector<std::int64_t> sizes_;
  std::vector<SizeVar> parents_;
  std::vector<Product> products_;
  std::vector<Span> spans_;
  std::vector<Linear> linears_;
  std::vector<KeptSize> keeps_;
  std::map<SizeVar, std::int64_t> bounds_, aims_;

  std::map<SizeVar, std::pair<std::int64_t, std::int64_t>> margins_;        ///< by root: what stays at both ends
  std::map<SizeVar, std::set<std::int64_t>> borders_;                       ///< by root, ends excluded
  std::map<SizeVar, std::vector<std::pair<std::int64_t, SizeVar>>> atoms_;  ///< by root: start, part
  std::set<SizeVar> kept_roots_;
  std::map<SizeVar, Grains> grains_;
  std::vector<std::int64_t> grain_extents_;
  std::vector<std::uint8_t> grain_kept_;
  std::vector<std::int64_t> grain_values_;
  std::int64_t steps_ = 0, unions_ = 0;
  bool borders_move_ = true;
  std::int64_t small_ = 2;
  std::vector<SizeVar> ranks_;
};

}  // namespace gg
