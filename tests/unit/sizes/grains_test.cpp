// Lists of grains: equations, cuts, and what has no common refinement.
#include "models/size/grains.h"

#include <gtest/gtest.h>

namespace gg::sizes {
namespace {

TEST(Grains, EqualNumbersShareTheirGrains) {
  Grains d;
  const GrainList whole = d.dimension(12), parts{d.add(3), d.add(4)};
  ASSERT_TRUE(d.unify(whole, parts));
  EXPECT_EQ(d.resolve(whole), d.resolve(parts));
}

TEST(Grains, AGrainFallsApartWhereAnotherListCuts) {
  Grains d;
  const GrainList a{d.add(6), d.add(4)}, b{d.add(3), d.add(8)};
  ASSERT_TRUE(d.unify(a, b));  // 3, 2, 4
  EXPECT_EQ(d.resolve(a).size(), 3U);
  EXPECT_EQ(d.resolve(a), d.resolve(b));
}

TEST(Grains, CutsReachAllListsOfTheGrain) {
  Grains d;
  const GrainId shared = d.add(8);
  const GrainList a{shared, d.add(5)};
  const GrainList parts{d.add(4), d.add(2)};
  ASSERT_TRUE(d.unify({&shared, 1}, parts));
  EXPECT_EQ(d.resolve(a).size(), 3U);
  EXPECT_EQ(d.extent(a), 40);
}

TEST(Grains, NoCommonRefinement) {
  Grains d;
  const GrainList a{d.add(6), d.add(4)}, b{d.add(4), d.add(6)}, c = d.dimension(12);
  EXPECT_FALSE(d.unify(a, b));
  EXPECT_FALSE(d.unify(a, c));
}

TEST(Grains, AListThatHoldsAGrainTwice) {
  Grains d;
  const GrainId n = d.add(4);
  const GrainList twice{n, n}, parts{d.add(2), d.add(8)};
  ASSERT_TRUE(d.unify(twice, parts));  // n falls into 2 and 2, in both places
  EXPECT_EQ(d.resolve(twice), d.resolve(parts));
  EXPECT_EQ(d.resolve(twice).size(), 4U);
}

TEST(Grains, TiesStayWithTheParts) {
  Grains d;
  const GrainId n = d.add(6);
  d.fix(n);
  const GrainList parts{d.add(2), d.add(3)};
  ASSERT_TRUE(d.unify({&n, 1}, parts));
  for (const GrainId part : d.resolve({&n, 1})) EXPECT_TRUE(d.fixed(part));
}

}  // namespace
}  // namespace gg::sizes
