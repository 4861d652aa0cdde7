// Total orders of floats outside of sorts: they have a meaning where zeros and NaNs are canonical by the selects in front of them.
#include "models/ir/canonical.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"

namespace gg {
namespace {

// The compare of two values; `x` is what makes the first one.
bool canonical(const std::string& x, const std::string& order = "TOTALORDER") {
  const std::string text = R"(HloModule m
ENTRY main {
  a = f32[4] parameter(0)
  b = f32[4] parameter(1)
  none = f32[] constant(nan)
  nans = f32[4] broadcast(none), dimensions={}
  zero = f32[] constant(0)
  zeros = f32[4] broadcast(zero), dimensions={}
  other = f32[] constant(-0)
  others = f32[4] broadcast(other), dimensions={}
  bn = pred[4] compare(b, b), direction=NE
  bz = pred[4] compare(b, zeros), direction=EQ
  y0 = f32[4] select(bz, zeros, b)
  y = f32[4] select(bn, nans, y0)
  an = pred[4] compare(a, a), direction=NE
  az = pred[4] compare(a, zeros), direction=EQ
)" + x + R"(
  ROOT r = pred[4] compare(x, y), direction=LT, type=)" +
                           order + "\n}\n";
  const Module module = parse_hlo(text, "m");
  return orders_canonical(module, module.computation(module.entry()).root);
}

TEST(Canonical, SelectsInEitherOrder) {
  EXPECT_TRUE(canonical("  x0 = f32[4] select(az, zeros, a)\n  x = f32[4] select(an, nans, x0)"));
  EXPECT_TRUE(canonical("  x0 = f32[4] select(an, nans, a)\n  x = f32[4] select(az, zeros, x0)"));
}

TEST(Canonical, NearMisses) {
  const std::string both = "  x0 = f32[4] select(az, zeros, a)\n  x = f32[4] select(an, nans, x0)";
  EXPECT_FALSE(canonical(both, "FLOAT"));
  EXPECT_FALSE(canonical("  x = f32[4] select(an, nans, a)"));   // zeros keep their signs
  EXPECT_FALSE(canonical("  x = f32[4] select(az, zeros, a)"));  // NaNs too
  EXPECT_FALSE(canonical("  x = f32[4] copy(a)"));
  EXPECT_FALSE(canonical("  x0 = f32[4] select(bz, zeros, a)\n  x = f32[4] select(an, nans, x0)"));   // of another value
  EXPECT_FALSE(canonical("  x0 = f32[4] select(az, others, a)\n  x = f32[4] select(an, nans, x0)"));  // -0 before 0
  EXPECT_FALSE(canonical("  x0 = f32[4] select(az, a, zeros)\n  x = f32[4] select(an, nans, x0)"));
  EXPECT_FALSE(canonical("  x0 = f32[4] select(az, zeros, a)\n  x = f32[4] select(an, x0, nans)"));
}

}  // namespace
}  // namespace gg
