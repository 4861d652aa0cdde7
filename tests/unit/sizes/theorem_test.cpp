// Theorems for all sizes, and texts in which a number ties a size: there the theorem must not free it.
#include <algorithm>

#include "harness/prove/proof.h"
#include "tests/unit/prover/pairs.h"

namespace gg {
namespace {

SizesTheorem theorem(const PairText& p) {
  Case c = load_pair(p);
  return theorem_over_sizes(c);
}

bool has_size(const SizesTheorem& t, const std::string& name) {
  return std::any_of(t.sizes.begin(), t.sizes.end(), [&](const SizeSymbol& s) { return s.name == name; });
}

const PairText kRowParallel{
    "x = f32[6,8] parameter(0)\n w = f32[8,10] parameter(1)\n"
    "ROOT y = f32[6,10] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
    "x = f32[3,4] parameter(0)\n w = f32[4,10] parameter(1)\n"
    "p = f32[3,10] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
    "ROOT y = f32[3,10] all-reduce(p), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add\n",
    R"([[["dp"], ["tp"]], [["tp"], []]])", R"([[["dp"], []]])"};

TEST(AllSizes, RowParallel) {
  const SizesTheorem t = theorem(kRowParallel);
  EXPECT_TRUE(t.proved) << t.reason;
  EXPECT_EQ(t.inputs[0], "x: f32[dp*a, tp*b]");
  EXPECT_EQ(t.inputs[1], "w: f32[tp*b, c]");
}

TEST(AllSizes, AWrongGroupIsNoTheorem) {
  PairText p = kRowParallel;
  p.distributed = replaced(p.distributed, "{{0,1},{2,3}}", "{{0,2},{1,3}}");
  EXPECT_FALSE(theorem(p).proved);
}

// x times the number of ranks: equal at two ranks only.
TEST(AllSizes, ACountAgainstALiteralTiesTheRanks) {
  const PairText p{
      "x = f32[6] parameter(0)\n c = f32[] constant(2)\n b = f32[6] broadcast(c), dimensions={}\n"
      "ROOT y = f32[6] multiply(x, b)\n",
      "x = f32[3] parameter(0)\n"
      "ROOT y = f32[3] all-reduce(x), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add\n",
      R"([[["dp"]]])", R"([[["dp"]]])"};
  EXPECT_FALSE(has_size(theorem(p), "tp"));
}

// A mask by the literal 3, which is the length of a shard too: beside a place that is counted from the rank's number it is read as that, in the
// sequential program it is a number.
TEST(AllSizes, ALiteralBorder) {
  PairText p{
      "x = f32[6] parameter(0)\n i = s32[6] iota(), iota_dimension=0\n c = s32[] constant(3)\n"
      "b = s32[6] broadcast(c), dimensions={}\n m = pred[6] compare(i, b), direction=LT\n"
      "z = f32[] constant(0)\n zs = f32[6] broadcast(z), dimensions={}\n ROOT y = f32[6] select(m, x, zs)\n",
      "", R"([[["dp"]]])", R"([[["dp"]]])"};
  p.distributed =
      "x = f32[3] parameter(0)\n id = u32[] partition-id()\n two = u32[] constant(2)\n d = u32[] divide(id, two)\n"
      "ds = s32[] convert(d)\n n = s32[] constant(3)\n start = s32[] multiply(ds, n)\n i = s32[3] iota(), iota_dimension=0\n"
      "sb = s32[3] broadcast(start), dimensions={}\n at = s32[3] add(i, sb)\n c = s32[] constant(3)\n"
      "b = s32[3] broadcast(c), dimensions={}\n m = pred[3] compare(at, b), direction=LT\n z = f32[] constant(0)\n"
      "zs = f32[3] broadcast(z), dimensions={}\n ROOT y = f32[3] select(m, x, zs)\n";
  EXPECT_FALSE(theorem(p).proved);
  // Rank 0 keeps its block and the others nothing: the same at these sizes, but the border is no position there.
  p.distributed = replaced(p.distributed, "m = pred[3] compare(at, b), direction=LT", "m = pred[3] compare(sb, b), direction=LT");
  EXPECT_FALSE(theorem(p).proved);
}

// An offset of 4 in blocks of 3 is wrong; of 3 it is the size.
TEST(AllSizes, AWrongOffsetIsNoTheorem) {
  PairText p{"x = f32[6] parameter(0)\n ROOT y = f32[6] negate(x)\n",
             "x = f32[6] parameter(0)\n id = u32[] partition-id()\n two = u32[] constant(2)\n d = u32[] divide(id, two)\n"
             "ds = s32[] convert(d)\n n = s32[] constant(3)\n start = s32[] multiply(ds, n)\n"
             "s = f32[3] dynamic-slice(x, start), dynamic_slice_sizes={3}\n ROOT y = f32[3] negate(s)\n",
             R"([[[]]])", R"([[["dp"]]])"};
  EXPECT_TRUE(theorem(p).proved) << theorem(p).reason;
  p.distributed = replaced(p.distributed, "n = s32[] constant(3)", "n = s32[] constant(2)");
  EXPECT_FALSE(theorem(p).proved);
}

// Rows of a table looked up in shards: masked by the two bounds of the shard, and by nothing else.
TEST(AllSizes, ALookupInShards) {
  const char* rest =
      "lo = s32[6] broadcast(start), dimensions={}\n local = s32[6] subtract(ids, lo)\n z = s32[] constant(0)\n"
      "zs = s32[6] broadcast(z), dimensions={}\n top = s32[] constant(4)\n tops = s32[6] broadcast(top), dimensions={}\n"
      "above = pred[6] compare(local, zs), direction=GE\n below = pred[6] compare(local, tops), direction=LE\n"
      "here = pred[6] and(above, below)\n safe = s32[6] clamp(zs, local, tops)\n at = s32[6,1] reshape(safe)\n"
      "rows = f32[6,3] gather(w, at), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}\n"
      "mask = pred[6,3] broadcast(MASK), dimensions={0}\n fz = f32[] constant(0)\n none = f32[6,3] broadcast(fz), dimensions={}\n"
      "own = f32[6,3] select(mask, rows, none)\n"
      "ROOT y = f32[6,3] all-reduce(own), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, to_apply=add\n";
  const std::string head =
      "w = f32[5,3] parameter(0)\n ids = s32[6] parameter(1)\n id = u32[] partition-id()\n two = u32[] constant(2)\n"
      "r = u32[] remainder(id, two)\n rs = s32[] convert(r)\n n = s32[] constant(5)\n start = s32[] multiply(rs, n)\n";
  PairText p{
      "w = f32[10,3] parameter(0)\n ids = s32[6] parameter(1)\n at = s32[6,1] reshape(ids)\n"
      "ROOT y = f32[6,3] gather(w, at), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}\n",
      head + replaced(rest, "MASK", "here"), R"([[["tp"], []], [[]]])", R"([[[], []]])", R"({"1": [0, 10]})"};
  EXPECT_TRUE(theorem(p).proved) << theorem(p).reason;
  // Rank 1 is left out.
  PairText out = p;
  out.distributed = head +
                    "one = s32[] constant(1)\n first = pred[] compare(rs, one), direction=LT\n firsts = pred[6] broadcast(first), dimensions={}\n" +
                    replaced(replaced(rest, "MASK", "both"), "safe = ", "both = pred[6] and(firsts, here)\n safe = ");
  EXPECT_FALSE(theorem(out).proved);
  // Without the mask; indices that may lie outside; a mask of one row less.
  PairText unmasked = p;
  unmasked.distributed = replaced(p.distributed, "select(mask, rows, none)", "select(mask, rows, rows)");
  EXPECT_FALSE(theorem(unmasked).proved);
  PairText wide = p;
  wide.ranges = R"({"1": [0, 12]})";
  EXPECT_FALSE(theorem(wide).proved);
  PairText less = p;
  less.distributed = replaced(p.distributed, "compare(local, tops), direction=LE", "compare(local, tops), direction=LT");
  EXPECT_FALSE(theorem(less).proved);
}

// The mean of a shard's means is the mean where shards are equal: the literals' equation stands at every size.
TEST(AllSizes, MeanOfMeans) {
  const char* sequential =
      "x = f32[6] parameter(0)\n z = f32[] constant(0)\n s = f32[] reduce(x, z), dimensions={0}, to_apply=add\n"
      "c = f32[] constant(6)\n ROOT y = f32[] divide(s, c)\n";
  PairText p{sequential,
             "x = f32[3] parameter(0)\n z = f32[] constant(0)\n s = f32[] reduce(x, z), dimensions={0}, to_apply=add\n"
             "c = f32[] constant(3)\n m = f32[] divide(s, c)\n"
             "a = f32[] all-reduce(m), channel_id=1, replica_groups={{0,2},{1,3}}, use_global_device_ids=true, to_apply=add\n"
             "two = f32[] constant(2)\n ROOT y = f32[] divide(a, two)\n",
             R"([[["dp"]]])", R"([[]])"};
  EXPECT_TRUE(theorem(p).proved) << theorem(p).reason;
  p.distributed = replaced(p.distributed, "two = f32[] constant(2)", "two = f32[] constant(3)");
  EXPECT_FALSE(theorem(p).proved);
}

// Comparisons that may overflow are not those of the difference.
TEST(AllSizes, IntegersThatOverflow) {
  PairText p{
      "x = s32[6] parameter(0)\n y = s32[6] parameter(1)\n c = s32[] constant(1)\n b = s32[6] broadcast(c), dimensions={}\n"
      "x1 = s32[6] add(x, b)\n y1 = s32[6] add(y, b)\n ROOT m = pred[6] compare(x1, y1), direction=LT\n",
      "x = s32[3] parameter(0)\n y = s32[3] parameter(1)\n ROOT m = pred[3] compare(x, y), direction=LT\n",
      R"([[["dp"]], [["dp"]]])", R"([[["dp"]]])"};
  EXPECT_FALSE(theorem(p).proved);
}

// A limit of a slice and a range are told as what they are at other sizes.
TEST(AllSizes, NumbersOfAttributesAndRangesAreTold) {
  const PairText last{"x = f32[4,3] parameter(0)\n ROOT y = f32[1,3] slice(x), slice={[3:4],[0:3]}\n",
                      "x = f32[4,3] parameter(0)\n k = s32[] constant(1000)\n z = s32[] constant(0)\n"
                      "ROOT y = f32[1,3] dynamic-slice(x, k, z), dynamic_slice_sizes={1,3}\n",
                      R"([[[], []]])", R"([[[], []]])"};
  const SizesTheorem t = theorem(last);
  EXPECT_TRUE(t.proved) << t.reason;
  EXPECT_EQ(t.readings, std::vector<std::string>{"number 3 of %y = a"});
}

// Shifts by 1 and by 5 along a ring of 4 are one; along other rings they are two.
TEST(AllSizes, AShiftIsReducedByTheRingOfTheTextOnly) {
  const auto shifted = [](const char* by) {
    return std::string("x = f32[4,3] parameter(0)\n i = s32[4,1] iota(), iota_dimension=0\n c = s32[] constant(") + by +
           ")\n cb = s32[4,1] broadcast(c), dimensions={}\n n = s32[] constant(4)\n nb = s32[4,1] broadcast(n), dimensions={}\n"
           "s = s32[4,1] add(i, cb)\n m = s32[4,1] remainder(s, nb)\n"
           "ROOT y = f32[4,3] gather(x, m), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,3}\n";
  };
  const SizesTheorem t = theorem({shifted("1"), shifted("5"), R"([[[], []]])", R"([[[], []]])"});
  for (const SizeSymbol& s : t.sizes) EXPECT_NE(s.value, 4) << s.name;
}

// Sums of s8 and of s32 are the same as long as they fit.
TEST(AllSizes, SumsOfNarrowIntegersAreBounded) {
  PairText p{"x = s8[5,3] parameter(0)\n z = s8[] constant(0)\n y = s8[3] reduce(x, z), dimensions={0}, to_apply=add8\n ROOT w = s32[3] convert(y)\n",
             "x = s8[5,3] parameter(0)\n w = s32[5,3] convert(x)\n z = s32[] constant(0)\n ROOT y = s32[3] reduce(w, z), dimensions={0}, to_apply=adds\n",
             R"([[[], []]])", R"([[[]]])"};
  p.ranges = R"({"0": [0, 2]})";
  Case c = load_pair(p,
                     "add8 { a = s8[] parameter(0)  b = s8[] parameter(1)  ROOT r = s8[] add(a, b) }\n"
                     "adds { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] add(a, b) }\n");
  const SizesTheorem t = theorem_over_sizes(c);
  EXPECT_TRUE(t.proved) << t.reason;
  EXPECT_FALSE(t.conditions.empty());
}

}  // namespace
}  // namespace gg
