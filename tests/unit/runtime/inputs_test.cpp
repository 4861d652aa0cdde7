// Parameters of both programs from free inputs; inferred ranges.
#include "runtime/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "case_builder.h"

namespace gg {
namespace {

using test::ints;
using test::make_case;
using test::values;

const char* const kIdentity = "HloModule m\nENTRY %main (x: f32[5]) -> f32[5] {\n  ROOT %x = f32[5] parameter(0)\n}\n";
const char* const kUneven =
    "HloModule m, num_partitions=2\nENTRY %main (x: f32[3]) -> f32[3] {\n  ROOT %x = f32[3] parameter(0)\n}\n";
const char* const kUnevenRelation = R"({"mesh": [["tp", 2]], "inputs": [[["tp"]]], "outputs": [[["tp"]]]})";

TEST(Inputs, ShardsAndPadding) {
  Case c = make_case(kIdentity, kUneven, kUnevenRelation);
  infer_ranges(c);
  const InputSet inputs = draw_inputs(c.relation, 5, 0);
  const auto whole = values(sequential_inputs(c, inputs, NumberMode::F64)[0]);
  const auto shards = values(distributed_inputs(c, inputs, NumberMode::F64)[0]);
  ASSERT_EQ(shards.size(), 6U);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(shards[k], whole[k]);
  EXPECT_TRUE(std::isfinite(shards[5]));  // padding: drawn, and the same on every call
  EXPECT_EQ(shards[5], values(distributed_inputs(c, inputs, NumberMode::F64)[0])[5]);
  EXPECT_NE(shards[5], values(distributed_inputs(c, draw_inputs(c.relation, 6, 0), NumberMode::F64)[0])[5]);
}

TEST(Inputs, WholeTensorsAndFirstHalvesAreZeroInTurn) {
  Case c = make_case("HloModule m\nENTRY %main (x: f32[4], y: f32[4]) -> f32[4] {\n  %x = f32[4] parameter(0)\n  %y = f32[4] parameter(1)\n  ROOT %s = f32[4] add(%x, %y)\n}\n",
                     "HloModule m, num_partitions=2\nENTRY %main (x: f32[4], y: f32[4]) -> f32[4] {\n  %x = f32[4] parameter(0)\n  %y = f32[4] parameter(1)\n  ROOT %s = f32[4] add(%x, %y)\n}\n",
                     R"({"mesh": [["tp", 2]], "inputs": [[[]], [[]]], "outputs": [[[]]], "ranges": {"1": [0.5, 1]}})");
  const auto zeros = [&](int turn, std::size_t input) {
    const auto drawn = values(draw_inputs(c.relation, 5, kVanishing + turn).free[input]);
    EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end(), [](double a, double b) { return a == 0 && b != 0; })) << "zeros come first";
    return std::count(drawn.begin(), drawn.end(), 0);
  };
  EXPECT_EQ(zeros(0, 0), 4);
  EXPECT_EQ(zeros(1, 0), 2);
  EXPECT_EQ(zeros(2, 0), 0);  // the turn of the second input
  for (int turn = 0; turn < 8; ++turn) EXPECT_EQ(zeros(turn, 1), 0) << "0 is not in the range that was given";
}

TEST(Inputs, MeetWhatTheyAreComparedWith) {
  const std::string body =
      "(x: f32[4], n: s32[]) -> (pred[4], pred[]) {\n  %x = f32[4] parameter(0)\n  %n = s32[] parameter(1)\n"
      "  %two = f32[] constant(2)\n  %twos = f32[4] broadcast(%two), dimensions={}\n  %y = f32[4] multiply(%twos, %x)\n  %half = f32[] constant(0.5)\n"
      "  %halves = f32[4] broadcast(%half), dimensions={}\n  %p = pred[4] compare(%y, %halves), direction=GT\n"
      "  %ten = s32[] constant(10)\n  %three = s32[] constant(3)\n  %r = s32[] remainder(%n, %ten)\n  %q = pred[] compare(%r, %three), direction=LT\n"
      "  ROOT %t = (pred[4], pred[]) tuple(%p, %q)\n}\n";
  Case c = make_case("HloModule m\nENTRY %main " + body, "HloModule m, num_partitions=2\nENTRY %main " + body,
                     R"({"mesh": [["tp", 2]], "inputs": [[[]], []], "outputs": [[[]], []]})");
  infer_ranges(c);
  EXPECT_EQ(c.relation.free[0].met, std::vector<double>({0.125, 0.25, 0.375}));  // of 0.5, and a quarter beside it
  EXPECT_EQ(c.relation.free[1].met, std::vector<double>({-8, -7, -6, 2, 3, 4, 12, 13, 14}));
  const auto drawn = values(draw_inputs(c.relation, 5, kRepeated).free[0]);
  EXPECT_EQ(drawn[0], 0.125);
  EXPECT_EQ(drawn[2], 0.25);
}

TEST(Inputs, MeetWhatIsMadeOfAllElements) {
  const std::string body =
      "(x: f32[4]) -> (pred[], f32[]) {\n  %x = f32[4] parameter(0)\n  %low = f32[] constant(-inf)\n  %most = f32[] reduce(%x, %low), dimensions={0}, to_apply=%max\n"
      "  %zero = f32[] constant(0)\n  %p = pred[] compare(%most, %zero), direction=GT\n  %sum = f32[] reduce(%x, %zero), dimensions={0}, to_apply=%add\n"
      "  %least = f32[] constant(0.0625)\n  %floor = f32[] maximum(%sum, %least)\n  ROOT %t = (pred[], f32[]) tuple(%p, %floor)\n}\n";
  const std::string regions =
      "%max (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %m = f32[] maximum(%a, %b)\n}\n"
      "%add (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %m = f32[] add(%a, %b)\n}\n";
  Case c = make_case("HloModule m\n" + regions + "ENTRY %main " + body, "HloModule m, num_partitions=2\n" + regions + "ENTRY %main " + body,
                     R"({"mesh": [["tp", 2]], "inputs": [[[]]], "outputs": [[], []]})");
  infer_ranges(c);
  const std::vector<double>& met = c.relation.free[0].met;
  EXPECT_EQ(met, std::vector<double>({-0.25, 0, 0.0078125, 0.015625, 0.0234375, 0.25}));  // of the largest 0, and of the sum a quarter of 0.0625 and what lies beside it
  const auto drawn = [&](int turn) { return values(draw_inputs(c.relation, 5, kMeetings + turn).free[0]); };
  const auto size = static_cast<int>(met.size());
  EXPECT_EQ(drawn(1), std::vector<double>({0, 0, 0, 0}));
  const auto below = drawn(size + 1), above = drawn(2 * size + 1);
  EXPECT_EQ(*std::max_element(below.begin(), below.end()), 0);
  EXPECT_LT(*std::min_element(below.begin(), below.end()), 0);
  EXPECT_EQ(*std::min_element(above.begin(), above.end()), 0);
  EXPECT_GT(*std::max_element(above.begin(), above.end()), 0);
}

TEST(Inputs, ShortRangesAreDrawnWhole) {
  const std::string body = "(n: s8[6], k: s32[6]) -> (s8[6], s32[6]) {\n  %n = s8[6] parameter(0)\n  %k = s32[6] parameter(1)\n  ROOT %t = (s8[6], s32[6]) tuple(%n, %k)\n}\n";
  Case c = make_case("HloModule m\nENTRY %main " + body, "HloModule m, num_partitions=2\nENTRY %main " + body,
                     R"({"mesh": [["tp", 2]], "inputs": [[[]], [[]]], "outputs": [[[]], [[]]], "ranges": {"1": [-3, 9]}})");
  infer_ranges(c);
  EXPECT_EQ(every_draws(c.relation), 43);
  std::set<std::int64_t> bytes, given;
  for (int k = 0; k < 43; ++k) {
    const InputSet inputs = draw_inputs(c.relation, 5, kEvery + k);
    for (const std::int64_t value : inputs.free[0].as<std::int64_t>()) bytes.insert(value);
    for (const std::int64_t value : inputs.free[1].as<std::int64_t>()) given.insert(value);
  }
  EXPECT_EQ(bytes.size(), 256);
  EXPECT_EQ(std::pair(*given.begin(), *given.rbegin()), std::pair(std::int64_t{-3}, std::int64_t{8}));
  EXPECT_EQ(given.size(), 12);
}

TEST(Inputs, TheSameNumbersInEveryMode) {
  Case c = make_case(kIdentity, kUneven, kUnevenRelation);
  infer_ranges(c);
  const InputSet inputs = draw_inputs(c.relation, 5, 2);
  const auto doubles = values(sequential_inputs(c, inputs, NumberMode::F64)[0]);
  const Buffer reals = std::move(sequential_inputs(c, inputs, NumberMode::Real)[0]);
  const Buffer fine = std::move(sequential_inputs(c, inputs, NumberMode::Real256)[0]);
  const auto narrow = values(sequential_inputs(c, inputs, NumberMode::Model)[0]);
  for (std::size_t k = 0; k < doubles.size(); ++k) {
    EXPECT_EQ(BallOps<Ball128>::to_double(reals.as<Ball128>()[k]), doubles[k]);
    EXPECT_EQ(BallOps<Ball256>::to_double(fine.as<Ball256>()[k]), doubles[k]);
    EXPECT_EQ(narrow[k], round_to(ElementType::F32, doubles[k]));
  }
}

TEST(Inputs, IntegersGetTheExtentThatTheyIndex) {
  const char* const text = R"(HloModule m
%look (t: f32[32,4], i: s32[6]) -> f32[6,4] {
  %t = f32[32,4] parameter(0)
  %i = s32[6] parameter(1)
  %zero = s32[] constant(0)
  %zeros = s32[6] broadcast(%zero), dimensions={}
  %n = s32[] constant(32)
  %ns = s32[6] broadcast(%n), dimensions={}
  %neg = pred[6] compare(%i, %zeros), direction=LT
  %wrapped = s32[6] add(%i, %ns)
  %index = s32[6] select(%neg, %wrapped, %i)
  %column = s32[6,1] reshape(%index)
  ROOT %g = f32[6,4] gather(%t, %column), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
}
ENTRY %main (t: f32[32,4], i: s32[6], l: s32[6], n: s32[], q: pred[6]) -> (f32[6,4], pred[6,10], s32[], pred[6]) {
  %t = f32[32,4] parameter(0)
  %i = s32[6] parameter(1)
  %l = s32[6] parameter(2)
  %n = s32[] parameter(3)
  %q = pred[6] parameter(4)
  %c = f32[6,4] call(%t, %i), to_apply=%look
  %classes = s32[10] iota(), iota_dimension=0
  %a = s32[6,10] broadcast(%l), dimensions={0}
  %b = s32[6,10] broadcast(%classes), dimensions={1}
  %hot = pred[6,10] compare(%a, %b), direction=EQ
  ROOT %r = (f32[6,4], pred[6,10], s32[], pred[6]) tuple(%c, %hot, %n, %q)
}
)";
  std::string distributed = text;
  distributed.insert(distributed.find('\n'), ", num_partitions=1");
  Case c = make_case(text, distributed,
                     R"({"mesh": [["tp", 1]], "inputs": ["replicated", "replicated", "replicated", "replicated", "replicated"],
                         "outputs": ["replicated", "replicated", "replicated", "replicated"]})");
  infer_ranges(c);
  EXPECT_EQ(c.relation.free[1].range.hi, 32);
  EXPECT_EQ(c.relation.free[1].range.origin, Range::Origin::Inferred);
  EXPECT_EQ(c.relation.free[2].range.hi, 10);
  EXPECT_EQ(c.relation.free[3].range.hi, 8);
  EXPECT_EQ(c.relation.free[3].range.origin, Range::Origin::Default);
  EXPECT_EQ(c.relation.free[4].range.hi, 2);
}

TEST(Inputs, FloatsThatMustNotBeNegativeAreFoundByTrial) {
  // sqrt(v) needs v >= 0; sqrt(x * x + 1) asks nothing of x.
  const std::string body = R"(ENTRY %main (v: f32[8], x: f32[8]) -> (f32[8], f32[8]) {
  %v = f32[8] parameter(0)
  %x = f32[8] parameter(1)
  %s = f32[8] sqrt(%v)
  %one.c = f32[] constant(1)
  %one = f32[8] broadcast(%one.c), dimensions={}
  %y = f32[8] multiply(%x, %x)
  %z = f32[8] add(%y, %one)
  %u = f32[8] sqrt(%z)
  ROOT %r = (f32[8], f32[8]) tuple(%s, %u)
}
)";
  Case c = make_case("HloModule m\n" + body, "HloModule m, num_partitions=1\n" + body,
                     R"({"mesh": [["tp", 1]], "inputs": ["replicated", "replicated"], "outputs": ["replicated", "replicated"]})");
  infer_ranges(c);
  EXPECT_EQ(c.relation.free[0].range.lo, 0);
  EXPECT_EQ(c.relation.free[0].range.origin, Range::Origin::Inferred);
  EXPECT_EQ(c.relation.free[1].range.lo, -1);
  EXPECT_EQ(c.relation.free[1].range.origin, Range::Origin::Default);
}

}  // namespace
}  // namespace gg
