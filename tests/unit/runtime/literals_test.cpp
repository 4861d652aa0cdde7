// Literals as balls of their type.
#include "runtime/literals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/hlo/parser.h"

namespace gg {
namespace {

TEST(Literals, UnitsOfTheirType) {
  EXPECT_EQ(literal_radius(static_cast<double>(0.1F), ElementType::F32), 0x1p-26);
  EXPECT_EQ(literal_radius(-0.1, ElementType::F64), 0x1p-55);
  EXPECT_EQ(literal_radius(round_to(ElementType::BF16, 1.0 / 3), ElementType::BF16), 0x1p-10);
  for (const double meant : {0.0, 1.0, -0.5, 1024.0, 1000.0, 0x1p60, -1e30, -1e9, 50257.0, 1.0 / 0.0}) EXPECT_EQ(literal_radius(meant, ElementType::F32), 0) << meant;
  EXPECT_EQ(literal_radius(255, ElementType::BF16), 0);
  EXPECT_EQ(literal_radius(256, ElementType::BF16), 1);
  EXPECT_EQ(literal_radius(-1000, ElementType::BF16), 2);
  EXPECT_EQ(literal_radius(16777216, ElementType::F32), 4);
  for (const double folded : {2147483647.0, 4294967295.0, 9223372036854775807.0, 20000001.0, 1e12, 123456789012.0}) {  // what a compiler makes of integers
    EXPECT_GT(literal_radius(round_to(ElementType::F32, folded), ElementType::F32), 0) << folded;
  }
  for (const double mask : {-1e9, -1e10, -5e10}) EXPECT_EQ(literal_radius(mask, ElementType::F32), 0) << mask;
}

TEST(Literals, ConstantsAreLifted) {
  ConstantArray array{Type::array(ElementType::F32, {2}),
                      {Scalar::of(ElementType::F32, static_cast<double>(0.1F)), Scalar::of(ElementType::F32, INFINITY)}};
  const Buffer buffer = literal_balls(array, 3, Storage::Bits128, {.balls = true});
  ASSERT_EQ(buffer.count(), 6);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_NEAR(BallOps<Ball128>::radius(buffer.as<Ball128>()[2 * rank]), 0x1p-26, 0x1p-53);
    EXPECT_EQ(number_at(buffer, 2 * rank + 1), INFINITY);
  }
}

TEST(Literals, ConvertedLiteralsRound) {
  Buffer values(Storage::Bits128, 1);
  values.as<Ball128>()[0] = BallOps<Ball128>::from_double(0.1);
  const Buffer rounded = rounded_literal(values, ElementType::F32, ElementType::BF16, {});
  EXPECT_EQ(BallOps<Ball128>::to_double(rounded.as<Ball128>()[0]), round_to(ElementType::BF16, 0.1));
}

}  // namespace
}  // namespace gg
