// Kernels of operators that have a body against the reference evaluation of that body.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/unit/kernels/call_builder.h"
#include "tests/unit/reference.h"

namespace gg::test {
namespace {

using enum ElementType;
using Values = std::vector<double>;

class Draws {
 public:
  Values floats(std::int64_t n) {
    Values out;
    for (std::int64_t k = 0; k < n; ++k) {
      out.push_back(
          static_cast<double>(static_cast<float>(std::ldexp(static_cast<double>(random_() >> 11U), -52) - 1)));
    }
    return out;
  }
  Values integers(std::int64_t n, std::int64_t low, std::int64_t high) {
    Values out;
    for (std::int64_t k = 0; k < n; ++k) {
      out.push_back(
          static_cast<double>(low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low))));
    }
    return out;
  }

 private:
  std::mt19937_64 random_{5};
};

/// The result of the body, for calls on one rank.
Values by_body(CallBuilder& c, int leaf = 0, bool compiled = false) {
  Body body;
  try {
    body = info(c.call.op).body(c.arena, c.call, leaf);
  } catch (const TypeError& error) {
    ADD_FAILURE() << error.message;
    return {};
  }
  const Type& type = *c.call.result->leaves()[static_cast<std::size_t>(leaf)];
  Buffer out(storage_of(type.element, c.mode), type.count());
  if (compiled) {
    run(compile(c.arena, body, c.operands()), c.mode, c.operands(), out, c.ties);
  } else {
    evaluate(c.arena, body, c.mode, c.operands(), out, c.ties);
  }
  return CallBuilder::values_of(out);
}

struct DotCase {
  std::vector<std::int64_t> lhs, rhs;
  IntList lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};

std::vector<std::int64_t> free_dims(const std::vector<std::int64_t>& dims, const IntList& a, const IntList& b) {
  std::vector<std::int64_t> out;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(dims.size()); ++d) {
    if (std::find(a.begin(), a.end(), d) == a.end() && std::find(b.begin(), b.end(), d) == b.end()) {
      out.push_back(dims[static_cast<std::size_t>(d)]);
    }
  }
  return out;
}

const std::vector<DotCase>& dot_cases() {
  static const std::vector<DotCase> kCases = {
      {{40, 50}, {50, 60}, {}, {}, {1}, {0}},                    // both as they lie
      {{50, 40}, {60, 50}, {}, {}, {0}, {1}},                    // both transposed
      {{3, 40, 30}, {3, 30, 40}, {0}, {0}, {2}, {1}},            // batched
      {{3, 30, 40}, {3, 40, 30}, {0}, {0}, {1}, {2}},            // batched, both transposed
      {{50, 40}, {50, 60}, {}, {}, {0}, {0}},                    // the left one transposed
      {{40, 50}, {60, 50}, {}, {}, {1}, {1}},                    // the right one transposed
      {{40, 3, 30}, {30, 40, 3}, {1}, {2}, {2}, {0}},            // batch dimensions inside
      {{8, 10, 6, 7}, {7, 15, 10, 12}, {}, {}, {1, 3}, {2, 0}},  // two contracting dimensions, in another order
      {{2, 3, 20, 8, 4}, {3, 25, 4, 2, 8}, {1, 0}, {0, 3}, {4, 3}, {2, 4}},
      {{70000}, {70000}, {}, {}, {0}, {0}},  // an inner product
      {{300}, {300}, {}, {}, {}, {}},        // an outer product
  };
  return kCases;
}

CallBuilder dot_call(const DotCase& dot, NumberMode mode, ElementType type, ElementType result_type) {
  Draws draws;
  CallBuilder c(Op::Dot, mode);
  c.operand(type, dot.lhs, draws.floats(Type::array(F32, dot.lhs).count()));
  c.operand(type, dot.rhs, draws.floats(Type::array(F32, dot.rhs).count()));
  c.attributes.set(Attr::LhsBatchDims, dot.lhs_batch);
  c.attributes.set(Attr::RhsBatchDims, dot.rhs_batch);
  c.attributes.set(Attr::LhsContractingDims, dot.lhs_contracting);
  c.attributes.set(Attr::RhsContractingDims, dot.rhs_contracting);
  std::vector<std::int64_t> dims;
  for (const std::int64_t d : dot.lhs_batch) dims.push_back(dot.lhs[static_cast<std::size_t>(d)]);
  for (const std::int64_t n : free_dims(dot.lhs, dot.lhs_batch, dot.lhs_contracting)) dims.push_back(n);
  for (const std::int64_t n : free_dims(dot.rhs, dot.rhs_batch, dot.rhs_contracting)) dims.push_back(n);
  c.result(Type::array(result_type, dims));
  return c;
}

void agree(const Values& kernel, const Values& body, double tolerance) {
  ASSERT_EQ(kernel.size(), body.size());
  for (std::size_t k = 0; k < kernel.size(); ++k) {
    ASSERT_TRUE(std::fabs(kernel[k] - body[k]) <= tolerance) << k << ": " << kernel[k] << " against " << body[k];
  }
}

TEST(DotKernel, AgreesWithTheBody) {
  for (const DotCase& dot : dot_cases()) {
    CallBuilder f64 = dot_call(dot, NumberMode::F64, F32, F32);
    agree(f64.run()[0], by_body(f64), 1e-11);
    CallBuilder f32 = dot_call(dot, NumberMode::F32, F32, F32);
    agree(f32.run()[0], by_body(f32), 2e-3);
    CallBuilder model = dot_call(dot, NumberMode::Model, F64, F64);
    agree(model.run()[0], by_body(model), 1e-11);
  }
}

TEST(DotKernel, LargeProductsInParts) {  // on all cores, rows cut unevenly
  for (const DotCase& dot : {DotCase{{333, 300}, {300, 200}, {}, {}, {1}, {0}}, {{200, 5, 130}, {5, 200, 131}, {1}, {0}, {0}, {1}}, {{250, 1001}, {250, 70}, {}, {}, {0}, {0}}}) {
    CallBuilder f64 = dot_call(dot, NumberMode::F64, F32, F32);
    agree(f64.run()[0], by_body(f64, 0, true), 1e-11);
  }
}

TEST(DotKernel, RoundsOnceInModelMode) {
  const DotCase dot = {{64, 64}, {64, 64}, {}, {}, {1}, {0}};
  CallBuilder c = dot_call(dot, NumberMode::Model, F32, BF16);
  const Values exact = by_body(c), values = c.run()[0];
  for (std::size_t k = 0; k < values.size(); ++k) {
    EXPECT_EQ(values[k], round_to(BF16, values[k]));
    EXPECT_NEAR(values[k], exact[k], std::fabs(exact[k]) * 0x1p-7 + 1e-5);
  }
}

TEST(DotKernel, RunsEveryRank) {
  CallBuilder c = dot_call(dot_cases()[0], NumberMode::F64, F32, F32);
  Draws draws;
  const Values lhs = draws.floats(2000), rhs = draws.floats(3000);
  Values twice = lhs, both = rhs;
  for (const double x : lhs) twice.push_back(2 * x);
  both.insert(both.end(), rhs.begin(), rhs.end());
  CallBuilder halves(Op::Dot, NumberMode::F64);
  halves.operand(F32, {40, 50}, twice);
  halves.operand(F32, {50, 60}, both);
  halves.attributes = c.attributes;
  halves.result(Type::array(F32, {40, 60}));
  halves.ranks = 2;
  const Values one = c.run()[0], out = halves.run()[0];
  ASSERT_EQ(out.size(), 2 * one.size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(out[k], one[k]);
    EXPECT_EQ(out[one.size() + k], 2 * one[k]);
  }
}

TEST(DotKernel, OnlyLargeFloatProducts) {
  EXPECT_EQ(find_kernel(dot_call(dot_cases()[0], NumberMode::Real, F32, F32).call, NumberMode::Real), nullptr);
  const DotCase small = {{4, 4}, {4, 4}, {}, {}, {1}, {0}};
  EXPECT_EQ(find_kernel(dot_call(small, NumberMode::F64, F32, F32).call, NumberMode::F64), nullptr);
  CallBuilder integers(Op::Dot, NumberMode::F64);
  integers.operand(S32, {64, 64}, Values(4096, 1)).operand(S32, {64, 64}, Values(4096, 1));
  integers.attributes.set(Attr::LhsContractingDims, IntList{1});
  integers.attributes.set(Attr::RhsContractingDims, IntList{0});
  integers.result(Type::array(S32, {64, 64}));
  EXPECT_EQ(find_kernel(integers.call, NumberMode::F64), nullptr);
}

TEST(ScatterKernel, AgreesWithTheBodyOfAMonoid) {
  Draws draws;
  for (const NumberMode mode : {NumberMode::Real, NumberMode::F64}) {
    for (const ScalarFn fn : {ScalarFn::Add, ScalarFn::Max}) {
      // Embedding gradient: rows of [7,5] at 6 x 3 indices, some outside.
      CallBuilder c(Op::Scatter, mode);
      c.operand(F32, {7, 5}, draws.integers(35, -9, 9)).operand(S32, {6, 3, 1}, draws.integers(18, -1, 9));
      c.operand(F32, {6, 3, 5}, draws.integers(90, -9, 9)).result(Type::array(F32, {7, 5}));
      c.attributes.set(Attr::UpdateWindowDims, IntList{2});
      c.attributes.set(Attr::InsertedWindowDims, IntList{0});
      c.attributes.set(Attr::ScatterDims, IntList{0});
      c.attributes.set(Attr::IndexVectorDim, std::int64_t{2});
      c.region({F32, F32}, [&](const std::vector<ExprId>& p) { return std::vector<ExprId>{c.fn(fn, F32, p)}; });
      c.monoid(fn);
      EXPECT_EQ(c.run()[0], by_body(c));
    }
  }
}

TEST(ScatterKernel, AgreesWithTheBodyOfOneUpdate) {
  // A window [2,1,3] of an array [4,5,3] with the window's dimensions not in front; two components, not in order.
  Draws draws;
  for (const std::int64_t row : {-1, 0, 1, 2, 3}) {
    CallBuilder c(Op::Scatter, NumberMode::F64);
    c.operand(F32, {4, 5, 3}, draws.floats(60)).operand(S32, {2}, {4, static_cast<double>(row)});
    c.operand(F32, {2, 3}, draws.floats(6)).result(Type::array(F32, {4, 5, 3}));
    c.attributes.set(Attr::UpdateWindowDims, IntList{0, 1});
    c.attributes.set(Attr::InsertedWindowDims, IntList{1});
    c.attributes.set(Attr::ScatterDims, IntList{1, 0});
    c.attributes.set(Attr::IndexVectorDim, std::int64_t{0});
    c.region({F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1]}; });
    EXPECT_EQ(c.run()[0], by_body(c));
  }
}

TEST(ScatterKernel, AgreesWithTheBodyOfUniqueIndices) {
  Draws draws;
  CallBuilder c(Op::Scatter, NumberMode::F64);
  // One index a batch element: [3,6] with [3,2] positions that differ within a row.
  c.operand(F32, {3, 6}, draws.floats(18)).operand(S32, {3, 2, 1}, {1, 4, 5, 0, 2, 9});
  c.operand(F32, {3, 2}, draws.floats(6)).result(Type::array(F32, {3, 6}));
  c.attributes.set(Attr::UpdateWindowDims, IntList{});
  c.attributes.set(Attr::InsertedWindowDims, IntList{1});
  c.attributes.set(Attr::InputBatchingDims, IntList{0});
  c.attributes.set(Attr::ScatterBatchingDims, IntList{0});
  c.attributes.set(Attr::ScatterDims, IntList{1});
  c.attributes.set(Attr::IndexVectorDim, std::int64_t{2});
  c.attributes.set(Attr::UniqueIndices, true);
  c.region({F32, F32}, [](const std::vector<ExprId>& p) { return std::vector<ExprId>{p[1]}; });
  EXPECT_EQ(c.run()[0], by_body(c));
}

// Reductions with a monoid go to their body; unless the region is said to be one, the ordered kernel takes them too.
TEST(OrderedFoldKernels, AgreeWithTheBodyOfAMonoid) {
  Draws draws;
  for (const NumberMode mode : {NumberMode::Real, NumberMode::Real256, NumberMode::F64}) {
    for (const ScalarFn fn : {ScalarFn::Add, ScalarFn::Min}) {
      const auto make = [&](CallBuilder& c) {
        c.region({F32, F32}, [&](const std::vector<ExprId>& p) { return std::vector<ExprId>{c.fn(fn, F32, p)}; });
      };
      CallBuilder reduce(Op::Reduce, mode);
      reduce.operand(F32, {3, 4, 5, 2}, draws.integers(120, -9, 9)).operand(F32, {}, {100});
      reduce.attributes.set(Attr::BroadcastDims, IntList{1, 3});
      reduce.result(Type::array(F32, {3, 5}));
      make(reduce);
      EXPECT_EQ(reduce.run()[0], by_body(reduce));

      CallBuilder window(Op::ReduceWindow, mode);
      window.operand(F32, {7, 6}, draws.integers(42, -9, 9)).operand(F32, {}, {fn == ScalarFn::Add ? 0.0 : 100.0});
      window.attributes.set(
          Attr::Window,
          std::vector<WindowDim>{{.size = 3, .stride = 2, .pad_low = 2, .pad_high = 1, .window_dilation = 2},
                                 {.size = 2, .pad_low = -1, .pad_high = 3, .base_dilation = 3}});
      window.result(Type::array(F32, {3, 17}));
      make(window);
      EXPECT_EQ(window.run()[0], by_body(window));
    }
  }
}

}  // namespace
}  // namespace gg::test
