// Whole pairs: every rule for literals, segments, tables and sizes that stay; the reduced pair is run.
#include <gtest/gtest.h>

#include "models/hlo/printer.h"
#include "runtime/shapes/reduce.h"
#include "tests/unit/runtime/case_builder.h"
#include "tests/unit/shapes/small_run.h"
#include "tests/unit/text.h"

namespace gg {
namespace {

using test::make_case;

const char* const kHeader2 = "HloModule dist, num_partitions=2\n";

Agreement outcome(const Case& c, const ShapeReduction& reduction) {
  return differs(c, reduction) ? Agreement::Differs : Agreement::Agrees;
}

// A matrix product over a contracted dimension that is split over two ranks.
const std::string kDot = R"(HloModule seq
ENTRY %main (x: f32[4096,8192], w: f32[8192,1024]) -> f32[4096,1024] {
  %x = f32[4096,8192]{1,0} parameter(0)
  %w = f32[8192,1024]{1,0} parameter(1)
  ROOT %dot = f32[4096,1024]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

std::string split_dot(bool reduced) {
  return std::string(kHeader2) + R"(
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
ENTRY %main (x: f32[4096,4096], w: f32[4096,1024]) -> f32[4096,1024] {
  %x = f32[4096,4096]{1,0} parameter(0)
  %w = f32[4096,1024]{1,0} parameter(1)
  %dot = f32[4096,1024]{1,0} dot(%x, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
)" + (reduced ? "  ROOT %all = f32[4096,1024]{1,0} all-reduce(%dot), channel_id=1, replica_groups={{0,1}}, "
                "use_global_device_ids=true, to_apply=%add\n}\n"
              : "  ROOT %all = f32[4096,1024]{1,0} copy(%dot)\n}\n");
}

const std::string kDotRelation = R"({"mesh": [["tp", 2]], "inputs": [[[], ["tp"]], [["tp"], []]], "outputs": [[[], []]]})";

TEST(Reduce, ProductKeepsItsOutcome) {
  const Case right = make_case(kDot, split_dot(true), kDotRelation);
  const ShapeReduction reduction = reduce_shapes(right);
  EXPECT_LT(reduction.largest_after, 100);
  EXPECT_EQ(outcome(right, reduction), Agreement::Agrees);
  const Case wrong = make_case(kDot, split_dot(false), kDotRelation);
  EXPECT_EQ(outcome(wrong, reduce_shapes(wrong)), Agreement::Differs);
}

TEST(Reduce, TextStandsOnItsOwn) {
  const Case c = make_case(kDot, split_dot(true), kDotRelation);
  const ShapeReduction reduction = reduce_shapes(c);
  const Case again = make_case(print_hlo(reduction.sequential), print_hlo(reduction.distributed), reduction.relation);
  EXPECT_EQ(print_hlo(*again.distributed), print_hlo(reduction.distributed));
  EXPECT_EQ(again.distributed->size(), c.distributed->size());
}

// A vocabulary of 1000 over two ranks: offsets from a table, bounds and wrap of negative indices.
const std::string kLookup = R"(HloModule seq
ENTRY %main (table: f32[1000,64], ids: s32[32]) -> f32[32,64] {
  %table = f32[1000,64]{1,0} parameter(0)
  %ids = s32[32]{0} parameter(1)
  %zero = s32[] constant(0)
  %zeros = s32[32]{0} broadcast(%zero), dimensions={}
  %negative = pred[32]{0} compare(%ids, %zeros), direction=LT
  %size = s32[] constant(1000)
  %sizes = s32[32]{0} broadcast(%size), dimensions={}
  %wrapped = s32[32]{0} add(%ids, %sizes)
  %index = s32[32]{0} select(%negative, %wrapped, %ids)
  %column = s32[32,1]{1,0} reshape(%index)
  ROOT %rows = f32[32,64]{1,0} gather(%table, %column), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}
}
)";

std::string split_lookup(const std::string& offset) {
  return std::string(kHeader2) + R"(
%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %sum = f32[] add(%a, %b)
}
ENTRY %main (table: f32[500,64], ids: s32[32]) -> f32[32,64] {
  %table = f32[500,64]{1,0} parameter(0)
  %ids = s32[32]{0} parameter(1)
  %offsets = s32[2]{0} constant({)" +
         offset + R"(})
  %rank = u32[] partition-id()
  %one = s32[1]{0} dynamic-slice(%offsets, %rank), dynamic_slice_sizes={1}
  %offset = s32[] reshape(%one)
  %spread = s32[32]{0} broadcast(%offset), dimensions={}
  %local = s32[32]{0} subtract(%ids, %spread)
  %zero = s32[] constant(0)
  %zeros = s32[32]{0} broadcast(%zero), dimensions={}
  %above = pred[32]{0} compare(%local, %zeros), direction=GE
  %last = s32[] constant(499)
  %lasts = s32[32]{0} broadcast(%last), dimensions={}
  %below = pred[32]{0} compare(%local, %lasts), direction=LE
  %mine = pred[32]{0} and(%above, %below)
  %safe = s32[32]{0} clamp(%zero, %local, %last)
  %column = s32[32,1]{1,0} reshape(%safe)
  %rows = f32[32,64]{1,0} gather(%table, %column), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}
  %keep = pred[32,64]{1,0} broadcast(%mine), dimensions={0}
  %nothing = f32[] constant(0)
  %nothings = f32[32,64]{1,0} broadcast(%nothing), dimensions={}
  %part = f32[32,64]{1,0} select(%keep, %rows, %nothings)
  ROOT %all = f32[32,64]{1,0} all-reduce(%part), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add
}
)";
}

const std::string kLookupRelation =
    R"({"mesh": [["tp", 2]], "inputs": [[["tp"], []], [[]]], "outputs": [[[], []]], "ranges": {"1": [0, 1000]}})";

TEST(Reduce, IndexLiteralsFollowTheirDimension) {
  const Case c = make_case(kLookup, split_lookup("0, 500"), kLookupRelation);
  const ShapeReduction reduction = reduce_shapes(c);
  const Type& table = reduction.sequential.type(reduction.sequential.computation(reduction.sequential.entry()).parameters[0]);
  const std::int64_t rows = table.dims[0];
  EXPECT_LT(rows, 20);
  const std::string sequential = print_hlo(reduction.sequential), distributed = print_hlo(reduction.distributed);
  EXPECT_TRUE(has(sequential, "constant(" + std::to_string(rows) + ")"));
  EXPECT_TRUE(has(distributed, "constant({0, " + std::to_string(rows / 2) + "})"));
  EXPECT_TRUE(has(distributed, "constant(" + std::to_string(rows / 2 - 1) + ")"));
  EXPECT_TRUE(has(reduction.relation, "[0, " + std::to_string(rows) + "]"));
  EXPECT_EQ(outcome(c, reduction), Agreement::Agrees);
}

TEST(Reduce, WrongTablesStayWrong) {
  const Case c = make_case(kLookup, split_lookup("500, 0"), kLookupRelation);
  EXPECT_EQ(outcome(c, reduce_shapes(c)), Agreement::Differs);
}

TEST(Reduce, UnexplainedLiteralsKeepTheirSizes) {
  // 333 is no size, no border and no multiple of one: the vocabulary stays.
  const Case c = make_case(kLookup, split_lookup("0, 333"), kLookupRelation);
  const ShapeReduction reduction = reduce_shapes(c);
  const Module& m = reduction.sequential;
  EXPECT_EQ(m.type(m.computation(m.entry()).parameters[0]).dims[0], 1000);
  ASSERT_FALSE(reduction.kept.empty());
  EXPECT_EQ(outcome(c, reduction), Agreement::Differs);
}

// One constant 16, used as an index bound of the rows and as a factor that means nothing of the kind.
TEST(Reduce, LiteralsBelongToUses) {
  const std::string text = R"(HloModule seq
ENTRY %main (x: f32[16,640], i: s32[]) -> (f32[1,640], s32[]) {
  %x = f32[16,640]{1,0} parameter(0)
  %i = s32[] parameter(1)
  %zero = s32[] constant(0)
  %rows = s32[] constant(640)
  %sixteen = s32[] constant(16)
  %wrapped = s32[] remainder(%i, %sixteen)
  %row = f32[1,640]{1,0} dynamic-slice(%x, %wrapped, %zero), dynamic_slice_sizes={1,640}
  %mixed = s32[] xor(%i, %sixteen)
  %more = s32[] xor(%mixed, %rows)
  ROOT %both = (f32[1,640]{1,0}, s32[]) tuple(%row, %more)
}
)";
  const std::string dist = std::string(kHeader2) + text.substr(text.find("ENTRY"));
  const std::string relation =
      R"({"mesh": [["dp", 2]], "inputs": [[[], []], []], "outputs": [[[], []], []], "ranges": {"1": [0, 1000]}})";
  const Case c = make_case(text, dist, relation);
  const ShapeReduction reduction = reduce_shapes(c);
  EXPECT_EQ(outcome(c, reduction), Agreement::Agrees);
  const std::string small = print_hlo(reduction.sequential);
  EXPECT_TRUE(has(small, "constant(16)")) << small;
}

TEST(Reduce, RotaryHalvesAndFloatTablesShrinkTogether) {
  std::string table;
  for (int k = 0; k < 64; ++k) table += (k == 0 ? "" : ", ") + std::to_string(k + 1);
  const std::string text = R"(
ENTRY %main (x: f32[512,128]) -> f32[512,128] {
  %x = f32[512,128]{1,0} parameter(0)
  %low = f32[512,64]{1,0} slice(%x), slice={[0:512], [0:64]}
  %high = f32[512,64]{1,0} slice(%x), slice={[0:512], [64:128]}
  %freq = f32[64]{0} constant({)" +
                           table + R"(})
  %spread = f32[512,64]{1,0} broadcast(%freq), dimensions={1}
  %turned = f32[512,64]{1,0} multiply(%high, %spread)
  ROOT %out = f32[512,128]{1,0} concatenate(%turned, %low), dimensions={1}
}
)";
  const Case c = make_case("HloModule seq\n" + text, kHeader2 + text,
                           R"({"mesh": [["dp", 2]], "inputs": [[[], []]], "outputs": [[[], []]]})");
  const ShapeReduction reduction = reduce_shapes(c);
  const Module& m = reduction.sequential;
  const Type& x = m.type(m.computation(m.entry()).parameters[0]);
  EXPECT_LE(x.dims[1], 14);
  EXPECT_EQ(outcome(c, reduction), Agreement::Agrees);
}

TEST(Reduce, FusedSegmentsKeepTheirOrder) {
  const std::string sequential = R"(HloModule seq
ENTRY %main (w: f32[384]) -> (f32[256], f32[64], f32[64]) {
  %w = f32[384]{0} parameter(0)
  %q = f32[256]{0} slice(%w), slice={[0:256]}
  %k = f32[64]{0} slice(%w), slice={[256:320]}
  %v = f32[64]{0} slice(%w), slice={[320:384]}
  ROOT %out = (f32[256]{0}, f32[64]{0}, f32[64]{0}) tuple(%q, %k, %v)
}
)";
  const std::string distributed = std::string(kHeader2) + R"(
ENTRY %main (w: f32[192]) -> (f32[128], f32[32], f32[32]) {
  %w = f32[192]{0} parameter(0)
  %q = f32[128]{0} slice(%w), slice={[0:128]}
  %k = f32[32]{0} slice(%w), slice={[128:160]}
  %v = f32[32]{0} slice(%w), slice={[160:192]}
  ROOT %out = (f32[128]{0}, f32[32]{0}, f32[32]{0}) tuple(%q, %k, %v)
}
)";
  const Case c = make_case(sequential, distributed,
                           R"({"mesh": [["tp", 2]], "inputs": [[{"axes": ["tp"], "segments": [256, 64, 64]}]],
                              "outputs": [[["tp"]], [["tp"]], [["tp"]]]})");
  const ShapeReduction reduction = reduce_shapes(c);
  EXPECT_LT(reduction.largest_after, 60);
  EXPECT_EQ(outcome(c, reduction), Agreement::Agrees);
}

// The same index reads an integer table, whose length stays, and rows of data: their number stays too.
TEST(Reduce, SizesCountedBesideOneThatStaysAreKept) {
  const auto text = [](const std::string& table) {
    return R"(HloModule seq
ENTRY %main (x: f32[40,96], i: s32[]) -> f32[1,96] {
  %x = f32[40,96] parameter(0)
  %i = s32[] parameter(1)
  %zero = s32[] constant(0)
  %table = s32[7] constant({3, 1, 4, 1, 5, 9, 2})
  %one = s32[1] dynamic-slice(%table, %)" +
           table + R"(), dynamic_slice_sizes={1}
  %row = f32[1,96] dynamic-slice(%x, %i, %zero), dynamic_slice_sizes={1,96}
  %float = f32[1] convert(%one)
  %factor = f32[1,96] broadcast(%float), dimensions={0}
  ROOT %y = f32[1,96] multiply(%row, %factor)
}
)";
  };
  const auto rows = [](const std::string& body) {
    const Case c = make_case(body, "HloModule dist, num_partitions=2\n" + body.substr(body.find('\n') + 1),
                             R"({"mesh": [["dp", 2]], "inputs": [[[], []], []], "outputs": [[[], []]]})");
    const ShapeReduction reduction = reduce_shapes(c);
    const Module& m = reduction.sequential;
    EXPECT_LT(m.type(m.computation(m.entry()).parameters[0]).dims[1], 10);
    return m.type(m.computation(m.entry()).parameters[0]).dims[0];
  };
  EXPECT_EQ(rows(text("i")), 40);
  EXPECT_LT(rows(text("zero")), 10);
}

// A value that nothing reads keeps the type of the values like it: an edit may make use of it again.
TEST(Reduce, UnreadValuesGoWithTheirLike) {
  const auto wrong = [](const std::string& operand) {
    std::string text = split_dot(true);
    text.replace(text.find("  ROOT %all"), 0, "  %zero = f32[] constant(0)\n  %other = f32[4096,1024]{1,0} broadcast(%zero), dimensions={}\n");
    return text.replace(text.find("all-reduce(%dot)"), 16, "all-reduce(%" + operand + ")");
  };
  const Case c = make_case(kDot, wrong("dot"), kDotRelation);
  const ShapeReduction reduction = reduce_shapes(c);
  const Module& m = reduction.distributed;
  std::vector<Type> types;
  for (InstructionId id = 0; id < m.size(); ++id) {
    if (m.name_of(id) == "dot" || m.name_of(id) == "other") types.push_back(m.type(id));
  }
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0].dims, types[1].dims);
  // The other way round: the product is what nothing reads.
  const Case swapped = make_case(kDot, wrong("other"), kDotRelation);
  EXPECT_EQ(outcome(swapped, reduce_shapes(swapped)), Agreement::Differs);
}

TEST(Reduce, UnevenShardsAreKeptAndNamed) {
  const std::string sequential = R"(HloModule seq
ENTRY %main (x: f32[101,64]) -> f32[101,64] {
  %x = f32[101,64]{1,0} parameter(0)
  ROOT %y = f32[101,64]{1,0} negate(%x)
}
)";
  const std::string distributed = std::string(kHeader2) + R"(
ENTRY %main (x: f32[51,64]) -> f32[51,64] {
  %x = f32[51,64]{1,0} parameter(0)
  ROOT %y = f32[51,64]{1,0} negate(%x)
}
)";
  const Case c = make_case(sequential, distributed,
                           R"({"mesh": [["tp", 2]], "inputs": [[["tp"], []]], "outputs": [[["tp"], []]]})");
  const ShapeReduction reduction = reduce_shapes(c);
  const Module& m = reduction.sequential;
  EXPECT_EQ(m.type(m.computation(m.entry()).parameters[0]).dims[0], 101);
  EXPECT_LT(m.type(m.computation(m.entry()).parameters[0]).dims[1], 10);
  ASSERT_FALSE(reduction.kept.empty());
  EXPECT_TRUE(has(reduction.kept[0], "placement"));
  EXPECT_EQ(outcome(c, reduction), Agreement::Agrees);
}

}  // namespace
}  // namespace gg
