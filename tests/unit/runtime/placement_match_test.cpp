// Matching by value: what a mask adds does not hide what it leaves alone.
#include "runtime/placement_match.h"

#include <gtest/gtest.h>

#include <limits>

#include "models/rank/digits.h"

namespace gg {
namespace {

RankDigits two_ranks() { return RankDigits(std::vector<Digit>{{2, 1, "tp"}}); }

Samples samples(std::vector<std::int64_t> dims, std::vector<double> values) { return make_samples(false, dims, std::move(values)); }

TEST(PlacementMatch, BlocksAndPartialSums) {
  const std::vector<Samples> whole = {samples({4}, {1, 2, 3, 4})};
  const auto blocks = match_placement(two_ranks(), samples({2}, {1, 2, 3, 4}), whole);
  ASSERT_TRUE(blocks);
  EXPECT_TRUE(blocks->partial.empty());
  EXPECT_EQ(blocks->splits, (std::vector<std::vector<int>>{{0}}));
  const auto partial = match_placement(two_ranks(), samples({4}, {0.5, 1, 2, 3, 0.5, 1, 1, 1}), whole);
  ASSERT_TRUE(partial);
  EXPECT_EQ(partial->partial, std::vector<int>{0});
}

TEST(PlacementMatch, FiniteMasksHideNoDifference) {
  const std::vector<Samples> whole = {samples({4}, {0.25, 0.5, 0.75, -1e9})};
  EXPECT_TRUE(match_placement(two_ranks(), samples({2}, {0.25, 0.5, 0.75, -1e9}), whole));
  EXPECT_FALSE(match_placement(two_ranks(), samples({2}, {0.25, 0.500001, 0.75, -1e9}), whole));
}

TEST(PlacementMatch, RoundingNearZeroIsNoDifference) {
  const std::vector<Samples> whole = {samples({4}, {1, 2, 3, 0})};
  EXPECT_TRUE(match_placement(two_ranks(), samples({2}, {1, 2, 3, 1e-16}), whole));
}

// Candidates are found by their first element, whatever stands before and behind them in the order of numbers.
TEST(PlacementMatch, TheFirstOfSeveralCandidates) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Samples> whole = {samples({4}, {5, 6, 7, 8}), samples({4}, {nan, 2, 3, 4}), samples({4}, {-1e12, 2, 3, 4}),
                                      samples({4}, {1, 2, 3, 5}), samples({4}, {1, 2, 3, 4}), samples({4}, {inf, 2, 3, 4}),
                                      samples({4}, {-inf, 2, 3, 4}), samples({4}, {1, 2, 3, 4}), samples({2}, {1, 2})};
  const auto candidate = [&](std::vector<double> values) -> int {
    const auto match = match_placement(two_ranks(), samples({2}, std::move(values)), whole);
    return match ? static_cast<int>(match->candidate) : -1;
  };
  EXPECT_EQ(candidate({1, 2, 3, 4}), 4);
  EXPECT_EQ(candidate({5, 6, 7, 8}), 0);
  EXPECT_EQ(candidate({nan, 2, 3, 4}), 1);
  EXPECT_EQ(candidate({inf, 2, 3, 4}), 5);
  EXPECT_EQ(candidate({-inf, 2, 3, 4}), 6);
  EXPECT_EQ(candidate({-1e12, 2, 3, 4}), 2);
  EXPECT_EQ(candidate({1, 2, 1, 2}), 8);
  EXPECT_EQ(candidate({2, 2, 3, 4}), -1);
}

}  // namespace
}  // namespace gg
