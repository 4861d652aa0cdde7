// Steps along a digit of the mesh: pairs, texts, and lists of pairs that are none.
#include "models/rank/shift.h"

#include <gtest/gtest.h>

namespace gg {
namespace {

TEST(RankShift, ARingAlongEachDigit) {
  EXPECT_EQ((RankShift{{4}, 0, 1, true, false}.pairs()), (RankPairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  EXPECT_EQ((RankShift{{2, 3}, 1, -1, true, false}.pairs()), (RankPairs{{0, 2}, {1, 0}, {2, 1}, {3, 5}, {4, 3}, {5, 4}}));
  EXPECT_EQ((RankShift{{2, 2}, 0, 1, false, true}.pairs()), (RankPairs{{0, 2}, {1, 3}}));
}

TEST(RankShift, IsFoundAgain) {
  for (const int kind : {0, 1, 2, 3}) {
    const RankShift shift{{2, 5, 3}, 1, 2, (kind & 1) != 0, (kind & 2) != 0};
    const auto found = RankShift::of(shift.pairs(), shift.extents);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->pairs(), shift.pairs());
    EXPECT_EQ(RankShift::parse(shift.text())->pairs(), shift.pairs());
  }
}

TEST(RankShift, OtherPairs) {
  EXPECT_FALSE(RankShift::of({{0, 1}, {1, 0}, {2, 3}}, {4}).has_value());
  EXPECT_FALSE(RankShift::of({{0, 2}, {1, 3}, {2, 1}, {3, 0}}, {2, 2}).has_value());
  for (const char* text : {"", "4;0;1;ring", "4;1;1;ring;source", "0;0;1;ring;source", "4;0;1;rings;source", "4,;0;1;ring;source", "1048576,2;0;1;ring;source"}) {
    EXPECT_FALSE(RankShift::parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace gg
