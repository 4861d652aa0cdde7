// Rows of numbers, one a member of a family, as polynomials in its sizes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "prover/checker/sized/polynomial.h"

namespace gg::checker {

class Rows {
 public:
  using Row = std::vector<std::int64_t>;  ///< a number in each member
  struct Atom {
    Row row;
    Polynomials::Sum sum;
  };

  /// `values[k]`: of the symbols in member k.
  explicit Rows(const std::vector<std::vector<std::int64_t>>& values);
  /// The symbols.
  const std::vector<Atom>& symbols() const { return symbols_; }
  bool knows(const Row& row) const { return known_.count(row) != 0; }
  /// A row that is this polynomial: stated, not guessed.
  void state(const Row& row, const Polynomials::Sum& sum);
  /// What was stated or found before, else the product of sizes, or the sum of two, that has these values; throws Limit where there is none.
  const Polynomials::Sum& of(const Row& row);

 private:
  Polynomials::Sum explained(const Row& row) const;
  std::optional<Polynomials::Sum> product(Row row) const;
  std::optional<Polynomials::Sum> beside_product(const Row& row, std::int64_t reach) const;

  std::vector<Atom> symbols_, atoms_, sums_;
  std::map<Row, Polynomials::Sum> known_;
};

}  // namespace gg::checker
