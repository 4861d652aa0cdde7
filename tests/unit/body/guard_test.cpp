// Guards: canonical single conditions, sets, negation; all against pointwise truth over the box.
#include <gtest/gtest.h>

#include "tests/unit/body/pointwise.h"

namespace gg::test {
namespace {

TEST(Guard, RangesDecide) {
  Arena a;
  const LinId v = a.var(0, 5);
  EXPECT_EQ(a.lt(v, a.constant(5)), a.always());
  EXPECT_EQ(a.lt(v, a.constant(0)), a.never());
  EXPECT_EQ(a.eq(v, a.constant(5)), a.never());
  EXPECT_EQ(a.between(0, v, 5), a.always());
  EXPECT_EQ(a[a.between(1, v, 4)].kind, GuardKind::And);
}

TEST(Guard, DividesByTheGcd) {
  Arena a;
  const LinId v = a.var(0, 50);
  EXPECT_EQ(a.le(a.scale(3, v), a.constant(10)), a.le(v, a.constant(3)));
  EXPECT_EQ(a.eq(a.scale(3, v), a.constant(10)), a.never());
  EXPECT_EQ(a.eq(a.scale(3, v), a.constant(9)), a.eq(a.constant(3), v));
}

TEST(Guard, SpellingsOfOneCondition) {
  Arena a;
  const LinId v = a.var(0, 8), w = a.var(1, 8);
  EXPECT_EQ(a.le(v, a.constant(0)), a.eq(v, a.constant(0)));
  EXPECT_EQ(a.negate(a.eq(v, a.constant(0))), a.le(a.constant(1), v));
  EXPECT_EQ(a.eq(v, w), a.eq(w, v));
  EXPECT_EQ(a.negate(a.negate(a.eq(v, w))), a.eq(v, w));
  EXPECT_EQ(a.eq(a.div(v, 4), a.constant(1)), a.le(a.constant(4), v));
  EXPECT_EQ(a.lt(a.div(v, 4), w), a.lt(v, a.scale(4, w)));
}

TEST(Guard, SetsMerge) {
  Arena a;
  const LinId v = a.var(0, 20), w = a.var(1, 20);
  const auto both = [&](GuardId x, GuardId y) { return a.all(std::vector<GuardId>{x, y}); };
  const auto either = [&](GuardId x, GuardId y) { return a.any(std::vector<GuardId>{x, y}); };
  const GuardId small = a.lt(v, a.constant(5)), smaller = a.lt(v, a.constant(3)), large = a.lt(a.constant(9), v);
  EXPECT_EQ(both(small, smaller), smaller);
  EXPECT_EQ(either(small, smaller), small);
  EXPECT_EQ(both(small, large), a.never());
  EXPECT_EQ(either(small, a.negate(small)), a.always());
  EXPECT_EQ(both(small, a.negate(small)), a.never());
  EXPECT_EQ(both(a.le(v, w), a.le(w, v)), a.eq(v, w));
  EXPECT_EQ(both(a.eq(v, w), a.le(w, v)), a.eq(v, w));
  EXPECT_EQ(both(a.le(v, w), a.negate(a.eq(v, w))), a.lt(v, w));
  EXPECT_EQ(either(a.lt(v, w), a.eq(v, w)), a.le(v, w));
  EXPECT_EQ(both(small, a.always()), small);
  EXPECT_EQ(a.all({}), a.always());
  EXPECT_EQ(a.any({}), a.never());
}

struct GuardSample {
  GuardId id;
  std::vector<bool> truth;
};

LinId random_lin(Arena& a, Dice& dice, const std::vector<std::int64_t>& box) {
  LinId sum = a.constant(dice.roll(-6, 6));
  for (std::size_t d = 0; d < box.size(); ++d) {
    if (dice.roll(0, 1) == 0) continue;
    LinId v = a.var(static_cast<int>(d), box[d]);
    if (dice.roll(0, 3) == 0) v = a.div(a.offset(v, dice.roll(0, 3)), dice.roll(2, 4));
    if (dice.roll(0, 5) == 0) v = a.mod(v, dice.roll(2, 4));
    sum = a.axpy(dice.roll(-3, 3), v, sum);
  }
  return sum;
}

TEST(GuardFuzz, AgreesWithEveryPoint) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Arena a;
    Dice dice(seed);
    const std::vector<std::int64_t> box = random_box(dice, 3);
    const std::vector<Point> all = points(box);
    const Pointwise eval(a);
    std::vector<GuardSample> pool;
    for (int step = 0; step < 24; ++step) {
      GuardSample s;
      const std::int64_t kind = pool.size() < 6 ? dice.roll(0, 1) : dice.roll(0, 6);
      if (kind <= 1) {
        const LinId l = random_lin(a, dice, box);
        s.id = kind == 0 ? a.le0(l) : a.eq0(l);
        for (const Point& p : all) s.truth.push_back(kind == 0 ? eval.lin(l, p) <= 0 : eval.lin(l, p) == 0);
      } else if (kind == 2) {
        const GuardSample x = dice.pick(pool);
        s.id = a.negate(x.id);
        for (const bool t : x.truth) s.truth.push_back(!t);
      } else {
        const bool conjunction = kind % 2 == 0;
        std::vector<GuardId> kids;
        s.truth.assign(all.size(), conjunction);
        for (std::int64_t n = dice.roll(1, 4); n > 0; --n) {
          const GuardSample x = dice.pick(pool);
          kids.push_back(x.id);
          for (std::size_t i = 0; i < all.size(); ++i) {
            s.truth[i] = conjunction ? s.truth[i] && x.truth[i] : s.truth[i] || x.truth[i];
          }
        }
        s.id = conjunction ? a.all(kids) : a.any(kids);
      }
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(eval.guard(s.id, all[i]), s.truth[i]) << "seed " << seed << ": " << a.print(s.id);
      }
      for (const GuardId k : a.kids(s.id)) {  // flattened, no constants inside
        ASSERT_NE(a[k].kind, a[s.id].kind) << a.print(s.id);
        ASSERT_NE(a[k].kind, GuardKind::True);
        ASSERT_NE(a[k].kind, GuardKind::False);
      }
      pool.push_back(s);
    }
  }
}

}  // namespace
}  // namespace gg::test
