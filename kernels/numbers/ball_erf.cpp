// erf of a ball by its Taylor series around the nearest multiple of 1/32, whose coefficients are kept: activations ask for thousands of values, and
// Arb's own series takes ten times as long. |erf| < 2^7 on the disc of radius 2 around a real number (1 + 2 * 2/sqrt(pi) * e^4), so that by Cauchy's
// estimate a coefficient is at most 2^(7-n).
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/numbers/ball_functions.h"

namespace gg::numbers {
namespace {

constexpr slong kPlaces = 32;       ///< centres per unit
constexpr double kFarthest = 5.5;   ///< beyond, erf is nearly 1 or -1, and Arb is quick
constexpr slong kGuard = 64;        ///< bits that the recurrence may lose

/// Coefficients around place / 32, as many as leave 2^-bits of what is left out where |h| <= 2^-5.
std::vector<Number> coefficients(slong place, slong bits) {
  const slong precision = bits + kGuard, count = (bits + 16) / 6 + 2;
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
  return a;
}

/// Made once for all threads, and never given up.
const std::vector<Number>& kept_coefficients(slong place, slong bits) {
  using Key = std::pair<slong, slong>;
  static std::mutex mutex;
  static auto& made = *new std::map<Key, std::vector<Number>>;
  thread_local std::map<Key, const std::vector<Number>*> seen;
  const std::vector<Number>*& mine = seen[{bits, place}];
  if (mine != nullptr) return *mine;
  const std::lock_guard lock(mutex);
  std::vector<Number>& all = made[{bits, place}];
  if (all.empty()) all = coefficients(place, bits);
  return *(mine = &all);
}

}  // namespace

void ball_erf(arb_t out, const arb_t x, slong bits) {
  const double middle = arf_get_d(arb_midref(x), ARF_RND_NEAR);
  Number h;
  mag_t far;
  mag_init(far);
  bool near = middle > -kFarthest && middle < kFarthest;
  const auto place = near ? static_cast<slong>(middle * kPlaces + (middle < 0 ? -0.5 : 0.5)) : 0;
  if (near) {
    arf_t centre;
    arf_init(centre);
    arf_set_si_2exp_si(centre, place, -5);
    arb_sub_arf(h.get(), x, centre, bits + kGuard);
    arf_clear(centre);
    arb_get_mag(far, h.get());
    near = mag_cmp_2exp_si(far, -5) <= 0;
  }
  if (!near) {
    arb_hypgeom_erf(out, x, bits);
  } else {
    const std::vector<Number>& a = kept_coefficients(place, bits);
    const slong precision = bits + 16;
    Number sum;
    for (std::size_t k = a.size(); k-- > 0;) {
      arb_mul(sum.get(), sum.get(), h.get(), precision);
      arb_add(sum.get(), sum.get(), a[k].get(), precision);
    }
    // What is left out: the sum over n >= count of 2^(7-n) |h|^n, at most 2^8 (|h| / 2)^count.
    mag_mul_2exp_si(far, far, -1);
    mag_pow_ui(far, far, a.size());
    mag_mul_2exp_si(far, far, 8);
    arb_add_error_mag(sum.get(), far);
    arb_set_round(out, sum.get(), bits);
  }
  mag_clear(far);
}

}  // namespace gg::numbers
