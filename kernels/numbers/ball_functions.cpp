// Functions of balls (kernels/numbers/ball_functions.h).
#include "kernels/numbers/ball_functions.h"

#include <algorithm>
#include <cmath>

namespace gg::numbers {
namespace {

/// An arf_t that is cleared.
struct Exact {
  Exact() { arf_init(x); }
  ~Exact() { arf_clear(x); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  arf_t x;
};

void nothing(arb_t out) { arb_indeterminate(out); }
void not_a_number(arb_t out) {
  arb_zero(out);
  arf_nan(arb_midref(out));
}
void infinity(arb_t out, int sign) { sign < 0 ? arb_neg_inf(out) : arb_pos_inf(out); }

/// f(x) of x > 0; at zero itself `at_zero` (an infinity's sign, or 0); NaN below, nothing where that is open.
template <class F>
void of_positive(arb_t out, const arb_t sign, int at_zero, const F& f) {
  if (arb_is_positive(sign)) {
    f();
  } else if (arb_is_zero(sign)) {
    at_zero == 0 ? arb_zero(out) : infinity(out, at_zero);
  } else if (arb_is_negative(sign)) {
    not_a_number(out);
  } else {
    nothing(out);
  }
}

using Step = void (*)(arf_t out, const arf_t x);

/// A monotone function with steps: its values at both ends.
void by_ends(Step step, arb_t out, const arb_t x, slong bits) {
  Exact low, high;
  arb_get_lbound_arf(low.x, x, bits);
  arb_get_ubound_arf(high.x, x, bits);
  step(low.x, low.x);
  step(high.x, high.x);
  arb_set_interval_arf(out, low.x, high.x, bits);
}

/// Rounds to nearest; half way `away` from zero, else to the even one.
void round(arf_t out, const arf_t x, bool away) {
  if (arf_is_int(x)) return arf_set(out, x);
  if (arf_cmpabs_2exp_si(x, -1) < 0) return arf_zero(out);
  Exact low, part;
  arf_floor(low.x, x);
  arf_sub(part.x, x, low.x, ARF_PREC_EXACT, ARF_RND_DOWN);
  const int half = arf_cmp_2exp_si(part.x, -1);
  const bool up = half > 0 || (half == 0 && (away ? arf_sgn(x) > 0 : arf_is_int_2exp_si(low.x, 1) == 0));
  arf_add_ui(out, low.x, up ? 1 : 0, ARF_PREC_EXACT, ARF_RND_DOWN);
}

/// The truncated quotient, if the balls have one.
bool whole_quotient(arb_t out, const arb_t x, const arb_t y, slong bits) {
  Number quotient;
  arb_div(quotient.get(), x, y, bits);
  const bool minus = arf_sgn(quotient.mid()) < 0;
  by_ends(minus ? Step(arf_ceil) : Step(arf_floor), out, quotient.get(), bits);
  return arb_is_exact(out);
}

/// A double in the place of a ball in functions of an infinity: the value itself, or one on the same side of zero and of 1 and -1.
bool stand_in(const Number& a, bool beside_one, double& out) {
  out = arf_get_d(a.mid(), ARF_RND_NEAR);
  if (!a.finite() || (a.exact() && arf_cmp_d(a.mid(), out) == 0)) return a.exact();
  Number size, gap;
  arb_abs(size.get(), a.get());
  arb_sub_si(gap.get(), size.get(), 1, 64);
  if (arb_contains_zero(a.get()) || (beside_one && arb_contains_zero(gap.get()))) return false;
  out = std::copysign(arb_is_negative(gap.get()) ? 0.5 : 1.5, arf_sgn(a.mid()));
  return true;
}

}  // namespace

void ball_abs(arb_t out, const arb_t x, slong) { arb_abs(out, x); }
void ball_negate(arb_t out, const arb_t x, slong) { arb_neg(out, x); }
void ball_sqrt(arb_t out, const arb_t x, slong bits) {
  of_positive(out, x, 0, [&] { arb_sqrt(out, x, bits); });
}
void ball_rsqrt(arb_t out, const arb_t x, slong bits) {
  of_positive(out, x, 1, [&] { arb_rsqrt(out, x, bits); });
}
void ball_log(arb_t out, const arb_t x, slong bits) {
  of_positive(out, x, -1, [&] { arb_log(out, x, bits); });
}
void ball_log1p(arb_t out, const arb_t x, slong bits) {
  Number more;
  arb_add_ui(more.get(), x, 1, 2 * bits);
  of_positive(out, more.get(), -1, [&] { arb_log1p(out, x, bits); });
}

void ball_cbrt(arb_t out, const arb_t x, slong bits) {
  Number size;
  arb_abs(size.get(), x);
  if (!arb_contains_zero(x)) {
    arb_root_ui(out, size.get(), 3, bits);
    if (arb_is_negative(x)) arb_neg(out, out);
    return;
  }
  if (arb_is_zero(x)) return arb_zero(out);
  Number most;
  arb_get_abs_ubound_arf(arb_midref(most.get()), x, bits);
  arb_root_ui(most.get(), most.get(), 3, bits);
  arb_zero(out);
  arb_get_mag(arb_radref(out), most.get());
}

void ball_logistic(arb_t out, const arb_t x, slong bits) {
  Number e;
  arb_neg(e.get(), x);
  arb_exp(e.get(), e.get(), bits);
  arb_add_ui(e.get(), e.get(), 1, bits);
  arb_inv(out, e.get(), bits);
}

void ball_floor(arb_t out, const arb_t x, slong bits) { by_ends(arf_floor, out, x, bits); }
void ball_ceil(arb_t out, const arb_t x, slong bits) { by_ends(arf_ceil, out, x, bits); }
void ball_round_away(arb_t out, const arb_t x, slong bits) {
  by_ends([](arf_t y, const arf_t v) { round(y, v, true); }, out, x, bits);
}
void ball_round_even(arb_t out, const arb_t x, slong bits) {
  by_ends([](arf_t y, const arf_t v) { round(y, v, false); }, out, x, bits);
}
void ball_sign(arb_t out, const arb_t x, slong bits) {
  by_ends([](arf_t y, const arf_t v) { arf_set_si(y, arf_sgn(v)); }, out, x, bits);
}

void ball_max(arb_t out, const arb_t x, const arb_t y, slong bits) {
  if (arb_ge(x, y)) return arb_set(out, x);
  arb_ge(y, x) ? arb_set(out, y) : arb_max(out, x, y, bits);
}
void ball_min(arb_t out, const arb_t x, const arb_t y, slong bits) {
  if (arb_le(x, y)) return arb_set(out, x);
  arb_le(y, x) ? arb_set(out, y) : arb_min(out, x, y, bits);
}

/// By the one zero, which counts as positive: IEEE's.
void ball_divide(arb_t out, const arb_t x, const arb_t y, slong bits) {
  if (!arb_contains_zero(y)) return arb_div(out, x, y, bits);
  if (!arb_is_zero(y)) return nothing(out);
  if (arb_is_zero(x)) return not_a_number(out);
  if (!arb_contains_zero(x)) return infinity(out, arf_sgn(arb_midref(x)));
  arb_set(out, Number::not_finite().get());
}

void ball_remainder(arb_t out, const arb_t x, const arb_t y, slong bits) {
  if (arb_is_zero(y)) return not_a_number(out);
  if (arb_contains_zero(y)) return nothing(out);
  constexpr slong kLongest = 1 << 14;  // bits of a quotient
  // Of zero the bound is the smallest number, of what is huge the largest.
  const slong longer = std::clamp(arf_abs_bound_lt_2exp_si(arb_midref(x)), -kLongest, kLongest);
  const slong smaller = std::clamp(arf_abs_bound_lt_2exp_si(arb_midref(y)), -kLongest, kLongest);
  const slong long_enough = bits + std::max<slong>(longer - smaller, 0) + 8;
  Number whole;
  if (whole_quotient(whole.get(), x, y, long_enough)) {
    arb_mul(whole.get(), whole.get(), y, long_enough + bits);
    return arb_sub(out, x, whole.get(), bits);
  }
  arb_zero(out);
  arb_get_mag(arb_radref(out), y);
}

void ball_power(arb_t out, const arb_t x, const arb_t y, slong bits) {
  if (arb_is_zero(y) || arb_is_one(x)) return arb_one(out);
  if (arb_is_zero(x)) {
    if (arb_is_positive(y)) return arb_zero(out);
    return arb_is_negative(y) ? infinity(out, 1) : nothing(out);
  }
  constexpr slong kMoreBits = 64;
  const bool whole = arb_is_exact(y) != 0 && arf_is_int(arb_midref(y)) != 0;
  if (whole && arf_cmpabs_2exp_si(arb_midref(y), 30) < 0) {
    if (arb_contains_zero(x) && arb_is_negative(y)) return nothing(out);
    fmpz_t exponent;
    fmpz_init_set_si(exponent, arf_get_si(arb_midref(y), ARF_RND_DOWN));
    arb_pow_fmpz(out, x, exponent, bits + kMoreBits);
    return fmpz_clear(exponent);
  }
  if (arb_is_positive(x)) return arb_pow(out, x, y, bits + kMoreBits);
  if (!arb_is_negative(x)) return nothing(out);
  if (!whole) return arb_contains_int(y) == 0 ? not_a_number(out) : nothing(out);
  const bool odd = arf_is_int_2exp_si(arb_midref(y), 1) == 0;
  Number size;
  arb_neg(size.get(), x);
  arb_pow(out, size.get(), y, bits + kMoreBits);
  if (odd) arb_neg(out, out);
}

int order(const Number& a, const Number& b, std::int64_t& ties) {
  const Known x = a.known(), y = b.known();
  if (x == Known::NaN || y == Known::NaN) return 2;
  const auto is_open = [](Known known) { return known == Known::Nothing || known == Known::NotFinite; };
  const bool open = is_open(x) || is_open(y);
  if (open || (!(a.exact() && b.exact()) && arb_overlaps(a.get(), b.get()) != 0)) ++ties;
  if (arf_is_nan(a.mid()) || arf_is_nan(b.mid())) return 2;
  const int sign = arf_cmp(a.mid(), b.mid());
  return (sign > 0) - (sign < 0);
}

Number special(ScalarFn fn, const Number& a, const Number* b) {
  const auto is = [&](Known known) { return a.known() == known || (b != nullptr && b->known() == known); };
  // What no finite number comes out of where an operand is not finite.
  constexpr ScalarFn kKeeps[] = {ScalarFn::Add, ScalarFn::Subtract, ScalarFn::Multiply, ScalarFn::Negate, ScalarFn::Abs};
  const bool keeps = std::find(std::begin(kKeeps), std::end(kKeeps), fn) != std::end(kKeeps);
  const auto never_finite = [](const Number& x) { return x.known() != Known::Finite && x.known() != Known::Nothing; };
  const bool surely = ((keeps || fn == ScalarFn::Divide) && never_finite(a)) || (keeps && b != nullptr && never_finite(*b));
  const auto open = [&] { return surely ? Number::not_finite() : Number::nothing(); };
  if (is(Known::Nothing) || is(Known::NotFinite)) return open();
  if (fn == ScalarFn::Remainder && a.finite() && b->known() == Known::Infinite) return Number(a);
  if ((fn == ScalarFn::Max || fn == ScalarFn::Min) && !is(Known::NaN)) {
    const Number& end = a.finite() ? *b : a;
    const bool other = arf_sgn(end.mid()) < 0 ? fn == ScalarFn::Max : fn == ScalarFn::Min;
    return Number(other == (&end == &a) ? *b : a);
  }
  double x[2] = {}, value = 0;
  const bool one = fn == ScalarFn::Power;
  if (!stand_in(a, one, x[0]) || (b != nullptr && !stand_in(*b, one, x[1]))) return open();
  const Row rows[2] = {{&x[0], 0}, {&x[1], 0}};
  const Storage storages[2] = {Storage::Double, Storage::Double};
  const ElementType types[2] = {ElementType::F64, ElementType::F64};
  TieCounter none;
  row_apply(fn, {ElementType::F64, NumberMode::F64}, Storage::Double, &value, rows, storages, types, 1, none);
  Number out = Number::from_double(value);
  constexpr slong kLibrary = 48;  // an angle of an infinity
  if (std::isfinite(value) && value != std::rint(value)) arb_add_error_2exp_si(out.get(), std::ilogb(value) - kLibrary);
  return out;
}

std::int64_t truncated(const Number& a, ElementType target, std::int64_t& ties) {
  const Known known = a.known();
  if (target == ElementType::Pred) {
    if (known == Known::Nothing || (!a.zero() && known == Known::Finite && arb_contains_zero(a.get()) != 0)) ++ties;
    return a.zero() ? 0 : 1;
  }
  const auto [low, high] = range_of(target);
  const bool u64 = target == ElementType::U64;
  const auto whole = [&, low = low, high = high](const arf_t x) {
    if (arf_is_nan(x)) return std::int64_t{0};
    if (u64 && arf_sgn(x) < 0) return std::int64_t{0};
    if (arf_cmpabs_2exp_si(x, u64 ? 64 : 63) >= 0) return arf_sgn(x) < 0 ? low : high;
    fmpz_t integer;
    fmpz_init(integer);
    arf_get_fmpz(integer, x, ARF_RND_DOWN);
    const auto value = u64 ? static_cast<std::int64_t>(fmpz_get_ui(integer)) : std::clamp<std::int64_t>(fmpz_get_si(integer), low, high);
    fmpz_clear(integer);
    return value;
  };
  if (known == Known::Nothing || known == Known::NotFinite) ++ties;
  if (known == Known::Finite && !a.exact()) {
    Exact least, most;
    arb_get_lbound_arf(least.x, a.get(), 128);
    arb_get_ubound_arf(most.x, a.get(), 128);
    if (whole(least.x) != whole(most.x)) ++ties;
  }
  return whole(a.mid());
}

}  // namespace gg::numbers
