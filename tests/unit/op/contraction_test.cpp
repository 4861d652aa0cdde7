// Dot and convolution in every form of their dimension numbers.
#include "op_case.h"

namespace gg::testing {
namespace {

class Contraction : public ::testing::TestWithParam<OpCase> {};
TEST_P(Contraction, Values) { check(GetParam()); }

std::vector<OpCase> dot_of_contraction() {
  return {
      OpCase{"VectorVector",
             {"f32[3]", "f32[3]"},
             "f32[] dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
             {{1, 2, 3}, {4, 5, 6}},
             {{32}}},
      OpCase{"MatrixMatrix",
             {"f32[2,3]", "f32[3,2]"},
             "f32[2,2] dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
             {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}},
             {{22, 28, 49, 64}}},
      OpCase{"ContractsTheFirstOfBoth",
             {"f32[2,2]", "f32[2,1]"},
             "f32[2,1] dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
             {{1, 2, 3, 4}, {10, 100}},
             {{310, 420}}},
      OpCase{"BatchInTheMiddle",
             {"f32[2,2,1]", "f32[2,1,2]"},  // lhs[m,b,k], rhs[b,k,n]
             "f32[2,2,2] dot(%p0, %p1), lhs_batch_dims={1}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
             "rhs_contracting_dims={1}",
             {{1, 2, 3, 4}, {10, 20, 30, 40}},
             {{10, 20, 30, 60, 60, 80, 120, 160}}},
      OpCase{"TwoContractionsCrossed",
             {"f32[2,3]", "f32[3,2]"},
             "f32[] dot(%p0, %p1), lhs_contracting_dims={0,1}, rhs_contracting_dims={1,0}",
             {{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 6}},
             {{1 * 1 + 2 * 3 + 3 * 5 + 4 * 2 + 5 * 4 + 6 * 6}}},
      OpCase{
          "OuterProduct", {"f32[2]", "f32[3]"}, "f32[2,3] dot(%p0, %p1)", {{1, 2}, {3, 4, 5}}, {{3, 4, 5, 6, 8, 10}}},
      OpCase{"EmptyContraction",
             {"f32[2,0]", "f32[0,1]"},
             "f32[2,1] dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
             {{}, {}},
             {{0, 0}}},
      OpCase{"WideIntegerResult",
             {"s8[2]", "s8[2]"},
             "s32[] dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
             {{100, 100}, {100, 100}},
             {{20000}}},
      OpCase{"NarrowFloats",
             {"bf16[2]", "bf16[2]"},
             "f32[] dot(%p0, %p1), lhs_contracting_dims={0}, rhs_contracting_dims={0}",
             {{1.5, 2}, {3, 4}},
             {{12.5}}},
      OpCase{"Lifted",
             {"f32[1,2]", "f32[2,1]"},
             "f32[1,1] dot(%p0, %p1), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
             {{1, 2, 3, 4}, {1, 1, 2, 2}},
             {{3, 14}},
             "",
             1,
             2}};
}

INSTANTIATE_TEST_SUITE_P(Dot, Contraction, ::testing::ValuesIn(dot_of_contraction()), case_name);

std::vector<OpCase> convolution_of_contraction() {
  return {
      OpCase{"Valid",
             {"f32[1,4,1]", "f32[2,1,1]"},
             "f32[1,3,1] convolution(%p0, %p1), window={size=2}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3, 4}, {10, 1}},
             {{12, 23, 34}}},
      OpCase{"Padded",
             {"f32[1,3,1]", "f32[2,1,1]"},
             "f32[1,5,1] convolution(%p0, %p1), window={size=2 pad=1_2}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3}, {10, 1}},
             {{1, 12, 23, 30, 0}}},
      OpCase{"NegativePadding",
             {"f32[1,4,1]", "f32[2,1,1]"},
             "f32[1,1,1] convolution(%p0, %p1), window={size=2 pad=-1_-1}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3, 4}, {10, 1}},
             {{23}}},
      OpCase{"Strided",
             {"f32[1,5,1]", "f32[2,1,1]"},
             "f32[1,2,1] convolution(%p0, %p1), window={size=2 stride=2}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3, 4, 5}, {10, 1}},
             {{12, 34}}},
      OpCase{"WindowDilated",
             {"f32[1,4,1]", "f32[2,1,1]"},
             "f32[1,2,1] convolution(%p0, %p1), window={size=2 rhs_dilate=2}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3, 4}, {10, 1}},
             {{13, 24}}},
      OpCase{"BaseDilated",
             {"f32[1,2,1]", "f32[2,1,1]"},
             "f32[1,4,1] convolution(%p0, %p1), window={size=2 pad=1_1 lhs_dilate=2}, dim_labels=b0f_0io->b0f",
             {{1, 2}, {10, 1}},  // 0 1 0 2 0
             {{1, 10, 2, 20}}},
      OpCase{"Reversed",
             {"f32[1,4,1]", "f32[2,1,1]"},
             "f32[1,3,1] convolution(%p0, %p1), window={size=2 rhs_reversal=1}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3, 4}, {10, 1}},
             {{21, 32, 43}}},
      OpCase{"FeaturesAndBatch",  // out[b,s,o] = sum_i in[b,s,i] * k[i,o]
             {"f32[2,1,2]", "f32[1,2,2]"},
             "f32[2,1,2] convolution(%p0, %p1), window={size=1}, dim_labels=b0f_0io->b0f",
             {{1, 2, 3, 4}, {10, 20, 30, 40}},
             {{70, 100, 150, 220}}},
      OpCase{"OtherLabels",  // input [f,b,s], kernel [o,i,s], result [s,f,b]
             {"f32[2,1,2]", "f32[1,2,1]"},
             "f32[2,1,1] convolution(%p0, %p1), window={size=1}, dim_labels=fb0_oi0->0fb",
             {{1, 2, 3, 4}, {10, 100}},
             {{310, 420}}},
      OpCase{"FeatureGroups",  // two groups of one input feature, each with two outputs
             {"f32[1,1,2]", "f32[1,1,4]"},
             "f32[1,1,4] convolution(%p0, %p1), window={size=1}, dim_labels=b0f_0io->b0f, feature_group_count=2",
             {{2, 3}, {1, 10, 100, 1000}},
             {{2, 20, 300, 3000}}},
      OpCase{"BatchGroups",  // group g of the batch meets output features of group g
             {"f32[2,1,1]", "f32[1,1,2]"},
             "f32[1,1,2] convolution(%p0, %p1), window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2",
             {{2, 3}, {10, 100}},
             {{20, 300}}},
      OpCase{"BatchGroupsOfTwo",
             {"f32[4,1,1]", "f32[1,1,2]"},
             "f32[2,1,2] convolution(%p0, %p1), window={size=1}, dim_labels=b0f_0io->b0f, batch_group_count=2",
             {{1, 2, 3, 4}, {10, 100}},
             {{10, 300, 20, 400}}},
      OpCase{"TwoSpatialDimensions",
             {"f32[1,1,2,3]", "f32[1,1,2,2]"},
             "f32[1,1,1,2] convolution(%p0, %p1), window={size=2x2}, dim_labels=bf01_oi01->bf01",
             {{1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000}},
             {{5421, 6532}}},
      OpCase{"NoSpatialDimensions",
             {"f32[2,2]", "f32[2,1]"},
             "f32[2,1] convolution(%p0, %p1), dim_labels=bf_io->bf",
             {{1, 2, 3, 4}, {10, 100}},
             {{210, 430}}},
      OpCase{"WindowLargerThanInput",
             {"f32[1,1,1]", "f32[2,1,1]"},
             "f32[1,0,1] convolution(%p0, %p1), window={size=2}, dim_labels=b0f_0io->b0f",
             {{1}, {1, 1}},
             {{}}}};
}

INSTANTIATE_TEST_SUITE_P(Convolution, Contraction, ::testing::ValuesIn(convolution_of_contraction()), case_name);

}  // namespace
}  // namespace gg::testing
