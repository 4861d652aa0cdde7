// Substitution: composition of expressions point by point, renumbering of folds, restriction of boxes, import.
#include <gtest/gtest.h>

#include "models/base/check.h"
#include "tests/unit/body/pointwise.h"

namespace gg::test {
namespace {

constexpr ElementType kS64 = ElementType::S64;

TEST(Substitute, RestrictedBoxDecidesGuards) {
  Arena a;
  const LinId v = a.var(0, 10);
  const ExprId x = a.read(0, kS64, std::vector<LinId>{v}), zero = a.lit(Scalar::of_int(kS64, 0));
  const ExprId padded = a.select(a.between(2, v, 8), x, zero);
  Arena::Substitution inside{{a.offset(a.var(0, 6), 2)}, nullptr, 1};
  EXPECT_EQ(a.substitute(padded, inside), a.read(0, kS64, std::vector<LinId>{a.offset(a.var(0, 6), 2)}));
  Arena::Substitution before{{a.var(0, 2)}, nullptr, 1};
  EXPECT_EQ(a.substitute(padded, before), zero);
}

TEST(Substitute, MissingLevelIsAnError) {
  Arena a;
  Arena::Substitution s{{a.constant(0)}, nullptr, 1};
  EXPECT_THROW(a.substitute(a.var(1, 4), s), InternalError);
}

TEST(Substitute, FoldsAreRenumbered) {
  Arena a;
  const std::vector<std::int64_t> box = {4};
  const ExprId zero = a.lit(Scalar::of_int(kS64, 0));
  const auto row_sum = [&](int level) {  // sum over the last index of x0[v0, k]
    return a.fold(ScalarFn::Add, zero, level, box, a.always(),
                  a.read(0, kS64, std::vector<LinId>{a.var(0, 3), a.var(level, 4)}));
  };
  Arena::Substitution same{{a.var(0, 3)}, nullptr, 3};
  EXPECT_EQ(a.substitute(row_sum(1), same), row_sum(3));
  EXPECT_EQ(a.substitute(row_sum(3), same), row_sum(3));
}

TEST(Substitute, ReadsOfDataIndicesAreReplaced) {
  Arena a;
  const ExprId position = a.read(1, kS64, {});
  const ExprId slice = a.read(0, kS64, std::vector<LinId>{a.add(a.data(position, 0, 5), a.var(0, 3))});
  Arena::Substitution s;
  s.vars = {a.var(0, 3)};
  s.depth = 1;
  s.read = [&](int operand, std::span<const LinId>, int) -> std::optional<ExprId> {
    if (operand == 1) return a.lit(Scalar::of_int(kS64, 9));
    return std::nullopt;
  };
  EXPECT_EQ(a.substitute(slice, s), a.read(0, kS64, std::vector<LinId>{a.offset(a.var(0, 3), 5)}));
}

TEST(Import, KeepsMeaningAndLevels) {
  Arena a, b;
  const std::vector<std::int64_t> box = {4};
  const TableId table = a.make_table({3, 0, 2, 1});
  const ExprId zero = a.lit(Scalar::of_int(kS64, 0));
  const LinId i = a.var(0, 3), k = a.var(2, 4);
  const ExprId e = a.fold(ScalarFn::Add, zero, 2, box, a.le(k, i),
                          a.read(0, kS64, std::vector<LinId>{a.var(1, 2), a.table(table, k), a.div(k, 2)}));
  b.var(7, 9);  // other ids
  const ExprId f = b.import(a, e);
  EXPECT_EQ(a.print(e), b.print(f));
  for (const Point& p : points({3, 2})) EXPECT_EQ(Pointwise(a).expr(e, p), Pointwise(b).expr(f, p));
}

// Random expressions of one operand over a box, with folds, guards, data indices.
class Maker {
 public:
  Maker(Arena& arena, Dice& dice, std::vector<std::int64_t> box) : a_(arena), dice_(dice), box_(std::move(box)) {}

  ExprId expr(int budget) {
    if (budget <= 0) return leaf();
    switch (dice_.roll(0, 4)) {
      case 0:
        return a_.fn(ScalarFn::Add, kS64, std::vector<ExprId>{expr(budget - 1), expr(budget - 2)});
      case 1:
        return a_.fn(ScalarFn::Max, kS64, std::vector<ExprId>{expr(budget - 2), expr(budget - 1)});
      case 2:
        return a_.select(guard(), expr(budget - 1), expr(budget - 2));
      case 3:
        return fold(budget - 1);
      default:
        return leaf();
    }
  }

  LinId lin() {
    LinId sum = a_.constant(dice_.roll(-2, 3));
    for (std::size_t d = 0; d < box_.size(); ++d) {
      if (dice_.roll(0, 2) != 0) sum = a_.axpy(dice_.roll(-2, 3), a_.var(static_cast<int>(d), box_[d]), sum);
    }
    if (dice_.roll(0, 2) == 0) sum = a_.div(sum, dice_.roll(2, 5));
    if (dice_.roll(0, 4) == 0) sum = a_.mod(sum, dice_.roll(2, 5));
    if (dice_.roll(0, 6) == 0) sum = a_.add(sum, a_.data(leaf(), -2, dice_.roll(-1, 4)));
    return sum;
  }

 private:
  ExprId leaf() {
    if (dice_.roll(0, 5) == 0) return a_.lit(Scalar::of_int(kS64, dice_.roll(-4, 4)));
    if (dice_.roll(0, 5) == 0) return a_.index(lin(), kS64);
    return a_.read(static_cast<int>(dice_.roll(0, 1)), kS64, std::vector<LinId>{lin(), lin()});
  }
  GuardId guard() { return dice_.roll(0, 1) == 0 ? a_.le0(lin()) : a_.eq0(lin()); }
  ExprId fold(int budget) {
    const int level = static_cast<int>(box_.size());
    const std::vector<std::int64_t> extents = {dice_.roll(1, 3), dice_.roll(1, 3)};
    const ExprId init = expr(0);
    box_.insert(box_.end(), extents.begin(), extents.end());
    const GuardId g = dice_.roll(0, 1) == 0 ? a_.always() : guard();
    const ExprId body = expr(budget);
    box_.resize(static_cast<std::size_t>(level));
    return a_.fold(dice_.roll(0, 1) == 0 ? ScalarFn::Add : ScalarFn::Min, init, level, extents, g, body);
  }

  Arena& a_;
  Dice& dice_;
  std::vector<std::int64_t> box_;
};

TEST(SubstituteFuzz, IsComposition) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Arena a;
    Dice dice(seed);
    const std::vector<std::int64_t> outer = random_box(dice, 3), inner = random_box(dice, 2);
    Maker maker(a, dice, inner), target(a, dice, outer);
    const ExprId e = maker.expr(4);
    Arena::Substitution s;
    s.depth = static_cast<int>(outer.size());
    for (const std::int64_t n : inner) s.vars.push_back(a.mod(target.lin(), n));
    const ExprId r = a.substitute(e, s);
    const Pointwise eval(a);
    for (const Point& p : points(outer)) {
      Point q;
      for (const LinId l : s.vars) q.push_back(eval.lin(l, p));
      ASSERT_EQ(eval.expr(r, p), eval.expr(e, q)) << "seed " << seed << "\n"
                                                  << a.print(e) << "\n"
                                                  << a.print(r);
    }
  }
}

// Reads replaced by bodies with folds of their own.
TEST(SubstituteFuzz, ReadsComposeAsFunctions) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Arena a;
    Dice dice(seed);
    const std::vector<std::int64_t> box = random_box(dice, 2), operand = {3, 4};
    const ExprId producer = Maker(a, dice, operand).expr(3);  // over (u, v), reading operands 0 and 1
    const ExprId consumer = Maker(a, dice, box).expr(3);
    const auto inside = [&](LinId l, std::int64_t n) { return a.mod(l, n); };
    Arena::Substitution s;
    for (std::size_t d = 0; d < box.size(); ++d) s.vars.push_back(a.var(static_cast<int>(d), box[d]));
    s.depth = static_cast<int>(box.size());
    s.read = [&](int k, std::span<const LinId> index, int depth) -> std::optional<ExprId> {
      if (k != 0) return std::nullopt;
      Arena::Substitution t;
      t.vars = {inside(index[0], 3), inside(index[1], 4)};
      t.depth = depth;
      return a.substitute(producer, t);
    };
    const ExprId composed = a.substitute(consumer, s);
    // The same with the producer's values looked up: a consumer whose reads of operand 0 are tables of those values.
    std::vector<std::int64_t> values;
    for (const Point& p : points(operand)) values.push_back(Pointwise(a).expr(producer, p));
    const TableId table = a.make_table(values);
    s.read = [&](int k, std::span<const LinId> index, int) -> std::optional<ExprId> {
      if (k != 0) return std::nullopt;
      return a.index(a.table(table, a.axpy(4, inside(index[0], 3), inside(index[1], 4))), kS64);
    };
    const ExprId looked_up = a.substitute(consumer, s);
    for (const Point& p : points(box)) {
      ASSERT_EQ(Pointwise(a).expr(composed, p), Pointwise(a).expr(looked_up, p)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gg::test
