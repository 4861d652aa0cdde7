// Folds whose guard names an output index by data: the loop over updates against the tree walk, and its cost.
#include "tests/unit/plan/plan_case.h"

namespace gg::test {
namespace {

class Scatter : public ::testing::TestWithParam<ElementType> {};

// An index read that is not clamped: out of range targets never equal an output index.
LinId target(PlanCase& c, int indices, std::vector<LinId> at) {
  return c.arena.data(c.read(indices, std::move(at)), INT32_MIN, INT32_MAX);
}

TEST_P(Scatter, RowsOfAnEmbedding) {
  PlanCase c;
  const ElementType t = GetParam();
  const int base = c.operand(t, {10, 6}), at = c.operand(kS32, {25}, -2, 12), updates = c.operand(t, {25, 6});
  const auto v = c.output({10, 6});
  const LinId u = c.fold_var(0, 25), w = c.fold_var(1, 6);
  const GuardId guard = c.arena.all(std::vector<GuardId>{c.arena.eq(target(c, at, {u}), v[0]), c.arena.eq(w, v[1])});
  const ExprId added = c.sum(c.read(updates, {u, w}), {25, 6}, guard);
  c.check(added, "scatter alone");
  c.check(c.fn(ScalarFn::Add, t, {c.read(base, v), added}), "scatter-add");
  c.check(c.fold(ScalarFn::Max, -50, c.read(updates, {u, w}), {25, 6}, guard), "scatter-max");
}

TEST_P(Scatter, TwoTargetsNoWindow) {
  PlanCase c;
  const ElementType t = GetParam();
  const int at = c.operand(kS32, {4, 30, 2}, -1, 8), updates = c.operand(t, {4, 30});
  const auto v = c.output({7, 9});
  const LinId u = c.fold_var(0, 4), w = c.fold_var(1, 30);
  const auto eq = [&](int k) {
    return c.arena.eq(target(c, at, {u, w, c.arena.constant(k)}), v[static_cast<std::size_t>(k)]);
  };
  c.check(c.sum(c.read(updates, {u, w}), {4, 30}, c.arena.all(std::vector<GuardId>{eq(0), eq(1)})), "element scatter");
}

TEST_P(Scatter, RankDigitsAndBatchesStayOutside) {
  PlanCase c;
  const ElementType t = GetParam();
  const int at = c.operand(kS32, {2, 3, 8}, 0, 5), updates = c.operand(t, {2, 3, 8, 5});
  const auto v = c.output({2, 3, 6, 5});
  const LinId u = c.fold_var(0, 8), w = c.fold_var(1, 5);
  const GuardId guard =
      c.arena.all(std::vector<GuardId>{c.arena.eq(target(c, at, {v[0], v[1], u}), v[2]), c.arena.eq(w, v[3])});
  c.check(c.sum(c.read(updates, {v[0], v[1], u, w}), {8, 5}, guard), "batched scatter");
}

TEST_P(Scatter, WindowsThatOverlap) {
  PlanCase c;
  const ElementType t = GetParam();
  const int at = c.operand(kS32, {6}, -2, 9), updates = c.operand(t, {6, 4, 3});
  const auto v = c.output({3, 10});  // the free level is not the last one
  const LinId u = c.fold_var(0, 6), w = c.fold_var(1, 4), x = c.fold_var(2, 3);
  const LinId start = target(c, at, {u});
  const GuardId whole = c.arena.between(0, start, 7);  // windows that do not fit are dropped
  const GuardId guard =
      c.arena.all(std::vector<GuardId>{c.arena.eq(c.arena.add(start, w), v[1]), c.arena.eq(x, v[0]), whole});
  c.check(c.sum(c.read(updates, {u, w, x}), {6, 4, 3}, guard), "window scatter");
}

TEST_P(Scatter, GuardsOnFreeLevelsAndProducts) {
  PlanCase c;
  const ElementType t = GetParam();
  const int at = c.operand(kS32, {12}, 0, 4), a = c.operand(t, {12, 20}), b = c.operand(t, {12});
  const auto v = c.output({5, 20});
  const LinId u = c.fold_var(0, 12);
  const GuardId guard = c.arena.all(std::vector<GuardId>{c.arena.eq(target(c, at, {u}), v[0]), c.arena.le(u, v[1]),
                                                         c.arena.negate(c.arena.eq(c.arena.add(u, v[0]), v[1]))});
  c.check(c.sum(c.fn(ScalarFn::Multiply, t, {c.read(a, {u, v[1]}), c.read(b, {u})}), {12}, guard), "guarded product");
  // two scatters in one expression, under a choice
  const ExprId one = c.sum(c.read(b, {u}), {12}, c.arena.eq(target(c, at, {u}), v[0]));
  const ExprId two = c.sum(c.read(a, {u, v[1]}), {12}, c.arena.eq(target(c, at, {u}), v[0]));
  c.check(c.arena.select(c.arena.lt(v[1], c.arena.constant(7)), one, c.fn(ScalarFn::Subtract, t, {two, one})), "two");
}

INSTANTIATE_TEST_SUITE_P(Types, Scatter, ::testing::Values(kF32, kS32, kBF16));

// 10^5 updates into 10^5 elements: as many steps as updates, not their product (which would take minutes).
TEST(Scatter, CostIsThatOfTheUpdates) {
  constexpr std::int64_t kMany = 100'000;
  PlanCase c;
  const int at = c.operand(kS32, {kMany}, 0, kMany - 1), updates = c.operand(kF32, {kMany});
  const auto v = c.output({kMany});
  const LinId u = c.fold_var(0, kMany);
  const ExprId e = c.sum(c.read(updates, {u}), {kMany}, c.arena.eq(target(c, at, {u}), v[0]));
  const auto buffers = c.materialise(NumberMode::F64);
  const auto operands = c.operands_of(buffers);
  Buffer out(Storage::Double, kMany);
  TieCounter ties;
  run(compile(c.arena, {kF32, {kMany}, e}, operands), NumberMode::F64, operands, out, ties);
  std::vector<double> expected(kMany, 0);
  for (std::size_t k = 0; k < kMany; ++k) {
    expected[static_cast<std::size_t>(buffers[0].as<std::int64_t>()[k])] += buffers[1].as<double>()[k];
  }
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), out.as<double>().begin()));
}

// The same for guards that are affine: one value of the fold variable for each output element.
TEST(Scatter, AffineGuardsAreSolved) {
  constexpr std::int64_t kMany = 100'000;
  PlanCase c;
  const int a = c.operand(kF32, {kMany});
  const auto v = c.output({3 * kMany});
  const LinId u = c.fold_var(0, kMany);
  const ExprId e = c.sum(c.read(a, {u}), {kMany}, c.arena.eq(c.arena.offset(c.arena.scale(3, u), 1), v[0]));
  const auto buffers = c.materialise(NumberMode::F64);
  const auto operands = c.operands_of(buffers);
  Buffer out(Storage::Double, 3 * kMany);
  TieCounter ties;
  run(compile(c.arena, {kF32, {3 * kMany}, e}, operands), NumberMode::F64, operands, out, ties);
  EXPECT_EQ(out.as<double>()[0], 0);
  EXPECT_EQ(out.as<double>()[30'001], buffers[0].as<double>()[10'000]);
}

}  // namespace
}  // namespace gg::test
