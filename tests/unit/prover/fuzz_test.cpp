// The term core against pointwise evaluation: random expressions are built through the normalising constructors and, side
// by side, as plain expression trees; both must have the same value at random points, infinities and NaN included.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "evaluate.h"
#include "prover/term/text.h"
#include "tests/unit/seeds.h"

namespace gg::prover {
namespace {

/// A plain expression: how to evaluate it, beside the normalised term.
struct Plain {
  std::function<Value(Evaluator&)> eval;
  TermId term;
};
struct PlainLin {
  std::function<std::int64_t(Evaluator&)> eval;
  LinId lin;
};

class Fuzz {
 public:
  Fuzz(Terms& terms, std::uint32_t seed) : t(terms), rng(seed) {
    // Anchors: finite, maybe not finite, positive; a boolean and an integer one.
    for (int k = 0; k < 5; ++k) {
      Anchor a;
      a.kind = AnchorKind::Input;
      a.extents = {6, 4};
      if (k == 0) a.attributes = {true, false, false, false, true};
      if (k == 2) a.attributes = {true, true, true, true, true};
      if (k == 3) a.sort = Sort::Bool;
      if (k == 4) {
        a.sort = Sort::Int;
        a.lo = 0;
        a.hi = 5;
      }
      anchors.push_back(t.add_anchor(a));
    }
  }

  int pick(int n) { return static_cast<int>(rng() % static_cast<unsigned>(n)); }

  PlainLin lin(int depth) {
    const int choice = depth <= 0 ? pick(2) : pick(8);
    if (choice == 0) {
      const std::int64_t c = pick(7) - 3;
      return {[c](Evaluator&) { return c; }, t.num(c)};
    }
    if (choice == 1 && !vars.empty()) {
      const auto [v, extent] = vars[static_cast<std::size_t>(pick(static_cast<int>(vars.size())))];
      return {[v = v](Evaluator& e) { return e.at[v]; }, t.var(v, extent)};
    }
    if (choice <= 4) {
      const PlainLin a = lin(depth - 1), b = lin(depth - 1);
      const std::int64_t c = pick(9) - 4;
      return {[=](Evaluator& e) { return c * a.eval(e) + b.eval(e); }, t.axpy(c, a.lin, b.lin)};
    }
    const PlainLin a = lin(depth - 1);
    const std::int64_t m = 1 + pick(8);
    if (choice == 5)
      return {[=](Evaluator& e) { const auto x = a.eval(e); return x >= 0 ? x / m : -((-x + m - 1) / m); }, t.div(a.lin, m)};
    if (choice == 6)
      return {[=](Evaluator& e) { const auto x = a.eval(e) % m; return x < 0 ? x + m : x; }, t.mod(a.lin, m)};
    const std::int64_t lo = pick(4) - 2, hi = lo + pick(5);
    return {[=](Evaluator& e) { return std::clamp(a.eval(e), lo, hi); }, t.clamp(a.lin, lo, hi)};
  }

  PlainLin index(int depth) {
    if (pick(5) == 0) {
      const Plain d = read(4, depth - 1);
      return {[=](Evaluator& e) { return d.eval(e).integer; }, t.as_lin(d.term)};
    }
    return lin(depth);
  }

  Plain guard(int depth) {
    const int choice = depth <= 0 ? pick(3) : pick(7);
    if (choice <= 1) {
      const PlainLin a = index(2);
      return {[=](Evaluator& e) { return Value{0, a.eval(e) >= 0 ? 1 : 0}; }, t.ge(a.lin)};
    }
    if (choice == 2) {
      const PlainLin a = index(2);
      return {[=](Evaluator& e) { return Value{0, a.eval(e) == 0 ? 1 : 0}; }, t.eq(a.lin)};
    }
    if (choice == 3) return read(3, 1);
    if (choice == 4) {
      const Plain a = guard(depth - 1);
      return {[=](Evaluator& e) { return Value{0, 1 - a.eval(e).integer}; }, t.negate(a.term)};
    }
    const Plain a = guard(depth - 1), b = guard(depth - 1);
    if (choice == 5)
      return {[=](Evaluator& e) { return Value{0, a.eval(e).integer & b.eval(e).integer}; }, t.conj(a.term, b.term)};
    return {[=](Evaluator& e) { return Value{0, a.eval(e).integer | b.eval(e).integer}; }, t.disj(a.term, b.term)};
  }

  Plain read(int anchor, int depth) {
    const PlainLin a = lin(depth), b = lin(depth);
    const LinId at[2] = {a.lin, b.lin};
    const TermId term = t.read(anchors[static_cast<std::size_t>(anchor)], at);
    // The plain value: the same read at the plainly computed place.
    const AnchorId number = anchors[static_cast<std::size_t>(anchor)];
    Terms* terms = &t;
    return {[=](Evaluator& e) {
              const LinId there[2] = {terms->num(a.eval(e)), terms->num(b.eval(e))};
              return e.value(terms->read(number, there));
            },
            term};
  }

  Plain real(int depth) {
    const int choice = depth <= 0 ? pick(4) : pick(16);
    if (choice == 0) {
      const double c = (pick(9) - 4) / 2.0;
      return {[c](Evaluator&) { return Value{c, 0}; }, t.lit(t.q.of_double(c))};
    }
    if (choice <= 3) return read(pick(3), 2);
    if (choice <= 5) {
      const Plain a = real(depth - 1), b = real(depth - 1);
      return {[=](Evaluator& e) { return Value{a.eval(e).real + b.eval(e).real, 0}; }, t.add(a.term, b.term)};
    }
    if (choice <= 7) {
      const Plain a = real(depth - 1), b = real(depth - 1);
      return {[=](Evaluator& e) { return Value{a.eval(e).real * b.eval(e).real, 0}; }, t.mul(a.term, b.term)};
    }
    if (choice == 8) return unary(depth);
    if (choice == 9) return binary(depth);
    if (choice <= 11) {
      const Plain g = guard(1), a = real(depth - 1), b = real(depth - 1);
      return {[=](Evaluator& e) { return g.eval(e).integer != 0 ? a.eval(e) : b.eval(e); }, t.choose(g.term, a.term, b.term)};
    }
    return fold(depth);
  }

  Plain unary(int depth) {
    const Plain a = real(depth - 1);
    const ScalarFn fns[] = {ScalarFn::Exp, ScalarFn::Log, ScalarFn::Sqrt, ScalarFn::Rsqrt, ScalarFn::Negate, ScalarFn::Tanh,
                            ScalarFn::Abs};
    const ScalarFn f = fns[pick(7)];
    return {[=](Evaluator& e) {
              const double x = a.eval(e).real;
              switch (f) {
                case ScalarFn::Exp: return Value{std::exp(x), 0};
                case ScalarFn::Log: return Value{x < 0 ? std::nan("") : std::log(x), 0};
                case ScalarFn::Sqrt: return Value{Evaluator::power(x, 0.5), 0};
                case ScalarFn::Rsqrt: return Value{Evaluator::power(x, -0.5), 0};
                case ScalarFn::Negate: return Value{-x, 0};
                case ScalarFn::Tanh: return Value{std::tanh(x), 0};
                default: return Value{std::abs(x), 0};
              }
            },
            t.fn(f, ElementType::F64, std::array{a.term})};
  }

  Plain binary(int depth) {
    const Plain a = real(depth - 1), b = real(depth - 1);
    const ScalarFn fns[] = {ScalarFn::Divide, ScalarFn::Max, ScalarFn::Min, ScalarFn::Subtract};
    const ScalarFn f = fns[pick(4)];
    return {[=](Evaluator& e) {
              const double x = a.eval(e).real, y = b.eval(e).real;
              if (f == ScalarFn::Divide) return Value{x * Evaluator::inverse(y), 0};
              if (f == ScalarFn::Subtract) return Value{x - y, 0};
              if (std::isnan(x) || std::isnan(y)) return Value{std::nan(""), 0};
              return Value{f == ScalarFn::Max ? std::max(x, y) : std::min(x, y), 0};
            },
            t.fn(f, ElementType::F64, std::array{a.term, b.term})};
  }

  Plain fold(int depth) {
    const ScalarFn ops[] = {ScalarFn::Add, ScalarFn::Add, ScalarFn::Max, ScalarFn::Min};
    const ScalarFn op = ops[pick(4)];
    std::vector<std::int64_t> extents;
    for (int k = 0; k < 1 + pick(2); ++k) extents.push_back(1 + pick(6));
    const Fresh binders = t.fresh(extents);
    std::vector<std::pair<VarId, std::int64_t>> mine;
    const auto outer = vars;
    for (std::size_t k = 0; k < binders.size(); ++k)
      if (!t.is_num(binders[k])) {
        const AtomNode& a = t[t.terms(binders[k])[0].atom];
        vars.emplace_back(a.var, a.extent);
        mine.emplace_back(a.var, a.extent);
      }
    const Plain g = pick(2) == 0 ? Plain{[](Evaluator&) { return Value{0, 1}; }, TermId::True} : guard(1);
    const Plain b = real(depth - 1);
    const TermId term = t.fold(op, binders, g.term, b.term);
    vars = outer;
    std::int64_t times = 1;
    for (std::size_t k = 0; k < extents.size(); ++k)
      if (t.is_num(binders[k])) times *= 1;
    return {[=](Evaluator& e) {
              const double inf = std::numeric_limits<double>::infinity();
              double acc = op == ScalarFn::Add ? 0 : op == ScalarFn::Max ? -inf
                                                                         : inf;
              const auto saved = e.at;
              std::vector<std::int64_t> now(mine.size(), 0);
              while (true) {
                for (std::size_t k = 0; k < mine.size(); ++k) e.at[mine[k].first] = now[k];
                if (g.eval(e).integer != 0) {
                  const double x = b.eval(e).real;
                  acc = op == ScalarFn::Add                ? acc + x
                        : std::isnan(acc) || std::isnan(x) ? std::nan("")
                        : op == ScalarFn::Max              ? std::max(acc, x)
                                                           : std::min(acc, x);
                }
                std::size_t k = 0;
                while (k < mine.size() && ++now[k] == mine[k].second) now[k++] = 0;
                if (k == mine.size()) break;
              }
              e.at = saved;
              return Value{acc * static_cast<double>(times), 0};
            },
            term};
  }

  Terms& t;
  std::mt19937 rng;
  std::vector<AnchorId> anchors;
  std::vector<std::pair<VarId, std::int64_t>> vars{{0, 4}, {1, 6}, {2, 2}};
};

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b || (std::abs(a) > 1e200 && std::abs(b) > 1e200);
  return std::abs(a - b) <= 1e-7 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Overflow of doubles is no infinity of the reals: such points are skipped.
bool tame(double a, double b) { return !(std::abs(a) > 1e30 && std::isfinite(a)) && !(std::abs(b) > 1e30 && std::isfinite(b)); }

TEST(Fuzz, IndexForms) {
  for (std::uint32_t seed = 0; seed < seeds_of(3000); ++seed) {
    Terms t;
    Fuzz f(t, seed);
    const PlainLin a = f.lin(5);
    for (int point = 0; point < 20; ++point) {
      Evaluator e(t, seed);
      for (const auto& [v, extent] : f.vars) e.at[v] = f.pick(static_cast<int>(extent));
      const std::int64_t x = e.lin(a.lin);
      ASSERT_EQ(x, a.eval(e)) << "seed " << seed << ": " << TermText(t).form(a.lin);
      ASSERT_GE(x, t[a.lin].lo);
      ASSERT_LE(x, t[a.lin].hi);
    }
  }
}

TEST(Fuzz, Guards) {
  for (std::uint32_t seed = 0; seed < seeds_of(3000); ++seed) {
    Terms t;
    Fuzz f(t, seed);
    const Plain a = f.guard(3);
    for (int point = 0; point < 20; ++point) {
      Evaluator e(t, seed + static_cast<std::uint32_t>(point));
      for (const auto& [v, extent] : f.vars) e.at[v] = f.pick(static_cast<int>(extent));
      ASSERT_EQ(e.truth(a.term), a.eval(e).integer != 0) << "seed " << seed << ": " << TermText(t).term(a.term);
    }
  }
}

TEST(Fuzz, Terms) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < seeds_of(6000); ++seed) {
    Terms t;
    Fuzz f(t, seed);
    Plain a;
    try {
      a = f.real(4);
    } catch (const TermLimit&) {
      continue;
    }
    for (int point = 0; point < 8; ++point) {
      Evaluator e(t, seed + static_cast<std::uint32_t>(point) * 77);
      for (const auto& [v, extent] : f.vars) e.at[v] = f.pick(static_cast<int>(extent));
      const double x = e.value(a.term).real, y = a.eval(e).real;
      if (e.unknown || !tame(x, y)) continue;
      ++compared;
      ASSERT_TRUE(same(x, y)) << "seed " << seed << " point " << point << ": " << x << " against " << y << "\n"
                              << TermText(t).term(a.term);
      const Attributes at = t.attributes(a.term);
      ASSERT_FALSE(at.finite && !std::isfinite(x)) << "seed " << seed << " finite? " << x << " " << TermText(t).term(a.term);
      ASSERT_FALSE(at.nonnegative && !(x >= 0 || std::abs(x) < 1e-9)) << "seed " << seed << " nonnegative? " << x << TermText(t).term(a.term);
      ASSERT_FALSE(at.below_inf && !(x < std::numeric_limits<double>::infinity())) << "seed " << seed << " below inf? " << x;
      ASSERT_FALSE(at.no_inf && std::isinf(x)) << "seed " << seed << " finite or NaN? " << x << " " << TermText(t).term(a.term);
    }
  }
  EXPECT_GT(compared, static_cast<int>(seeds_of(6000)));
}

/// A fold in two pieces keeps its value, and mostly is the fold again.
TEST(Fuzz, FoldsInPieces) {
  int compared = 0, joined = 0;
  for (std::uint32_t seed = 0; seed < seeds_of(3000); ++seed) {
    Terms t;
    Fuzz f(t, seed);
    const std::int64_t n = 2 + f.pick(4), m = 2 + f.pick(4);
    const ScalarFn op = f.pick(3) == 0 ? ScalarFn::Max : ScalarFn::Add;
    TermId whole, both;
    Plain body;
    VarId z = 0;
    try {
      const Fresh binder = t.fresh(n + m);
      z = t[t.terms(binder[0])[0].atom].var;
      f.vars.emplace_back(z, n + m);
      body = f.real(3);
      whole = t.fold(op, binder, TermId::True, body.term);
      const auto piece = [&](std::int64_t count, std::int64_t first) {
        const Fresh y = t.fresh(count);
        Terms::Map map;
        map.set(z, t.offset(y[0], first));
        return t.fold(op, y, TermId::True, t.substitute(body.term, map));
      };
      const TermId first = piece(n, 0), second = piece(m, n);
      both = t.fn(op, ElementType::F64, std::array{second, first});
    } catch (const TermLimit&) {
      continue;
    }
    joined += both == whole ? 1 : 0;
    for (int point = 0; point < 4; ++point) {
      Evaluator e(t, seed + static_cast<std::uint32_t>(point) * 77);
      for (const auto& [v, extent] : f.vars) e.at[v] = f.pick(static_cast<int>(extent));
      double y = op == ScalarFn::Add ? 0 : -std::numeric_limits<double>::infinity();
      for (std::int64_t k = 0; k < n + m; ++k) {
        e.at[z] = k;
        const double one = body.eval(e).real;
        y = op == ScalarFn::Add ? y + one : std::isnan(y) || std::isnan(one) ? std::nan("")
                                                                             : std::max(y, one);
      }
      const double x = e.value(both).real;
      if (e.unknown || !tame(x, y)) continue;
      ++compared;
      ASSERT_TRUE(same(x, y)) << "seed " << seed << " point " << point << ": " << x << " against " << y << "\n"
                              << TermText(t).term(both);
    }
  }
  EXPECT_GT(compared, static_cast<int>(seeds_of(3000)));
  EXPECT_GT(joined, static_cast<int>(seeds_of(3000)) / 2);
}

}  // namespace
}  // namespace gg::prover
