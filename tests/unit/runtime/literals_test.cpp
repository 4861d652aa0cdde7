// Rational readings of literals.
#include "runtime/literals.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gg {
namespace {

struct Row {
  double value;
  ElementType type;
  std::int64_t numerator, denominator;
};

TEST(Literals, SimplestRationals) {
  constexpr auto F32 = ElementType::F32;
  const Row rows[] = {
      {0, F32, 0, 1},
      {1, F32, 1, 1},
      {0.5, F32, 1, 2},
      {-0.75, F32, -3, 4},
      {1e9, F32, 1000000000, 1},  // an integer is itself, although simpler numbers are nearby
      {static_cast<double>(1.0F / 3), F32, 1, 3},
      {static_cast<double>(-2.0F / 7), F32, -2, 7},
      {static_cast<double>(0.0416666679F), F32, 1, 24},
      {static_cast<double>(0.166666672F), F32, 1, 6},
      {static_cast<double>(0.1F), F32, 1, 10},
      {1.0 / 3, ElementType::F64, 1, 3},
      {0.1, ElementType::F64, 1, 10},
      {round_to(ElementType::BF16, 1.0 / 3), ElementType::BF16, 1, 3},
  };
  for (const Row& row : rows) {
    Rational rational;
    ASSERT_TRUE(simplest_rational(row.value, row.type, rational)) << row.value;
    EXPECT_EQ(rational.numerator, row.numerator) << row.value;
    EXPECT_EQ(rational.denominator, row.denominator) << row.value;
  }
}

TEST(Literals, StaysWithinHalfAUnit) {
  for (const double base : {0.797884583, 0.044715, 1e-5, 3.14159274, 12345.678, 1.06e-9}) {
    const double value = round_to(ElementType::F32, base);
    Rational rational;
    ASSERT_TRUE(simplest_rational(value, ElementType::F32, rational)) << base;
    const double read = static_cast<double>(rational.numerator) / static_cast<double>(rational.denominator);
    EXPECT_EQ(round_to(ElementType::F32, read), value) << base;
  }
}

TEST(Literals, TooSmallOrNotFiniteStandForThemselves) {
  Rational rational;
  EXPECT_FALSE(simplest_rational(1e-30, ElementType::F32, rational));
  EXPECT_FALSE(simplest_rational(INFINITY, ElementType::F32, rational));
  EXPECT_FALSE(simplest_rational(NAN, ElementType::F32, rational));
}

TEST(Literals, ConstantsAreLifted) {
  ConstantArray array{Type::array(ElementType::F32, {2}),
                      {Scalar::of(ElementType::F32, 0.25), Scalar::of(ElementType::F32, INFINITY)}};
  const Buffer buffer = rational_constant(array, 3, Storage::Double);
  ASSERT_EQ(buffer.count(), 6);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(buffer.as<double>()[2 * rank], 0.25);
    EXPECT_EQ(buffer.as<double>()[2 * rank + 1], INFINITY);
  }
}

TEST(Literals, ConvertedLiteralsRound) {
  Buffer values(Storage::Real113, 1);
  values.as<Real113>()[0] = RealOps<Real113>::from_double(0.1);
  const Buffer rounded = rounded_constant(values, ElementType::BF16, false);
  EXPECT_EQ(RealOps<Real113>::to_double(rounded.as<Real113>()[0]), round_to(ElementType::BF16, 0.1));
}

}  // namespace
}  // namespace gg
