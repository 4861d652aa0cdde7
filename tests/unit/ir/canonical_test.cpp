// Total orders of floats outside of sorts: they have a meaning where zeros and NaNs are canonical by the selects in front of them.
#include "models/ir/canonical.h"

#include <gtest/gtest.h>

#include "models/hlo/parser.h"
#include "models/ir/region.h"

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

/// The scalar function of a comparator whose floats are canonical; "" of `rest`: the comparison of their order in its own words.
ExprId comparator(Arena& arena, const std::string& rest) {
  const std::string order = "  ROOT r = pred[] compare(x, y), direction=LT, type=TOTALORDER\n";
  const std::string text = R"(HloModule m
before {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  none = f32[] constant(nan)
  zero = f32[] constant(0)
  an = pred[] compare(a, a), direction=NE
  az = pred[] compare(a, zero), direction=EQ
  x0 = f32[] select(az, zero, a)
  x = f32[] select(an, none, x0)
  bn = pred[] compare(b, b), direction=NE
  bz = pred[] compare(b, zero), direction=EQ
  y0 = f32[] select(bz, zero, b)
  y = f32[] select(bn, none, y0)
)" + (rest.empty() ? order : rest) +
                           R"(}
ENTRY main {
  v = f32[4] parameter(0)
  ROOT s = f32[4] sort(v), dimensions={0}, to_apply=before
}
)";
  const Module module = parse_hlo(text, "m");
  const Region region = read_region(arena, module, 0);
  return region.results.empty() ? ExprId{} : region.results.front();
}

/// As XLA writes it out, with what may be changed of it.
std::string by_bits(const std::string& largest = "2147483647", const std::string& test = "compare(i, z), direction=LT", const std::string& choice = "select(n, t, i)", const std::string& of = "x") {
  return "  z = s32[] constant(0)\n  m = s32[] constant(" + largest + ")\n  i = s32[] bitcast-convert(" + of + ")\n  n = pred[] " + test + "\n  t = s32[] xor(m, i)\n  k = s32[] " + choice +
         "\n  j = s32[] bitcast(y)\n  o = pred[] compare(j, z), direction=LT\n  u = s32[] xor(j, m)\n  l = s32[] select(o, u, j)\n  ROOT r = pred[] compare(k, l), direction=LT\n";
}

TEST(Canonical, OrderIsReadOffBits) {
  Arena arena;
  const ExprId order = comparator(arena, "");
  ASSERT_NE(order, ExprId{});
  EXPECT_EQ(comparator(arena, by_bits()), order);
  EXPECT_EQ(comparator(arena, by_bits("2147483646")), ExprId{});
  EXPECT_EQ(comparator(arena, by_bits("2147483647", "compare(i, z), direction=GT")), ExprId{});
  EXPECT_EQ(comparator(arena, by_bits("2147483647", "compare(z, i), direction=LT")), ExprId{});
  EXPECT_EQ(comparator(arena, by_bits("2147483647", "compare(i, z), direction=LT", "select(n, i, t)")), ExprId{});
  EXPECT_EQ(comparator(arena, by_bits("2147483647", "compare(i, z), direction=LT", "select(n, t, i)", "a")), ExprId{}) << "zeros keep their signs, NaNs too";
}

}  // namespace
}  // namespace gg
