// Expressions: folding of scalar functions, folds and choices in normal form, and random integer expressions against
// pointwise evaluation.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/base/check.h"
#include "tests/unit/body/pointwise.h"

namespace gg::test {
namespace {

constexpr ElementType kS32 = ElementType::S32, kS8 = ElementType::S8, kPred = ElementType::Pred,
                      kF32 = ElementType::F32;

ExprId integer_lit(Arena& a, ElementType type, std::int64_t v) { return a.lit(Scalar::of_int(type, v)); }
ExprId apply(Arena& a, ScalarFn f, ElementType type, std::vector<ExprId> kids) { return a.fn(f, type, kids); }

TEST(Scalars, TableIsInOrder) {
  int k = 0;
  for (const ScalarInfo& row : scalar_functions()) {
    EXPECT_EQ(static_cast<int>(row.fn), k++);
    EXPECT_EQ(&info(row.fn), &row);
    EXPECT_EQ(scalar_function(row.name), row.fn);
  }
  EXPECT_FALSE(scalar_function("no-such-function"));
  EXPECT_TRUE(is_monoid(ScalarFn::Xor));
  EXPECT_FALSE(is_monoid(ScalarFn::Subtract));
}

TEST(Scalars, EqualityIsBitwise) {
  EXPECT_FALSE(Scalar::of(kF32, 0.0) == Scalar::of(kF32, -0.0));
  EXPECT_TRUE(Scalar::of(kF32, NAN) == Scalar::of(kF32, -NAN));
  EXPECT_TRUE(Scalar::of_int(kS8, 300) == Scalar::of_int(kS8, 44));
}

TEST(Fn, IntegerLiteralsFold) {
  Arena a;
  const auto two = [&](ScalarFn f, std::int64_t x, std::int64_t y) {
    return a.scalar(apply(a, f, kS8, {integer_lit(a, kS8, x), integer_lit(a, kS8, y)})).integer;
  };
  EXPECT_EQ(two(ScalarFn::Add, 100, 100), -56);
  EXPECT_EQ(two(ScalarFn::Divide, -7, 2), -3);
  EXPECT_EQ(two(ScalarFn::Divide, 5, 0), -1);
  EXPECT_EQ(two(ScalarFn::Divide, -128, -1), -128);
  EXPECT_EQ(two(ScalarFn::Remainder, 5, 0), 5);
  EXPECT_EQ(two(ScalarFn::Remainder, -7, 2), -1);
  EXPECT_EQ(two(ScalarFn::ShiftLeft, 1, 8), 0);
  EXPECT_EQ(two(ScalarFn::ShiftRightA, -3, 9), -1);
  EXPECT_EQ(two(ScalarFn::ShiftRightL, -1, 1), 127);
}

TEST(Fn, UnsignedSixtyFourBits) {
  Arena a;
  constexpr ElementType kU64 = ElementType::U64;
  const auto less = apply(a, ScalarFn::CompareLt, kPred, {integer_lit(a, kU64, 1), integer_lit(a, kU64, -1)});
  EXPECT_EQ(a.scalar(less).integer, 1);
  const auto half = apply(a, ScalarFn::Divide, kU64, {integer_lit(a, kU64, -1), integer_lit(a, kU64, 2)});
  EXPECT_EQ(a.scalar(half).integer, std::numeric_limits<std::int64_t>::max());
}

TEST(Fn, FloatsAreNotRounded) {
  Arena a;
  const ExprId x = a.lit(Scalar::of(kF32, 0.1f)), y = a.lit(Scalar::of(kF32, 0.2f));
  EXPECT_EQ(a[apply(a, ScalarFn::Add, kF32, {x, y})].kind, ExprKind::Fn);
  EXPECT_EQ(a.scalar(apply(a, ScalarFn::CompareLt, kPred, {x, y})).integer, 1);
  const ExprId nan = a.lit(Scalar::of(kF32, NAN));
  EXPECT_EQ(a.scalar(apply(a, ScalarFn::CompareEq, kPred, {nan, nan})).integer, 0);
  EXPECT_EQ(a.scalar(apply(a, ScalarFn::CompareNe, kPred, {nan, nan})).integer, 1);
  const ExprId wide = a.lit(Scalar::of(ElementType::F64, 0.1));
  EXPECT_EQ(a[apply(a, ScalarFn::Convert, kF32, {wide})].kind, ExprKind::Fn);
  EXPECT_EQ(a[apply(a, ScalarFn::Convert, kF32, {integer_lit(a, kS32, 3)})].kind, ExprKind::Lit);
  EXPECT_EQ(apply(a, ScalarFn::Convert, kF32, {x}), x);
}

TEST(Fn, IndexArithmeticStaysAnIndex) {
  Arena a;
  const LinId i = a.var(0, 100), j = a.var(1, 50);
  const ExprId x = a.index(i, kS32), y = a.index(j, kS32);
  EXPECT_EQ(apply(a, ScalarFn::Add, kS32, {x, y}), a.index(a.add(i, j), kS32));
  EXPECT_EQ(apply(a, ScalarFn::Multiply, kS32, {x, integer_lit(a, kS32, 7)}), a.index(a.scale(7, i), kS32));
  EXPECT_EQ(apply(a, ScalarFn::Divide, kS32, {x, integer_lit(a, kS32, 7)}), a.index(a.div(i, 7), kS32));
  EXPECT_EQ(apply(a, ScalarFn::Remainder, kS32, {x, integer_lit(a, kS32, 7)}), a.index(a.mod(i, 7), kS32));
  EXPECT_EQ(apply(a, ScalarFn::Convert, ElementType::U32, {x}), a.index(i, ElementType::U32));
  // 100 + 49 wraps in s8
  EXPECT_EQ(a[apply(a, ScalarFn::Add, kS8, {a.index(i, kS8), a.index(j, kS8)})].kind, ExprKind::Fn);
  const ExprId less = apply(a, ScalarFn::CompareLt, kPred, {x, y});
  EXPECT_EQ(a[less].kind, ExprKind::Case);
  const ExprId p = a.read(0, kF32, {}), q = a.read(1, kF32, {});
  EXPECT_EQ(apply(a, ScalarFn::Select, kF32, {less, p, q}), a.select(a.lt(i, j), p, q));
  EXPECT_EQ(apply(a, ScalarFn::CompareLt, kPred, {x, integer_lit(a, kS32, 100)}), integer_lit(a, kPred, 1));
}

TEST(Expr, ConstantsBecomeTables) {
  Arena a;
  ConstantArray array{Type::array(kS32, {2, 3}), {}};
  for (const int v : {0, 1, 2, 10, 11, 12}) array.values.push_back(Scalar::of_int(kS32, v));
  const ArrayId id = a.make_array(array);
  const LinId i = a.var(0, 2), j = a.var(1, 3);
  EXPECT_EQ(a.constant_at(id, std::vector<LinId>{i, j}), a.index(a.axpy(10, i, j), kS32));
  EXPECT_EQ(a.constant_at(id, std::vector<LinId>{a.constant(1), a.constant(2)}), integer_lit(a, kS32, 12));
  ConstantArray same{Type::array(kF32, {4}), std::vector<Scalar>(4, Scalar::of(kF32, 2.5))};
  EXPECT_EQ(a.constant_at(a.make_array(same), std::vector<LinId>{a.var(0, 4)}), a.lit(Scalar::of(kF32, 2.5)));
  EXPECT_EQ(a.make_array(array), id);
}

TEST(Fold, EmptyAndSingleBoxes) {
  Arena a;
  const ExprId zero = a.lit(Scalar::of(kF32, 0)), one = a.lit(Scalar::of(kF32, 1));
  const std::vector<std::int64_t> empty = {3, 0}, single = {1, 1}, box = {1, 4, 1};
  const LinId i = a.var(0, 5);
  const ExprId r = a.read(0, kF32, std::vector<LinId>{i});
  EXPECT_EQ(a.fold(ScalarFn::Add, one, 1, empty, a.always(), r), one);
  EXPECT_EQ(a.fold(ScalarFn::Add, zero, 1, single, a.always(), r), r);
  EXPECT_EQ(a.fold(ScalarFn::Add, one, 1, single, a.always(), r),
            a.fn(ScalarFn::Add, kF32, std::vector<ExprId>{one, r}));
  EXPECT_EQ(a.fold(ScalarFn::Add, zero, 1, box, a.never(), r), zero);
  // the variable behind an extent 1 moves up one level
  const ExprId body = a.read(0, kF32, std::vector<LinId>{i, a.var(2, 4)});
  const ExprId moved = a.read(0, kF32, std::vector<LinId>{i, a.var(1, 4)});
  const std::vector<std::int64_t> plain = {4};
  EXPECT_EQ(a.fold(ScalarFn::Add, zero, 1, box, a.always(), body),
            a.fold(ScalarFn::Add, zero, 1, plain, a.always(), moved));
  EXPECT_EQ(a[a.fold(ScalarFn::Add, zero, 1, plain, a.always(), moved)].levels, 1);
}

TEST(Case, OneSpelling) {
  Arena a;
  const LinId v = a.var(0, 9);
  const ExprId x = a.read(0, kF32, {}), y = a.read(1, kF32, {});
  const GuardId g = a.lt(v, a.constant(4));
  EXPECT_EQ(a.select(g, x, y), a.select(a.negate(g), y, x));
  EXPECT_EQ(a.select(g, x, x), x);
  EXPECT_EQ(a.select(a.always(), x, y), x);
  EXPECT_EQ(a.select(g, a.select(g, x, y), y), a.select(g, x, y));
  const GuardId point = a.eq(v, a.constant(0));
  EXPECT_EQ(a.guard(a.select(a.negate(point), x, y)), point);
}

TEST(Print, Examples) {
  Arena a;
  const LinId i = a.var(0, 4), j = a.var(1, 5), k = a.var(2, 16);
  const ExprId product =
      a.fn(ScalarFn::Multiply, kF32,
           std::vector<ExprId>{a.read(0, kF32, std::vector<LinId>{i, k}), a.read(1, kF32, std::vector<LinId>{k, j})});
  const std::vector<std::int64_t> box = {16};
  EXPECT_EQ(a.print(a.fold(ScalarFn::Add, a.lit(Scalar::of(kF32, 0)), 2, box, a.always(), product)),
            "sum[k<16] x0[i, k] * x1[k, j]");
  EXPECT_EQ(a.print(a.axpy(-3, a.div(k, 3), a.offset(k, -2))), "k - 3*((k) div 3) - 2");
  EXPECT_EQ(a.print(a.le(a.offset(j, 2), i)), "j + 2 <= i");
  EXPECT_EQ(a.print(a.select(a.lt(i, j), a.lit(Scalar::of(kF32, 0.5)), a.unknown(kF32))),
            "case {i + 1 <= j: 0.5; else unknown}");
}

// Random integer expressions: an expression and its expected values over the box.
struct Sample {
  ExprId id;
  std::vector<std::int64_t> values;
  std::string made = {};
};

const std::vector<ScalarFn> kBinary = {
    ScalarFn::Add, ScalarFn::Subtract, ScalarFn::Multiply, ScalarFn::Divide, ScalarFn::Remainder,
    ScalarFn::Max, ScalarFn::Min, ScalarFn::And, ScalarFn::Or, ScalarFn::CompareEq,
    ScalarFn::CompareNe, ScalarFn::CompareLt, ScalarFn::CompareLe, ScalarFn::CompareGt, ScalarFn::CompareGe};

Sample combine(Arena& a, Dice& dice, ElementType type, const std::vector<Sample>& numbers,
               const std::vector<Sample>& truths) {
  const Sample &x = dice.pick(numbers), &y = dice.pick(numbers), &p = dice.pick(truths), &q = dice.pick(truths);
  Sample r;
  std::vector<const Sample*> from;
  ScalarFn f = ScalarFn::Add;
  ElementType result = type;
  switch (dice.roll(0, 7)) {
    case 0:
      f = ScalarFn::Select, from = {&p, &x, &y};
      break;
    case 1:
      f = dice.roll(0, 1) == 0 ? ScalarFn::And : ScalarFn::Or, from = {&p, &q}, result = kPred;
      break;
    case 2:
      f = ScalarFn::Not, from = {&p}, result = kPred;
      break;
    case 3:
      f = ScalarFn::Convert, from = {dice.roll(0, 2) == 0 ? &p : &x};
      break;
    case 4:
      f = ScalarFn::Clamp, from = {&numbers[0], &x, &numbers[1]};
      break;
    default:
      f = dice.pick(kBinary), from = {&x, &y};
      if (info(f).name.starts_with("compare.")) result = kPred;
  }
  std::vector<ExprId> kids;
  for (const Sample* s : from) kids.push_back(s->id);
  r.id = a.fn(f, result, kids);
  r.made = info(f).name;
  for (const ExprId k : kids) r.made += " " + a.print(k);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    std::vector<std::int64_t> args;
    for (const Sample* s : from) args.push_back(s->values[i]);
    r.values.push_back(wrap_to(result, integer(f, type, args)));
  }
  return r;
}

TEST(ExprFuzz, IntegerFunctionsAgreeWithEveryPoint) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Arena a;
    Dice dice(seed);
    const ElementType type = dice.roll(0, 1) == 0 ? kS32 : kS8;
    const std::vector<std::int64_t> box = random_box(dice, 3);
    const std::vector<Point> all = points(box);
    const Pointwise eval(a);
    std::vector<Sample> numbers, truths;
    const auto add = [&](std::vector<Sample>& to, ExprId id) {
      Sample s{id, {}, {}};
      for (const Point& p : all) s.values.push_back(eval.expr(id, p));
      to.push_back(s);
    };
    add(numbers, integer_lit(a, type, dice.roll(-3, 2)));
    add(numbers, integer_lit(a, type, dice.roll(3, 9)));
    std::vector<LinId> index;
    for (std::size_t d = 0; d < box.size(); ++d) index.push_back(a.var(static_cast<int>(d), box[d]));
    for (const LinId l : index) add(numbers, a.index(a.axpy(dice.roll(-2, 3), l, a.constant(dice.roll(-2, 3))), type));
    add(numbers, a.read(0, type, index));
    add(truths, integer_lit(a, kPred, 1));
    add(truths, apply(a, ScalarFn::CompareLt, kPred, {numbers[2].id, numbers[1].id}));
    for (int step = 0; step < 25; ++step) {
      const Sample s = combine(a, dice, type, numbers, truths);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(eval.expr(s.id, all[i]), s.values[i])
            << "seed " << seed << " step " << step << ": " << a.print(s.id) << " of " << s.made;
      }
      (a[s.id].type == kPred ? truths : numbers).push_back(s);
      if (a[s.id].type != kPred) {
        const std::int64_t lo = dice.roll(-4, 2), hi = lo + dice.roll(0, 6);
        const LinId d = a.data(s.id, lo, hi);
        for (std::size_t i = 0; i < all.size(); ++i) {
          ASSERT_EQ(eval.lin(d, all[i]), std::clamp(s.values[i], lo, hi)) << a.print(d);
        }
      }
    }
  }
}

}  // namespace
}  // namespace gg::test
