// Theorems about sizes of loops and blocks, and pairs in which a number meets a size by chance. All pairs of the project: tests/sizes.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/prove/proof.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// A scan over the layers of a stack: any number of them.
TEST(FreeSizes, AnyNumberOfLayers) {
  const Case c = load_case(std::string(GG_SOURCE_DIR) + "/tests/pairs/fsdp-tp-scan");
  const SizesTheorem t = theorem_over_sizes(c);
  ASSERT_TRUE(t.proved) << t.reason;
  EXPECT_EQ(t.inputs[0], "w1.1: f32[a, 2*b, 4*b]");
  EXPECT_TRUE(std::any_of(t.readings.begin(), t.readings.end(), [](const std::string& r) { return r.rfind("literal 3 of %", 0) == 0 && r.substr(r.size() - 4) == " = a"; }));
}

const PairText kShifted{
    "x = f32[6,8] parameter(0)\n ROOT y = f32[6,8] negate(x)\n",
    "x = f32[6,8] parameter(0)\n id = u32[] partition-id()\n two = u32[] constant(2)\n d = u32[] divide(id, two)\n"
    "ds = s32[] convert(d)\n n = s32[] constant(3)\n start = s32[] multiply(ds, n)\n zero = s32[] constant(0)\n"
    "s = f32[3,8] dynamic-slice(x, start, zero), dynamic_slice_sizes={3,8}\n ROOT y = f32[3,8] negate(s)\n",
    R"([[[], []]])", R"([[["dp"], []]])"};

TEST(FreeSizes, TheOffsetOfABlockIsItsSize) {
  Case c = load_pair(kShifted);
  const SizesTheorem t = theorem_over_sizes(c);
  ASSERT_TRUE(t.proved) << t.reason;
  EXPECT_EQ(t.outputs[0].substr(t.outputs[0].find(':')), ": f32[dp*a, b]");
  EXPECT_TRUE(std::any_of(t.readings.begin(), t.readings.end(), [](const std::string& r) { return r.rfind("literal 3 of %", 0) == 0 && r.substr(r.size() - 4) == " = a"; }));
}

// Sums of equal values against a literal: the number of values is that of the text.
TEST(FreeSizes, ACountAgainstALiteral) {
  const PairText p{"x = f32[6] parameter(0)\n c = f32[] constant(5)\n b = f32[6] broadcast(c), dimensions={}\n ROOT y = f32[6] multiply(x, b)\n",
                   "x = f32[3] parameter(0)\n o = f32[] constant(1)\n os = f32[5] broadcast(o), dimensions={}\n z = f32[] constant(0)\n"
                   "n = f32[] reduce(os, z), dimensions={0}, to_apply=add\n b = f32[3] broadcast(n), dimensions={}\n ROOT y = f32[3] multiply(x, b)\n",
                   R"([[["dp"]]])", R"([[["dp"]]])"};
  Case c = load_pair(p);
  EXPECT_FALSE(theorem_over_sizes(c).proved);
}

}  // namespace
}  // namespace gg
