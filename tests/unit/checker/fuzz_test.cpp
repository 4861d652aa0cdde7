// The normal form against pointwise evaluation: random index forms, conditions and values over boxes with extents 1, 2,
// 3, 5 (and multiples), anchors with infinities and NaN.
#include <gtest/gtest.h>

#include <memory>

#include "prover/checker/print.h"
#include "prover/checker/unfold.h"
#include "tests/unit/checker/evaluate.h"

namespace gg::checker::testing {
namespace {

/// A random term: how to make it, and what it is at a point.
struct Tree {
  Value made;
  std::function<double(Evaluator&)> truth;
};
struct IndexTree {
  Index made;
  std::function<std::int64_t(Evaluator&)> truth;
};

class Random {
 public:
  Random(Terms& t, std::uint64_t seed) : t_(t), engine_(seed) {
    const std::int64_t extents[] = {1, 2, 3, 5, 4, 6, 8};
    for (std::uint32_t k = 0; k < 3; ++k) {
      vars_.push_back(t.var(k == 0 ? Space::Rank : Space::Out, k, extents[below(7)]));
      scope_.push_back(vars_.back());
    }
    anchor("a", ElementType::F64, 2, Classes(Classes::kReal));
    anchor("b", ElementType::F64, 1, Classes(Classes::kReal));
    anchor("p", ElementType::F64, 1, Classes(Classes::kPos));
    anchor("w", ElementType::F64, 1, Classes());
    anchor("i", ElementType::S32, 1, Classes(Classes::kReal));
    anchor("c", ElementType::Pred, 1, Classes(Classes::kReal));
    anchor("n", ElementType::F64, 1, Classes(Classes::kReal | Classes::kNegInf));
  }
  const std::vector<Var>& vars() const { return vars_; }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }
  std::int64_t between(std::int64_t lo, std::int64_t hi) { return lo + below(hi - lo + 1); }

  IndexTree index(int depth) {
    const std::int64_t kind = depth == 0 ? below(2) : below(9);
    if (kind == 0) {
      const std::int64_t c = between(-4, 9);
      return {constant(t_, c), [c](Evaluator&) { return c; }};
    }
    if (kind <= 2) {
      const Var v = scope_[static_cast<std::size_t>(below(static_cast<std::int64_t>(scope_.size())))];
      const Index form = variable(t_, v);
      const bool unit = t_[v].extent <= 1;
      return {form, [this, v, unit](Evaluator& e) { return unit ? 0 : e.index(variable(t_, v)); }};
    }
    const IndexTree x = index(depth - 1);
    if (kind <= 4) {
      const IndexTree y = index(depth - 1);
      const std::int64_t f = pick({1, 1, -1, 2, 3, 4, 5, 8, -4});
      return {axpy(t_, f, x.made, y.made), [=](Evaluator& e) { return f * x.truth(e) + y.truth(e); }};
    }
    const std::int64_t m = pick({1, 2, 3, 4, 5, 6, 8, 16});
    if (kind == 5) return {divide(t_, x.made, m), [=](Evaluator& e) { return floor_div(x.truth(e), m); }};
    if (kind == 6) return {modulo(t_, x.made, m), [=](Evaluator& e) { return x.truth(e) - m * floor_div(x.truth(e), m); }};
    if (kind == 7) {
      const std::int64_t lo = between(-3, 4), hi = lo + below(6);
      return {clamp(t_, x.made, lo, hi), [=](Evaluator& e) { return std::min(std::max(x.truth(e), lo), hi); }};
    }
    if (below(2) == 0) {
      std::vector<std::int64_t> entries;
      for (std::int64_t k = 0; k < 4; ++k) entries.push_back(between(-3, 6));
      const Index at = clamp(t_, x.made, 0, 3);
      return {table(t_, entries, at), [=](Evaluator& e) { return entries[static_cast<std::size_t>(std::clamp<std::int64_t>(x.truth(e), 0, 3))]; }};
    }
    return {to_index(t_, read(t_, 4, {x.made})),
            [=](Evaluator& e) { return static_cast<std::int64_t>(e.read(4, {x.truth(e)})); }};
  }

  Tree condition(int depth) {
    const std::int64_t kind = depth == 0 ? below(3) : below(8);
    if (kind <= 1) {
      const IndexTree x = index(2);
      if (kind == 0) return {ge(t_, x.made), [=](Evaluator& e) { return static_cast<double>(x.truth(e) >= 0); }};
      return {eq(t_, x.made), [=](Evaluator& e) { return static_cast<double>(x.truth(e) == 0); }};
    }
    if (kind == 2) {
      const IndexTree x = index(1);
      return {read(t_, 5, {x.made}), [=](Evaluator& e) { return e.read(5, {x.truth(e)}); }};
    }
    if (kind == 3) {
      const IndexTree x = index(1), y = index(1);
      const bool lt = below(2) == 0;
      const Value a = read(t_, 3, {x.made}), b = read(t_, 1, {y.made});
      return {apply(t_, lt ? ScalarFn::CompareLt : ScalarFn::CompareGe, ElementType::Pred, ElementType::F64, {a, b}),
              [=](Evaluator& e) {
                const double u = e.read(3, {x.truth(e)}), v = e.read(1, {y.truth(e)});
                return static_cast<double>(lt ? u < v : u >= v);
              }};
    }
    const Tree a = condition(depth - 1);
    if (kind == 4) return {negate(t_, a.made), [=](Evaluator& e) { return 1 - a.truth(e); }};
    const Tree b = condition(depth - 1);
    if (kind <= 6) {
      return {both(t_, a.made, b.made), [=](Evaluator& e) { return a.truth(e) * b.truth(e); }};
    }
    return {either(t_, a.made, b.made), [=](Evaluator& e) { return std::max(a.truth(e), b.truth(e)); }};
  }

  Tree value(int depth) {
    const std::int64_t kind = depth == 0 ? below(4) : below(16);
    if (kind == 0) {
      const std::int64_t n = between(-3, 3);
      const Rational c = Rational::ratio(n, 2);
      return {number(t_, c), [n](Evaluator&) { return static_cast<double>(n) / 2; }};
    }
    if (kind == 1) {
      const IndexTree x = index(1);
      return {from_index(t_, x.made), [=](Evaluator& e) { return static_cast<double>(x.truth(e)); }};
    }
    if (kind <= 4) return read_of(pick({0, 1, 2, 3, 6, 0, 1}));
    const Tree a = value(depth - 1);
    switch (kind) {
      case 5: return {exponential(t_, a.made), [=](Evaluator& e) { return checked(std::exp(a.truth(e))); }};
      case 6: {
        const Rational half = Rational::ratio(1, 2);
        const std::int64_t which = below(4);
        const Rational e4[] = {-1, 2, half, Rational::ratio(-1, 2)};
        const double exps[] = {-1, 2, 0.5, -0.5};
        const double x = exps[which];
        return {power(t_, a.made, e4[which]), [=](Evaluator& e) { return power_of(a.truth(e), x); }};
      }
      case 7: return {logarithm(t_, a.made), [=](Evaluator& e) { return log_of(a.truth(e)); }};
      case 8: {
        const Tree c = condition(1), b = value(depth - 1);
        return {choose(t_, c.made, a.made, b.made), [=](Evaluator& e) { return c.truth(e) != 0 ? a.truth(e) : b.truth(e); }};
      }
      case 9: {
        const Tree b = value(depth - 1);
        return {maximum(t_, a.made, b.made), [=](Evaluator& e) { return max_of(a.truth(e), b.truth(e)); }};
      }
      case 10: case 11: {
        const Tree b = value(depth - 1);
        return {sum(t_, a.made, b.made), [=](Evaluator& e) { return checked(a.truth(e) + b.truth(e)); }};
      }
      case 12: {
        const Tree b = value(depth - 1);
        return {product(t_, a.made, b.made), [=](Evaluator& e) { return checked(a.truth(e) * b.truth(e)); }};
      }
      default: return fold(depth);
    }
  }

 private:
  std::int64_t pick(std::initializer_list<std::int64_t> list) {
    return *(list.begin() + below(static_cast<std::int64_t>(list.size())));
  }

  void anchor(const std::string& name, ElementType type, int rank, Classes classes) {
    Anchor a;
    a.name = name;
    a.type = type;
    a.classes = classes;
    a.lo = is_integral(type) ? -1 : -kFar;
    a.hi = is_integral(type) ? 6 : kFar;
    for (int k = 0; k < rank; ++k) a.vars.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(k), pick({2, 3, 5, 8})));
    t_.anchors.push_back(std::move(a));
  }

  Tree read_of(std::int64_t id) {
    std::vector<IndexTree> at;
    std::vector<Index> made;
    const auto anchor = static_cast<std::uint32_t>(id);
    for (std::size_t k = 0; k < t_.anchors[anchor].vars.size(); ++k) {
      at.push_back(index(1));
      made.push_back(at.back().made);
    }
    return {read(t_, anchor, made), [=](Evaluator& e) {
              std::vector<std::int64_t> numbers;
              for (const IndexTree& x : at) numbers.push_back(x.truth(e));
              return e.read(anchor, numbers);
            }};
  }

  Tree fold(int depth) {
    const ScalarFn fn = below(3) == 0 ? ScalarFn::Max : ScalarFn::Add;
    const std::uint32_t before = t_.open_binders;
    const auto outer = scope_;
    std::vector<Var> vars;
    for (std::int64_t k = 0; k <= below(2); ++k) {
      vars.push_back(t_.var(Space::Temp, t_.open_binders++, pick({1, 2, 3, 4, 5, 8})));
      scope_.push_back(vars.back());
      scope_.push_back(vars.back());  // likelier
    }
    const Tree guard = below(2) == 0 ? condition(1) : Tree{boolean(t_, true), [](Evaluator&) { return 1.0; }};
    const Tree body = value(depth - 1);
    scope_ = outer;
    const Value made = checker::fold(t_, fn, ElementType::Token, vars, guard.made, body.made);
    t_.open_binders = before;
    return {made, [=, this](Evaluator& e) {
              double total = fn == ScalarFn::Max ? -kInf : 0;
              std::vector<std::int64_t> at(vars.size(), 0);
              const std::function<void(std::size_t)> loop = [&](std::size_t k) {
                if (k == vars.size()) {
                  if (guard.truth(e) == 0) return;
                  const double x = body.truth(e);
                  total = fn == ScalarFn::Max ? max_of(total, x) : total + x;
                  return;
                }
                const bool bound = e.bound(vars[k]);
                const std::int64_t old = bound ? e.at(vars[k]) : 0;
                for (std::int64_t x = 0; x < t_[vars[k]].extent; ++x) {
                  e.set(vars[k], x);
                  loop(k + 1);
                }
                if (bound) e.set(vars[k], old);
              };
              loop(0);
              return checked(total);
            }};
  }

  Terms& t_;
  std::mt19937_64 engine_;
  std::vector<Var> vars_, scope_;
};

TEST(Fuzz, IndexFormsAreWhatTheySay) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Terms t;
    Random random(t, seed);
    const IndexTree x = random.index(4);
    each_point(t, random.vars(), 40, [&](const auto& point) {
      Evaluator e(t, Model{seed, {}}, point);
      const std::int64_t truth = x.truth(e), made = e.index(x.made);
      ASSERT_EQ(truth, made) << "seed " << seed << ": " << print(t, x.made);
      ASSERT_LE(t[x.made].lo, truth) << "seed " << seed << ": " << print(t, x.made);
      ASSERT_GE(t[x.made].hi, truth) << "seed " << seed << ": " << print(t, x.made);
    });
    if (HasFatalFailure()) return;
  }
}

TEST(Fuzz, ConditionsAreWhatTheySay) {
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    Terms t;
    Random random(t, seed);
    const Tree x = random.condition(3);
    each_point(t, random.vars(), 40, [&](const auto& point) {
      Evaluator e(t, Model{seed, {}}, point);
      ASSERT_EQ(x.truth(e), e.value(x.made)) << "seed " << seed << ": " << print(t, x.made);
    });
    if (HasFatalFailure()) return;
  }
}

TEST(Fuzz, ValuesAreWhatTheySay) {
  int compared = 0, limits = 0;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    Terms t;
    Random random(t, seed);
    Tree x;
    try {
      x = random.value(3);
    } catch (const Limit& limit) {
      ++limits;
      continue;
    }
    each_point(t, random.vars(), 6, [&](const auto& point) {
      try {
        Evaluator e(t, Model{seed, {}}, point);
        const double truth = x.truth(e), made = e.value(x.made);
        ++compared;
        ASSERT_TRUE(same(truth, made)) << "seed " << seed << ": " << truth << " became " << made << ": " << print(t, x.made);
        const Classes c = classes_of(t, x.made);
        const std::uint8_t cls = std::isnan(truth) ? 32 : truth == kInf ? 16 : truth == -kInf ? 1 : truth > 1e-6 ? 8 : truth < -1e-6 ? 2 : 0;
        ASSERT_TRUE(cls == 0 || (c.set() & cls) != 0) << "seed " << seed << ": classes of " << print(t, x.made);
      } catch (const Fragile&) {
      }
    });
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 10000);
  EXPECT_LT(limits, 60);
}

}  // namespace
}  // namespace gg::checker::testing
