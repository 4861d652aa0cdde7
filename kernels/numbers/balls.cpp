// Balls as number types of runs: their tables of row kernels, products summed at once, and scalar access.
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/numbers/ball_domain.h"
#include "kernels/numbers/buffer.h"

namespace gg {
namespace numbers {
namespace {

/// *acc += a . b without an order of the sum. Where it is not finite, one product after the other.
template <int kLimbs>
void dot_row(const RowContext& context, void* acc, Row a, Row b, std::int64_t n) {
  using Stored = Ball<kLimbs>;
  auto& to = *static_cast<Stored*>(acc);
  const auto* x = static_cast<const Stored*>(a.data);
  const auto* y = static_cast<const Stored*>(b.data);
  const Number start = Number::view(to);
  Number sum;
  if constexpr (sizeof(Stored) == sizeof(arb_struct)) {
    arb_dot(sum.get(), start.get(), 0, reinterpret_cast<const arb_struct*>(x), a.stride, reinterpret_cast<const arb_struct*>(y),
            b.stride, n, Stored::kBits);
  } else {
    thread_local std::vector<arb_struct> views;
    views.resize(2 * static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < n; ++k) {
      views[static_cast<std::size_t>(k)] = *Number::view(x[k * a.stride]).get();
      views[static_cast<std::size_t>(n + k)] = *Number::view(y[k * b.stride]).get();
    }
    arb_dot(sum.get(), start.get(), 0, views.data(), 1, views.data() + n, 1, n, Stored::kBits);
  }
  if (sum.finite()) return sum.store(to);
  for (std::int64_t k = 0; k < n; ++k) {
    multiply_add_row<BallDomain<kLimbs>>(context, acc, {x + k * a.stride, 0}, {y + k * b.stride, 0}, 1, {});
  }
}

template <int kLimbs>
constexpr RowTable table() {
  RowTable rows = make_row_table<BallDomain<kLimbs>>();
  rows.dot = &dot_row<kLimbs>;
  return rows;
}
template <int kLimbs>
constexpr RowTable kTable = table<kLimbs>();

}  // namespace

template <class B>
const RowTable& ball_rows() {
  return kTable<B::kBits / 64>;
}
template const RowTable& ball_rows<Ball128>();
template const RowTable& ball_rows<Ball256>();
template const RowTable& ball_rows<Ball512>();

}  // namespace numbers

using numbers::Number;

namespace {

template <class B>
B stored(const Number& number) {
  B out;
  number.store(out);
  return out;
}

std::int64_t floor_log2(const fmpz& exponent) { return exponent - 1; }

/// "-1.25e-7" as people write it: no zeros at the end, a plain number where it is short.
std::string tidy(const std::string& text, int most) {
  const std::size_t e = text.find('e');
  const std::string exponent_text = e == std::string::npos ? "0" : text.substr(e + 1);
  std::string digits, sign = text.starts_with("-") ? "-" : "";
  std::int64_t point = 0;
  bool seen = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') seen = true;
    if (c < '0' || c > '9') continue;
    if (digits.empty() && c == '0') {
      point -= seen ? 1 : 0;
      continue;
    }
    digits += c;
    point += seen ? 0 : 1;
  }
  digits.erase(std::max<std::size_t>(digits.find_last_not_of('0') + 1, 1));
  const auto count = static_cast<std::int64_t>(digits.size());
  if (exponent_text.size() < 18) {
    const std::int64_t at = point + std::stoll(exponent_text) - 1;  // of the first digit
    if (at >= -5 && at < 0) return sign + "0." + std::string(static_cast<std::size_t>(-at - 1), '0') + digits;
    if (at >= 0 && at < most) {
      if (count <= at + 1) return sign + digits + std::string(static_cast<std::size_t>(at + 1 - count), '0');
      return sign + digits.substr(0, static_cast<std::size_t>(at + 1)) + "." + digits.substr(static_cast<std::size_t>(at + 1));
    }
    if (count > 1) digits.insert(1, ".");
    return sign + digits + (at < 0 ? "e-" : "e+") + std::to_string(at < 0 ? -at : at);
  }
  return text;
}

}  // namespace

template <class B>
B BallOps<B>::from_double(double value) {
  return stored<B>(Number::from_double(value));
}
template <class B>
B BallOps<B>::from_int(std::int64_t value) {
  return stored<B>(Number::from_integer(value, false));
}
template <class B>
B BallOps<B>::around(double value, double radius) {
  Number x = Number::from_double(value);
  mag_set_d(arb_radref(x.get()), radius);
  return stored<B>(x);
}
template <class B>
double BallOps<B>::to_double(const B& value) {
  const std::int64_t limbs = value.size >> 1;  // its lowest bit is the sign
  const bool finite = value.radius != 0 || value.radius_exponent == 0;
  if (limbs >= 1 && limbs <= B::kBits / 64 && finite && std::abs(value.exponent) < 900) {  // what is cut off is known by one bit
    std::uint64_t high = value.limbs[limbs - 1];
    for (std::int64_t k = 0; k + 1 < limbs; ++k) high |= value.limbs[k] != 0 ? 1U : 0U;
    const auto power = static_cast<std::uint64_t>(1023 + value.exponent - 64) << 52U;  // a normal number, and so is the product
    return static_cast<double>(high) * std::bit_cast<double>(power) * ((value.size & 1) != 0 ? -1 : 1);
  }
  const Number x = Number::view(value);
  if (x.known() == Known::Nothing) return std::numeric_limits<double>::quiet_NaN();
  return arf_get_d(x.mid(), ARF_RND_NEAR) + 0.0;
}
template <class B>
double BallOps<B>::radius(const B& value) {
  const Number x = Number::view(value);
  if (!x.finite()) return std::numeric_limits<double>::infinity();
  Number radius;
  arb_get_rad_arb(radius.get(), x.get());
  return arf_get_d(radius.mid(), ARF_RND_CEIL);
}
template <class B>
Known BallOps<B>::known(const B& value) {
  return Number::view(value).known();
}
template <class B>
B BallOps<B>::subtract(const B& a, const B& b) {
  const Number x = Number::view(a), y = Number::view(b);
  if (!x.finite() || !y.finite()) return stored<B>(numbers::special(ScalarFn::Subtract, x, &y));
  Number out;
  arb_sub(out.get(), x.get(), y.get(), B::kBits);
  return stored<B>(out);
}
template <class B>
B BallOps<B>::abs(const B& a) {
  Number out;
  arb_abs(out.get(), Number::view(a).get());
  return stored<B>(out);
}
template <class B>
int BallOps<B>::compare(const B& a, const B& b) {
  std::int64_t ties = 0;
  const int sign = numbers::order(Number::view(a), Number::view(b), ties);
  return ties != 0 ? 2 : sign;
}
template <class B>
std::int64_t BallOps<B>::exponent(const B& value) {
  return value.size == 0 ? kZeroExponent : floor_log2(value.exponent);
}
template <class B>
std::int64_t BallOps<B>::radius_exponent(const B& value) {
  return value.radius == 0 ? kZeroExponent : floor_log2(value.radius_exponent);
}
template <class B>
std::string BallOps<B>::to_string(const B& value, int digits) {
  const Number x = Number::view(value);
  switch (x.known()) {
    case Known::NaN: return "nan";
    case Known::Infinite: return arf_sgn(x.mid()) < 0 ? "-inf" : "inf";
    case Known::NotFinite: return "not finite";
    case Known::Nothing: return "undecided";
    case Known::Finite: break;
  }
  if (arf_is_zero(x.mid())) return "0";
  Number middle;
  arb_get_mid_arb(middle.get(), x.get());
  char* const text = arb_get_str(middle.get(), digits, ARB_STR_NO_RADIUS | ARB_STR_MORE);
  const std::string out = tidy(text, digits);
  flint_free(text);
  return out;
}

template struct BallOps<Ball128>;
template struct BallOps<Ball256>;
template struct BallOps<Ball512>;

}  // namespace gg
