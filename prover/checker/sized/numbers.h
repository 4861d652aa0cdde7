// The numbers of a family of pairs: the same texts at several sizes, walked side by side, say of every number which polynomial in the
// sizes it is. One number of the first pair is one polynomial, wherever it stands; what no polynomial explains is refused.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "models/pair/case.h"
#include "prover/checker/sized/polynomial.h"

namespace gg::checker {

class FamilyNumbers {
 public:
  /// `values[k]`: of the symbols in case k. The first case is the text of the check.
  FamilyNumbers(std::vector<Case*> cases, const std::vector<std::vector<std::int64_t>>& values, Polynomials& to);
  /// Throws Limit.
  void collect();

 private:
  using Row = std::vector<std::int64_t>;  ///< a number in each case
  using Ids = std::vector<std::uint32_t>;
  struct Atom {
    Row row;
    Polynomials::Sum sum;
  };

  template <class F>
  Row row(const F& number) const;
  template <class F>
  Ids ids(const F& id) const;
  void note(const Row& row);
  Polynomials::Sum explained(const Row& row);
  std::optional<Polynomials::Sum> product(Row row) const;
  std::optional<Polynomials::Sum> beside_product(const Row& row, std::int64_t reach) const;
  void same(bool holds, const char* what) const;
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
  std::vector<Atom> atoms_, sums_;
  std::map<Row, Polynomials::Sum> known_;
  std::set<Ids> exprs_, guards_, lins_;
};

}  // namespace gg::checker
