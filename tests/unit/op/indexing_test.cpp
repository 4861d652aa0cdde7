// Dynamic slices, gather and scatter: clamping, dropped updates, all forms of the dimension numbers.
#include "op_case.h"

namespace gg::testing {
namespace {

class Indexing : public ::testing::TestWithParam<OpCase> {};
TEST_P(Indexing, Values) { check(GetParam()); }

std::vector<OpCase> slices_of_indexing() {
  return {OpCase{"SliceInside",
                 {"f32[5]", "s32[]"},
                 "f32[2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={2}",
                 {{0, 1, 2, 3, 4}, {2}},
                 {{2, 3}}},
          OpCase{"SliceClampsAbove",
                 {"f32[5]", "s32[]"},
                 "f32[2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={2}",
                 {{0, 1, 2, 3, 4}, {9}},
                 {{3, 4}}},
          OpCase{"SliceClampsBelow",
                 {"f32[5]", "s32[]"},
                 "f32[2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={2}",
                 {{0, 1, 2, 3, 4}, {-3}},
                 {{0, 1}}},
          OpCase{"SliceHugeUnsigned",
                 {"f32[5]", "u64[]"},
                 "f32[2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={2}",
                 {{0, 1, 2, 3, 4}, {-1}},
                 {{3, 4}}},  // the bit pattern of 2^64 - 1
          OpCase{"SliceTwoScalars",
                 {"f32[2,3]", "s32[]", "s32[]"},
                 "f32[1,2] dynamic-slice(%p0, %p1, %p2), dynamic_slice_sizes={1,2}",
                 {{1, 2, 3, 4, 5, 6}, {1}, {1}},
                 {{5, 6}}},
          OpCase{"SliceByVector",
                 {"f32[2,3]", "s32[2]"},
                 "f32[1,2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={1,2}",
                 {{1, 2, 3, 4, 5, 6}, {1, 0}},
                 {{4, 5}}},
          OpCase{
              "SliceOfScalar", {"f32[]"}, "f32[] dynamic-slice(%p0), dynamic_slice_sizes={}", {{3}}, {{3}}},
          OpCase{"SlicePerRank",
                 {"f32[4]", "u32[]"},
                 "f32[2] dynamic-slice(%p0, %p1), dynamic_slice_sizes={2}",
                 {{0, 1, 2, 3, 10, 11, 12, 13}, {0, 2}},
                 {{0, 1, 12, 13}},
                 "",
                 1,
                 2},
          OpCase{"UpdateInside",
                 {"f32[5]", "f32[2]", "s32[]"},
                 "f32[5] dynamic-update-slice(%p0, %p1, %p2)",
                 {{0, 1, 2, 3, 4}, {8, 9}, {1}},
                 {{0, 8, 9, 3, 4}}},
          OpCase{"UpdateClamps",
                 {"f32[5]", "f32[2]", "s32[]"},
                 "f32[5] dynamic-update-slice(%p0, %p1, %p2)",
                 {{0, 1, 2, 3, 4}, {8, 9}, {7}},
                 {{0, 1, 2, 8, 9}}},
          OpCase{"UpdateByVector",
                 {"f32[2,2]", "f32[1,1]", "s32[2]"},
                 "f32[2,2] dynamic-update-slice(%p0, %p1, %p2)",
                 {{1, 2, 3, 4}, {9}, {0, 1}},
                 {{1, 9, 3, 4}}},
          OpCase{"UpdateNothing",
                 {"f32[2]", "f32[0]", "s32[]"},
                 "f32[2] dynamic-update-slice(%p0, %p1, %p2)",
                 {{1, 2}, {}, {1}},
                 {{1, 2}}}};
}

INSTANTIATE_TEST_SUITE_P(Slices, Indexing, ::testing::ValuesIn(slices_of_indexing()), case_name);

std::vector<OpCase> gather_of_indexing() {
  return {
      OpCase{"Rows",
             {"f32[3,2]", "s32[4,1]"},
             "f32[4,2] gather(%p0, %p1), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
             "index_vector_dim=1, slice_sizes={1,2}",
             {{1, 2, 3, 4, 5, 6}, {2, 0, 9, -1}},  // out of range is clamped
             {{5, 6, 1, 2, 5, 6, 1, 2}}},
      OpCase{"ImplicitIndexVector",
             {"f32[3,2]", "s32[2]"},
             "f32[2,2] gather(%p0, %p1), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
             "index_vector_dim=1, slice_sizes={1,2}",
             {{1, 2, 3, 4, 5, 6}, {1, 2}},
             {{3, 4, 5, 6}}},
      OpCase{"OffsetsFirst",
             {"f32[3,2]", "s32[2]"},
             "f32[2,2] gather(%p0, %p1), offset_dims={0}, collapsed_slice_dims={0}, start_index_map={0}, "
             "index_vector_dim=1, slice_sizes={1,2}",
             {{1, 2, 3, 4, 5, 6}, {1, 2}},
             {{3, 5, 4, 6}}},
      OpCase{"IndexVectorFirst",  // indices [2 components, 2 points]; components are (column, row)
             {"f32[3,2]", "s32[2,2]"},
             "f32[2] gather(%p0, %p1), offset_dims={}, collapsed_slice_dims={0,1}, start_index_map={1,0}, "
             "index_vector_dim=0, slice_sizes={1,1}",
             {{1, 2, 3, 4, 5, 6}, {1, 0, 0, 2}},
             {{2, 5}}},
      OpCase{"SlicesClampAsWhole",
             {"f32[4]", "s32[2,1]"},
             "f32[2,3] gather(%p0, %p1), offset_dims={1}, collapsed_slice_dims={}, start_index_map={0}, "
             "index_vector_dim=1, slice_sizes={3}",
             {{0, 1, 2, 3}, {0, 3}},
             {{0, 1, 2, 1, 2, 3}}},
      OpCase{"Batching",  // out[b] = x[b, i[b]]
             {"f32[2,3]", "s32[2,1]"},
             "f32[2] gather(%p0, %p1), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, "
             "operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=1, slice_sizes={1,1}",
             {{1, 2, 3, 4, 5, 6}, {2, 0}},
             {{3, 4}}},
      OpCase{"BatchingCrossed",  // x[a,b,v], indices [b,a,1], out[b,a] = x[a,b,i[b,a]]
             {"f32[2,2,2]", "s32[2,2,1]"},
             "f32[2,2] gather(%p0, %p1), offset_dims={}, collapsed_slice_dims={2}, start_index_map={2}, "
             "operand_batching_dims={0,1}, start_indices_batching_dims={1,0}, index_vector_dim=2, "
             "slice_sizes={1,1,1}",
             {{1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 1, 0}},
             {{1, 6, 4, 7}}},
      OpCase{"NoIndices",
             {"f32[3]", "s32[0]"},
             "f32[2] gather(%p0, %p1), offset_dims={0}, collapsed_slice_dims={}, start_index_map={}, "
             "index_vector_dim=0, slice_sizes={2}",
             {{1, 2, 3}, {}},
             {{1, 2}}}};
}

INSTANTIATE_TEST_SUITE_P(Gather, Indexing, ::testing::ValuesIn(gather_of_indexing()), case_name);

std::string scatter(const std::string& numbers) { return " scatter(%p0, %p1, %p2), " + numbers + ", to_apply=%f"; }

const std::string kSet =
    "%f (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n  ROOT %b = f32[] parameter(1)\n}\n\n";

std::vector<OpCase> scatter_of_indexing() {
  return {
      OpCase{"AddRows",
             {"f32[3,2]", "s32[4]", "f32[4,2]"},
             "f32[3,2]" + scatter("update_window_dims={1}, inserted_window_dims={0}, "
                                  "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
             {{1, 1, 1, 1, 1, 1}, {2, 0, 2, 5}, {1, 2, 3, 4, 5, 6, 70, 80}},  // 5 is out of range: dropped
             {{4, 5, 1, 1, 7, 9}},
             binary("f", "f32[]", "add")},
      OpCase{"MaximumElements",
             {"s32[4]", "s32[3,1]", "s32[3]"},
             "s32[4]" + scatter("update_window_dims={}, inserted_window_dims={0}, "
                                "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
             {{0, 5, 0, 0}, {1, 1, -1}, {3, 9, 100}},
             {{0, 9, 0, 0}},
             binary("f", "s32[]", "maximum")},
      OpCase{"WindowsMustFit",  // a window of 2 at 2 of 3 is dropped as a whole
             {"f32[3]", "s32[2,1]", "f32[2,2]"},
             "f32[3]" + scatter("update_window_dims={1}, inserted_window_dims={}, scatter_dims_to_operand_dims={0}, "
                                "index_vector_dim=1"),
             {{0, 0, 0}, {1, 2}, {1, 2, 30, 40}},
             {{0, 1, 2}},
             binary("f", "f32[]", "add")},
      OpCase{"IndexVectorFirst",  // components (row, column) in dimension 0
             {"f32[2,2]", "s32[2,2]", "f32[2]"},
             "f32[2,2]" + scatter("update_window_dims={}, inserted_window_dims={0,1}, "
                                  "scatter_dims_to_operand_dims={0,1}, index_vector_dim=0"),
             {{0, 0, 0, 0}, {0, 1, 1, 1}, {5, 7}},
             {{0, 5, 0, 7}},
             binary("f", "f32[]", "add")},
      OpCase{"SetUnique",
             {"f32[4]", "s32[2,1]", "f32[2]"},
             "f32[4]" + scatter("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                                "index_vector_dim=1, unique_indices=true"),
             {{1, 2, 3, 4}, {3, 0}, {kInf, 8}},
             {{8, 2, 3, kInf}},
             kSet},
      OpCase{"SetLast",  // of several updates of one place the last one; windows that do not lie inside are dropped
             {"f32[3,2]", "s32[4,1]", "f32[4,2]"},
             "f32[3,2]" + scatter("update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                                  "index_vector_dim=1"),
             {{1, 2, 3, 4, 5, 6}, {2, 0, 2, 3}, {10, 11, kInf, 13, 14, 15, 16, 17}},
             {{kInf, 13, 3, 4, 14, 15}},
             kSet},
      OpCase{"SetLastOfTwoDimensions",  // updates in row-major order
             {"f32[3]", "s32[2,2,1]", "f32[2,2]"},
             "f32[3]" + scatter("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=2"),
             {{1, 2, 3}, {0, 1, 1, 0}, {10, 11, 12, 13}},
             {{13, 12, 3}},
             kSet},
      OpCase{"SetNothing",
             {"f32[2]", "s32[0,1]", "f32[0]"},
             "f32[2]" + scatter("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                                "index_vector_dim=1"),
             {{1, 2}, {}, {}},
             {{1, 2}},
             kSet},
      OpCase{"SetOneWindow",  // one update needs no promise of uniqueness
             {"f32[3,2]", "s32[1]", "f32[2]"},
             "f32[3,2]" + scatter("update_window_dims={0}, inserted_window_dims={0}, "
                                  "scatter_dims_to_operand_dims={0}, index_vector_dim=0"),
             {{1, 2, 3, 4, 5, 6}, {1}, {8, 9}},
             {{1, 2, 8, 9, 5, 6}},
             kSet},
      OpCase{"Batching",  // x[b, i[b,k]] += u[b,k]
             {"f32[2,3]", "s32[2,2,1]", "f32[2,2]"},
             "f32[2,3]" + scatter("update_window_dims={}, inserted_window_dims={1}, input_batching_dims={0}, "
                                  "scatter_indices_batching_dims={0}, scatter_dims_to_operand_dims={1}, "
                                  "index_vector_dim=2"),
             {{0, 0, 0, 0, 0, 0}, {0, 0, 2, 1}, {1, 2, 3, 4}},
             {{3, 0, 0, 0, 4, 3}},
             binary("f", "f32[]", "add")},
      OpCase{"NoUpdates",
             {"f32[2]", "s32[0,1]", "f32[0]"},
             "f32[2]" + scatter("update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                                "index_vector_dim=1"),
             {{1, 2}, {}, {}},
             {{1, 2}},
             binary("f", "f32[]", "add")},
      OpCase{
          "TwoArrays",
          {"f32[2]", "s32[2]", "s32[2,1]", "f32[2]", "s32[2]"},
          "(f32[2], s32[2]) scatter(%p0, %p1, %p2, %p3, %p4), update_window_dims={}, inserted_window_dims={0}, "
          "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%f",
          {{1, 2}, {10, 20}, {1, 1}, {3, 4}, {50, 60}},
          {{1, 9}, {10, 60}},
          "%f (a: f32[], b: s32[], c: f32[], d: s32[]) -> (f32[], s32[]) {\n  %a = f32[] parameter(0)\n"
          "  %b = s32[] parameter(1)\n  %c = f32[] parameter(2)\n  %d = s32[] parameter(3)\n"
          "  %s = f32[] add(%a, %c)\n  %m = s32[] maximum(%b, %d)\n  ROOT %r = (f32[], s32[]) tuple(%s, %m)\n}\n\n"}};
}

INSTANTIATE_TEST_SUITE_P(Scatter, Indexing, ::testing::ValuesIn(scatter_of_indexing()), case_name);

TEST(IndexingForms, OrderOfUpdatesIsNotInABody) {
  const OpCase c{"",
                 {"f32[4]", "s32[2,1]", "f32[2]"},
                 "f32[4]" + scatter("update_window_dims={}, inserted_window_dims={0}, "
                                    "scatter_dims_to_operand_dims={0}, index_vector_dim=1"),
                 {},
                 {},
                 binary("f", "f32[]", "subtract")};
  EXPECT_NE(reason_of(c).find("computation is not one of"), std::string::npos);
}

}  // namespace
}  // namespace gg::testing
