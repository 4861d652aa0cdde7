// Interned exact rationals: coefficients, exponents and literals of terms.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "models/base/exact.h"

namespace gg::prover {

/// The search met one of its size limits (numbers, nesting, nodes): the value becomes a gap, never a wrong answer.
class TermLimit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A number beyond 64 bits in an index form: no form says it, a function of the operands does.
class Overflow : public TermLimit {
 public:
  Overflow() : TermLimit("index coefficient overflow") {}
};

enum class RatId : std::uint32_t { Zero = 0,
                                   One = 1 };

/// A pool of rationals: equal values have equal ids.
class Rationals {
 public:
  Rationals() { put(0), put(1); }
  RatId of(std::int64_t numerator, std::int64_t denominator = 1) { return put(Exact::ratio(numerator, denominator)); }
  /// The exact value of a finite double.
  RatId of_double(double value) { return put(Exact::of(value)); }
  RatId add(RatId a, RatId b) { return a == RatId::Zero ? b : b == RatId::Zero ? a
                                                                               : put(at(a) + at(b)); }
  RatId mul(RatId a, RatId b) { return a == RatId::One ? b : b == RatId::One ? a
                                                                             : put(at(a) * at(b)); }
  RatId neg(RatId a) { return put(-at(a)); }
  RatId inv(RatId a) { return put(at(a).inverse()); }  ///< a != 0
  RatId sub(RatId a, RatId b) { return put(at(a) - at(b)); }
  RatId div(RatId a, RatId b) { return mul(a, inv(b)); }
  RatId pow(RatId a, std::int64_t n) { return put(at(a).power(n)); }  ///< n < 0 needs a != 0
  /// The nonnegative square root if it is rational.
  std::optional<RatId> root(RatId a) {
    const auto root = at(a).square_root();
    return root ? std::optional(put(*root)) : std::nullopt;
  }
  int sign(RatId a) const { return at(a).sign(); }
  int compare(RatId a, RatId b) const { return a == b ? 0 : at(a) < at(b) ? -1
                                                                          : 1; }
  bool long_to_write(RatId a) const { return at(a).long_to_write(); }
  bool is_integer(RatId a) const { return at(a).is_integer(); }
  /// Numerator and denominator if both fit.
  std::optional<std::pair<std::int64_t, std::int64_t>> fraction(RatId a) const { return at(a).parts(); }
  std::optional<std::int64_t> integer(RatId a) const { return at(a).integer(); }
  double approximate(RatId a) const { return at(a).nearest_double(); }
  std::string text(RatId a) const { return at(a).print(); }  ///< `3`, `-1/4`

 private:
  struct Hash {
    std::size_t operator()(const Exact& value) const { return value.hash(); }
  };
  static constexpr std::size_t kMaxBits = 8192;

  const Exact& at(RatId id) const { return values_[static_cast<std::uint32_t>(id)]; }
  RatId put(const Exact& value) {
    const auto [it, fresh] = ids_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
    if (fresh && !value.parts() && value.bits() > kMaxBits) {
      ids_.erase(it);
      throw TermLimit("rational number too large");
    }
    if (fresh) values_.push_back(value);
    return static_cast<RatId>(it->second);
  }

  std::vector<Exact> values_;
  std::unordered_map<Exact, std::uint32_t, Hash> ids_;
};

}  // namespace gg::prover
