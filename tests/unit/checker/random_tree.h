// Random trees over a small world: boxes with extents 1, 2, 3, 5 and multiples; sources with infinities, NaN, zeros and
// negative values; integers at the edges of their types.
#pragma once

#include <random>

#include "tests/unit/checker/tree.h"

namespace gg::checker::testing {

class RandomTree {
 public:
  explicit RandomTree(std::uint64_t seed, bool integers = true) : engine_(seed), integers_(integers) {
    for (std::int64_t k = 0; k < 3; ++k) {
      world.extents[k] = pick({1, 2, 3, 5, 4, 6, 8, 12});
      scope_.push_back(k);
    }
    const double nan = std::nan("");
    const std::vector<double> real = {-2, -1, -0.5, 0, 0.5, 1, 2, 0};
    source("a", ElementType::F64, 2, real);
    source("b", ElementType::F64, 1, real);
    source("p", ElementType::F64, 1, {0.5, 1, 2, 0.25});
    source("w", ElementType::F64, 1, {-kInf, -2, -1, -0.5, 0, 0.5, 1, 2, kInf, nan});
    source("n", ElementType::F64, 1, {-kInf, -2, 0, 1, 2});
    source("q", ElementType::F64, 1, {0, 0.5, 2, 0});
    source("h", ElementType::F64, 1, {kInf, 1, 0.5});
    source("z", ElementType::F64, 1, {-2, -1, 1, 0.5});
    source("e", ElementType::F64, 1, {-kInf, 0, kInf});
    source("i", ElementType::S32, 1, {}, -1, 6);
    source("c", ElementType::Pred, 1, {});
    source("u", ElementType::U32, 1, {}, 0, (std::int64_t{1} << 32) - 1);
    source("j", ElementType::S32, 1, {}, -(std::int64_t{1} << 31), (std::int64_t{1} << 31) - 1);
    source("t", ElementType::S8, 1, {}, -128, 127);
    reals_ = 9;
  }

  World world;
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }
  std::int64_t between(std::int64_t lo, std::int64_t hi) { return lo + below(hi - lo + 1); }

  /// Adds sources that are defined by terms over their own box.
  void define(int depth) {
    for (const char* name : {"s", "r"}) {
      std::vector<std::int64_t> extents, vars;
      const auto outer = scope_;
      scope_.clear();
      for (std::int64_t k = 0; k <= below(2); ++k) {
        extents.push_back(pick({2, 3, 4, 6}));
        vars.push_back(next_++);
        world.extents[vars.back()] = extents.back();
        scope_.push_back(vars.back());
      }
      Source s{name, ElementType::F64, extents};
      s.definition = below(2) == 0 ? node(Kind::Case, {index_condition(), value(depth), value(depth)}) : value(depth);
      s.vars = vars;
      scope_ = outer;
      world.sources.push_back(std::move(s));
      ++defined_;
    }
  }

  Tree index(int depth) {
    const std::int64_t kind = depth == 0 ? below(3) : below(10);
    if (kind == 0) return leaf(Kind::Const, between(-4, 9));
    if (kind <= 2) return variable();
    const Tree x = index(depth - 1);
    if (kind <= 4) {
      Node n{Kind::Axpy, {x, index(depth - 1)}};
      n.n = pick({1, 1, -1, 2, 3, 4, 5, 8, -4});
      return make(std::move(n));
    }
    if (kind <= 6) {
      Node n{kind == 5 ? Kind::Div : Kind::Mod, {x}};
      n.n = pick({1, 2, 3, 4, 5, 6, 8, 16});
      return make(std::move(n));
    }
    if (kind == 7) {
      Node n{Kind::Clamp, {x}};
      n.lo = between(-3, 4);
      n.hi = n.lo + below(6);
      return make(std::move(n));
    }
    if (kind == 8) {
      Node n{Kind::Table, {x}};
      for (int k = 0; k < 4; ++k) n.list.push_back(between(-3, 6));
      return make(std::move(n));
    }
    return read(9, 0);
  }

  /// An integer of HLO type `type`.
  Tree integer(ElementType type, int depth) {
    const std::int64_t kind = depth == 0 ? below(3) : below(12);
    if (kind == 0) return leaf(Kind::Const, is_signed(type) ? pick({0, 1, -1, 2, 3, 5, 7, 8, 127, -128}) : pick({0, 1, 2, 3, 7, 16, 127, 31}));
    if (kind == 1) {
      Node n{Kind::Wrap, {index(1)}};
      n.type = type;
      return make(std::move(n));
    }
    if (kind == 2) return read(type == ElementType::U32 ? 11 : type == ElementType::S8 ? 13
                                                                                       : pick({9, 12}),
                               1);
    if (kind == 3) return node(Kind::Case, {condition(1), integer(type, depth - 1), integer(type, depth - 1)});
    Node n{Kind::IntFn};
    n.type = type;
    static constexpr ScalarFn unary[] = {ScalarFn::Negate, ScalarFn::Abs, ScalarFn::Not, ScalarFn::Sign};
    static constexpr ScalarFn binary[] = {
        ScalarFn::Add, ScalarFn::Add, ScalarFn::Subtract, ScalarFn::Subtract, ScalarFn::Multiply, ScalarFn::Divide,
        ScalarFn::Remainder, ScalarFn::Max, ScalarFn::Min, ScalarFn::And, ScalarFn::Or, ScalarFn::Xor,
        ScalarFn::ShiftLeft, ScalarFn::ShiftRightA, ScalarFn::ShiftRightL};
    n.kids.push_back(integer(type, depth - 1));
    if (kind == 4) {
      n.fn = unary[below(is_signed(type) ? 4 : 1)];
    } else if (kind == 5) {
      n.fn = ScalarFn::Clamp;
      n.kids.push_back(integer(type, depth - 1));
      n.kids.push_back(integer(type, depth - 1));
    } else {
      n.fn = binary[below(15)];
      n.kids.push_back(below(2) == 0 ? integer(type, 0) : integer(type, depth - 1));
    }
    return make(std::move(n));
  }

  Tree condition(int depth) {
    const std::int64_t kind = depth == 0 ? below(3) : below(9);
    if (kind == 0) return node(Kind::Ge, {index(2)});
    if (kind == 1) return node(Kind::Eq, {index(2)});
    if (kind == 2) return read(10, 1);
    if (kind == 3) {
      static constexpr Kind kinds[] = {Kind::Less, Kind::LessEqual, Kind::Equal};
      if (below(6) == 0) return node(Kind::Finite, {value(1)});
      return node(kinds[below(3)], {value(depth - 1), below(2) == 0 ? number() : value(depth - 1)});
    }
    if (kind == 4) return node(Kind::Not, {condition(depth - 1)});
    if (kind == 8 && below(3) == 0) return fold(below(2) == 0 ? ScalarFn::And : ScalarFn::Or, [&] { return condition(1); });
    const Kind both = kind <= 6 ? Kind::And : Kind::Or;
    return node(both, {condition(depth - 1), condition(depth - 1)});
  }

  Tree index_condition() { return node(below(2) == 0 ? Kind::Ge : Kind::Eq, {index(2)}); }

  Tree value(int depth) {
    const std::int64_t kind = depth == 0 ? below(5) : below(19);
    if (kind == 0) return number();
    if (kind == 1 && (!integers_ || below(3) != 0)) return node(Kind::FromInt, {index(1)});
    if (kind == 1) return node(Kind::FromInt, {integer(integer_type(), depth)});
    if (kind == 4 && below(6) == 0) return leaf(Kind::Special, between(-1, 1));
    if (kind <= 4) {
      const std::int64_t k = below(reals_ + 2 * defined_);
      return read(k < reals_ ? k : 14 + (k - reals_) / 2, 1);
    }
    const Tree a = value(depth - 1);
    Node n{Kind::Fn, {a}};
    switch (kind) {
      case 5:
      case 6: {
        static constexpr ScalarFn fns[] = {ScalarFn::Exp, ScalarFn::Exp, ScalarFn::Log, ScalarFn::Sqrt, ScalarFn::Rsqrt,
                                           ScalarFn::Abs, ScalarFn::Tanh, ScalarFn::Negate};
        n.fn = fns[below(8)];
        return make(std::move(n));
      }
      case 7: {
        static constexpr std::int64_t exponents[][2] = {{-1, 1}, {2, 1}, {1, 2}, {-1, 2}, {3, 1}, {-2, 1}, {3, 2}};
        const auto& e = exponents[below(7)];
        n.kind = Kind::Power;
        n.n = e[0];
        n.m = e[1];
        return make(std::move(n));
      }
      case 8: return node(Kind::Case, {condition(1), a, value(depth - 1)});
      case 9:
      case 10:
      case 11: n.fn = ScalarFn::Add; break;
      case 12:
      case 13: n.fn = ScalarFn::Multiply; break;
      case 14: n.fn = below(2) == 0 ? ScalarFn::Divide : ScalarFn::Subtract; break;
      case 15: n.fn = below(2) == 0 ? ScalarFn::Max : ScalarFn::Min; break;
      default: {
        static constexpr ScalarFn fns[] = {ScalarFn::Add, ScalarFn::Add, ScalarFn::Max, ScalarFn::Min, ScalarFn::Multiply};
        return fold(fns[below(5)], [&] { return value(depth - 1); });
      }
    }
    n.kids.push_back(value(depth - 1));
    return make(std::move(n));
  }

  /// The same value, written otherwise: operands of commutative functions exchanged.
  Tree shuffled(const Tree& t) {
    Node n = *t;
    for (Tree& kid : n.kids) kid = shuffled(kid);
    const bool commutes = (n.kind == Kind::Fn || n.kind == Kind::IntFn) &&
                          (n.fn == ScalarFn::Add || n.fn == ScalarFn::Multiply || n.fn == ScalarFn::Max || n.fn == ScalarFn::Min);
    if ((commutes || n.kind == Kind::And || n.kind == Kind::Or || n.kind == Kind::Equal) && below(2) == 0) std::swap(n.kids[0], n.kids[1]);
    return make(std::move(n));
  }

  const std::vector<std::int64_t>& variables() const { return scope_; }

 private:
  static Tree make(Node n) { return std::make_shared<const Node>(std::move(n)); }
  static Tree node(Kind kind, std::vector<Tree> kids) { return make(Node{kind, std::move(kids)}); }
  static Tree leaf(Kind kind, std::int64_t n) {
    Node x{kind};
    x.n = n;
    return make(std::move(x));
  }
  Tree variable() { return leaf(Kind::Var, scope_.empty() ? 0 : scope_[static_cast<std::size_t>(below(static_cast<std::int64_t>(scope_.size())))]); }
  Tree number() {
    Node n{Kind::Number};
    n.n = between(-3, 3);
    n.m = 2;
    return make(std::move(n));
  }
  ElementType integer_type() {
    static constexpr ElementType types[] = {ElementType::S32, ElementType::U32, ElementType::S8};
    return types[below(3)];
  }
  Tree read(std::int64_t source, int depth) {
    Node n{Kind::Read};
    n.n = source;
    for (std::size_t k = 0; k < world.sources[static_cast<std::size_t>(source)].extents.size(); ++k) n.kids.push_back(index(depth));
    return make(std::move(n));
  }
  template <class F>
  Tree fold(ScalarFn fn, F body) {
    Node n{Kind::Fold};
    n.fn = fn;
    const auto outer = scope_;
    for (std::int64_t k = 0; k <= below(2); ++k) {
      n.list.push_back(next_++);
      world.extents[n.list.back()] = pick({1, 2, 3, 4, 5, 8});
      scope_.push_back(n.list.back());
      scope_.push_back(n.list.back());  // likelier
    }
    n.kids.push_back(below(2) == 0 ? condition(1) : node(Kind::True, {}));
    n.kids.push_back(body());
    scope_ = outer;
    return make(std::move(n));
  }
  void source(const std::string& name, ElementType type, int rank, std::vector<double> pool, std::int64_t lo = 0, std::int64_t hi = 0) {
    Source s{name, type, {}, std::move(pool), lo, hi};
    for (int k = 0; k < rank; ++k) s.extents.push_back(pick({2, 3, 5, 8}));
    world.sources.push_back(std::move(s));
  }
  std::int64_t pick(std::initializer_list<std::int64_t> list) {
    return *(list.begin() + below(static_cast<std::int64_t>(list.size())));
  }

  std::mt19937_64 engine_;
  bool integers_;
  std::vector<std::int64_t> scope_;
  std::int64_t next_ = 10, reals_ = 0, defined_ = 0;
};

}  // namespace gg::checker::testing
