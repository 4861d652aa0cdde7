// Sources and layout operators.
#include "op_case.h"

namespace gg::testing {
namespace {

class Layout : public ::testing::TestWithParam<OpCase> {};
TEST_P(Layout, Values) { check(GetParam()); }

std::vector<OpCase> sources_of_layout() {
  return {
      OpCase{"ConstantScalar", {}, "f32[] constant(-2.5)", {}, {{-2.5}}},
      OpCase{"ConstantRoundsToItsType", {}, "f32[] constant(0.1)", {}, {{0.10000000149011612}}},
      OpCase{"ConstantArray", {}, "s32[2,3] constant({{1,2,3},{4,5,7}})", {}, {{1, 2, 3, 4, 5, 7}}},
      OpCase{"ConstantPred", {}, "pred[3] constant({1,0,1})", {}, {{1, 0, 1}}},
      OpCase{"ConstantFloats", {}, "f64[4] constant({inf, -inf, nan, 1e-300})", {}, {{kInf, -kInf, kNan, 1e-300}}},
      OpCase{"ConstantLifted", {}, "f32[2] constant({1, 5})", {}, {{1, 5, 1, 5, 1, 5}}, "", 1, 3},
      OpCase{"IotaInner", {}, "s32[2,3] iota(), iota_dimension=1", {}, {{0, 1, 2, 0, 1, 2}}},
      OpCase{"IotaOuter", {}, "f32[2,3] iota(), iota_dimension=0", {}, {{0, 0, 0, 1, 1, 1}}},
      OpCase{"IotaWraps", {}, "s2[5] iota(), iota_dimension=0", {}, {{0, 1, -2, -1, 0}}},
      OpCase{"IotaEmpty", {}, "s32[0] iota(), iota_dimension=0", {}, {{}}},
      OpCase{"PartitionId", {}, "u32[] partition-id()", {}, {{0, 1, 2, 0, 1, 2}}, "", 2, 3},
      OpCase{"ReplicaId", {}, "u32[] replica-id()", {}, {{0, 0, 0, 1, 1, 1}}, "", 2, 3},
      OpCase{"PartitionIdOfOne", {}, "u32[] partition-id()", {}, {{0}}}};
}

INSTANTIATE_TEST_SUITE_P(Sources, Layout, ::testing::ValuesIn(sources_of_layout()), case_name);

std::vector<OpCase> moves_of_layout() {
  return {
      OpCase{"BroadcastScalar", {"f32[]"}, "f32[2,2] broadcast(%p0), dimensions={}", {{7}}, {{7, 7, 7, 7}}},
      OpCase{"BroadcastRows", {"f32[2]"}, "f32[2,3] broadcast(%p0), dimensions={0}", {{1, 2}}, {{1, 1, 1, 2, 2, 2}}},
      OpCase{"BroadcastColumns",
             {"f32[3]"},
             "f32[2,3] broadcast(%p0), dimensions={1}",
             {{1, 2, 3}},
             {{1, 2, 3, 1, 2, 3}}},
      OpCase{"BroadcastTransposes",
             {"f32[2,3]"},
             "f32[3,2] broadcast(%p0), dimensions={1,0}",
             {{1, 2, 3, 4, 5, 6}},
             {{1, 4, 2, 5, 3, 6}}},
      OpCase{"Bitcast", {"f32[2,3]"}, "f32[3,2] bitcast(%p0)", {{1, 2, 3, 4, 5, 6}}, {{1, 2, 3, 4, 5, 6}}},
      OpCase{"ConcatenateThree",
             {"f32[1,2]", "f32[2,2]", "f32[1,2]"},
             "f32[4,2] concatenate(%p0, %p1, %p2), dimensions={0}",
             {{1, 2}, {3, 4, 5, 6}, {7, 8}},
             {{1, 2, 3, 4, 5, 6, 7, 8}}},
      OpCase{"ConcatenateInner",
             {"f32[2,1]", "f32[2,2]"},
             "f32[2,3] concatenate(%p0, %p1), dimensions={1}",
             {{1, 4}, {2, 3, 5, 6}},
             {{1, 2, 3, 4, 5, 6}}},
      OpCase{"ConcatenateWithEmpty",
             {"f32[0]", "f32[2]", "f32[0]", "f32[1]"},
             "f32[3] concatenate(%p0, %p1, %p2, %p3), dimensions={0}",
             {{}, {1, 2}, {}, {3}},
             {{1, 2, 3}}},
      OpCase{"ConcatenateOne", {"f32[2]"}, "f32[2] concatenate(%p0), dimensions={0}", {{1, 2}}, {{1, 2}}},
      OpCase{"PadEdges", {"f32[2]", "f32[]"}, "f32[5] pad(%p0, %p1), padding=1_2", {{1, 2}, {9}}, {{9, 1, 2, 9, 9}}},
      OpCase{"PadInterior",
             {"f32[3]", "f32[]"},
             "f32[8] pad(%p0, %p1), padding=1_0_2",
             {{1, 2, 3}, {0}},
             {{0, 1, 0, 0, 2, 0, 0, 3}}},
      OpCase{"PadNegative",
             {"f32[5]", "f32[]"},
             "f32[2] pad(%p0, %p1), padding=-1_-2",
             {{1, 2, 3, 4, 5}, {9}},
             {{2, 3}}},
      OpCase{"PadNegativeAndInterior",
             {"f32[3]", "f32[]"},
             "f32[3] pad(%p0, %p1), padding=-1_-1_1",
             {{1, 2, 3}, {9}},
             {{9, 2, 9}}},
      OpCase{"PadCutsIntoTheInterior",
             {"f32[2]", "f32[]"},
             "f32[3] pad(%p0, %p1), padding=-2_2_1",
             {{1, 2}, {9}},
             {{2, 9, 9}}},
      OpCase{"PadEmpty", {"f32[0]", "f32[]"}, "f32[2] pad(%p0, %p1), padding=1_1_3", {{}, {9}}, {{9, 9}}},
      OpCase{"PadTwoDimensions",
             {"f32[1,2]", "f32[]"},
             "f32[2,3] pad(%p0, %p1), padding=1_0x0_1",
             {{1, 2}, {0}},
             {{0, 0, 0, 1, 2, 0}}},
      OpCase{"ReshapeSplits", {"f32[6]"}, "f32[2,3] reshape(%p0)", {{1, 2, 3, 4, 5, 6}}, {{1, 2, 3, 4, 5, 6}}},
      OpCase{"ReshapeUneven", {"f32[2,3]"}, "f32[3,1,2] reshape(%p0)", {{1, 2, 3, 4, 5, 6}}, {{1, 2, 3, 4, 5, 6}}},
      OpCase{"ReshapeToScalar", {"f32[1,1]"}, "f32[] reshape(%p0)", {{3}}, {{3}}},
      OpCase{"BitcastColumnsToRows", {"f32[2,3]{0,1}"}, "f32[3,2] bitcast(%p0)", {{1, 2, 3, 4, 5, 6}}, {{1, 4, 2, 5, 3, 6}}},
      OpCase{"BitcastTransposes", {"f32[2,3]"}, "f32[3,2]{0,1} bitcast(%p0)", {{1, 2, 3, 4, 5, 6}}, {{1, 4, 2, 5, 3, 6}}},
      OpCase{"BitcastOnesAnywhere", {"f32[2,3]"}, "f32[2,3,1]{1,0,2} bitcast(%p0)", {{1, 2, 3, 4, 5, 6}}, {{1, 2, 3, 4, 5, 6}}},
      OpCase{"BitcastBothPermuted", {"f32[2,2,2]{0,2,1}"}, "f32[4,2]{0,1} bitcast(%p0)", {{0, 1, 2, 3, 4, 5, 6, 7}}, {{0, 2, 4, 6, 1, 3, 5, 7}}},
      OpCase{"ReshapeEmpty", {"f32[0,3]"}, "f32[2,0] reshape(%p0)", {{}}, {{}}},
      OpCase{"Reverse",
             {"f32[2,3]"},
             "f32[2,3] reverse(%p0), dimensions={1}",
             {{1, 2, 3, 4, 5, 6}},
             {{3, 2, 1, 6, 5, 4}}},
      OpCase{"ReverseBoth", {"f32[2,2]"}, "f32[2,2] reverse(%p0), dimensions={0,1}", {{1, 2, 3, 4}}, {{4, 3, 2, 1}}},
      OpCase{"ReverseNothing", {"f32[2]"}, "f32[2] reverse(%p0), dimensions={}", {{1, 2}}, {{1, 2}}},
      OpCase{
          "SliceWithStride", {"f32[7]"}, "f32[3] slice(%p0), slice={[1:7:2]}", {{0, 1, 2, 3, 4, 5, 6}}, {{1, 3, 5}}},
      OpCase{"SliceUnevenStride", {"f32[5]"}, "f32[2] slice(%p0), slice={[0:4:3]}", {{0, 1, 2, 3, 4}}, {{0, 3}}},
      OpCase{"SliceNothing", {"f32[3]"}, "f32[0] slice(%p0), slice={[2:2]}", {{0, 1, 2}}, {{}}},
      OpCase{"SliceTwoDimensions",
             {"f32[2,3]"},
             "f32[1,2] slice(%p0), slice={[1:2], [0:2]}",
             {{1, 2, 3, 4, 5, 6}},
             {{4, 5}}},
      OpCase{"Transpose",
             {"f32[2,3]"},
             "f32[3,2] transpose(%p0), dimensions={1,0}",
             {{1, 2, 3, 4, 5, 6}},
             {{1, 4, 2, 5, 3, 6}}},
      OpCase{"TransposeCycle",
             {"f32[1,2,3]"},
             "f32[2,3,1] transpose(%p0), dimensions={1,2,0}",
             {{1, 2, 3, 4, 5, 6}},
             {{1, 2, 3, 4, 5, 6}}},
      OpCase{"TransposeOtherCycle",
             {"f32[2,2,1]"},
             "f32[1,2,2] transpose(%p0), dimensions={2,1,0}",
             {{1, 2, 3, 4}},
             {{1, 3, 2, 4}}},
      OpCase{"TransposeLifted",
             {"f32[1,2]"},
             "f32[2,1] transpose(%p0), dimensions={1,0}",
             {{1, 2, 3, 4}},
             {{1, 2, 3, 4}},
             "",
             1,
             2}};
}

INSTANTIATE_TEST_SUITE_P(Moves, Layout, ::testing::ValuesIn(moves_of_layout()), case_name);

// Flat optimizer states: rank-sized pieces of more than 2^32 elements.
TEST(LayoutForms, ReshapeOfHugeShards) {
  const OpCase c{"", {"f32[128,6328125000]"}, "f32[128,6328125,1000] reshape(%p0)", {}, {}};
  const Module module = parse_hlo(text_of(c), "test.hlo");
  Arena arena;
  BodyTable table(arena, module, {}, {});
  const Body* body = table.body(module.computation(module.entry()).root);
  ASSERT_NE(body, nullptr);
  EXPECT_EQ(arena.print(body->root), "x0[i, 1000*j + k]");
}

}  // namespace
}  // namespace gg::testing
