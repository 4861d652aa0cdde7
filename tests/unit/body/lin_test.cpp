// Index forms: every constructor against pointwise evaluation over the whole box, ranges, and the normal forms that the
// rest of the program relies on.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "models/base/check.h"
#include "tests/unit/body/pointwise.h"

namespace gg::test {
namespace {

TEST(Lin, ExtentOneIsZero) {
  Arena a;
  EXPECT_EQ(a.var(3, 1), a.constant(0));
  EXPECT_EQ(a.var(3, 0), a.constant(0));
  EXPECT_NE(a.var(3, 2), a.constant(0));
}

TEST(Lin, AddIsCommutativeAndCancels) {
  Arena a;
  const LinId x = a.var(0, 5), y = a.var(1, 7);
  EXPECT_EQ(a.add(x, y), a.add(y, x));
  EXPECT_EQ(a.sub(a.add(x, y), y), x);
  EXPECT_EQ(a.sub(x, x), a.constant(0));
  EXPECT_EQ(a.axpy(0, x, y), y);
}

TEST(Lin, DivMovesQuotientsOut) {
  Arena a;
  const LinId x = a.var(0, 5), y = a.var(1, 4);
  EXPECT_EQ(a.div(a.axpy(4, x, y), 4), x);
  EXPECT_EQ(a.mod(a.axpy(4, x, y), 4), y);
  EXPECT_EQ(a.div(a.axpy(12, x, a.axpy(3, y, a.constant(2))), 3), a.axpy(4, x, y));
  EXPECT_EQ(a.div(a.div(a.var(2, 100), 3), 5), a.div(a.var(2, 100), 15));
  EXPECT_EQ(a.div(a.constant(-7), 2), a.constant(-4));
  EXPECT_EQ(a.div(a.offset(a.var(0, 8), 7 * 8), 8), a.constant(7));
  EXPECT_EQ(a.div(x, 1), x);
}

TEST(Lin, DivOfDigitSumCancels) {  // (8 X + 4 Y + Z mod 4) div 8 with a mod that is no variable
  Arena a;
  const LinId x = a.var(0, 5), y = a.var(1, 2), z = a.var(2, 30);
  const LinId sum = a.axpy(8, x, a.axpy(4, y, a.mod(z, 4)));
  EXPECT_EQ(a.div(sum, 8), x);
  EXPECT_EQ(a.div(sum, 4), a.axpy(2, x, y));
}

TEST(Lin, RangeOfDigits) {
  Arena a;
  const LinId v = a.var(0, 100);
  EXPECT_EQ(a[a.mod(v, 7)].lo, 0);
  EXPECT_EQ(a[a.mod(v, 7)].hi, 6);
  const LinId digit = a.mod(a.div(v, 4), 3);
  EXPECT_EQ(a[digit].lo, 0);
  EXPECT_EQ(a[digit].hi, 2);
  const LinId shifted = a.mod(a.offset(a.var(1, 4), 3), 4);  // a ring's neighbour
  EXPECT_EQ(a[shifted].lo, 0);
  EXPECT_EQ(a[shifted].hi, 3);
  const LinId address = a.axpy(12, a.mod(v, 7), a.scale(4, digit));
  EXPECT_EQ(a[address].lo, 0);
  EXPECT_EQ(a[address].hi, 6 * 12 + 8);
}

TEST(Lin, ReshapeChainsTelescope) {
  Arena a;
  const std::vector<std::int64_t> from = {6, 7, 4}, via = {12, 14}, back = {6, 7, 4};
  const std::vector<LinId> index = {a.var(0, 6), a.var(1, 7), a.var(2, 4)};
  const std::vector<LinId> middle = a.unflatten(a.flatten(index, from), via);
  EXPECT_EQ(a.flatten(middle, via), a.flatten(index, from));
  EXPECT_EQ(a.unflatten(a.flatten(middle, via), back), index);
}

TEST(Lin, OverflowIsAnError) {
  Arena a;
  const LinId x = a.scale(std::int64_t{1} << 40, a.var(0, 1 << 10));
  EXPECT_THROW(a.scale(std::int64_t{1} << 20, x), InternalError);
}

TEST(Lin, TablesFoldWhenAffine) {
  Arena a;
  const LinId r = a.var(0, 4);
  EXPECT_EQ(a.table(a.make_table({7, 7, 7, 7}), r), a.constant(7));
  EXPECT_EQ(a.table(a.make_table({1, 3, 5, 7}), r), a.offset(a.scale(2, r), 1));
  EXPECT_EQ(a.table(a.make_table({9, 3, 5, 7}), a.offset(a.var(0, 3), 1)), a.offset(a.scale(2, a.var(0, 3)), 3));
  const LinId t = a.table(a.make_table({2, 0, 3, 1}), r);
  EXPECT_EQ(a.atom(a.terms(t)[0].atom).kind, AtomKind::Table);
  EXPECT_EQ(a[t].hi, 3);
  EXPECT_THROW(a.table(a.make_table({2, 0, 3}), r), InternalError);
  // a transposed 2 x 3 device order: affine in the digits, not in the rank
  const LinId rank = a.axpy(3, a.var(0, 2), a.var(1, 3));
  EXPECT_EQ(a.table(a.make_table({0, 2, 4, 1, 3, 5}), rank), a.axpy(2, a.var(1, 3), a.var(0, 2)));
  const LinId half = a.div(a.var(2, 8), 4), third = a.offset(half, 1);  // atoms of any kind are taken as variables of their ranges
  EXPECT_EQ(a.table(a.make_table({0, 4, 1, 5}), a.axpy(2, a.var(0, 2), half)), a.axpy(4, half, a.var(0, 2)));
  EXPECT_NE(a.table(a.make_table({0, 4, 1, 6}), a.axpy(2, a.var(0, 2), half)), a.axpy(4, half, a.var(0, 2)));
  EXPECT_EQ(a.table(a.make_table({9, 0, 4, 1, 5}), a.axpy(2, a.var(0, 2), third)), a.axpy(4, half, a.var(0, 2)));
}

TEST(Lin, QuotientsOfTablesAreTables) {
  Arena a;
  const LinId r = a.var(0, 4), high = a.axpy(2, r, a.var(1, 2));
  const LinId mixed = a.table(a.make_table({0, 5, 1, 6, 2, 7, 3, 4}), high);
  EXPECT_EQ(a.div(mixed, 4), a.var(1, 2));
  EXPECT_NE(a.div(a.table(a.make_table({0, 5, 1, 6, 2, 3, 7, 4}), high), 4), a.var(1, 2));
  const LinId t = a.table(a.make_table({3, 0, 2, 1}), r);
  EXPECT_EQ(a.div(t, 2), a.table(a.make_table({1, 0, 1, 0}), r));
  EXPECT_EQ(a.div(a.offset(a.scale(-1, t), 2), 3), a.table(a.make_table({-1, 0, 0, 0}), r));
  EXPECT_EQ(a.div(a.axpy(4, t, a.var(1, 2)), 4), t);
  EXPECT_NE(a.div(t, 2), a.div(t, 3));
}

TEST(Lin, TablesOfExtremeEntriesStayTables) {  // their differences, or the form that they fold to, leave 64 bits
  Arena a;
  constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min(), kMax = std::numeric_limits<std::int64_t>::max();
  const LinId rank = a.axpy(2, a.var(0, 2), a.var(1, 2));
  for (const std::vector<std::int64_t>& values :
       {std::vector<std::int64_t>{kMin, kMax, kMin, kMax}, {kMax, kMin, 0, 1}, {kMin, 0, kMin, 0}, {0, kMax, 0, kMax}, {kMin, kMin + 1, kMin + 2, kMin + 3}, {kMax, kMax - 1, kMax - 2, kMax - 3}}) {
    const LinId form = a.table(a.make_table(values), rank);
    EXPECT_EQ(a[form].lo, *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(a[form].hi, *std::max_element(values.begin(), values.end()));
    EXPECT_EQ(a.atom(a.terms(form)[0].atom).kind, AtomKind::Table);
  }
}

TEST(Lin, DataOfIndexIsTheIndex) {
  Arena a;
  const LinId v = a.var(0, 8);
  EXPECT_EQ(a.data(a.index(v, ElementType::S32), 0, 7), v);
  EXPECT_EQ(a.data(a.index(v, ElementType::S32), 9, 12), a.constant(9));
  EXPECT_EQ(a.data(a.lit(Scalar::of_int(ElementType::S32, 40)), 0, 7), a.constant(7));
  const ExprId r = a.read(0, ElementType::S32, {});
  const ExprId clamped = a.fn(
      ScalarFn::Clamp, ElementType::S32,
      std::vector<ExprId>{a.lit(Scalar::of_int(ElementType::S32, 2)), r, a.lit(Scalar::of_int(ElementType::S32, 30))});
  EXPECT_EQ(a.data(clamped, 0, 7), a.data(r, 2, 7));
}

// Random trees: form and expected values over the box grow together.
struct LinSample {
  LinId id;
  std::vector<std::int64_t> values;
};

std::vector<LinSample> leaves(Arena& a, const std::vector<std::int64_t>& box, const std::vector<Point>& all) {
  std::vector<LinSample> pool;
  for (std::size_t d = 0; d < box.size(); ++d) {
    LinSample s{a.var(static_cast<int>(d), box[d]), {}};
    for (const Point& p : all) s.values.push_back(p[d]);
    pool.push_back(s);
  }
  return pool;
}

LinSample combine(Arena& a, Dice& dice, const std::vector<LinSample>& pool) {
  const LinSample x = dice.pick(pool), y = dice.pick(pool);
  const std::int64_t c = dice.roll(-6, 12), m = dice.roll(1, 12);
  LinSample r;
  const auto each = [&](auto f) {
    for (std::size_t i = 0; i < x.values.size(); ++i) r.values.push_back(f(x.values[i], y.values[i]));
  };
  const auto floored = [](std::int64_t v, std::int64_t n) { return v / n - (v % n < 0 ? 1 : 0); };
  switch (dice.roll(0, 5)) {
    case 0:
      r.id = a.axpy(c, x.id, y.id);
      each([&](auto u, auto v) { return c * u + v; });
      break;
    case 1:
      r.id = a.offset(x.id, c);
      each([&](auto u, auto) { return u + c; });
      break;
    case 2:
      r.id = a.div(x.id, m);
      each([&](auto u, auto) { return floored(u, m); });
      break;
    case 3:
      r.id = a.mod(x.id, m);
      each([&](auto u, auto) { return u - m * floored(u, m); });
      break;
    case 4:
      r.id = a.axpy(m, x.id, a.mod(y.id, m));
      each([&](auto u, auto v) { return m * u + v - m * floored(v, m); });
      break;
    default: {
      const Lin l = a[x.id];
      if (l.hi - l.lo > 60) return x;
      std::vector<std::int64_t> values;
      const bool affine = dice.roll(0, 2) == 0;
      for (std::int64_t k = l.lo; k <= l.hi; ++k) values.push_back(affine ? 3 * k - c : dice.roll(0, 5));
      r.id = a.table(a.make_table(values), a.offset(x.id, -l.lo));
      each([&](auto u, auto) { return values[static_cast<std::size_t>(u - l.lo)]; });
    }
  }
  return r;
}

TEST(LinFuzz, ConstructorsAgreeWithEveryPoint) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Arena a;
    Dice dice(seed);
    const std::vector<std::int64_t> box = random_box(dice);
    const std::vector<Point> all = points(box);
    std::vector<LinSample> pool = leaves(a, box, all);
    const Pointwise eval(a);
    for (int step = 0; step < 14; ++step) {
      const LinSample s = combine(a, dice, pool);
      if (a[s.id].hi - a[s.id].lo > 1'000'000) continue;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::int64_t v = s.values[i];
        ASSERT_EQ(eval.lin(s.id, all[i]), v) << "seed " << seed << " step " << step << ": " << a.print(s.id);
        ASSERT_TRUE(a[s.id].lo <= v && v <= a[s.id].hi) << "seed " << seed << ": " << a.print(s.id);
      }
      pool.push_back(s);
    }
  }
}

TEST(LinFuzz, ReshapesAreIdentitiesOnTheAddress) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Arena a;
    Dice dice(seed);
    const auto shape = [&] {  // a random factorisation of 720
      std::vector<std::int64_t> dims;
      std::int64_t rest = 720;
      while (rest > 1 && dims.size() < 3) {
        const std::int64_t f = dice.pick(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16, 20, 24});
        if (rest % f == 0) dims.push_back(f), rest /= f;
      }
      dims.push_back(rest);
      return dims;
    };
    const std::vector<std::int64_t> out = shape();
    std::vector<LinId> index;
    for (std::size_t d = 0; d < out.size(); ++d) index.push_back(a.var(static_cast<int>(d), out[d]));
    const LinId address = a.flatten(index, out);
    std::vector<std::int64_t> dims = out;
    for (int step = 0; step < 3; ++step) {
      const std::vector<std::int64_t> next = shape();
      index = a.unflatten(a.flatten(index, dims), next);
      dims = next;
      for (std::size_t d = 0; d < dims.size(); ++d) {
        EXPECT_GE(a[index[d]].lo, 0);
        EXPECT_LT(a[index[d]].hi, dims[d]) << a.print(index[d]);
      }
    }
    EXPECT_EQ(a.flatten(index, dims), address);
  }
}

}  // namespace
}  // namespace gg::test
