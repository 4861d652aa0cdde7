// The numbers of a family of pairs: the same texts at several sizes, walked side by side, say of every number which polynomial in the
// sizes it is. One number of the first pair is one polynomial, wherever it stands; what no polynomial explains is refused.
#pragma once

#include <set>
#include <vector>

#include "models/pair/case.h"
#include "prover/checker/sized/rows.h"

namespace gg::checker {

class FamilyNumbers {
 public:
  /// `values[k]`: of the symbols in case k. The first case is the text of the check.
  FamilyNumbers(std::vector<Case*> cases, const std::vector<std::vector<std::int64_t>>& values, Polynomials& to);
  using Row = Rows::Row;  ///< a number in each case
  /// The family's text says that these numbers are this polynomial.
  void state(const Row& row, const Polynomials::Sum& sum);
  /// Throws Limit.
  void collect();

 private:
  using Ids = std::vector<std::uint32_t>;

  template <class F>
  Row row(const F& number) const;
  template <class F>
  Ids ids(const F& id) const;
  void note(const Row& row);
  void same(bool holds, const char* what) const;
  void graph(const Module& other, const Module& first) const;
  void types(int side);
  void bodies(int side);
  void rows_of(int side, InstructionId id);
  void relation();
  void expr(const Ids& id);
  void guard(const Ids& id);
  void lin(const Ids& id);
  void array(const Ids& id);
  const Module& module(std::size_t k, int side) const { return side == 0 ? *cases_[k]->sequential : *cases_[k]->distributed; }
  BodyTable& table(std::size_t k, int side) const { return side == 0 ? *cases_[k]->sequential_bodies : *cases_[k]->distributed_bodies; }
  const Arena& arena(std::size_t k) const { return *cases_[k]->arena; }

  std::vector<Case*> cases_;
  Polynomials& to_;
  Rows rows_;
  std::set<Ids> exprs_, guards_, lins_;
};

}  // namespace gg::checker
