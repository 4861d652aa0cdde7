// The normal form against pointwise evaluation: random index forms, conditions and values over boxes with extents 1, 2,
// 3, 5 (and multiples), sources with infinities, NaN and defined ones, integers at the edges of their types; and what
// the passes over terms (substitution, restriction, unfolding) make of them.
// GG_SEEDS=N runs N seeds of each kind (the nightly run: 200,000), GG_FIRST_SEED the first one.
#include <gtest/gtest.h>

#include <cstdlib>

#include "prover/checker/print.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "tests/unit/checker/evaluate.h"
#include "tests/unit/checker/random_tree.h"
#include "tests/unit/seeds.h"

namespace gg::checker::testing {
namespace {

std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// What a check allows one leaf. Single seeds (one in 10,000) would go on for a minute, to the limit of a whole check.
constexpr std::uint64_t kSteps = kSanitized ? 50'000 : 1'000'000;

struct Counts {
  std::uint64_t compared = 0, fragile = 0, limits = 0;
};

/// One random tree as a term, and its points.
struct Sample {
  explicit Sample(std::uint64_t s, int definitions) : seed(s), random(s) {
    if (definitions > 0) random.define(definitions);
  }
  void build() {
    t.allow(kSteps);
    builder = std::make_unique<Builder>(t, random.world, 3);
  }

  /// Calls f(Evaluation, Evaluator, seed of the assignment, point) at `limit` points, evenly spread.
  template <class F>
  void each_point(std::int64_t limit, Counts& counts, F f) {
    const std::int64_t x = random.world.extents.at(0), y = random.world.extents.at(1), z = random.world.extents.at(2);
    const std::int64_t box = x * y * z, stride = std::max<std::int64_t>(1, box / limit);
    for (std::int64_t n = 0; n < box; n += stride) {
      const std::int64_t at[] = {n % x, n / x % y, n / x / y};
      Point point;
      std::map<Var, std::int64_t> vars;
      for (std::int64_t k = 0; k < 3; ++k) {
        point[k] = at[k];
        vars[builder->var(k)] = at[k];
      }
      try {
        Evaluation truth(random.world, seed * 131 + static_cast<std::uint64_t>(n), point);
        Evaluator made(t, random.world, seed * 131 + static_cast<std::uint64_t>(n), vars);
        f(truth, made);
        ++counts.compared;
      } catch (const Fragile&) {
        ++counts.fragile;
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }

  std::string text(const Tree& tree, Value made) const {
    return "seed " + std::to_string(seed) + ": " + print(random.world, tree) + "\n became " + print(t, made) + "\n";
  }

  std::uint64_t seed;
  RandomTree random;
  Terms t;
  std::unique_ptr<Builder> builder;
};

/// Runs `one(sample, counts)` for all seeds; a limit of the checker is counted.
template <class F>
Counts each_seed(std::uint64_t seeds, int definitions, F one) {
  Counts counts;
  const std::uint64_t first = environment("GG_FIRST_SEED", 1), count = seeds_of(seeds);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    try {
      Sample sample(seed, definitions);
      sample.build();
      one(sample, counts);
    } catch (const Limit& limit) {
      if (std::getenv("GG_VERBOSE") != nullptr) std::printf("  seed %llu: %s\n", static_cast<unsigned long long>(seed), limit.what());
      ++counts.limits;
    }
    if (::testing::Test::HasFatalFailure()) break;
  }
  ::testing::Test::RecordProperty("compared", static_cast<int>(counts.compared));
  std::printf("  %llu points compared, %llu fragile, %llu seeds beyond a limit\n", static_cast<unsigned long long>(counts.compared),
              static_cast<unsigned long long>(counts.fragile), static_cast<unsigned long long>(counts.limits));
  return counts;
}

std::uint8_t class_of(double x) {
  if (std::isnan(x)) return Classes::kNaN;
  if (std::isinf(x)) return x > 0 ? Classes::kPosInf : Classes::kNegInf;
  return x > 0 ? Classes::kPos : x < 0 ? Classes::kNeg
                                       : Classes::kZero;
}

TEST(Fuzz, IndexForms) {
  each_seed(4000, 0, [](Sample& s, Counts& counts) {
    const Tree tree = s.random.index(4);
    const Index made = s.builder->index(tree);
    s.each_point(40, counts, [&](Evaluation& truth, Evaluator& e) {
      const Big x = truth.integer(tree);
      ASSERT_TRUE(x == e.index(made)) << "seed " << s.seed << ": " << print(s.random.world, tree) << " became " << print(s.t, made);
      ASSERT_TRUE(s.t[made].lo <= x && x <= s.t[made].hi) << "seed " << s.seed << ": range of " << print(s.t, made);
    });
  });
}

TEST(Fuzz, Integers) {
  each_seed(6000, 0, [](Sample& s, Counts& counts) {
    static constexpr ElementType types[] = {ElementType::S32, ElementType::U32, ElementType::S8};
    const Tree tree = s.random.integer(types[s.random.below(3)], 3);
    const Value made = s.builder->value(tree);
    s.each_point(12, counts, [&](Evaluation& truth, Evaluator& e) {
      const Big x = truth.integer(tree);
      ASSERT_TRUE(x == e.integer(made)) << s.text(tree, made) << static_cast<double>(x) << " became " << static_cast<double>(e.integer(made));
      const Range r = integer_range(s.t, made);
      ASSERT_TRUE((r.lo <= -kFar || r.lo <= x) && (r.hi >= kFar || x <= r.hi)) << s.text(tree, made) << "range " << r.lo << ".." << r.hi;
      ASSERT_TRUE(classes_of(s.t, made).set() & class_of(static_cast<double>(x))) << s.text(tree, made);
    });
  });
}

TEST(Fuzz, Conditions) {
  each_seed(6000, 0, [](Sample& s, Counts& counts) {
    const Tree tree = s.random.condition(3);
    const Value made = s.builder->value(tree);
    s.each_point(24, counts, [&](Evaluation& truth, Evaluator& e) {
      ASSERT_EQ(truth.condition(tree), e.value(made) != 0) << s.text(tree, made);
    });
  });
}

TEST(Fuzz, Values) {
  const Counts counts = each_seed(12000, 0, [](Sample& s, Counts& c) {
    const Tree tree = s.random.value(3);
    const Value made = s.builder->value(tree);
    s.each_point(6, c, [&](Evaluation& truth, Evaluator& e) {
      const double x = truth.real(tree);
      ASSERT_TRUE(same(x, e.value(made))) << s.text(tree, made) << x << " became " << e.value(made);
      ASSERT_TRUE(classes_of(s.t, made).set() & class_of(x)) << s.text(tree, made) << "classes exclude " << x;
    });
  });
  EXPECT_GT(counts.compared, 2 * counts.fragile);
  EXPECT_LT(counts.limits * 50, counts.compared);
}

// Restricted to a condition, a value is the same wherever the condition holds.
TEST(Fuzz, Restrictions) {
  each_seed(6000, 0, [](Sample& s, Counts& counts) {
    const Tree condition = s.random.condition(2), tree = s.random.value(3);
    const Value made = s.builder->value(tree), guard = s.builder->value(condition);
    Value restricted = made;
    try {
      restricted = restrict(s.t, literals_of(s.t, guard), made);
    } catch (const Limit&) {
      return;  // no conjunction
    }
    const Value chosen = choose(s.t, guard, made, number(s.t, 0));
    s.each_point(8, counts, [&](Evaluation& truth, Evaluator& e) {
      const bool holds = truth.condition(condition);
      const double x = holds ? truth.real(tree) : 0;
      ASSERT_TRUE(!holds || same(x, e.value(restricted))) << s.text(tree, restricted) << " under " << print(s.random.world, condition);
      ASSERT_TRUE(same(x, e.value(chosen))) << s.text(tree, chosen) << " chosen by " << print(s.random.world, condition);
    });
  });
}

// Substitution of the variables by forms that stay in their boxes.
TEST(Fuzz, Substitutions) {
  each_seed(6000, 0, [](Sample& s, Counts& counts) {
    const Tree tree = s.random.value(3);
    const Value made = s.builder->value(tree);
    std::vector<Index> to;
    std::vector<std::pair<Var, Index>> map;
    for (std::int64_t k = 0; k < 3; ++k) {
      to.push_back(clamp(s.t, s.builder->index(s.random.index(2)), 0, s.random.world.extents.at(k) - 1));
      map.emplace_back(s.builder->var(k), to.back());
    }
    Substitution substitution(s.t, map);
    const Value replaced = substitution(made);
    s.each_point(6, counts, [&](Evaluation&, Evaluator& e) {
      std::map<Var, std::int64_t> vars;
      Point point;
      for (std::int64_t k = 0; k < 3; ++k) {
        point[k] = static_cast<std::int64_t>(e.index(to[static_cast<std::size_t>(k)]));
      }
      Evaluation there(s.random.world, e.seed(), point);
      const double x = there.real(tree);
      ASSERT_TRUE(same(x, e.value(replaced))) << s.text(tree, replaced) << x << " became " << e.value(replaced);
    });
  });
}

// Reads of defined sources, and the same with the reads expanded.
TEST(Fuzz, Unfolding) {
  each_seed(4000, 2, [](Sample& s, Counts& counts) {
    const Tree tree = s.random.value(3);
    const Value made = s.builder->value(tree), once = unfold_all(s.t, made, 1), twice = unfold_all(s.t, made, 2);
    const Value marked = unfold(s.t, made, Marks{{15, 2}});
    s.each_point(5, counts, [&](Evaluation& truth, Evaluator& e) {
      const double x = truth.real(tree);
      ASSERT_TRUE(same(x, e.value(made))) << s.text(tree, made) << x << " became " << e.value(made);
      ASSERT_TRUE(same(x, e.value(once))) << s.text(tree, once) << x << " became " << e.value(once);
      ASSERT_TRUE(same(x, e.value(twice))) << s.text(tree, twice) << x << " became " << e.value(twice);
      ASSERT_TRUE(same(x, e.value(marked))) << s.text(tree, marked) << x << " became " << e.value(marked);
    });
  });
}

// Not needed for truth, but a proof is lost where it fails: the order of operands leaves no trace, and a rebuilt term is
// the same term. Counted; the shares are bounded.
TEST(Fuzz, NormalFormsAreStable) {
  std::uint64_t terms = 0, order = 0, rebuilt = 0;
  each_seed(3000, 0, [&](Sample& s, Counts&) {
    const Tree tree = s.random.value(3);
    const Value made = s.builder->value(tree), other = s.builder->value(s.random.shuffled(tree));
    class Rebuild : public Rewriter {
     public:
      using Rewriter::Rewriter;

     protected:
      bool unchanged(VarSet) override { return false; }
    } rebuild(s.t);
    const Value again = rebuild(made);
    ++terms;
    order += made != other ? 1 : 0;
    rebuilt += made != again ? 1 : 0;
    if (std::getenv("GG_VERBOSE") != nullptr && made != again) std::printf("%s and rebuilt %s\n", s.text(tree, made).c_str(), print(s.t, again).c_str());
    if (std::getenv("GG_VERBOSE") != nullptr && made != other) {
      std::printf("%s and shuffled %s\n", s.text(tree, made).c_str(), print(s.t, other).c_str());
    }
  });
  std::printf("  of %llu terms %llu differ by order of operands, %llu when rebuilt\n", static_cast<unsigned long long>(terms),
              static_cast<unsigned long long>(order), static_cast<unsigned long long>(rebuilt));
}

}  // namespace
}  // namespace gg::checker::testing
