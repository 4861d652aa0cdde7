// Literals whose reading takes more than one size: floats that count places, the ticks of a pipeline.
#include <gtest/gtest.h>

#include "models/hlo/printer.h"
#include "runtime/differential.h"
#include "runtime/shapes/reduce.h"
#include "tests/unit/runtime/case_builder.h"
#include "tests/unit/shapes/small_run.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

using test::make_case;

// Slopes of heads: places as floats; each rank adds its offset, an integer made a float.
const char* const kSlopes = R"(HloModule seq
ENTRY %main (x: f32[96]) -> f32[96] {
  %x = f32[96] parameter(0)
  %places = f32[96] iota(), iota_dimension=0
  ROOT %y = f32[96] multiply(%x, %places)
}
)";

std::string split_slopes(const std::string& block) {
  return R"(HloModule dist, num_partitions=2
ENTRY %main (x: f32[48]) -> f32[48] {
  %x = f32[48] parameter(0)
  %places = f32[48] iota(), iota_dimension=0
  %table = s32[2] constant({0, 1})
  %rank = u32[] partition-id()
  %one = s32[1] dynamic-slice(%table, %rank), dynamic_slice_sizes={1}
  %block = s32[] reshape(%one)
  %length = s32[] constant()" +
         block + R"()
  %offset = s32[] multiply(%block, %length)
  %float = f32[] convert(%offset)
  %spread = f32[48] broadcast(%float), dimensions={}
  %own = f32[48] add(%places, %spread)
  ROOT %y = f32[48] multiply(%x, %own)
}
)";
}

const char* const kSlopesRelation = R"({"mesh": [["tp", 2]], "inputs": [[["tp"]]], "outputs": [[["tp"]]]})";

TEST(ReducedLiterals, FloatsCountPlaces) {
  const Case c = make_case(kSlopes, split_slopes("48"), kSlopesRelation);
  const ShapeReduction reduction = reduce_shapes(c);
  const std::int64_t heads = first_extent(reduction.sequential);
  EXPECT_LT(heads, 20);
  EXPECT_TRUE(has(print_hlo(reduction.distributed), "constant(" + std::to_string(heads / 2) + ")"));
  EXPECT_FALSE(differs(c, reduction));
}

TEST(ReducedLiterals, WrongOffsetsOfFloatsStayWrong) {
  for (const char* block : {"49", "47", "24", "96"}) {
    const Case c = make_case(kSlopes, split_slopes(block), kSlopesRelation);
    EXPECT_TRUE(differs(c, reduce_shapes(c))) << block;
  }
}

// A pipeline of `stages` stages, 40 microbatches: tick t computes microbatch t - (stages - 1) where there is one.
std::string ticks(const std::string& late, const std::string& ticks) {
  return R"(HloModule seq
%condition (p: (s32[], f32[40,96], f32[40,96])) -> pred[] {
  %p = (s32[], f32[40,96], f32[40,96]) parameter(0)
  %t = s32[] get-tuple-element(%p), index=0
  %n = s32[] constant()" +
         ticks + R"()
  ROOT %more = pred[] compare(%t, %n), direction=LT
}
%body (q: (s32[], f32[40,96], f32[40,96])) -> (s32[], f32[40,96], f32[40,96]) {
  %q = (s32[], f32[40,96], f32[40,96]) parameter(0)
  %t = s32[] get-tuple-element(%q), index=0
  %x = f32[40,96] get-tuple-element(%q), index=1
  %y = f32[40,96] get-tuple-element(%q), index=2
  %late = s32[] constant()" +
         late + R"()
  %zero = s32[] constant(0)
  %last = s32[] constant(39)
  %back = s32[] subtract(%t, %late)
  %at = s32[] clamp(%zero, %back, %last)
  %row = f32[1,96] dynamic-slice(%x, %at, %zero), dynamic_slice_sizes={1,96}
  %twice = f32[1,96] add(%row, %row)
  %put = f32[40,96] dynamic-update-slice(%y, %twice, %at, %zero)
  %ready = pred[] compare(%t, %late), direction=GE
  %spread = pred[40,96] broadcast(%ready), dimensions={}
  %new = f32[40,96] select(%spread, %put, %y)
  %one = s32[] constant(1)
  %next = s32[] add(%t, %one)
  ROOT %r = (s32[], f32[40,96], f32[40,96]) tuple(%next, %x, %new)
}
ENTRY %main (x: f32[40,96]) -> (f32[40,96], s32[)" +
         ticks + R"(]) {
  %x = f32[40,96] parameter(0)
  %nothing = f32[] constant(0)
  %empty = f32[40,96] broadcast(%nothing), dimensions={}
  %start = s32[] constant(0)
  %state = (s32[], f32[40,96], f32[40,96]) tuple(%start, %x, %empty)
  %loop = (s32[], f32[40,96], f32[40,96]) while(%state), condition=%condition, body=%body
  %y = f32[40,96] get-tuple-element(%loop), index=2
  %end = s32[] get-tuple-element(%loop), index=0
  %clock = s32[)" +
         ticks + R"(] iota(), iota_dimension=0
  %spread.1 = s32[)" +
         ticks + R"(] broadcast(%end), dimensions={}
  %left = s32[)" +
         ticks + R"(] subtract(%spread.1, %clock)
  ROOT %r = (f32[40,96], s32[)" +
         ticks + R"(]) tuple(%y, %left)
}
)";
}

ShapeReduction reduce_ticks(const std::string& late) {
  std::string text = ticks(late, "43");
  const std::string header = "HloModule seq\n";
  const Case c = make_case(text, "HloModule dist, num_partitions=2\n" + text.substr(header.size()),
                           R"({"mesh": [["pp", 2]], "inputs": [[[], []]], "outputs": [[[], []], [[]]]})");
  ShapeReduction reduction = reduce_shapes(c);
  EXPECT_FALSE(differs(c, reduction));
  return reduction;
}

TEST(ReducedLiterals, TicksAreMicrobatchesAndStages) {
  const ShapeReduction reduction = reduce_ticks("3");
  const std::int64_t microbatches = first_extent(reduction.sequential);
  EXPECT_LT(microbatches, 10);
  const std::string text = print_hlo(reduction.sequential);
  EXPECT_TRUE(has(text, "constant(3)")) << text;
  EXPECT_TRUE(has(text, "constant(" + std::to_string(microbatches + 3) + ")")) << text;
  EXPECT_TRUE(has(text, "constant(" + std::to_string(microbatches - 1) + ")")) << text;
}

// 5 is no difference of the sizes that are counted: they stay.
TEST(ReducedLiterals, OtherDelaysKeepTheirSizes) { EXPECT_EQ(first_extent(reduce_ticks("5").sequential), 40); }

}  // namespace
}  // namespace gg
