// The 226-bit real numbers: one of the two files that include Boost.Multiprecision.
#include "kernels/numbers/real_domain.h"

namespace gg {

template struct RealOps<Real226>;

namespace numbers {
namespace {

constexpr RowTable kTable = make_row_table<RealDomain<Real226>>();

using Wide = Math<Real226>;

/// A finite 113-bit number, exactly.
Wide::N widen(const Real113& value) {
  const Layout<Real113> layout = layout_of(value);
  if (layout.exponent == kStoredZero) return {};
  Wide::N x = Wide::scale(Wide::N(layout.words[1]), 64) + Wide::N(layout.words[0]);
  x = Wide::scale(x, layout.exponent + kExponentShift - Wide::exponent(x));
  return layout.sign != 0 ? Wide::negate(x) : x;
}

/// Nearest 113-bit number, ties to even.
Real113 narrow(const Wide::N& value) {
  Layout<Real113> out{};
  Real226 stored_wide;
  Wide::store(stored_wide, value);
  const Layout<Real226> layout = layout_of(stored_wide);
  out.sign = layout.sign;
  out.exponent = layout.exponent;
  if (layout.exponent >= kStoredZero) return real_of<Real113>(out);
  // 226 bits in four words; the upper 113 are bits 113..225.
  std::uint64_t lower = layout.words[1] >> 49U | layout.words[2] << 15U;
  std::uint64_t upper = layout.words[2] >> 49U | layout.words[3] << 15U;
  const bool half = (layout.words[1] >> 48U & 1U) != 0;
  const bool rest = layout.words[0] != 0 || (layout.words[1] & 0xffffffffffffU) != 0;
  if (half && (rest || (lower & 1U) != 0)) {
    if (++lower == 0) ++upper;
    if (upper >> 49U != 0) {
      upper >>= 1U;  // 2^113: the lower word is zero
      if (++out.exponent + kExponentShift > kExponentLimit)
        return real_of<Real113>({{0, 0}, kStoredInfinity, out.sign});
    }
  }
  out.words[0] = lower;
  out.words[1] = upper;
  return real_of<Real113>(out);
}

}  // namespace

const RowTable& real226_rows() { return kTable; }

Real113 power_with_226(const Real113& x, const Real113& y) { return narrow(Wide::exp(widen(y) * Wide::log(widen(x)))); }

}  // namespace numbers
}  // namespace gg
