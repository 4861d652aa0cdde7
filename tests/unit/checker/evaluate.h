// Pointwise evaluation of the checker's terms under the same assignment as the trees of tree.h, and trees built as terms.
#pragma once

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/order.h"
#include "prover/checker/scalar.h"
#include "tests/unit/checker/tree.h"

namespace gg::checker::testing {

/// Builds trees; source k of the world becomes anchor k.
class Builder {
 public:
  Builder(Terms& t, const World& world, std::size_t outer) : t_(t), world_(world) {
    for (std::size_t k = 0; k < outer; ++k) {
      const auto v = static_cast<std::int64_t>(k);
      vars_[v] = t.var(k == 0 ? Space::Rank : Space::Out, static_cast<std::uint32_t>(k), world.extents.at(v));
    }
    for (const Source& s : world.sources) anchor(s);
  }

  Var var(std::int64_t v) const { return vars_.at(v); }

  Index index(const Tree& tree) {
    const auto kid = [&](std::size_t k) { return index(tree->kids[k]); };
    switch (tree->kind) {
      case Kind::Const: return constant(t_, tree->n);
      case Kind::Var: return variable(t_, vars_.at(tree->n));
      case Kind::Axpy: return axpy(t_, tree->n, kid(0), kid(1));
      case Kind::Div: return divide(t_, kid(0), tree->n);
      case Kind::Mod: return modulo(t_, kid(0), tree->n);
      case Kind::Clamp: return clamp(t_, kid(0), tree->lo, tree->hi);
      case Kind::Table: return table(t_, tree->list, kid(0));
      default: return to_index(t_, value(tree));
    }
  }

  Value value(const Tree& tree) {
    std::vector<Value> kids;
    const bool forms = tree->kind == Kind::Read || tree->kind == Kind::Fold || tree->kind == Kind::Row || tree->kind < Kind::IntFn ||
                       tree->kind == Kind::Ge || tree->kind == Kind::Eq || tree->kind == Kind::FromInt || tree->kind == Kind::Wrap;
    for (std::size_t k = 0; !forms && k < tree->kids.size(); ++k) kids.push_back(value(tree->kids[k]));
    const auto compare = [&](ScalarFn fn) { return apply(t_, fn, ElementType::Pred, ElementType::F64, kids); };
    switch (tree->kind) {
      case Kind::Ge: return ge(t_, index(tree->kids[0]));
      case Kind::Eq: return eq(t_, index(tree->kids[0]));
      case Kind::True: return boolean(t_, true);
      case Kind::And: return both(t_, kids[0], kids[1]);
      case Kind::Or: return either(t_, kids[0], kids[1]);
      case Kind::Not: return negate(t_, kids[0]);
      case Kind::Less: return compare(ScalarFn::CompareLt);
      case Kind::LessEqual: return compare(ScalarFn::CompareLe);
      case Kind::Equal: return compare(ScalarFn::CompareEq);
      case Kind::Finite: return compare(ScalarFn::IsFinite);
      case Kind::Number: return number(t_, Rational::ratio(tree->n, tree->m));
      case Kind::Special: return special(t_, tree->n == 0 ? ValueKind::NaN : tree->n > 0 ? ValueKind::PosInf
                                                                                         : ValueKind::NegInf);
      case Kind::FromInt: return integer(tree->kids[0]);
      case Kind::Wrap: return wrapped(t_, tree->type, integer(tree->kids[0]));
      case Kind::IntFn: return apply(t_, tree->fn, tree->type, tree->type, kids);
      case Kind::ToInt: return apply(t_, ScalarFn::Convert, tree->type, ElementType::F64, kids);
      case Kind::Fn: return apply(t_, tree->fn, ElementType::F64, ElementType::F64, kids);
      case Kind::Power: return power(t_, kids[0], Rational::ratio(tree->n, tree->m));
      case Kind::Case: {
        const ElementType type = integral_form(t_, kids[1]) && integral_form(t_, kids[2]) ? ElementType::S32 : ElementType::F64;
        return apply(t_, ScalarFn::Select, type, type, kids);
      }
      case Kind::Read: {
        std::vector<Index> at;
        for (const Tree& kid : tree->kids) at.push_back(index(kid));
        return read(t_, static_cast<std::uint32_t>(tree->n), at);
      }
      case Kind::Fold: return fold(tree);
      case Kind::Row: {
        const Index at = index(tree->kids[0]);
        const std::uint32_t before = t_.open_binders;
        const std::vector<Var> vars = bind(tree);
        const Value v = row(t_, order_function(t_, true), static_cast<std::uint32_t>(Sorted::Place), vars, {value(tree->kids[1])}, {at});
        t_.open_binders = before;
        return v;
      }
      default: return from_index(t_, index(tree));
    }
  }

 private:
  static bool is_form(Kind kind) { return kind <= Kind::Table; }
  Value integer(const Tree& tree) { return is_form(tree->kind) ? from_index(t_, index(tree)) : value(tree); }

  std::vector<Var> bind(const Tree& tree) {
    std::vector<Var> vars;
    for (const std::int64_t v : tree->list) {
      vars.push_back(t_.var(Space::Temp, t_.open_binders++, world_.extents.at(v)));
      vars_[v] = vars.back();
    }
    return vars;
  }

  Value fold(const Tree& tree) {
    const std::uint32_t before = t_.open_binders;
    const std::vector<Var> vars = bind(tree);
    const Value guard = value(tree->kids[0]), body = value(tree->kids[1]);
    const auto run = [&](ScalarFn fn, Value v) { return checker::fold(t_, fn, ElementType::Token, vars, guard, v); };
    Value result = body;
    if (tree->fn == ScalarFn::Min) result = minus(t_, run(ScalarFn::Max, minus(t_, body)));
    else if (tree->fn == ScalarFn::And) result = negate(t_, run(ScalarFn::Or, negate(t_, body)));
    else result = run(tree->fn, body);
    t_.open_binders = before;
    return result;
  }

  void anchor(const Source& s) {
    Anchor a;
    a.name = s.name;
    a.type = s.type;
    std::uint8_t set = s.pool.empty() ? Classes::kEverything : 0;
    for (const double x : s.pool) {
      set = static_cast<std::uint8_t>(set | (std::isnan(x) ? Classes::kNaN : x == kInf ? Classes::kPosInf
                                                                         : x == -kInf  ? Classes::kNegInf
                                                                         : x > 0       ? Classes::kPos
                                                                         : x < 0       ? Classes::kNeg
                                                                                       : Classes::kZero));
    }
    a.classes = is_integral(s.type) ? Classes(Classes::kReal) : Classes(set);
    a.lo = is_integral(s.type) ? s.lo : -kFar;
    a.hi = is_integral(s.type) ? s.hi : kFar;
    for (std::size_t k = 0; k < s.extents.size(); ++k) {
      a.vars.push_back(t_.var(Space::Out, static_cast<std::uint32_t>(k), s.extents[k]));
    }
    if (s.definition) {
      for (std::size_t k = 0; k < s.vars.size(); ++k) vars_[s.vars[k]] = a.vars[k];
      a.definition = value(s.definition);
      a.classes = classes_of(t_, *a.definition);
    }
    t_.anchors.push_back(std::move(a));
  }

  Terms& t_;
  const World& world_;
  std::map<std::int64_t, Var> vars_;
};

/// Evaluates terms at a point.
class Evaluator {
 public:
  Evaluator(const Terms& t, const World& world, std::uint64_t seed, std::map<Var, std::int64_t> point)
      : t_(t), seed_(seed), sources_(world, seed, {}), point_(std::move(point)) {}
  std::uint64_t seed() const { return seed_; }

  Big index(Index a) {
    Big sum = t_[a].c0;
    for (const Part& p : t_[a].parts) sum += p.coef * atom(p.atom);
    return sum;
  }

  Big atom(Atom a) {
    const AtomNode& n = t_[a];
    switch (n.kind) {
      case AtomKind::Variable: return point_.at(n.var);
      case AtomKind::Div: return floor_of(index(n.arg), n.m);
      case AtomKind::Clamp: return std::min<Big>(std::max<Big>(index(n.arg), n.lo), n.hi);
      case AtomKind::Table: {
        const Big last = static_cast<std::int64_t>(n.table.size()) - 1;
        return n.table[static_cast<std::size_t>(std::min<Big>(std::max<Big>(index(n.arg), 0), last))];
      }
      case AtomKind::Data: return integer(n.value);
    }
    return 0;
  }

  bool test(Test c) {
    const TestNode& n = t_[c];
    if (n.kind == TestKind::Truth) return value(n.value) != 0;
    return n.kind == TestKind::Ge ? index(n.index) >= 0 : index(n.index) == 0;
  }

  /// An integer value, exactly (modulo 2^128).
  Big integer(Value v) {
    const ValueNode& n = t_[v];
    switch (n.kind) {
      case ValueKind::Poly: {
        Big total = 0;
        for (const PolyPart& p : n.summands) {
          if (!p.coef.integer()) throw Fragile{};
          Big term = *p.coef.integer();
          for (const Factor& f : t_[p.monomial].factors) {
            const auto e = f.exponent.integer();
            if (!e || *e < 0) throw Fragile{};
            for (std::int64_t k = 0; k < *e; ++k) term = times(term, integer(f.base));
          }
          total += term;
        }
        return total;
      }
      case ValueKind::Int: return atom(Atom{n.ref});
      case ValueKind::Read: return sources_.integer_element(n.ref, indices(n));
      case ValueKind::Case: return integer(n.kids[test(n.test) ? 0 : 1]);
      case ValueKind::Fn: {
        if (n.fn == ScalarFn::Convert && n.leaf == 1) return wrap_big(n.type, integer(n.kids[0]));
        if (n.type == ElementType::Token) throw Fragile{};
        std::vector<Big> a;
        for (const Value kid : n.kids) a.push_back(integer(kid));
        a.resize(3, 0);
        return integer_of(n.fn, n.type, a[0], a[1], a[2]);
      }
      default: throw Fragile{};
    }
  }

  double value(Value v) {
    const ValueNode& n = t_[v];
    switch (n.kind) {
      case ValueKind::PosInf: return kInf;
      case ValueKind::NegInf: return -kInf;
      case ValueKind::NaN: return std::nan("");
      case ValueKind::True: return 1;
      case ValueKind::False: return 0;
      case ValueKind::Poly: {
        double total = 0;
        for (const PolyPart& p : n.summands) total += coefficient_of(p.coef) * monomial(p.monomial);
        return checked(total);
      }
      case ValueKind::Int: return checked(static_cast<double>(atom(Atom{n.ref})));
      case ValueKind::Read:
        if (is_integral(t_.anchors[n.ref].type)) return checked(static_cast<double>(sources_.integer_element(n.ref, indices(n))));
        return sources_.real_element(n.ref, indices(n));
      case ValueKind::Fn: return n.type == ElementType::Token ? function(n) : checked(static_cast<double>(integer(v)));
      case ValueKind::Case: return value(n.kids[test(n.test) ? 0 : 1]);
      case ValueKind::Fold: return fold(n);
      default: throw Fragile{};
    }
  }

 private:
  static Big times(Big a, Big b) {
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<Big>(static_cast<Wide>(a) * static_cast<Wide>(b));
  }

  std::vector<std::int64_t> indices(const ValueNode& n) {
    std::vector<std::int64_t> at;
    for (const Index i : n.index) {
      at.push_back(static_cast<std::int64_t>(std::min<Big>(std::max<Big>(index(i), -(Big{1} << 40)), Big{1} << 40)));
    }
    return at;
  }

  static double coefficient_of(const Rational& r) {
    const std::string text = r.print();
    const auto slash = text.find('/');
    const double den = slash == std::string::npos ? 1 : std::stod(text.substr(slash + 1));
    return std::stod(text.substr(0, slash)) / den;
  }

  double monomial(Monomial m) {
    double result = 1;
    for (const Factor& f : t_[m].factors) result *= power_of(value(f.base), coefficient_of(f.exponent));
    return checked(result);
  }

  double function(const ValueNode& n) {
    std::vector<double> a;
    for (const Value kid : n.kids) a.push_back(value(kid));
    const bool nan = a.size() == 2 && (std::isnan(a[0]) || std::isnan(a[1]));
    switch (n.fn) {
      case ScalarFn::CompareLt: return !nan && compared(a[0], a[1]) < 0;
      case ScalarFn::CompareLe: return !nan && compared(a[0], a[1]) <= 0;
      case ScalarFn::CompareEq: return !nan && compared(a[0], a[1]) == 0;
      case ScalarFn::IsFinite: return std::isfinite(a[0]);
      case ScalarFn::Max: {
        double m = a[0];
        for (const double x : a) m = max_of(m, x);
        return m;
      }
      default: return real_of(n.fn, a);
    }
  }

  double fold(const ValueNode& n) {
    double total = n.fn == ScalarFn::Max ? -kInf : n.fn == ScalarFn::Multiply ? 1
                                                                              : 0;
    const auto saved = point_;
    const std::function<void(std::size_t)> loop = [&](std::size_t k) {
      if (k < n.vars.size()) {
        for (std::int64_t x = 0; x < t_[n.vars[k]].extent; ++x) {
          point_[n.vars[k]] = x;
          loop(k + 1);
        }
        return;
      }
      for (const Literal& l : t_[n.path].literals) {
        if (test(l.test) != l.holds) return;
      }
      const double x = value(n.kids[0]);
      if (n.fn == ScalarFn::Max) total = max_of(total, x);
      else if (n.fn == ScalarFn::Multiply) total = checked(total * x);
      else if (n.fn == ScalarFn::Or) total = total != 0 || x != 0;
      else total = checked(total + x);
    };
    loop(0);
    point_ = saved;
    return checked(total);
  }

  const Terms& t_;
  std::uint64_t seed_;
  Evaluation sources_;
  std::map<Var, std::int64_t> point_;
};

}  // namespace gg::checker::testing
