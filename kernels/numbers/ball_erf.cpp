// erf of a ball by its Taylor series around the nearest multiple of 1/32, whose coefficients are kept: activations ask for thousands of values, and
// Arb's own series takes ten times as long. |erf| < 2^7 on the disc of radius 2 around a real number (1 + 2 * 2/sqrt(pi) * e^4), so that by Cauchy's
// estimate a coefficient is at most 2^(7-n).
#include <cmath>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/numbers/ball_functions.h"
#include "models/base/check.h"

namespace gg::numbers {
namespace {

constexpr slong kPlaces = 32;         ///< centres per unit
constexpr double kFarthest = 5.5;     ///< beyond, erf is nearly 1 or -1, and Arb is quick
constexpr double kNearest = 0x1p-40;  ///< nearer to zero, a fixed point loses digits of the value
constexpr slong kGuard = 64;          ///< bits that the recurrence may lose
constexpr mp_size_t kMostLimbs = 10;

/// A number below 2 in magnitude, in units of 2^(2 - 64 limbs).
struct Fixed {
  mp_limb_t limbs[kMostLimbs] = {};
  bool negative = false;
};

/// The number of limbs that hold `bits` bits behind the point, and some more.
mp_size_t limbs_for(slong bits) { return (bits + 32 + 63) / 64; }
slong fraction_bits(mp_size_t limbs) { return 64 * limbs - 2; }

/// x * 2^shift, |x * 2^shift| < 2, cut: less than a unit off.
Fixed fixed(const arf_t x, slong shift, mp_size_t limbs) {
  Fixed result;
  const slong exponent = arf_is_zero(x) ? 0 : ARF_EXP(x) + shift + fraction_bits(limbs);
  if (exponent <= 0) return result;
  mp_srcptr from;
  mp_size_t count;
  ARF_GET_MPN_READONLY(from, count, x);
  _arf_get_integer_mpn(result.limbs, from, count, exponent);
  result.negative = ARF_SGNBIT(x) != 0;
  return result;
}

/// a * b + c, |a * b|, |c|, |a * b + c| < 2: less than a unit off.
Fixed multiply_add(const Fixed& a, const Fixed& b, const Fixed& c, mp_size_t limbs) {
  mp_limb_t product[2 * kMostLimbs];
  mpn_mul_n(product, a.limbs, b.limbs, limbs);
  mp_limb_t* const high = product + limbs;  // units of 2^(4 - 64 limbs)
  mpn_lshift(high - 1, high - 1, limbs + 1, 2);
  Fixed result;
  const bool negative = a.negative != b.negative;
  if (negative == c.negative) {
    result.negative = negative;
    mpn_add_n(result.limbs, high, c.limbs, limbs);
  } else if (mpn_cmp(high, c.limbs, limbs) >= 0) {
    result.negative = negative;
    mpn_sub_n(result.limbs, high, c.limbs, limbs);
  } else {
    result.negative = c.negative;
    mpn_sub_n(result.limbs, c.limbs, high, limbs);
  }
  return result;
}

/// Coefficients around place / 32 of the series in 32 h, as many as leave 2^-bits of what is left out where |h| <= 2^-5. All sums of the series are
/// below 2: the first coefficient is at most 1, all others together, by Taylor's, are below 1/16.
std::vector<Fixed> coefficients(slong place, slong bits) {
  const mp_size_t limbs = limbs_for(bits);
  const slong precision = fraction_bits(limbs) + kGuard, count = (bits + 16) / 6 + 2;
  Number centre;
  arb_set_si(centre.get(), place);
  arb_div_si(centre.get(), centre.get(), kPlaces, precision);
  std::vector<Number> a(static_cast<std::size_t>(count)), slope(a.size());
  arb_hypgeom_erf(a[0].get(), centre.get(), precision);
  Number x;
  arb_mul(x.get(), centre.get(), centre.get(), precision);
  arb_neg(x.get(), x.get());
  arb_exp(slope[0].get(), x.get(), precision);
  arb_const_sqrt_pi(x.get(), precision);
  arb_div(slope[0].get(), slope[0].get(), x.get(), precision);
  arb_mul_2exp_si(slope[0].get(), slope[0].get(), 1);
  for (slong n = 0; n + 1 < count; ++n) {  // (n + 1) slope[n + 1] = -2 (centre slope[n] + slope[n - 1])
    const auto k = static_cast<std::size_t>(n);
    arb_div_si(a[k + 1].get(), slope[k].get(), n + 1, precision);
    Number next;
    arb_mul(next.get(), centre.get(), slope[k].get(), precision);
    if (n > 0) arb_add(next.get(), next.get(), slope[k - 1].get(), precision);
    arb_mul_si(next.get(), next.get(), -2, precision);
    arb_div_si(slope[k + 1].get(), next.get(), n + 1, precision);
  }
  std::vector<Fixed> result;
  for (std::size_t k = 0; k < a.size(); ++k) {
    GG_CHECK(mag_cmp_2exp_si(a[k].rad(), -fraction_bits(limbs)) < 0, "a coefficient of erf is known to a unit");
    result.push_back(fixed(a[k].mid(), -5 * static_cast<slong>(k), limbs));
  }
  return result;
}

/// Made once for all threads, and never given up.
const std::vector<Fixed>& kept_coefficients(slong place, slong bits) {
  using Key = std::pair<slong, slong>;
  static std::mutex mutex;
  static auto& made = *new std::map<Key, std::vector<Fixed>>;
  thread_local std::map<Key, const std::vector<Fixed>*> seen;
  const std::vector<Fixed>*& mine = seen[{bits, place}];
  if (mine != nullptr) return *mine;
  const std::lock_guard lock(mutex);
  std::vector<Fixed>& all = made[{bits, place}];
  if (all.empty()) all = coefficients(place, bits);
  return *(mine = &all);
}

}  // namespace

void ball_erf(arb_t out, const arb_t x, slong bits) {
  const double middle = arf_get_d(arb_midref(x), ARF_RND_NEAR);
  const mp_size_t limbs = limbs_for(bits);
  bool near = std::abs(middle) > kNearest && std::abs(middle) < kFarthest && limbs <= kMostLimbs;
  const auto place = near ? static_cast<slong>(std::lround(middle * kPlaces)) : 0;
  Number h;
  mag_t far, error;
  mag_init(far);
  mag_init(error);
  if (near) {
    arf_t centre;
    arf_init(centre);
    arf_set_si_2exp_si(centre, place, -5);
    arb_sub_arf(h.get(), x, centre, ARF_PREC_EXACT);
    arf_clear(centre);
    arb_get_mag(far, h.get());
    near = mag_cmp_2exp_si(far, -5) <= 0;
  }
  if (!near) {
    arb_hypgeom_erf(out, x, bits);
  } else {
    const std::vector<Fixed>& a = kept_coefficients(place, bits);
    const Fixed t = fixed(h.mid(), 5, limbs);
    Fixed sum;
    for (std::size_t k = a.size(); k-- > 0;) sum = multiply_add(sum, t, a[k], limbs);
    // A step is three units off, t and the products cut and the coefficient as it is kept, and what came before counts a 32nd.
    mag_set_ui_2exp_si(error, 4 * a.size(), -fraction_bits(limbs));
    // What is left out: the sum over n >= count of 2^(7-n) |h|^n, at most 2^8 (|h| / 2)^count.
    mag_mul_2exp_si(far, far, -1);
    mag_pow_ui(far, far, a.size());
    mag_mul_2exp_si(far, far, 8);
    mag_add(error, error, far);
    mag_mul_ui(far, h.rad(), 5);  // |erf'| <= 2/sqrt(pi) < 5/4
    mag_mul_2exp_si(far, far, -2);
    mag_add(error, error, far);
    arf_t value;
    arf_init(value);
    _arf_set_mpn_fixed(value, sum.limbs, limbs, limbs, sum.negative, fraction_bits(limbs), ARF_RND_DOWN);
    arf_mul_2exp_si(value, value, 2);
    arb_set_arf(out, value);
    arf_clear(value);
    arb_add_error_mag(out, error);
    arb_set_round(out, out, bits);
  }
  mag_clear(far);
  mag_clear(error);
}

}  // namespace gg::numbers
