// Random bodies: nested folds, guards of every kind, data indices, tables, reshapes; compiled against the tree walk.
#include <cstdlib>
#include <utility>

#include "models/base/check.h"
#include "tests/unit/plan/plan_case.h"
#include "tests/unit/seeds.h"

namespace gg::test {
namespace {

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : c_(seed), engine_(seed * 7919 + 13) {
    types_ = {kF32, kF32, kS32};
    shapes_ = {{4, 6}, {30}, {3, 4}};
    for (std::size_t k = 0; k < types_.size(); ++k) c_.operand(types_[k], shapes_[k], -4, 14);
    for (std::int64_t n = roll(1, 3); n > 0; --n) box_.push_back(pick({1, 2, 3, 4, 5, 6, 9, 12, 20}));
    c_.output(box_);
  }

  PlanCase& plan_case() { return c_; }
  ExprId expr(ElementType type, int budget) {
    if (budget <= 0) return leaf(type);
    const auto kid = [&](int less) { return expr(type, budget - less); };
    switch (roll(0, 7)) {
      case 0:
        return c_.fn(ScalarFn::Add, type, {kid(1), kid(2)});
      case 1:
        return c_.fn(ScalarFn::Multiply, type, {kid(2), kid(1)});
      case 2:
        return c_.fn(ScalarFn::Max, type, {kid(1), kid(1)});
      case 3:
        return c_.arena.select(guard(budget), kid(1), kid(1));
      case 4:
        return c_.fn(ScalarFn::Convert, type, {expr(type == kF32 ? kS32 : kF32, budget - 2)});
      case 5:
      case 6:
        return fold(type, budget - 1);
      default:
        return leaf(type);
    }
  }

 private:
  std::int64_t roll(std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(hi - lo + 1));
  }
  std::int64_t pick(const std::vector<std::int64_t>& from) {
    return from[static_cast<std::size_t>(roll(0, static_cast<std::int64_t>(from.size()) - 1))];
  }

  LinId variable() {
    const auto d = static_cast<std::size_t>(roll(0, static_cast<std::int64_t>(box_.size()) - 1));
    return c_.arena.var(static_cast<int>(d), box_[d]);
  }

  LinId lin(int budget = 2) {
    Arena& a = c_.arena;
    LinId sum = roll(0, 3) == 0 ? a.constant(roll(-4, 4)) : variable();
    for (std::int64_t n = roll(0, 2); n > 0; --n) sum = a.axpy(roll(-3, 4), variable(), sum);
    switch (budget > 0 ? roll(0, 9) : 9) {
      case 0:
      case 1:
        return a.div(sum, roll(2, 7));
      case 2:
        return a.mod(sum, roll(2, 7));
      case 3:
        return a.add(sum, a.data(leaf(kS32, budget - 1), -2, roll(-1, 9)));
      case 4: {
        std::vector<std::int64_t> values;
        const std::int64_t n = roll(2, 6);
        for (std::int64_t k = 0; k < n; ++k) values.push_back(roll(-5, 9));
        return a.table(a.make_table(values), a.mod(sum, n));
      }
      default:
        return sum;
    }
  }

  GuardId guard(int budget) {
    std::vector<GuardId> kids;
    for (std::int64_t n = roll(1, 2); n > 0; --n) {
      const LinId l = lin();
      kids.push_back(roll(0, 2) == 0 ? c_.arena.eq0(l) : c_.arena.le0(l));
      if (roll(0, 4) == 0) kids.back() = c_.arena.negate(kids.back());
    }
    if (budget > 1 && roll(0, 3) == 0) return c_.arena.any(kids);
    return c_.arena.all(kids);
  }

  ExprId leaf(ElementType type, int budget = 2) {
    if (roll(0, 6) == 0) return c_.lit(type, static_cast<double>(roll(-3, 3)));
    if (roll(0, 6) == 0) return c_.arena.index(lin(budget), type);
    if (roll(0, 12) == 0) return c_.arena.unknown(type);
    const int k = type == kS32 ? 2 : static_cast<int>(roll(0, 1));
    std::vector<LinId> index;
    for (const std::int64_t n : shapes_[static_cast<std::size_t>(k)]) index.push_back(within(n, budget));
    return c_.read(k, index);
  }

  // A form whose range is inside [0, n): modulo, clamped data, or a variable that fits.
  LinId within(std::int64_t n, int budget) {
    const LinId l = lin(budget);
    if (c_.arena[l].lo >= 0 && c_.arena[l].hi < n) return l;
    if (roll(0, 3) == 0 && budget > 0) return c_.arena.data(leaf(kS32, budget - 1), 0, n - 1);
    return c_.arena.mod(l, n);
  }

  ExprId fold(ElementType type, int budget) {
    const std::size_t level = box_.size();
    if (level > 6) return leaf(type);
    const ExprId init = roll(0, 1) == 0 ? c_.lit(type, 0) : leaf(type);
    std::vector<std::int64_t> extents;
    for (std::int64_t n = roll(1, 2); n > 0; --n) extents.push_back(pick({1, 2, 3, 5, 10}));
    box_.insert(box_.end(), extents.begin(), extents.end());
    const GuardId g = roll(0, 1) == 0 ? c_.arena.always() : guard(budget);
    const ExprId body = expr(type, budget);
    box_.resize(level);
    const std::vector<ScalarFn> monoids = {ScalarFn::Add, ScalarFn::Add, ScalarFn::Max, ScalarFn::Multiply};
    const ScalarFn f = monoids[static_cast<std::size_t>(roll(0, 3))];
    return c_.arena.fold(f, init, static_cast<int>(level), extents, g, body);
  }

  PlanCase c_;
  std::mt19937_64 engine_;
  std::vector<std::int64_t> box_;
  std::vector<ElementType> types_;
  std::vector<std::vector<std::int64_t>> shapes_;
};

/// GG_FUZZ_SEEDS=FIRST:COUNT for a longer campaign.
std::pair<std::uint64_t, std::uint64_t> seeds() {
  const std::uint64_t kCount = seeds_of(1500);
  const char* const given = std::getenv("GG_FUZZ_SEEDS");
  if (given == nullptr) return {0, kCount};
  char* rest = nullptr;
  const std::uint64_t first = std::strtoull(given, &rest, 10);
  return {first, *rest == ':' ? std::strtoull(rest + 1, nullptr, 10) : kCount};
}

TEST(PlanFuzz, CompiledIsTheTreeWalk) {
  const auto [first, count] = seeds();
  std::uint64_t fit = 0;  // bodies that devices take
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Maker maker(seed);
    const ElementType type = seed % 3 == 0 ? kS32 : kF32;
    const ExprId root = maker.expr(type, 4);
    try {
      maker.plan_case().check(root, "seed " + std::to_string(seed), {NumberMode::F64});
    } catch (const InternalError& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what() << "\n"
                    << maker.plan_case().arena.print(root);
    }
    if (HasFailure()) return;
    if (seed % 10 == 0) maker.plan_case().check(root, "seed " + std::to_string(seed), {NumberMode::Real});
    if (HasFailure()) return;
    fit += maker.plan_case().check_on_device(root, "seed " + std::to_string(seed), NumberMode::F64) ? 1 : 0;
    maker.plan_case().check_on_device(root, "seed " + std::to_string(seed), NumberMode::Model);
    if (HasFailure()) return;
  }
  EXPECT_GT(fit, count * 9 / 10);
}

}  // namespace
}  // namespace gg::test
