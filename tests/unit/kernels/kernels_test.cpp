// Kernels of operators without body against written-out values, in every number type.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/kernels/call_builder.h"

namespace gg::test {
namespace {

using enum ElementType;
using Values = std::vector<double>;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class Kernels : public testing::TestWithParam<NumberMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, Kernels,
                         testing::Values(NumberMode::Real, NumberMode::Real256, NumberMode::F64, NumberMode::F32,
                                         NumberMode::Model));

CallBuilder sort_call(NumberMode mode, std::vector<std::int64_t> dims, std::int64_t dim, const Values& keys,
                      const Values& payload, bool descending = false) {
  CallBuilder c(Op::Sort, mode);
  c.operand(F32, dims, keys).operand(S32, dims, payload);
  c.attributes.set(Attr::BroadcastDims, IntList{dim});
  c.result(Type::tuple({Type::array(F32, dims), Type::array(S32, dims)}));
  c.region({F32, F32, S32, S32}, [&](const std::vector<ExprId>& p) {
    return std::vector<ExprId>{descending ? c.greater(p[0], p[1]) : c.less(p[0], p[1])};
  });
  return c;
}

TEST_P(Kernels, SortCarriesOperandsAndIsStable) {
  CallBuilder c = sort_call(GetParam(), {6}, 0, {3, 1, 3, 2, 1, 3}, {0, 1, 2, 3, 4, 5});
  const auto out = c.run();
  EXPECT_EQ(out[0], (Values{1, 1, 2, 3, 3, 3}));
  EXPECT_EQ(out[1], (Values{1, 4, 3, 0, 2, 5}));
  EXPECT_EQ(c.ties.ties, 0);
}

TEST_P(Kernels, SortAlongAnInnerOrOuterDimensionOnAllRanks) {
  // Two ranks of [2,3].
  const Values keys = {3, 1, 2, 6, 5, 4, 30, 10, 20, 5, 50, 40};
  const Values payload = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  CallBuilder rows = sort_call(GetParam(), {2, 3}, 1, keys, payload);
  rows.ranks = 2;
  EXPECT_EQ(rows.run()[0], (Values{1, 2, 3, 4, 5, 6, 10, 20, 30, 5, 40, 50}));
  CallBuilder columns = sort_call(GetParam(), {2, 3}, 0, keys, payload, true);
  columns.ranks = 2;
  const auto out = columns.run();
  EXPECT_EQ(out[0], (Values{6, 5, 4, 3, 1, 2, 30, 50, 40, 5, 10, 20}));
  EXPECT_EQ(out[1], (Values{3, 4, 5, 0, 1, 2, 6, 10, 11, 9, 7, 8}));
}

TEST_P(Kernels, SortSurvivesAComparatorThatIsNoOrder) {
  CallBuilder c = sort_call(GetParam(), {5}, 0, {kNaN, 2, kNaN, 1, 0}, {0, 1, 2, 3, 4});
  Values payload = c.run()[1];
  std::sort(payload.begin(), payload.end());
  EXPECT_EQ(payload, (Values{0, 1, 2, 3, 4}));  // a permutation
  CallBuilder none = sort_call(GetParam(), {0, 4}, 0, {}, {});
  EXPECT_TRUE(none.run()[0].empty());
}

TEST(SortTies, AreCountedBetweenNeighboursOfTheResult) {
  CallBuilder c(Op::Sort, NumberMode::Real);
  c.operand(F32, {3}, {3, 0, 1}).result(Type::array(F32, {3}));
  c.attributes.set(Attr::BroadcastDims, IntList{0});
  c.region({F32, F32}, [&](const std::vector<ExprId>& p) { return std::vector<ExprId>{c.less(p[0], p[1])}; });
  const auto operands = c.operands();
  auto& buffer = const_cast<Buffer&>(*operands[0].buffer);
  buffer.as<Ball128>()[1] = BallOps<Ball128>::around(1, 0x1p-100);
  c.run();
  EXPECT_EQ(c.ties.ties, 1);
}

CallBuilder topk_call(NumberMode mode, std::vector<std::int64_t> dims, std::int64_t k, bool largest,
                      const Values& values, ElementType type = F32) {
  CallBuilder c(Op::TopK, mode);
  c.operand(type, dims, values);
  c.attributes.set(Attr::K, k);
  c.attributes.set(Attr::Largest, largest);
  dims.back() = k;
  c.result(Type::tuple({Type::array(type, dims), Type::array(S32, dims)}));
  return c;
}

TEST_P(Kernels, TopK) {
  const auto out = topk_call(GetParam(), {2, 4}, 2, true, {1, 4, 4, 2, -1, -3, -2, -1}).run();
  EXPECT_EQ(out[0], (Values{4, 4, -1, -1}));
  EXPECT_EQ(out[1], (Values{1, 2, 0, 3}));  // equal values: lower index first
  const auto least = topk_call(GetParam(), {4}, 3, false, {1, kInf, -kInf, 1}).run();
  EXPECT_EQ(least[0], (Values{-kInf, 1, 1}));
  EXPECT_EQ(least[1], (Values{2, 0, 3}));
  const auto zeros = topk_call(GetParam(), {3}, 2, true, {-0.0, 0.0, -1}).run();
  EXPECT_EQ(zeros[1], (Values{0, 1}));
  EXPECT_TRUE(topk_call(GetParam(), {3}, 0, true, {1, 2, 3}).run()[0].empty());
}

TEST_P(Kernels, TopKTakesNaNForTheLargest) {
  const auto out = topk_call(GetParam(), {4}, 3, true, {5, kNaN, kInf, kNaN}).run();
  EXPECT_TRUE(std::isnan(out[0][0]) && std::isnan(out[0][1]));
  EXPECT_EQ(out[0][2], kInf);
  EXPECT_EQ(out[1], (Values{1, 3, 2}));
  EXPECT_EQ(topk_call(GetParam(), {3}, 2, false, {kNaN, 2, 1}).run()[1], (Values{2, 1}));
}

TEST(TopKOfIntegers, FollowsTheirSign) {
  CallBuilder c = topk_call(NumberMode::Real, {3}, 1, true, {1, -1, 5}, U64);
  EXPECT_EQ(c.run()[1], (Values{1}));
  EXPECT_EQ(topk_call(NumberMode::Real, {3}, 1, true, {1, -1, 5}, S64).run()[1], (Values{2}));
}

/// (value, index) of the largest value, the lowest index among equals.
CallBuilder arg_max(NumberMode mode, Op op, std::vector<std::int64_t> dims, const Values& values,
                    const Values& indices) {
  CallBuilder c(op, mode);
  c.operand(F32, dims, values).operand(S32, dims, indices);
  return c;
}

void arg_max_region(CallBuilder& c) {
  c.region({F32, S32, F32, S32}, [&](const std::vector<ExprId>& p) {
    const ExprId greater = c.greater(p[0], p[2]);
    const ExprId equal = c.fn(ScalarFn::CompareEq, Pred, {p[0], p[2]});
    const ExprId lower = c.less(p[1], p[3]);
    const ExprId keep = c.fn(ScalarFn::Or, Pred, {greater, c.fn(ScalarFn::And, Pred, {equal, lower})});
    return std::vector<ExprId>{c.fn(ScalarFn::Select, F32, {keep, p[0], p[2]}),
                               c.fn(ScalarFn::Select, S32, {keep, p[1], p[3]})};
  });
}

TEST_P(Kernels, ReduceOfSeveralArrays) {
  CallBuilder c = arg_max(GetParam(), Op::Reduce, {2, 3}, {1, 5, 5, 7, 2, 7, 0, -1, -2, 9, 9, 8},
                          {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  c.operand(F32, {}, {-kInf, -kInf}).operand(S32, {}, {0, 0});
  c.attributes.set(Attr::BroadcastDims, IntList{1});
  c.result(Type::tuple({Type::array(F32, {2}), Type::array(S32, {2})}));
  c.ranks = 2;
  arg_max_region(c);
  const auto out = c.run();
  EXPECT_EQ(out[0], (Values{5, 7, 0, 9}));
  EXPECT_EQ(out[1], (Values{1, 0, 0, 0}));
}

TEST_P(Kernels, ReduceAppliesItsRegionInAscendingOrder) {
  // acc * 2 - x, over both dimensions: not associative.
  CallBuilder c(Op::Reduce, GetParam());
  c.operand(F32, {2, 2}, {1, 2, 3, 4}).operand(F32, {}, {1}).result(Type::array(F32, {}));
  c.attributes.set(Attr::BroadcastDims, IntList{0, 1});
  c.region({F32, F32}, [&](const std::vector<ExprId>& p) {
    return std::vector<ExprId>{c.fn(ScalarFn::Subtract, F32, {c.fn(ScalarFn::Add, F32, {p[0], p[0]}), p[1]})};
  });
  EXPECT_EQ(c.run()[0], (Values{-10}));  // 2 (2 (2 (2 - 1) - 2) - 3) - 4
}

TEST_P(Kernels, ReduceOfNothingIsTheInitialValue) {
  CallBuilder c = arg_max(GetParam(), Op::Reduce, {0, 2}, {}, {});
  c.operand(F32, {}, {3}).operand(S32, {}, {4});
  c.attributes.set(Attr::BroadcastDims, IntList{0});
  c.result(Type::tuple({Type::array(F32, {2}), Type::array(S32, {2})}));
  arg_max_region(c);
  const auto out = c.run();
  EXPECT_EQ(out[0], (Values{3, 3}));
  EXPECT_EQ(out[1], (Values{4, 4}));
}

TEST_P(Kernels, ReduceLongRows) {
  const std::int64_t n = 600;  // longer than a row block, along the result
  Values values, indices, expected;
  for (int row = 0; row < 3; ++row) {
    for (std::int64_t k = 0; k < n; ++k) {
      values.push_back(static_cast<double>((k * 7 + row * 5) % 11));
      indices.push_back(row);
    }
  }
  for (std::int64_t k = 0; k < n; ++k) {
    int best = 0;
    for (int row = 1; row < 3; ++row) {
      if (values[static_cast<std::size_t>(row * n + k)] > values[static_cast<std::size_t>(best * n + k)]) best = row;
    }
    expected.push_back(best);
  }
  CallBuilder c = arg_max(GetParam(), Op::Reduce, {3, n}, values, indices);
  c.operand(F32, {}, {-kInf}).operand(S32, {}, {0});
  c.attributes.set(Attr::BroadcastDims, IntList{0});
  c.result(Type::tuple({Type::array(F32, {n}), Type::array(S32, {n})}));
  arg_max_region(c);
  EXPECT_EQ(c.run()[1], expected);
}

TEST_P(Kernels, ReduceWindowOfSeveralArrays) {
  // Windows of 3 with stride 2, one element of padding on the left: {_,4,1}, {1,3,3}, {3,2,_} of 4 1 3 3 2.
  CallBuilder c = arg_max(GetParam(), Op::ReduceWindow, {5}, {4, 1, 3, 3, 2}, {0, 1, 2, 3, 4});
  c.operand(F32, {}, {-kInf}).operand(S32, {}, {-1});
  c.attributes.set(Attr::Window, std::vector<WindowDim>{{.size = 3, .stride = 2, .pad_low = 1, .pad_high = 1}});
  c.result(Type::tuple({Type::array(F32, {3}), Type::array(S32, {3})}));
  arg_max_region(c);
  const auto out = c.run();
  EXPECT_EQ(out[0], (Values{4, 3, 3}));
  EXPECT_EQ(out[1], (Values{0, 2, 3}));
}

/// Rows of a [4,2] array are overwritten by `updates` at the rows `indices`.
CallBuilder row_scatter(NumberMode mode, const Values& indices, const Values& updates) {
  CallBuilder c(Op::Scatter, mode);
  const auto n = static_cast<std::int64_t>(indices.size());
  c.operand(F32, {4, 2}, {0, 1, 10, 11, 20, 21, 30, 31}).operand(S32, {n, 1}, indices).operand(F32, {n, 2}, updates);
  c.attributes.set(Attr::UpdateWindowDims, IntList{1});
  c.attributes.set(Attr::InsertedWindowDims, IntList{0});
  c.attributes.set(Attr::ScatterDims, IntList{0});
  c.attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  c.result(Type::array(F32, {4, 2}));
  return c;
}

TEST_P(Kernels, ScatterOverwritesInOrder) {
  CallBuilder c = row_scatter(GetParam(), {2, 0, 2, 7, -1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 9});
  c.region({F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1]}; });
  EXPECT_EQ(c.run()[0], (Values{3, 4, 10, 11, 5, 6, 30, 31}));  // the last one wins; outside is dropped
}

TEST_P(Kernels, ScatterAccumulates) {
  CallBuilder c = row_scatter(GetParam(), {2, 0, 2}, {1, 2, 3, 4, 5, 6});
  c.region({F32, F32}, [&](const std::vector<ExprId>& p) {
    return std::vector<ExprId>{c.fn(ScalarFn::Add, F32, {p[0], p[1]})};
  });
  EXPECT_EQ(c.run()[0], (Values{3, 5, 10, 11, 26, 29, 30, 31}));
}

TEST_P(Kernels, ScatterDropsWindowsThatOverhang) {
  // Windows of two elements of a vector of four, at 2 (fits) and 3 (does not).
  CallBuilder c(Op::Scatter, GetParam());
  c.operand(F32, {4}, {0, 1, 2, 3}).operand(S32, {2}, {2, 3}).operand(F32, {2, 2}, {7, 8, 9, 10});
  c.attributes.set(Attr::UpdateWindowDims, IntList{1});
  c.attributes.set(Attr::ScatterDims, IntList{0});
  c.attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  c.result(Type::array(F32, {4}));
  c.region({F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1]}; });
  EXPECT_EQ(c.run()[0], (Values{0, 1, 7, 8}));
}

TEST_P(Kernels, ScatterOfColumnsWithTwoIndexComponents) {
  // Index vectors lie along dimension 0: positions (1,0) and (0,2) of a [2,3] array.
  CallBuilder c(Op::Scatter, GetParam());
  c.operand(F32, {2, 3}, {0, 1, 2, 3, 4, 5}).operand(S32, {2, 2}, {1, 0, 0, 2}).operand(F32, {2}, {50, 60});
  c.attributes.set(Attr::InsertedWindowDims, IntList{0, 1});
  c.attributes.set(Attr::ScatterDims, IntList{0, 1});
  c.attributes.set(Attr::IndexVectorDim, std::int64_t{0});
  c.result(Type::array(F32, {2, 3}));
  c.region({F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1]}; });
  EXPECT_EQ(c.run()[0], (Values{0, 1, 60, 50, 4, 5}));
}

TEST_P(Kernels, ScatterWithBatchDimensionsOnRanks) {
  // One index a row of a [2,3] array, for two ranks.
  CallBuilder c(Op::Scatter, GetParam());
  c.operand(F32, {2, 3}, {0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15});
  c.operand(S32, {2, 1}, {2, 0, 1, 1}).operand(F32, {2}, {70, 80, 90, 100});
  c.attributes.set(Attr::InsertedWindowDims, IntList{1});
  c.attributes.set(Attr::InputBatchingDims, IntList{0});
  c.attributes.set(Attr::ScatterBatchingDims, IntList{0});
  c.attributes.set(Attr::ScatterDims, IntList{1});
  c.attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  c.result(Type::array(F32, {2, 3}));
  c.ranks = 2;
  c.region({F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1]}; });
  EXPECT_EQ(c.run()[0], (Values{0, 1, 70, 80, 4, 5, 10, 90, 12, 13, 100, 15}));
}

TEST_P(Kernels, ScatterOfTwoArraysReadsBeforeItWrites) {
  // (a, b, u, v) -> (b, a): updates only say where the two arrays are exchanged.
  CallBuilder c(Op::Scatter, GetParam());
  c.operand(F32, {3}, {1, 2, 3}).operand(F32, {3}, {10, 20, 30}).operand(S32, {1}, {1});
  c.operand(F32, {1}, {0}).operand(F32, {1}, {0});
  c.attributes.set(Attr::InsertedWindowDims, IntList{0});
  c.attributes.set(Attr::ScatterDims, IntList{0});
  c.attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  c.result(Type::tuple({Type::array(F32, {3}), Type::array(F32, {3})}));
  c.region({F32, F32, F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1], p[0]}; });
  const auto out = c.run();
  EXPECT_EQ(out[0], (Values{1, 20, 3}));
  EXPECT_EQ(out[1], (Values{10, 2, 30}));
}

TEST(FindKernel, LeavesTheRestToBodies) {
  CallBuilder reduce(Op::Reduce, NumberMode::Real);
  reduce.operand(F32, {2}, {1, 2}).operand(F32, {}, {0}).result(Type::array(F32, {}));
  reduce.region({F32, F32}, [&](const std::vector<ExprId>& p) {
    return std::vector<ExprId>{reduce.fn(ScalarFn::Add, F32, {p[0], p[1]})};
  });
  reduce.monoid(ScalarFn::Add);
  EXPECT_EQ(find_kernel(reduce.call, NumberMode::Real), nullptr);
  CallBuilder add(Op::Add, NumberMode::F64);
  add.operand(F32, {2}, {1, 2}).operand(F32, {2}, {1, 2}).result(Type::array(F32, {2}));
  EXPECT_EQ(find_kernel(add.call, NumberMode::F64), nullptr);
}

}  // namespace
}  // namespace gg::test
