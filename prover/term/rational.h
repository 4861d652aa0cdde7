// Interned exact rationals: coefficients, exponents and literals of terms. Small ones are int64 fractions; larger ones
// live in rational.cpp, the only file of the prover that includes Boost.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace gg::prover {

/// The search met one of its size limits (numbers, nesting, nodes): the value becomes a gap, never a wrong answer.
class TermLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class RatId : std::uint32_t { Zero = 0,
                                   One = 1 };

/// A pool of rationals in lowest terms; equal values have equal ids.
class Rationals {
 public:
  Rationals();
  ~Rationals();
  RatId of(std::int64_t numerator, std::int64_t denominator = 1);
  /// The exact value of a finite double.
  RatId of_double(double value);
  RatId add(RatId a, RatId b);
  RatId mul(RatId a, RatId b);
  RatId neg(RatId a);
  RatId inv(RatId a);  ///< a != 0
  RatId sub(RatId a, RatId b) { return add(a, neg(b)); }
  RatId div(RatId a, RatId b) { return mul(a, inv(b)); }
  RatId pow(RatId a, std::int64_t n);  ///< n < 0 needs a != 0
  /// The nonnegative k-th root if it is rational.
  std::optional<RatId> root(RatId a, std::int64_t k);
  int sign(RatId a) const;
  int compare(RatId a, RatId b) const;
  bool long_to_write(RatId a) const;  ///< has one of its parts more than 512 bits?
  bool is_integer(RatId a) const;
  /// Numerator and denominator if both fit.
  std::optional<std::pair<std::int64_t, std::int64_t>> fraction(RatId a) const;
  std::optional<std::int64_t> integer(RatId a) const;
  double approximate(RatId a) const;
  std::string text(RatId a) const;  ///< `3`, `-1/4`

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

}  // namespace gg::prover
