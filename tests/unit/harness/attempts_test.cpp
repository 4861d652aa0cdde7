// Which runs are made, by cost: a function of estimates and options.
#include "harness/decide/attempts.h"

#include <gtest/gtest.h>

namespace gg {
namespace {

using Attempts = std::vector<Attempt>;
const Attempt kReals{false, NumberMode::Real, 3}, kDoubles{false, NumberMode::F64, 3}, kOneDouble{false, NumberMode::F64, 1};
const Attempt kReduced{true, NumberMode::Real, 3};

Attempts chosen(double operations, Purpose purpose, const std::string& shapes = "auto", const std::string& dtype = "auto", bool fits = true) {
  Options options;
  options.run_shapes = shapes;
  options.dtype = dtype;
  return attempts({operations, fits}, options, purpose);
}

TEST(Attempts, WhatIsOpenIsRunOverTheRealsWhereThatTakesSeconds) {
  EXPECT_EQ(chosen(1e6, Purpose::Decide), Attempts{kReals});
  EXPECT_EQ(chosen(5e7, Purpose::Decide), Attempts{kReals});
  EXPECT_EQ(chosen(1e9, Purpose::Decide), (Attempts{kReduced, kOneDouble}));
  EXPECT_EQ(chosen(1e12, Purpose::Decide), Attempts{kReduced});
}

TEST(Attempts, AGuardIsCheap) {
  EXPECT_EQ(chosen(1e6, Purpose::Guard), Attempts{kReals});
  EXPECT_EQ(chosen(5e7, Purpose::Guard), Attempts{kDoubles});
  EXPECT_EQ(chosen(1e9, Purpose::Guard), Attempts{kReduced});
}

TEST(Attempts, ShapesAndNumberTypesThatAreAskedForAreTaken) {
  EXPECT_EQ(chosen(1e12, Purpose::Guard, "full"), Attempts{kDoubles});
  EXPECT_EQ(chosen(1e6, Purpose::Decide, "full"), Attempts{kReals});
  EXPECT_EQ(chosen(1e12, Purpose::Decide, "full", "real"), Attempts{kReals});
  EXPECT_EQ(chosen(1e3, Purpose::Guard, "reduced"), Attempts{kReduced});
  EXPECT_EQ(chosen(1e6, Purpose::Decide, "auto", "f64"), Attempts{kDoubles});
  EXPECT_EQ(chosen(1e12, Purpose::Decide, "auto", "f64"), (Attempts{{true, NumberMode::F64, 3}}));
}

TEST(Attempts, WhatMemoryDoesNotHoldIsReduced) { EXPECT_EQ(chosen(1e3, Purpose::Decide, "auto", "auto", false), Attempts{kReduced}); }

}  // namespace
}  // namespace gg
