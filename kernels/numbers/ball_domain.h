// Private to kernels/numbers: balls as a domain of row kernels. A function of finite balls encloses its values; of
// infinities and NaN it is that of doubles. A decision that a ball straddles counts as a tie.
#pragma once

#include "kernels/numbers/ball_functions.h"
#include "kernels/numbers/row_loops.h"

namespace gg::numbers {

template <int kLimbs>
struct BallDomain {
  using Stored = Ball<kLimbs>;
  using Value = Number;
  static constexpr bool kFast = false;
  static constexpr slong kBits = Stored::kBits;

  explicit BallDomain(const RowContext& context) : ties(context.ties) {}
  std::int64_t* ties;

  static Number load(const Stored& value) { return Number::view(value); }
  static void store(Stored& out, const Number& value) { value.store(out); }
  static Number settle(Number value) { return value; }

  template <ScalarFn F>
  requires(unary_of(F).has_value()) Number operator()(Fn<F>, const Number& a) const {
    if (!a.finite()) return special(F, a, nullptr);
    Number out;
    (*unary_of(F))(out.get(), a.get(), kBits);
    return out;
  }
  template <ScalarFn F>
  requires(binary_of(F).has_value()) Number operator()(Fn<F>, const Number& a, const Number& b) const {
    if (!a.finite() || !b.finite()) return special(F, a, &b);
    Number out;
    (*binary_of(F))(out.get(), a.get(), b.get(), kBits);
    return out;
  }
  Number operator()(Fn<ScalarFn::Clamp>, const Number& low, const Number& a, const Number& high) const {
    return (*this)(Fn<ScalarFn::Min>{}, (*this)(Fn<ScalarFn::Max>{}, low, a), high);
  }

  template <ScalarFn F>
  requires(accepted_orders(F) != 0) bool operator()(Fn<F>, const Number& a, const Number& b) const {
    return (accepted_orders(F) >> (order(a, b, *ties) + 1) & 1U) != 0;
  }
  /// One number in both places is equal to itself however wide its ball is, unless it may be NaN, and a finite one less itself is zero.
  template <ScalarFn F>
  requires(F == ScalarFn::Subtract) Number with_itself(const Number& a)
  const {
    return a.finite() ? Number() : (*this)(Fn<F>{}, a, a);
  }
  template <ScalarFn F>
  requires(accepted_orders(F) != 0) bool with_itself(const Number& a) const {
    const Known known = a.known();
    *ties += known == Known::Nothing || known == Known::NotFinite ? 1 : 0;
    return (accepted_orders(F) >> (known == Known::NaN ? 3U : 1U) & 1U) != 0;
  }
  bool operator()(Fn<ScalarFn::IsFinite>, const Number& a) const {
    *ties += a.known() == Known::Nothing ? 1 : 0;
    return a.finite();
  }

  static Number from_integer(std::int64_t value, bool u64) { return Number::from_integer(value, u64); }
  std::int64_t to_integer(const Number& a, ElementType target) const { return truncated(a, target, *ties); }

  template <ScalarFn F, class... Rest>
  requires(of_bits_only(F)) Number operator()(Fn<F>, const Number&, const Rest&...) const { refuse(F, "reals"); }
};

}  // namespace gg::numbers
