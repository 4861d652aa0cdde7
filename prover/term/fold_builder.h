// Internal to prover/term: bringing one fold into normal form. Each step that applies restarts with the changed fold.
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

class FoldBuilder {
 public:
  FoldBuilder(Terms& terms, ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body);
  TermId run();
  /// Names the binders only: for folds that are already in normal form (renaming).
  TermId name();

 private:
  TermId again(TermId guard, TermId body);
  std::optional<TermId> split_body();
  std::optional<TermId> some_point(TermId g, TermId a, TermId b);
  std::optional<TermId> split_sum();
  std::optional<TermId> split_inside(std::span<const Factor> factors);
  std::optional<TermId> clamped();
  std::optional<TermId> beside_least(TermId g, TermId a, TermId b);
  std::optional<TermId> split_case(TermId c, TermId others);
  std::optional<TermId> flatten(TermId inner, TermId others);
  bool inverse_leaves(std::span<const Factor> all, const Factor& inverse);
  bool finite_power(const Factor& f);
  std::optional<TermId> cut();
  std::optional<TermId> solve();
  std::optional<TermId> solve_part(TermId equality);
  std::optional<TermId> split_either();
  std::optional<TermId> solve_residue(LinId low, LinId high);
  std::optional<TermId> solve_equality(TermId equality);
  std::optional<TermId> solve_place(TermId equality);
  LinId opened(LinId form);
  std::optional<TermId> solve_interval(TermId low, TermId high);
  std::optional<TermId> write_table();
  std::optional<TermId> shorten(const std::vector<TermId>& guards);
  std::optional<TermId> count_places();
  std::optional<TermId> turn();
  std::optional<TermId> permute();
  bool tables_of_one(std::size_t a, std::size_t b);
  std::optional<TermId> count_bound();
  std::optional<TermId> merge();
  std::optional<TermId> drop_unused();
  std::optional<TermId> merge_interval();
  TermId as_one(std::size_t a, std::size_t b, std::span<const TermId> guards, std::int64_t first, std::int64_t last);
  std::optional<std::pair<std::int64_t, std::int64_t>> interval(const std::vector<TermId>& guards, std::size_t a, std::size_t b);
  /// The fold with binder k replaced by `value` (over the other binders and `fresh`), and further guards.
  TermId replace(std::size_t k, LinId value, std::span<const LinId> fresh, TermId more, TermId gone);
  TermId build(std::span<const std::size_t> order);

  Terms& t_;
  ScalarFn op_;
  TermId guard_, body_;
  std::vector<LinId> vars_;
  std::vector<VarId> ids_;
  std::vector<std::int64_t> extents_;
  VarSet set_ = 0;
};

}  // namespace gg::prover
