// Philox against the published vectors; draws are functions of (seed, regime, input, index, range).
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "runtime/inputs.h"

namespace gg {
namespace {

using Block = std::array<std::uint32_t, 4>;

TEST(Philox, PublishedVectors) {
  // kat_vectors of Random123, "philox4x32 10".
  EXPECT_EQ(philox({0, 0, 0, 0}, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffffffffffffULL),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822ULL),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Draws, PlainFloatsAreMultiplesOfTwoToMinus52) {
  const Range range{-1, 1, Range::Origin::Default};
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const double value = draw_real(42, 0, 3, k, range);
    EXPECT_GE(value, -1);
    EXPECT_LE(value, 1);
    EXPECT_EQ(std::ldexp(value, 52), std::floor(std::ldexp(value, 52)));
  }
}

TEST(Draws, PlainValuesArePinned) {
  // Replays in other frameworks depend on these: -1 + 2^-52 * (first 53 bits of the block).
  const Range range{-1, 1, Range::Origin::Default};
  const auto block = philox({5, 0, 2, 0}, 42);
  const std::uint64_t word = std::uint64_t{block[0]} << 32U | block[1];
  EXPECT_EQ(draw_real(42, 0, 2, 5, range), std::ldexp(static_cast<double>(word >> 11U), -52) - 1);
}

TEST(Draws, EveryRegimeStaysInAGivenRange) {
  const Range floats{0.1, 1, Range::Origin::Given}, ints{3, 32, Range::Origin::Given};
  for (int regime = 0; regime < 8; ++regime) {
    for (std::uint64_t k = 0; k < 500; ++k) {
      const double value = draw_real(7, regime, 0, k, floats);
      EXPECT_TRUE(value >= 0.1 && value <= 1) << value;
      const std::int64_t integer = draw_int(7, regime, 1, k, ints);
      EXPECT_TRUE(integer >= 3 && integer < 32) << integer;
    }
  }
}

TEST(Draws, ConstantRanges) {
  EXPECT_EQ(draw_real(1, 1, 0, 9, {3, 3, Range::Origin::Given}), 3);
  EXPECT_EQ(draw_int(1, 1, 0, 9, {3, 3, Range::Origin::Given}), 3);
}

TEST(Draws, AmplifiedOnesAreFourTimesLargerEach) {
  const Range open{-1, 1, Range::Origin::Default}, given{-1, 1, Range::Origin::Given}, ids{0, 50, Range::Origin::Default};
  for (int k = 0; k < 6; ++k) {
    double most = 0;
    for (std::uint64_t n = 0; n < 200; ++n) {
      most = std::max(most, std::abs(draw_real(3, kAmplified + k, 0, n, open)));
      EXPECT_LE(std::abs(draw_real(3, kAmplified + k, 0, n, given)), 1);
      const std::int64_t id = draw_int(3, kAmplified + k, 0, n, ids);
      EXPECT_TRUE(id >= 0 && id < 50) << id;
    }
    EXPECT_LE(most, std::ldexp(1, 2 * k + 2));
    EXPECT_GT(most, std::ldexp(0.9, 2 * k + 2));
  }
}

TEST(Draws, HalvesAreMultiplesOfOneHalfWhereTheRangeHoldsThem) {
  const Range open{-1, 1, Range::Origin::Default}, given{0.25, 1.2, Range::Origin::Given}, between{0.6, 0.9, Range::Origin::Given};
  std::set<double> seen;
  for (std::uint64_t n = 0; n < 200; ++n) {
    const double value = draw_real(3, kHalves, 0, n, open);
    EXPECT_EQ(2 * value, std::floor(2 * value));
    seen.insert(value);
    const double inside = draw_real(3, kHalves, 0, n, given);
    EXPECT_TRUE(inside == 0.5 || inside == 1 || (inside >= 0.25 && inside <= 1.2 && 2 * inside != std::floor(2 * inside))) << inside;
    const double plain = draw_real(3, kHalves, 0, n, between);
    EXPECT_TRUE(plain >= 0.6 && plain <= 0.9) << plain;
  }
  EXPECT_GT(seen.size(), 12U) << "from -4 to 4";
}

TEST(Draws, IntegersReachBothEnds) {
  std::set<std::int64_t> seen;
  for (std::uint64_t k = 0; k < 200; ++k) seen.insert(draw_int(1, 1, 0, k, {0, 1000, Range::Origin::Given}));
  EXPECT_EQ(*seen.begin(), 0);
  EXPECT_EQ(*seen.rbegin(), 999);
}

TEST(Draws, DifferBySeedInputRegimeAndIndex) {
  const Range range{-1, 1, Range::Origin::Given};
  const double base = draw_real(1, 0, 0, 0, range);
  EXPECT_NE(base, draw_real(2, 0, 0, 0, range));
  EXPECT_NE(base, draw_real(1, 1, 0, 0, range));
  EXPECT_NE(base, draw_real(1, 0, 1, 0, range));
  EXPECT_NE(base, draw_real(1, 0, 0, 1, range));
  EXPECT_NE(draw_real(1, 0, 0, 0, range), draw_real(1, 0, 0, std::uint64_t{1} << 32U, range));
  EXPECT_EQ(base, draw_real(1, 0, 0, 0, range));
}

}  // namespace
}  // namespace gg
