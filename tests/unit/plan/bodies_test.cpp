// The operators as arena bodies, compiled against the tree walk: number types double, 113-bit and model
// types (bf16 accumulates in f32), and integers.
#include "models/op/op.h"
#include "tests/unit/plan/plan_case.h"

namespace gg::test {
namespace {

class Bodies : public ::testing::TestWithParam<ElementType> {};

TEST_P(Bodies, DotInFourLayouts) {
  for (const bool left : {false, true}) {
    for (const bool right : {false, true}) {
      PlanCase c;
      const int a = c.operand(GetParam(), left ? std::vector<std::int64_t>{9, 7} : std::vector<std::int64_t>{7, 9});
      const int b = c.operand(GetParam(), right ? std::vector<std::int64_t>{5, 9} : std::vector<std::int64_t>{9, 5});
      const auto v = c.output({7, 5});
      const LinId k = c.fold_var(0, 9);
      const ExprId x = c.read(a, left ? std::vector<LinId>{k, v[0]} : std::vector<LinId>{v[0], k});
      const ExprId y = c.read(b, right ? std::vector<LinId>{v[1], k} : std::vector<LinId>{k, v[1]});
      c.check(c.sum(c.fn(ScalarFn::Multiply, GetParam(), {x, y}), {9}), "dot");
    }
  }
}

TEST_P(Bodies, BatchedDotWithTwoContractions) {
  PlanCase c;
  const int a = c.operand(GetParam(), {2, 3, 6, 4}), b = c.operand(GetParam(), {2, 6, 4, 11});
  const auto v = c.output({2, 3, 11});
  const LinId k = c.fold_var(0, 6), l = c.fold_var(1, 4);
  c.check(c.sum(c.fn(ScalarFn::Multiply, GetParam(), {c.read(a, {v[0], v[1], k, l}), c.read(b, {v[0], k, l, v[2]})}),
                {6, 4}),
          "batched dot");
}

TEST_P(Bodies, LongRowsCrossBlocks) {
  PlanCase c;
  const int a = c.operand(GetParam(), {3, 1300});
  auto v = c.output({3, 1300});
  c.check(c.fn(ScalarFn::Add, GetParam(), {c.read(a, v), c.read(a, {v[0], c.arena.sub(c.arena.constant(1299), v[1])})}),
          "reverse add");
  v = c.output({3});
  c.check(c.sum(c.read(a, {v[0], c.fold_var(0, 1300)}), {1300}), "sum along");
  v = c.output({1300});
  c.check(c.sum(c.read(a, {c.fold_var(0, 3), v[0]}), {3}), "sum down");
  v = c.output({});
  c.check(c.fold(ScalarFn::Max, -100, c.read(a, {c.fold_var(0, 3), c.fold_var(1, 1300)}), {3, 1300}), "max of all");
}

TEST_P(Bodies, LongPiecesAreSharedByThreads) {  // many rows, one row; a value that a row keeps; several functions of balls
  PlanCase c;
  const int a = c.operand(GetParam(), {30, 20}), one = c.operand(GetParam(), {1200});
  auto v = c.output({30, 20, 5});
  const ExprId most = c.fold(ScalarFn::Max, -100, c.read(a, {v[0], c.fold_var(0, 20)}), {20});
  const ExprId below = c.fn(ScalarFn::Subtract, GetParam(), {c.read(a, {v[0], v[1]}), most});
  c.check(c.fn(ScalarFn::Multiply, GetParam(), {below, c.read(a, {v[2], v[1]})}), "rows with a fold of their own");
  v = c.output({1200});
  ExprId x = c.read(one, v);
  if (is_float(GetParam())) x = c.fn(ScalarFn::Exp, GetParam(), {c.fn(ScalarFn::Erf, GetParam(), {x})});
  c.check(c.fn(ScalarFn::Add, GetParam(), {x, x}), "one row");
}

/// x[d, i] * (sum over d of x[d, i]^2) + max over i of y[r, i], under a choice of rows: folds that rows share.
ExprId norm(PlanCase& c, ElementType type, int x, int y, const std::vector<LinId>& v) {
  const ExprId other = c.read(x, {c.fold_var(0, 60), v[2]});
  const ExprId squares = c.sum(c.fn(ScalarFn::Multiply, type, {other, other}), {60});
  const ExprId most = c.fold(ScalarFn::Max, -9, c.read(y, {v[0], c.fold_var(0, 7)}), {7});
  return c.fn(ScalarFn::Add, type, {c.fn(ScalarFn::Multiply, type, {c.read(x, {v[1], v[2]}), squares}), most});
}

TEST_P(Bodies, FoldsOfFewerLevelsThanTheOutput) {
  PlanCase c;
  const int x = c.operand(GetParam(), {60, 7}), y = c.operand(GetParam(), {2, 7});
  const auto v = c.output({2, 60, 7});
  c.check(norm(c, GetParam(), x, y, v), "norm");
  // On one side of a case only: its reads would be out of range on the other.
  const ExprId shifted = c.sum(c.read(x, {c.arena.add(v[1], c.fold_var(0, 6)), c.arena.constant(0)}), {6});
  const GuardId inside = c.arena.le0(c.arena.offset(v[1], -54));
  c.check(c.arena.select(inside, shifted, norm(c, GetParam(), x, y, v)), "case");
  // An unknown value inside a fold is that of the output element.
  const ExprId unknown = c.fold(ScalarFn::Max, -9, c.fn(ScalarFn::Add, GetParam(), {c.read(y, {v[0], c.fold_var(0, 7)}), c.arena.unknown(GetParam())}), {7});
  c.check(c.fn(ScalarFn::Multiply, GetParam(), {c.read(x, {v[1], v[2]}), unknown}), "unknown");
}

TEST(Bodies, SolvedSumsKeepTheSignOfZero) {  // 0 + -0 is 0
  PlanCase c;
  const int x = c.operand(kF32, {3});
  const auto v = c.output({4});
  const LinId k = c.fold_var(0, 3);
  const ExprId zero = c.fn(ScalarFn::Multiply, kF32, {c.lit(kF32, 0), c.fn(ScalarFn::Negate, kF32, {c.read(x, {k})})});
  const GuardId one[] = {c.arena.eq(k, v[0])};
  c.check(c.sum(zero, {3}, c.arena.all(one)), "zeros");
}

TEST(Operations, SharedFoldsCountOnce) {
  PlanCase c;
  const int x = c.operand(kF32, {60, 7}), y = c.operand(kF32, {2, 7});
  const ExprId root = norm(c, kF32, x, y, c.output({2, 60, 7}));
  const std::vector<Buffer> buffers = c.materialise(NumberMode::F64);
  const double count = operations(compile(c.arena, {kF32, c.extents(), root}, c.operands_of(buffers)));
  EXPECT_GE(count, 2 * 60 * 7 * 2);
  EXPECT_LE(count, 8 * 60 * 7 * 2);  // not 60 times as many
}

TEST_P(Bodies, TransposeAndReshapeChains) {
  PlanCase c;
  const int a = c.operand(GetParam(), {6, 10, 4});
  auto v = c.output({4, 6, 10});
  c.check(c.read(a, {v[1], v[2], v[0]}), "transpose");
  v = c.output({15, 16});
  c.check(c.read(a, c.arena.unflatten(c.arena.flatten(v, std::vector<std::int64_t>{15, 16}),
                                      std::vector<std::int64_t>{6, 10, 4})),
          "reshape");
  v = c.output({16, 15});  // reshape of a transpose, no common digits
  const auto middle =
      c.arena.unflatten(c.arena.flatten(v, std::vector<std::int64_t>{16, 15}), std::vector<std::int64_t>{4, 6, 10});
  c.check(c.read(a, {middle[1], middle[2], middle[0]}), "reshape of transpose");
  v = c.output({24, 10});
  const auto digits =
      c.arena.unflatten(c.arena.flatten(v, std::vector<std::int64_t>{24, 10}), std::vector<std::int64_t>{4, 6, 10});
  c.check(c.read(a, {digits[1], digits[2], digits[0]}), "reshape of transpose with digits");
}

TEST_P(Bodies, SlicePadConcatenateReverse) {
  PlanCase c;
  const ElementType t = GetParam();
  const int a = c.operand(t, {7, 20}), b = c.operand(t, {7, 5}), s = c.operand(t, {});
  auto v = c.output({3, 6});
  Arena& g = c.arena;
  c.check(c.read(a, {g.offset(g.scale(2, v[0]), 1), g.offset(g.scale(3, v[1]), 2)}), "strided slice");
  v = c.output({7, 20});
  c.check(c.read(a, {g.sub(g.constant(6), v[0]), g.sub(g.constant(19), v[1])}), "reverse");
  v = c.output({12, 70});  // low 2, high 3; low -1, interior 3
  const LinId i = g.offset(v[0], -2), j = g.offset(v[1], 1);
  const GuardId inside = g.all(std::vector<GuardId>{g.between(0, i, 7), g.between(0, j, 77), g.eq0(g.mod(j, 4))});
  c.check(g.select(inside, c.read(a, {i, g.div(j, 4)}), c.read(s, {})), "pad");
  v = c.output({7, 45});
  const ExprId third = c.read(a, {v[0], g.offset(v[1], -25)});
  const ExprId rest = g.select(g.lt(v[1], g.constant(25)), c.read(b, {v[0], g.offset(v[1], -20)}), third);
  c.check(g.select(g.lt(v[1], g.constant(20)), c.read(a, v), rest), "concatenate");
  v = c.output({7, 20, 9});
  c.check(c.read(a, {v[0], v[1]}), "broadcast inner");
  v = c.output({9, 7, 20});
  c.check(c.fn(ScalarFn::Add, t, {c.read(a, {v[1], v[2]}), c.read(s, {})}), "replicated outer");
}

TEST_P(Bodies, GatherAndDynamicSlice) {
  PlanCase c;
  Arena& g = c.arena;
  const int a = c.operand(GetParam(), {30, 8}), at = c.operand(kS32, {11}, -5, 40),
            start = c.operand(kS32, {2}, -3, 30);
  auto v = c.output({11, 8});
  c.check(c.read(a, {g.data(c.read(at, {v[0]}), 0, 29), v[1]}), "gather rows");
  v = c.output({8, 11});
  c.check(c.read(a, {g.data(c.read(at, {v[1]}), 0, 29), v[0]}), "gather along the row");
  v = c.output({5, 8});
  const LinId from = g.data(c.read(start, {g.constant(0)}), 0, 25);
  c.check(c.read(a, {g.add(from, v[0]), v[1]}), "dynamic slice");
  v = c.output({30, 8});  // dynamic-update-slice
  const LinId put = g.data(c.read(start, {g.constant(1)}), 0, 19);
  const GuardId inside = g.all(std::vector<GuardId>{g.le(put, v[0]), g.lt(v[0], g.offset(put, 11))});
  c.check(g.select(inside, c.read(a, {g.sub(v[0], put), v[1]}), c.read(a, {v[0], g.constant(0)})), "dynamic update");
}

TEST_P(Bodies, CollectivesOverDigits) {
  PlanCase c;
  Arena& g = c.arena;
  const ElementType t = GetParam();
  const int a = c.operand(t, {2, 4, 5, 6});  // digits (2, 4), local [5, 6]
  auto v = c.output({2, 4, 5, 6});
  c.check(c.sum(c.read(a, {v[0], c.fold_var(0, 4), v[2], v[3]}), {4}), "all-reduce");
  const LinId j = v[3];
  v = c.output({2, 4, 5, 24});
  c.check(c.read(a, {v[0], g.div(v[3], 6), v[2], g.mod(v[3], 6)}), "all-gather");
  v = c.output({2, 4, 5, 6});
  const LinId source = g.table(g.make_table({2, 0, 3, 1}), v[1]);
  c.check(c.read(a, {v[0], source, v[2], j}), "permute by table");
  c.check(g.select(g.eq(v[1], g.constant(0)), c.lit(t, 0), c.read(a, {v[0], g.offset(v[1], -1), v[2], v[3]})),
          "shift without wrap");
  c.check(c.read(a, {v[0], g.mod(g.offset(v[1], 3), 4), v[2], v[3]}), "ring");
  v = c.output({2, 4, 2, 12});  // all-to-all-like exchange
  c.check(c.read(a, {v[0], g.div(v[3], 3), g.axpy(2, g.mod(v[1], 2), v[2]), g.add(g.mod(v[3], 3), g.mod(v[1], 2))}),
          "exchange");
}

TEST_P(Bodies, ConvolutionsWithPaddingStrideAndDilation) {
  PlanCase c;
  Arena& g = c.arena;
  const int x = c.operand(GetParam(), {2, 14, 3}), w = c.operand(GetParam(), {5, 3, 4});
  for (const int stride : {1, 2}) {
    for (const int window_dilation : {1, 2}) {
      for (const int base_dilation : {1, 3}) {
        const auto v = c.output({2, 12, 4});
        const LinId tap = c.fold_var(0, 5), f = c.fold_var(1, 3);
        const LinId at = g.offset(g.axpy(stride, v[1], g.scale(window_dilation, tap)), -3);
        const GuardId inside =
            g.all(std::vector<GuardId>{g.between(0, at, 13 * base_dilation + 1), g.eq0(g.mod(at, base_dilation))});
        const ExprId body = c.fn(ScalarFn::Multiply, GetParam(),
                                 {c.read(x, {v[0], g.div(at, base_dilation), f}), c.read(w, {tap, f, v[2]})});
        c.check(c.sum(body, {5, 3}, inside), "convolution");
      }
    }
  }
}

TEST_P(Bodies, GuardsOfSeveralVariables) {
  PlanCase c;
  Arena& g = c.arena;
  const ElementType t = GetParam();
  const int a = c.operand(t, {13, 13});
  const auto v = c.output({13, 13});
  const LinId k = c.fold_var(0, 13);
  const ExprId zero = c.lit(t, 0), x = c.read(a, {v[0], v[1]});
  c.check(g.select(g.le(v[1], v[0]), x, zero), "causal");
  c.check(g.select(g.eq(v[1], v[0]), x, zero), "diagonal");
  const GuardId either = g.any(std::vector<GuardId>{g.lt(g.add(v[0], v[1]), g.constant(6)), g.eq(v[1], v[0]),
                                                    g.eq0(g.mod(g.axpy(3, v[0], v[1]), 5))});
  c.check(g.select(either, x, zero), "or");
  c.check(g.select(g.negate(either), zero, x), "not or");
  c.check(c.sum(c.read(a, {v[0], k}), {13}, g.le(k, v[1])), "cumulative sum");
  c.check(c.sum(c.read(a, {v[0], k}), {13}, g.eq(k, g.mod(g.add(v[0], v[1]), 13))), "solved guard");
  c.check(c.sum(c.read(a, {v[0], k}), {13}, g.between(0, g.axpy(-4, k, v[1]), 4)), "solved interval");
  c.check(c.sum(c.read(a, {v[0], k}), {13}, g.between(-1, g.axpy(-4, k, v[1]), 2)), "solved shorter interval");
  c.check(c.sum(c.read(a, {v[0], k}), {13}, g.negate(g.eq(k, v[1]))), "all but one");
  const LinId l = c.fold_var(1, 5);
  c.check(c.sum(c.read(a, {k, g.add(l, v[1])}), {13, 5},
                g.all(std::vector<GuardId>{g.eq(v[0], g.axpy(3, l, k)), g.lt(g.add(l, v[1]), g.constant(13))})),
          "equality of two fold variables");
}

INSTANTIATE_TEST_SUITE_P(Types, Bodies, ::testing::Values(kF32, kS32, kBF16));

TEST(Bodies, ElementwiseChainsShareNodes) {
  PlanCase c;
  const int a = c.operand(kF32, {40, 30}), b = c.operand(kF32, {30});
  const auto v = c.output({40, 30});
  ExprId x = c.fn(ScalarFn::Add, kF32, {c.read(a, v), c.read(b, {v[1]})});
  for (int k = 0; k < 40; ++k) {  // 2^40 nodes as a tree
    x = c.fn(ScalarFn::Multiply, kF32, {x, c.fn(ScalarFn::Subtract, kF32, {x, c.lit(kF32, 0.75)})});
    x = c.fn(ScalarFn::Clamp, kF32, {c.lit(kF32, -1), x, c.lit(kF32, 1)});
  }
  const Body body{kF32, c.extents(), x};
  const auto buffers = c.materialise(NumberMode::F64);
  const auto operands = c.operands_of(buffers);
  Buffer out(Storage::Double, 1200);
  TieCounter ties;
  run(compile(c.arena, body, operands), NumberMode::F64, operands, out, ties);
  double y = buffers[0].as<double>()[77] + buffers[1].as<double>()[77 % 30];
  for (int k = 0; k < 40; ++k) y = std::min(1.0, std::max(-1.0, y * (y - 0.75)));
  EXPECT_EQ(out.as<double>()[77], y);
}

TEST(Bodies, MixedTypesCompareSelectConvertIndex) {
  PlanCase c;
  Arena& g = c.arena;
  const int a = c.operand(kF32, {6, 21}), k = c.operand(kS32, {21});
  const auto v = c.output({6, 21});
  const ExprId x = c.read(a, v);
  const ExprId less = c.fn(ScalarFn::CompareLt, ElementType::Pred, {x, c.lit(kF32, 0.25)});
  const ExprId whole = c.fn(ScalarFn::Convert, kF32, {c.read(k, {v[1]})});
  c.check(c.fn(ScalarFn::Select, kF32, {less, whole, c.fn(ScalarFn::Exp, kF32, {x})}), "select");
  c.check(c.fn(ScalarFn::Convert, kS32, {c.fn(ScalarFn::Multiply, kF32, {x, c.lit(kF32, 40)})}), "convert");
  c.check(c.fn(ScalarFn::Multiply, kF32, {x, g.index(g.axpy(21, v[0], v[1]), kF32)}), "iota");
  c.check(g.index(g.scale(1000, v[1]), ElementType::S8), "index that wraps");
  c.check(g.select(g.lt(v[1], v[0]), g.unknown(kF32), x), "unknown");
  c.check(less, "predicate");
}

TEST(Bodies, ConstantArraysOfFloats) {
  PlanCase c;
  ConstantArray array{Type::array(kF32, {4, 5}), {}};
  for (int k = 0; k < 20; ++k) array.values.push_back(Scalar::of(kF32, 0.5 * k * k));
  const ArrayId id = c.arena.make_array(array);
  const auto v = c.output({5, 4});
  c.check(c.arena.constant_at(id, std::vector<LinId>{v[1], v[0]}), "constant");
}

TEST(Bodies, UnknownWithoutValues) {
  PlanCase c;
  const auto v = c.output({3});
  const ExprId e = c.arena.select(c.arena.eq(v[0], c.arena.constant(1)), c.lit(ElementType::S8, 4),
                                  c.arena.unknown(ElementType::S8));
  Buffer out(Storage::Int64, 3);
  TieCounter ties;
  run(compile(c.arena, {ElementType::S8, {3}, e}, {}), NumberMode::Real, {}, out, ties);
  EXPECT_EQ(out.as<std::int64_t>()[0], -128);
  EXPECT_EQ(out.as<std::int64_t>()[1], 4);
}

// Interior padding by 16 in two dimensions has far more constant boxes than are made; the rest is clipped in rows.
TEST(Bodies, ManyPiecesAreCapped) {
  PlanCase c;
  Arena& g = c.arena;
  const int a = c.operand(kF32, {9, 9});
  const auto v = c.output({130, 131});
  GuardId inside = g.all(std::vector<GuardId>{g.eq0(g.mod(v[0], 16)), g.eq0(g.mod(v[1], 16))});
  const ExprId padded = g.select(inside, c.read(a, {g.div(v[0], 16), g.div(v[1], 16)}), c.lit(kF32, 0));
  c.check(padded, "interior padding");
  ExprId many = c.lit(kF32, 0);
  for (int k = 1; k < 100; ++k) many = g.select(g.lt(v[static_cast<std::size_t>(k % 2)], g.constant(130 - k)), c.lit(kF32, k), many);
  c.check(many, "a hundred steps");
}

TEST(Bodies, EmptyOutputsAndFolds) {
  PlanCase c;
  const int a = c.operand(kF32, {0, 4}), b = c.operand(kF32, {4});
  auto v = c.output({0, 4});
  c.check(c.read(a, v), "empty");
  v = c.output({4});
  c.check(c.sum(c.read(a, {c.fold_var(0, 0), v[0]}), {0}), "empty fold");
  v = c.output({1, 4, 1});
  c.check(c.read(b, {v[1]}), "unit extents");
}

TEST(Bodies, BrainFloatsRoundOnceInFolds) {
  PlanCase c;
  const int a = c.operand(kBF16, {300});
  c.output({});
  const ExprId e = c.sum(c.read(a, {c.fold_var(0, 300)}), {300});
  const auto buffers = c.materialise(NumberMode::Model);
  const auto operands = c.operands_of(buffers);
  Buffer out(Storage::Double, 1);
  TieCounter ties;
  run(compile(c.arena, {kBF16, {}, e}, operands), NumberMode::Model, operands, out, ties);
  float sum = 0;
  for (const double x : buffers[0].as<double>()) sum += static_cast<float>(x);
  EXPECT_EQ(out.as<double>()[0], round_to(kBF16, sum));
}

// A tensor of many dimensions: as many levels as a mask has bits, and one more.
TEST(PlanLevels, AreCountedWithinTheirMask) {
  for (const std::size_t levels : {std::size_t{31}, std::size_t{32}, std::size_t{33}, std::size_t{61}, std::size_t{64}}) {
    Arena arena;
    std::vector<std::int64_t> extents(levels, 1);
    extents.back() = 3;
    const ExprId root = arena.index(arena.var(static_cast<int>(levels) - 1, 3), ElementType::S64);
    const Plan plan = compile(arena, {ElementType::S64, extents, root}, {});
    EXPECT_GT(operations(plan), 0) << levels;
    Buffer out(Storage::Int64, 3);
    TieCounter ties;
    run(plan, NumberMode::F64, {}, out, ties);
    EXPECT_EQ(2, out.as<std::int64_t>()[2]) << levels;
  }
  Arena arena;
  const ExprId root = arena.lit(Scalar::of_int(ElementType::S64, 1));
  EXPECT_THROW(compile(arena, {ElementType::S64, std::vector<std::int64_t>(65, 1), root}, {}), TypeError);
}

}  // namespace
}  // namespace gg::test
