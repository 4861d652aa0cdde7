// agree [SEEDS [FIRST]]: the checker's normal form against the prover's. The same random trees are built in both.
// - Decided facts must agree: conditions that are true or false in both, constant index forms, ranges, classes.
// - Two trees that say the same in other words (operands exchanged, sums regrouped, folds cut and parted, indices written
//   in digits, reads clamped to their box): which of the two normal forms identifies them?
// - Two trees that a point tells apart must be identified by neither.
// Exit code 1 on a disagreement; the shares are printed. GG_VERBOSE=1 lists pairs that only the prover identifies.
#include <cstdio>
#include <cstdlib>

#include "prover/checker/print.h"
#include "prover/term/terms.h"
#include "tests/certificate/prover_builder.h"
#include "tests/unit/checker/evaluate.h"
#include "tests/unit/checker/random_tree.h"

namespace gg::checker::testing {
namespace {

/// The same in other words: one change at a random place per call.
class Rewording {
 public:
  Rewording(RandomTree& random) : random_(random) {}

  Tree operator()(const Tree& t) {
    target_ = random_.below(count(t));
    seen_ = 0;
    return walk(t);
  }

 private:
  static std::int64_t count(const Tree& t) {
    std::int64_t n = 1;
    for (const Tree& kid : t->kids) n += count(kid);
    return n;
  }

  Tree walk(const Tree& t) {
    const bool here = seen_++ == target_;
    Node n = *t;
    for (Tree& kid : n.kids) kid = walk(kid);
    const Tree same = std::make_shared<const Node>(std::move(n));
    return here ? change(same) : same;
  }

  static Tree make(Node n) { return std::make_shared<const Node>(std::move(n)); }
  static Tree number(Kind kind, std::int64_t value, std::vector<Tree> kids) {
    Node n{kind, std::move(kids)};
    n.n = value;
    return make(std::move(n));
  }
  static Tree fn(ScalarFn f, std::vector<Tree> kids) {
    Node n{Kind::Fn, std::move(kids)};
    n.fn = f;
    return make(std::move(n));
  }

  Tree change(const Tree& t) {
    const auto& kids = t->kids;
    switch (t->kind) {
      case Kind::Var: return digits(t);
      case Kind::Axpy: return number(Kind::Axpy, 1, {number(Kind::Axpy, t->n, {kids[0], zero()}), kids[1]});
      case Kind::Mod: return number(Kind::Axpy, -t->n, {number(Kind::Div, t->n, {kids[0]}), kids[0]});
      case Kind::And:
      case Kind::Or: {
        const auto negated = [](const Tree& c) { return make(Node{Kind::Not, {c}}); };
        return negated(make(Node{t->kind == Kind::And ? Kind::Or : Kind::And, {negated(kids[1]), negated(kids[0])}}));
      }
      case Kind::Ge: return make(Node{Kind::Not, {make(Node{Kind::Ge, {number(Kind::Axpy, -1, {kids[0], constant(-1)})}})}});
      case Kind::Less: return make(Node{Kind::Less, {fn(ScalarFn::Negate, {kids[1]}), fn(ScalarFn::Negate, {kids[0]})}});
      case Kind::Case: return make(Node{Kind::Case, {make(Node{Kind::Not, {kids[0]}}), kids[2], kids[1]}});
      case Kind::Fn: return function(t);
      case Kind::Fold: return fold(t);
      case Kind::Power:
        if (t->n == 2 && t->m == 1) return fn(ScalarFn::Multiply, {kids[0], kids[0]});
        return t;
      default: return t;
    }
  }

  static Tree constant(std::int64_t c) { return number(Kind::Const, c, {}); }
  static Tree zero() { return constant(0); }

  Tree digits(const Tree& t) {
    const std::int64_t d = std::int64_t{1} << random_.below(3);
    return number(Kind::Axpy, d, {number(Kind::Div, d, {t}), number(Kind::Mod, d, {t})});
  }

  Tree function(const Tree& t) {
    const auto& kids = t->kids;
    switch (t->fn) {
      case ScalarFn::Add:
      case ScalarFn::Multiply:
        if (kids[0]->kind == Kind::Fn && kids[0]->fn == t->fn) {  // (a+b)+c = a+(c+b)
          return fn(t->fn, {kids[0]->kids[0], fn(t->fn, {kids[1], kids[0]->kids[1]})});
        }
        return fn(t->fn, {kids[1], kids[0]});
      case ScalarFn::Max: return fn(ScalarFn::Negate, {fn(ScalarFn::Min, {fn(ScalarFn::Negate, {kids[0]}), fn(ScalarFn::Negate, {kids[1]})})});
      case ScalarFn::Subtract: return fn(ScalarFn::Add, {fn(ScalarFn::Negate, {kids[1]}), kids[0]});
      case ScalarFn::Exp:
        if (kids[0]->kind == Kind::Fn && kids[0]->fn == ScalarFn::Add) {
          return fn(ScalarFn::Multiply, {fn(ScalarFn::Exp, {kids[0]->kids[0]}), fn(ScalarFn::Exp, {kids[0]->kids[1]})});
        }
        return t;
      case ScalarFn::Rsqrt: {
        const Tree root = fn(ScalarFn::Sqrt, {kids[0]});
        Node inverse{Kind::Power, {root}};
        inverse.n = -1;
        return make(std::move(inverse));
      }
      default: return t;
    }
  }

  // Replaces a variable inside a tree.
  static Tree replaced(const Tree& t, std::int64_t variable, const Tree& by) {
    if (t->kind == Kind::Var) return t->n == variable ? by : t;
    Node n = *t;
    for (Tree& kid : n.kids) kid = replaced(kid, variable, by);
    return make(std::move(n));
  }

  // A binder n*a + b as two; the guard as a case; the box in two parts.
  Tree fold(const Tree& t) {
    Node n = *t;
    const std::int64_t v = n.list[0], extent = random_.world.extents.at(v);
    const std::int64_t a = fresh_++, b = fresh_++;
    const auto variable = [](std::int64_t k) { return number(Kind::Var, k, {}); };
    if (random_.below(3) == 0 && extent % 2 == 0) {
      random_.world.extents[a] = extent / 2;
      random_.world.extents[b] = 2;
      n.list[0] = a;
      n.list.push_back(b);
      for (Tree& kid : n.kids) kid = replaced(kid, v, number(Kind::Axpy, 2, {variable(a), variable(b)}));
      return make(std::move(n));
    }
    if (extent > 2 && (n.fn == ScalarFn::Add || n.fn == ScalarFn::Max)) {
      const std::int64_t cut = extent - 1 - random_.below(extent - 2);
      Node first = n, second = n;
      random_.world.extents[a] = cut;
      random_.world.extents[b] = extent - cut;
      first.list[0] = a;
      second.list[0] = b;
      for (Tree& kid : first.kids) kid = replaced(kid, v, variable(a));
      for (Tree& kid : second.kids) kid = replaced(kid, v, number(Kind::Axpy, 1, {variable(b), constant(cut)}));
      return fn(n.fn, {make(std::move(second)), make(std::move(first))});
    }
    std::reverse(n.list.begin(), n.list.end());
    return make(std::move(n));
  }

  RandomTree& random_;
  std::int64_t target_ = 0, seen_ = 0, fresh_ = 1000;
};

struct Shares {
  unsigned long long both = 0, checker = 0, prover = 0, neither = 0, limits = 0, decided = 0, wrong = 0;
};

/// Do the trees differ at a point? Nothing: no point says.
std::optional<bool> differ(const RandomTree& random, const Tree& a, const Tree& b, bool boolean, std::uint64_t seed) {
  bool any = false;
  for (std::int64_t n = 0; n < 6; ++n) {
    Point point;
    for (std::int64_t k = 0; k < 3; ++k) point[k] = (n * 7 + k * 3) % random.world.extents.at(k);
    try {
      Evaluation e(random.world, seed * 31 + static_cast<std::uint64_t>(n), point), f(random.world, seed * 31 + static_cast<std::uint64_t>(n), point);
      if (boolean ? e.condition(a) != f.condition(b) : !same(e.real(a), f.real(b))) return true;
      any = true;
    } catch (const Fragile&) {
    }
  }
  if (!any) return std::nullopt;
  return false;
}

class Comparison {
 public:
  explicit Comparison(std::uint64_t seed, Shares& shares) : seed_(seed), shares_(shares), random_(seed, seed % 2 == 0) {}

  void run() {
    const bool boolean = seed_ % 3 == 0;
    const Tree tree = boolean ? random_.condition(3) : random_.value(3);
    Rewording reword(random_);
    Tree other = tree;
    for (std::int64_t k = 0; k <= random_.below(3); ++k) other = reword(other);
    const Tree unrelated = boolean ? random_.condition(2) : random_.value(2);
    Terms t;
    pv::Terms p;
    p.set_step_limit(20000);
    Builder mine(t, random_.world, 3);
    ProverBuilder theirs(p, random_.world, 3);
    const Value x = mine.value(tree), y = mine.value(other), z = mine.value(unrelated);
    const pv::TermId u = theirs.term(tree), v = theirs.term(other), w = theirs.term(unrelated);
    decided(t, x, u);
    decided(t, z, w);
    ++(x == y ? (u == v ? shares_.both : shares_.checker) : u == v ? shares_.prover
                                                                   : shares_.neither);
    if (x != y && u == v && std::getenv("GG_VERBOSE") != nullptr) {
      std::printf("only the prover, seed %llu: %s\n  and %s\n  are %s\n  and %s\n", static_cast<unsigned long long>(seed_),
                  print(random_.world, tree).c_str(), print(random_.world, other).c_str(), print(t, x).c_str(), print(t, y).c_str());
    }
    equal(tree, other, x == y, u == v, boolean);
    equal(tree, unrelated, x == z, u == w, boolean);
  }

 private:
  void wrong(const std::string& what) {
    ++shares_.wrong;
    std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed_), what.c_str());
  }

  void decided(Terms& t, Value x, pv::TermId u) {
    const ValueKind kind = t[x].kind;
    const bool mine = kind == ValueKind::True || kind == ValueKind::False;
    const bool theirs = u == pv::TermId::True || u == pv::TermId::False;
    if (!mine || !theirs) return;
    ++shares_.decided;
    if ((kind == ValueKind::True) != (u == pv::TermId::True)) wrong("a condition is true in one and false in the other");
  }

  void equal(const Tree& a, const Tree& b, bool mine, bool theirs, bool boolean) {
    if (!mine && !theirs) return;
    const auto tells = differ(random_, a, b, boolean, seed_);
    if (!tells || !*tells) return;
    wrong(std::string(mine ? "the checker" : "the prover") + " identifies " + print(random_.world, a) + "\n  and " + print(random_.world, b));
  }

  std::uint64_t seed_;
  Shares& shares_;
  RandomTree random_;
};

int run(std::uint64_t seeds, std::uint64_t first) {
  Shares s;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    try {
      if (std::getenv("GG_TRACE") != nullptr) std::fprintf(stderr, "%llu\n", static_cast<unsigned long long>(seed));
      Comparison(seed, s).run();
    } catch (const Limit&) {
      ++s.limits;
    } catch (const pv::TermLimit&) {
      ++s.limits;
    }
  }
  std::printf(
      "pairs identified by both %llu, by the checker only %llu, by the prover only %llu, by neither %llu; beyond a limit %llu; "
      "decided by both %llu; wrong %llu\n",
      s.both, s.checker, s.prover, s.neither, s.limits, s.decided, s.wrong);
  return s.wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace gg::checker::testing

int main(int argc, char** argv) {
  const std::uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 5000;
  return gg::checker::testing::run(seeds, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
}
