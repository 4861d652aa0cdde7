// Sums and products of 113-bit numbers are correctly rounded, ties to even: against exact 226-bit arithmetic.
#include <gtest/gtest.h>

#include <random>

#include "kernels/numbers/real_layout.h"
#include "tests/unit/numbers/support.h"

namespace gg::test {
namespace {

using numbers::Layout;
using Narrow = RealOps<Real113>;
using Wide = RealOps<Real226>;

/// Exactly.
Real226 widen(const Real113& x) {
  double high = 0, low = 0, rest = 0, none = 0;
  Narrow::to_pair(x, high, low);
  Narrow::to_pair(Narrow::subtract(x, Narrow::from_pair(high, low)), rest, none);
  return real<Real226>(ScalarFn::Add, {Wide::from_pair(high, low), Wide::from_double(rest)});
}

/// Is `rounded` the 113-bit number nearest to `exact`?
bool nearest_even(const Real113& rounded, const Real226& exact) {
  const Real226 error = Wide::abs(Wide::subtract(widen(rounded), exact));
  if (Wide::exponent(error) == kZeroExponent) return true;
  const auto layout = numbers::layout_of(rounded);
  const std::int64_t e = Narrow::exponent(rounded);
  // Half a unit in the last place; a quarter below a power of two.
  const bool power = layout.words[0] == 0 && layout.words[1] == std::uint64_t{1} << 48U;
  const bool below = Wide::compare(Wide::abs(exact), Wide::abs(widen(rounded))) < 0;
  const Real226 half = Wide::from_double(std::ldexp(1.0, static_cast<int>(e) - 113 - (power && below ? 1 : 0)));
  const int order = Wide::compare(error, half);
  return order < 0 || (order == 0 && (layout.words[0] & 1U) == 0);
}

class Operands {
 public:
  /// Mantissas that are random, have long runs of equal bits, or few bits.
  Real113 next(int exponent_range) {
    Layout<Real113> layout{};
    switch (random_() % 4) {
      case 0:
        layout.words[0] = random_();
        layout.words[1] = random_();
        break;
      case 1:
        layout.words[0] = ~std::uint64_t{0} << random_() % 64;
        layout.words[1] = ~std::uint64_t{0} >> random_() % 64;
        break;
      case 2:
        layout.words[0] = std::uint64_t{1} << random_() % 64;
        break;
      default:
        layout.words[0] = ~std::uint64_t{0};
        layout.words[1] = ~std::uint64_t{0};
        break;
    }
    layout.words[1] = (layout.words[1] & 0xffffffffffffU) | std::uint64_t{1} << 48U;
    const auto range = static_cast<std::uint64_t>(2 * exponent_range + 1);
    layout.exponent = static_cast<std::int64_t>(random_() % range) - exponent_range - numbers::kExponentShift;
    layout.sign = random_() & 1U;
    return numbers::real_of<Real113>(layout);
  }

 private:
  std::mt19937_64 random_{11};
};

TEST(Fast113, SumsAndDifferencesAreNearest) {
  Operands operands;
  for (int k = 0; k < 20000; ++k) {
    const int range = k % 3 == 0 ? 1 : k % 3 == 1 ? 10 : 55;  // the exact sum fits into 226 bits
    const Real113 a = operands.next(range), b = operands.next(range);
    const Real226 x = widen(a), y = widen(b);
    ASSERT_TRUE(nearest_even(real<Real113>(ScalarFn::Add, {a, b}), real<Real226>(ScalarFn::Add, {x, y}))) << k;
    ASSERT_TRUE(nearest_even(real<Real113>(ScalarFn::Subtract, {a, b}), Wide::subtract(x, y))) << k;
    ASSERT_EQ(Narrow::compare(real<Real113>(ScalarFn::Subtract, {a, b}), Narrow::subtract(a, b)), 0) << k;
  }
}

TEST(Fast113, ProductsAreNearest) {
  Operands operands;
  for (int k = 0; k < 20000; ++k) {
    const Real113 a = operands.next(100), b = operands.next(100);
    const Real113 product = real<Real113>(ScalarFn::Multiply, {a, b});
    ASSERT_TRUE(nearest_even(product, real<Real226>(ScalarFn::Multiply, {widen(a), widen(b)}))) << k;
    Real113 sum = a;
    row_multiply_add({ElementType::F32, NumberMode::Real}, Storage::Real113, &sum, {&a, 0}, {&b, 0}, 1);
    ASSERT_EQ(Narrow::compare(sum, real<Real113>(ScalarFn::Add, {a, product})), 0) << k;
  }
}

TEST(Fast113, FarApart) {
  const Real113 one = Narrow::from_double(1), tiny = Narrow::from_double(0x1p-400);
  EXPECT_EQ(Narrow::compare(real<Real113>(ScalarFn::Add, {one, tiny}), one), 0);
  EXPECT_EQ(Narrow::compare(real<Real113>(ScalarFn::Subtract, {one, tiny}), one), 0);
  // Half a unit in the last place of 1, and a little less or more.
  const Real113 half = Narrow::from_double(0x1p-113);
  EXPECT_EQ(Narrow::compare(real<Real113>(ScalarFn::Add, {one, half}), one), 0);
  const Real113 more = Narrow::from_pair(0x1p-113, 0x1p-200);
  EXPECT_EQ(Narrow::compare(real<Real113>(ScalarFn::Add, {one, more}), Narrow::from_pair(1, 0x1p-112)), 0);
  EXPECT_EQ(Narrow::compare(real<Real113>(ScalarFn::Subtract, {one, half}), Narrow::from_pair(1, -0x1p-113)), 0);
  EXPECT_EQ(Narrow::to_string(real<Real113>(ScalarFn::Subtract, {one, one})), "0");
}

TEST(Fast113, ExponentsAtTheirLimit) {
  Real113 large = Narrow::from_double(0x1p1000);
  for (int k = 0; k < 30; ++k) large = real<Real113>(ScalarFn::Multiply, {large, large});  // 2^(1000 * 2^30)
  EXPECT_TRUE(Narrow::is_finite(large));
  const Real113 squared = real<Real113>(ScalarFn::Multiply, {large, large});
  EXPECT_EQ(Narrow::to_double(squared), kInf);
  const Real113 inverse = real<Real113>(ScalarFn::Divide, {Narrow::from_double(1), large});
  EXPECT_EQ(Narrow::exponent(inverse), -(std::int64_t{1000} << 30));
  EXPECT_EQ(Narrow::to_string(real<Real113>(ScalarFn::Multiply, {inverse, inverse})), "0");
  EXPECT_EQ(Narrow::to_double(real<Real113>(ScalarFn::Add, {squared, Narrow::from_double(-1)})), kInf);
}

}  // namespace
}  // namespace gg::test
