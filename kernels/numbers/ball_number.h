// Private to kernels/numbers: a ball in registers. Loading makes no copy of a long midpoint, results own theirs.
#pragma once

#include <arb.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "kernels/numbers/ball.h"

namespace gg::numbers {

static_assert(sizeof(slong) == sizeof(std::int64_t) && sizeof(mp_limb_t) == sizeof(std::uint64_t));
static_assert(sizeof(Ball128) == sizeof(arb_struct) && offsetof(Ball128, limbs) == offsetof(arb_struct, mid.d) &&
              offsetof(Ball128, radius) == offsetof(arb_struct, rad.man));
static_assert(std::is_trivially_copyable_v<Ball512>);

/// An arb_t. Owned numbers are cleared; a view reads the limbs of a stored ball, which must outlive it.
class Number {
 public:
  Number() { arb_init(x_); }
  Number(Number&& other) noexcept : owned_(other.owned_) {
    *x_ = *other.x_;
    other.owned_ = false;
  }
  Number& operator=(Number&& other) noexcept {
    std::swap(*x_, *other.x_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  Number(const Number& other) : Number() { arb_set(x_, other.x_); }
  Number& operator=(const Number&) = delete;
  ~Number() {
    if (owned_) arb_clear(x_);
  }

  template <int kLimbs>
  static Number view(const Ball<kLimbs>& ball) {
    Number number(nullptr);
    arb_struct& x = *number.x_;
    x.mid.exp = ball.exponent;
    x.mid.size = ball.size;
    if (kLimbs <= ARF_NOPTR_LIMBS || ARF_SIZE(&x.mid) <= ARF_NOPTR_LIMBS) {
      std::memcpy(ARF_NOPTR_D(&x.mid), ball.limbs, sizeof(mp_limb_t) * ARF_NOPTR_LIMBS);
    } else {
      ARF_PTR_ALLOC(&x.mid) = kLimbs;
      ARF_PTR_D(&x.mid) = const_cast<mp_limb_t*>(ball.limbs);  // never written through: views are operands
    }
    x.rad.exp = ball.radius_exponent;
    x.rad.man = ball.radius;
    return number;
  }

  template <int kLimbs>
  void store(Ball<kLimbs>& ball) const {
    constexpr int kFixed = ARF_NOPTR_LIMBS;
    if (!storable()) return clamped(Ball<kLimbs>::kBits).store(ball);
    const mp_size_t limbs = ARF_SIZE(&x_->mid);
    if (limbs > kLimbs) {
      Number rounded;
      arb_set_round(rounded.x_, x_, Ball<kLimbs>::kBits);
      return rounded.store(ball);
    }
    const mp_limb_t* const from = limbs > kFixed ? ARF_PTR_D(&x_->mid) : ARF_NOPTR_D(&x_->mid);
    mp_limb_t kept[kLimbs] = {};  // the ball may be the one that this views
    std::memcpy(kept, from, sizeof(mp_limb_t) * static_cast<std::size_t>(limbs));
    ball.exponent = x_->mid.exp;
    ball.size = x_->mid.size;
    std::memcpy(ball.limbs, kept, sizeof kept);
    ball.radius_exponent = x_->rad.exp;
    ball.radius = x_->rad.man;
  }

  arb_ptr get() { return x_; }
  arb_srcptr get() const { return x_; }
  arf_srcptr mid() const { return &x_->mid; }
  mag_srcptr rad() const { return &x_->rad; }

  bool finite() const { return arf_is_finite(&x_->mid) != 0 && mag_is_finite(&x_->rad) != 0; }
  bool exact() const { return mag_is_zero(&x_->rad) != 0; }
  bool zero() const { return arb_is_zero(x_) != 0; }
  Known known() const {
    if (finite()) return Known::Finite;
    if (!exact()) return mag_is_finite(&x_->rad) != 0 ? Known::NotFinite : Known::Nothing;
    return arf_is_nan(&x_->mid) ? Known::NaN : Known::Infinite;
  }

  static Number nothing() {
    Number x;
    arb_indeterminate(x.x_);
    return x;
  }
  /// As NaN with a finite radius, which Arb never makes.
  static Number not_finite() {
    Number x;
    arf_nan(&x.x_->mid);
    mag_one(&x.x_->rad);
    return x;
  }
  static Number from_integer(std::int64_t value, bool u64) {
    Number x;
    u64 ? arb_set_ui(x.x_, static_cast<std::uint64_t>(value)) : arb_set_si(x.x_, value);
    return x;
  }
  static Number from_double(double value) {
    Number x;
    arf_set_d(&x.x_->mid, value);
    return x;
  }

 private:
  explicit Number(std::nullptr_t) : owned_(false) {}

  /// Stored exponents are plain integers; Arb's own large ones are pointers.
  bool storable() const {
    const auto plain = [](fmpz exponent) { return exponent > ARF_MIN_LAGOM_EXP && exponent < ARF_MAX_LAGOM_EXP; };
    return (ARF_IS_SPECIAL(&x_->mid) || plain(x_->mid.exp)) && (mag_is_special(&x_->rad) || plain(x_->rad.exp));
  }
  /// Beyond these exponents: what is small lies in a ball around zero, of what is large nothing is known.
  Number clamped(slong bits) const {
    const slong least = ARF_MIN_LAGOM_EXP + 2 * bits;
    Number x;
    mag_t most;
    mag_init(most);
    if (ARF_IS_SPECIAL(&x_->mid) || arf_cmpabs_2exp_si(&x_->mid, least) > 0) {
      arf_set(&x.x_->mid, &x_->mid);
      mag_set(most, &x_->rad);
    } else {
      arb_get_mag(most, x_);
    }
    if (mag_cmp_2exp_si(most, least) < 0) mag_set_ui_2exp_si(most, 1, least);
    mag_swap(&x.x_->rad, most);
    mag_clear(most);
    if (!x.storable()) arb_indeterminate(x.x_);
    return x;
  }

  arb_t x_;
  bool owned_ = true;
};

}  // namespace gg::numbers
