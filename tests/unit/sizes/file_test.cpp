// The file of a theorem: what it says is checked from its texts alone, and a text that is not the family's is refused.
#include <gtest/gtest.h>

#include "harness/prove/proof.h"
#include "prover/checker/sized/check_sizes.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

// The rows of a block, without the first column, times a matrix without its first row: half of it on each of two ranks.
const PairText kBlocks{
    "x = f32[6,8] parameter(0)\n w = f32[8,5] parameter(1)\n s = f32[6,7] slice(x), slice={[0:6], [1:8]}\n v = f32[7,5] slice(w), slice={[1:8], [0:5]}\n"
    "ROOT y = f32[6,5] dot(s, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
    "x = f32[6,8] parameter(0)\n w = f32[8,5] parameter(1)\n id = u32[] partition-id()\n two = u32[] constant(2)\n d = u32[] divide(id, two)\n"
    "ds = s32[] convert(d)\n n = s32[] constant(3)\n start = s32[] multiply(ds, n)\n zero = s32[] constant(0)\n"
    "b = f32[3,8] dynamic-slice(x, start, zero), dynamic_slice_sizes={3,8}\n s = f32[3,7] slice(b), slice={[0:3], [1:8]}\n"
    "v = f32[7,5] slice(w), slice={[1:8], [0:5]}\n p = f32[3,5] dot(s, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    "h = f32[] constant(0.5)\n hs = f32[3,5] broadcast(h), dimensions={}\n q = f32[3,5] multiply(p, hs)\n"
    "ROOT y = f32[3,5] all-reduce(q), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add\n",
    R"([[[], []], [[], []]])", R"([[["dp"], []]])"};

struct Theorem {
  Case c = load_pair(kBlocks);
  std::string file;
  SizesTheorem told = theorem_over_sizes(c, &file);
  SizesTheorem check(const std::string& text) { return check_sizes(text, "F.sizes", c).theorem; }
  SizesTheorem altered(const std::string& from, const std::string& to) { return check(replaced(file, from, to)); }
};

TEST(SizesFile, SaysTheTheoremAgain) {
  Theorem t;
  ASSERT_TRUE(t.told.proved) << t.told.reason;
  const SizesTheorem again = t.check(t.file);
  ASSERT_TRUE(again.proved) << again.reason;
  EXPECT_EQ(size_lines(again), size_lines(t.told));
  EXPECT_FALSE(again.readings.empty());
}

TEST(SizesFile, AnotherFamily) {
  Theorem t;
  ASSERT_TRUE(t.told.proved) << t.told.reason;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"constant($(a))", "constant(3)"},         // the literal that is the size
           {"constant($(a))", "constant($(b - 2))"},  // the same number at the pair's own sizes
           {"[$(dp),2]<=[$(dp),2]", "[$(dp),2]<=[2,$(dp)]T(1,0)"},
           {"[[\"dp\", $(dp)]", "[[\"dp\", 2]"},
           {"slice={[0:$(a)], [1:$(b + 1)]}", "slice={[0:$(a)], [0:$(b)]}"},
           {"slice={[0:$(a)], [1:$(b + 1)]}", "slice={[0:$(a)], [1:8]}"},
           {"[[\"dp\"], []]", "[[\"tp\"], []]"},
           {"constant(0.5)", "constant(0.25)"}}) {
    EXPECT_FALSE(t.altered(from, to).proved) << from << " -> " << to;
  }
}

TEST(SizesFile, AnotherRing) {
  const Case c = load_case(std::string(GG_SOURCE_DIR) + "/tests/pairs/sizes-ring-step");
  std::string file;
  ASSERT_TRUE(theorem_over_sizes(c, &file).proved);
  const std::string shift = "$shift{$(cp);0;1;ring;source}";
  EXPECT_TRUE(check_sizes(file, "F.sizes", c).theorem.proved);
  for (const std::string other : {"$shift{$(cp);0;-1;ring;source}", "$shift{$(cp);0;1;open;source}", "$shift{$(cp);0;5;ring;source}", "{{0,1},{1,2},{2,3},{3,0}}"}) {
    EXPECT_FALSE(check_sizes(replaced(file, shift, other), "F.sizes", c).theorem.proved) << other;
  }
  EXPECT_FALSE(check_sizes(replaced(file, shift, "$shift{$(cp);1;1;ring;source}"), "F.sizes", c).theorem.proved);
}

TEST(SizesFile, AnotherPair) {
  Theorem t;
  ASSERT_TRUE(t.told.proved) << t.told.reason;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"n = s32[] constant(3)", "n = s32[] constant(2)"}, {"{{0,1},{2,3}}", "{{0,2},{1,3}}"}, {"constant(0.5)", "constant(0.25)"}}) {
    PairText other = kBlocks;
    other.distributed = replaced(other.distributed, from, to);
    const Case c = load_pair(other);
    EXPECT_FALSE(check_sizes(t.file, "F.sizes", c).theorem.proved) << to;
  }
  PairText swapped = kBlocks;
  swapped.distributed = replaced(swapped.distributed, "multiply(p, hs)", "multiply(hs, p)");
  const Case c = load_pair(swapped);
  EXPECT_NE(check_sizes(t.file, "F.sizes", c).theorem.reason.find("%q"), std::string::npos);
}

// The pair is wrong: it multiplies by a quarter. All members that are looked at multiply by a half.
TEST(SizesFile, OperandsThatHangOnSizes) {
  PairText right{"x = f32[3] parameter(0)\n h = f32[] constant(0.5)\n hs = f32[3] broadcast(h), dimensions={}\n ROOT y = f32[3] multiply(x, hs)\n",
                 "x = f32[3] parameter(0)\n h3 = f32[] constant(0.25)\n h67 = f32[] constant(0.5)\n h71 = f32[] constant(0.5)\n"
                 "h73 = f32[] constant(0.5)\n h2 = f32[] constant(0.5)\n hs = f32[3] broadcast(h67), dimensions={}\n"
                 "ROOT y = f32[3] multiply(x, hs)\n",
                 R"([[[]]])", R"([[[]]])"};
  std::string file;
  ASSERT_TRUE(theorem_over_sizes(load_pair(right), &file).proved);
  PairText wrong = right;
  wrong.distributed = replaced(wrong.distributed, "broadcast(h67)", "broadcast(h3)");
  const Case c = load_pair(wrong);
  EXPECT_FALSE(check_sizes(replaced(file, "broadcast(%h67)", "broadcast(%h$(a))"), "F.sizes", c).theorem.proved);
}

// The maximum with zero is the input itself where the range says that it is positive, which it does at a = 67 only.
TEST(SizesFile, RangesThatHangOnSizes) {
  const char* program = "x = f32[3] parameter(0)\n z = f32[] constant(0)\n zs = f32[3] broadcast(z), dimensions={}\n";
  PairText right{std::string(program) + " ROOT y = f32[3] maximum(x, zs)\n", std::string(program) + " ROOT y = f32[3] copy(x)\n", R"([[[]]])", R"([[[]]])",
                 R"({"0": [100, 1000]})"};
  std::string file;
  ASSERT_TRUE(theorem_over_sizes(load_pair(right), &file).proved);
  PairText wrong = right;
  wrong.ranges = R"({"0": [-28, 1000]})";
  const Case c = load_pair(wrong);
  EXPECT_FALSE(check_sizes(replaced(file, "\"0\": [100, 1000]", "\"0\": [$(2*a - 34), 1000]"), "F.sizes", c).theorem.proved);
}

TEST(SizesFile, MalformedFiles) {
  Theorem t;
  ASSERT_TRUE(t.told.proved) << t.told.reason;
  for (const std::string& text : {std::string(), std::string("gg-harness sizes 1\n"), t.file.substr(0, t.file.size() / 2), t.file + "x",
                                  replaced(t.file, " a=3", " a=-3"), replaced(t.file, "$(a)", "$(a"), replaced(t.file, "$(a)", "$(z)"), replaced(t.file, "[67*v0+v2,v3]", "[67*v0+v2,v2]")}) {
    EXPECT_THROW(t.check(text), InputError);
  }
}

}  // namespace
}  // namespace gg
