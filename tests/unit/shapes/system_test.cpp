// The system of sizes alone: digits of products, parts of sums, equations, what is kept.
#include "models/size/system.h"

#include <gtest/gtest.h>

#include "models/base/check.h"

namespace gg {
namespace {

TEST(Sizes, WrongConstraintsAreBugs) {
  SizeSystem s;
  const SizeVar a = s.add(6), b = s.add(8);
  EXPECT_THROW(s.equal(a, b, {}), InternalError);
  EXPECT_THROW(s.factor(b, {{a, 1}, {kNoSize, 2}}, {}), InternalError);
  EXPECT_THROW(s.span(b, 2, 9, a, {}), InternalError);
  EXPECT_THROW(s.span(b, 2, 7, a, {}), InternalError);
  EXPECT_THROW(s.linear({{{1, a}, {-1, b}}, 1}, {}), InternalError);
}

TEST(Sizes, SmallSizesStay) {
  SizeSystem s;
  const SizeVar zero = s.add(0), one = s.add(1), two = s.add(2), large = s.add(1000);
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(zero), 0);
  EXPECT_EQ(s.reduced(one), 1);
  EXPECT_EQ(s.reduced(two), 2);
  EXPECT_LT(s.reduced(large), 10);
}

TEST(Sizes, FactorizationsShareTheirDigits) {
  // 4096 = 64 * 64 and the shard 8 * 512: the 64 in front has the digits 8 * 8.
  SizeSystem s;
  const SizeVar whole = s.add(4096), heads = s.add(64), width = s.add(64), shard = s.add(512);
  s.factor(whole, {{heads, 1}, {width, 1}}, {});
  s.factor(whole, {{kNoSize, 8}, {shard, 1}}, {});
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(whole), 8 * s.reduced(shard));
  EXPECT_EQ(s.reduced(whole), s.reduced(heads) * s.reduced(width));
  EXPECT_EQ(s.reduced(heads) % 8, 0);
  EXPECT_LT(s.reduced(whole), 200);
}

TEST(Sizes, FactorizationsWithoutCommonDigitsAreKept) {
  SizeSystem s;
  const SizeVar whole = s.add(2400), a = s.add(60), b = s.add(40), c = s.add(40), d = s.add(60);
  s.factor(whole, {{a, 1}, {b, 1}}, {});
  s.factor(whole, {{c, 1}, {d, 1}}, {});
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(whole), 2400);
  EXPECT_FALSE(s.kept_sizes().empty());
}

TEST(Sizes, PartsAddUpAndAreSharedBetweenSlices) {
  // 128 = 64 + 64, both halves of one size; 192 = 128 + 64 with the border at 64 seen through its first part.
  SizeSystem s;
  const SizeVar head = s.add(128), half = s.add(64), both = s.add(192);
  s.span(head, 0, 64, half, {});
  s.span(head, 64, 128, half, {});
  s.span(both, 0, 128, head, {});
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(head), 2 * s.reduced(half));
  EXPECT_EQ(s.reduced_position(head, 64), s.reduced(half));
  EXPECT_EQ(s.reduced_position(both, 64), s.reduced(half));
  EXPECT_EQ(s.reduced_position(both, 128), s.reduced(head));
  EXPECT_LT(s.reduced(both), 40);
}

TEST(Sizes, BordersNearAnEndStayThere) {
  SizeSystem s;
  const SizeVar tokens = s.add(4096), shifted = s.add(4095);
  s.span(tokens, 1, 4096, shifted, {});
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(tokens), s.reduced(shifted) + 1);
  EXPECT_EQ(s.reduced_position(tokens, 1), 1);
}

// A causal convolution of width 4: four copies of a sequence of 2048 in 2051 places.
TEST(Sizes, ShiftsByFewPlacesStay) {
  SizeSystem s;
  const SizeVar padded = s.add(2051), tokens = s.add(2048);
  for (std::int64_t k = 0; k < 4; ++k) s.span(padded, k, k + 2048, tokens, {});
  s.resolve();
  s.solve();
  EXPECT_LT(s.reduced(tokens), 20);
  EXPECT_EQ(s.reduced(padded), s.reduced(tokens) + 3);
  for (std::int64_t k = 0; k < 4; ++k) {
    EXPECT_EQ(s.reduced_position(padded, k), k);
    EXPECT_EQ(s.reduced_position(padded, k + 2048), s.reduced(tokens) + k);
  }
}

// What lies before the shifted part stays as long as the shift, wherever else it is used; behind it sizes are free.
TEST(Sizes, WhatAPartIsShiftedByKeepsItsLength) {
  SizeSystem s;
  const SizeVar whole = s.add(1004), prefix = s.add(4), rest = s.add(1000), other = s.add(64), both = s.add(256);
  s.span(whole, 0, 4, prefix, {});
  s.span(whole, 4, 1004, rest, {});
  s.factor(both, {{prefix, 1}, {other, 1}}, {});
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(prefix), 4);
  EXPECT_EQ(s.reduced(whole), s.reduced(rest) + 4);
  EXPECT_LT(s.reduced(rest), 10);
  EXPECT_EQ(s.reduced(both), 4 * s.reduced(other));
  EXPECT_LT(s.reduced(other), 10);
}

// Copies one and two places further, in the middle of a sequence: they move with the first one.
TEST(Sizes, ShiftedCopiesMoveTogether) {
  SizeSystem s;
  const SizeVar whole = s.add(4096), part = s.add(1000);
  for (const std::int64_t start : {100, 101, 102}) s.span(whole, start, start + 1000, part, {});
  s.resolve();
  s.solve();
  EXPECT_LT(s.reduced(whole), 40);
  const std::int64_t first = s.reduced_position(whole, 100);
  EXPECT_EQ(s.reduced_position(whole, 101), first + 1);
  EXPECT_EQ(s.reduced_position(whole, 102), first + 2);
  EXPECT_LE(first + 2 + s.reduced(part), s.reduced(whole));
}

// Four of 20 is a part as good as the sixteen behind it: no shift.
TEST(Sizes, PartsOfComparableLengthAreNoShifts) {
  SizeSystem s;
  const SizeVar whole = s.add(20), first = s.add(4), second = s.add(16);
  s.span(whole, 0, 4, first, {});
  s.span(whole, 4, 20, second, {});
  s.resolve();
  s.solve();
  EXPECT_LT(s.reduced(first), 4);
  EXPECT_EQ(s.reduced(whole), s.reduced(first) + s.reduced(second));
}

TEST(Sizes, EquationsArePropagated) {
  SizeSystem s;
  const SizeVar in = s.add(34), out = s.add(32);
  s.linear({{{1, in}, {-1, out}}, -2}, {});
  s.at_least(in, 5);
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(in), s.reduced(out) + 2);
  EXPECT_GE(s.reduced(in), 5);
}

TEST(Sizes, KeptSizesKeepTheirPartsAndShards) {
  SizeSystem s;
  const SizeVar whole = s.add(640), shard = s.add(80), first = s.add(240);
  s.factor(whole, {{kNoSize, 8}, {shard, 1}}, {});
  s.span(whole, 0, 240, first, {});
  s.keep(whole, "a test", {});
  s.resolve();
  s.solve();
  EXPECT_EQ(s.reduced(whole), 640);
  EXPECT_EQ(s.reduced(shard), 80);
  EXPECT_EQ(s.reduced_position(whole, 240), 240);
}

TEST(Sizes, CoordinatesStandForFullOnes) {
  SizeSystem s;
  const SizeVar whole = s.add(4096), shard = s.add(512);
  s.factor(whole, {{kNoSize, 8}, {shard, 1}}, {});
  s.resolve();
  s.solve();
  const std::int64_t n = s.reduced(shard);
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    for (std::int64_t k = 0; k < n; ++k) {
      EXPECT_EQ(s.full_coordinate(whole, rank * n + k), rank * 512 + s.full_coordinate(shard, k));
    }
  }
}

TEST(Sizes, TheSameConstraintsGiveTheSameSizes) {
  const auto solve = [] {
    SizeSystem s;
    std::vector<SizeVar> all;
    for (int k = 0; k < 40; ++k) all.push_back(s.add(100 + 7 * (k % 5)));
    for (int k = 0; k + 5 < 40; ++k) s.equal(all[static_cast<std::size_t>(k)], all[static_cast<std::size_t>(k + 5)], {});
    s.resolve();
    s.solve();
    std::vector<std::int64_t> sizes;
    for (const SizeVar v : all) sizes.push_back(s.reduced(v));
    return sizes;
  };
  EXPECT_EQ(solve(), solve());
}

}  // namespace
}  // namespace gg
