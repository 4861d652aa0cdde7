// Polynomials in the sizes of a family of texts, each kept once, and what the steps of a check rest on: that some are not negative,
// that some are not zero.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/base/exact.h"
#include "prover/checker/limit.h"

namespace gg::checker {

using PolyId = std::uint32_t;  ///< 0: no polynomial, a number

/// One store a check.
class Polynomials {
 public:
  static constexpr std::size_t kMostSymbols = 24;
  using Powers = std::vector<std::uint8_t>;  ///< by symbol, no zero at the end
  using Sum = std::map<Powers, Exact>;       ///< no zero coefficient

  /// `values`: of the symbols, in the text at hand.
  explicit Polynomials(std::vector<std::int64_t> values);
  ~Polynomials();
  Polynomials(const Polynomials&) = delete;
  Polynomials& operator=(const Polynomials&) = delete;
  /// The store of the check that runs.
  static Polynomials& current();

  PolyId intern(Sum sum);
  const Sum& operator[](PolyId id) const { return rows_[id].sum; }
  const Exact& value(PolyId id) const { return rows_[id].value; }

  static Sum constant(const Exact& c);
  static Sum symbol_sum(std::size_t k);
  static Exact value_at(const Sum& sum, const std::vector<std::int64_t>& values);
  static void add(Sum& to, const Sum& other, const Exact& factor);
  static Sum product(const Sum& a, const Sum& b);
  /// a / b where that is a polynomial.
  static std::optional<Sum> quotient(Sum a, const Sum& b);
  /// The coefficients of the polynomial over what the symbols exceed `least` by.
  static Sum shifted(const Sum& sum, const std::vector<std::int64_t>& least);
  static bool never_negative(const Sum& sum, const std::vector<std::int64_t>& least);

  /// The check goes on as if it were so at all sizes.
  void needs_nonnegative(const Sum& sum);
  void needs_nonzero(const Sum& sum);
  const std::set<Sum>& nonnegative() const { return nonnegative_; }
  const std::set<Sum>& nonzero() const { return nonzero_; }
  std::size_t symbols() const { return values_.size(); }

  /// Numbers of the programs as polynomials.
  std::map<std::int64_t, Sum> numbers;
  /// Symbols and sizes made of them, by their value in the text: what a number of a certificate may be made of.
  std::map<std::int64_t, Sum> parts;

 private:
  struct Row {
    Sum sum;
    Exact value;
  };
  std::vector<std::int64_t> values_, ones_;
  std::vector<Row> rows_;
  std::map<Sum, PolyId> ids_;
  std::set<Sum> nonnegative_, nonzero_;
  Polynomials* before_;
};

}  // namespace gg::checker
