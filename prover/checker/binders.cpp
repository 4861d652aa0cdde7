#include "prover/checker/binders.h"

#include <algorithm>
#include <set>

#include "prover/checker/fold.h"
#include "prover/checker/groups.h"
#include "prover/checker/order.h"
#include "prover/checker/permuted.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/visit.h"
#include "prover/checker/wide.h"
#include "prover/checker/window.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxExtent = std::int64_t{1} << 50;

bool contains(const std::vector<Var>& vars, Var v) { return std::find(vars.begin(), vars.end(), v) != vars.end(); }

std::vector<Var> without(std::vector<Var> vars, Var v) {
  std::erase(vars, v);
  return vars;
}

// One step of simplification at a time; each restarts the fold.
class Box {
 public:
  Box(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, const std::vector<Literal>& path, Value body)
      : t_(t), fn_(fn), type_(type), vars_(vars), path_(path), body_(body) {}

  std::optional<Value> simplify() {
    std::optional<Value> v;
    if ((v = drop_unused()) || (v = drop_implied()) || (v = count())) return v;
    facts_ = facts_of(t_, t_.intern(path_));
    if ((v = solve_equality()) || (v = solve_place()) || (v = solve_interval()) || (v = shift()) || (v = places())) return v;
    forms_ = forms_in(body_);
    for (const Literal& l : path_) collect_forms(t_, l.test, forms_);
    if ((v = cut()) || (v = turn()) || (v = permute())) return v;
    return merge();
  }

 private:
  Value again(const std::vector<Var>& vars, Value guard, Value body) { return fold(t_, fn_, type_, vars, guard, body); }

  // The fold with binders replaced; `fresh` are the ones that come instead.
  Value replace(std::vector<std::pair<Var, Index>> map, const std::vector<Var>& fresh, Value extra_guard) {
    std::vector<Var> vars = vars_;
    for (const auto& [v, to] : map) vars = without(std::move(vars), v);
    vars.insert(vars.end(), fresh.begin(), fresh.end());
    Substitution s(t_, std::move(map));
    return again(vars, both(t_, extra_guard, s.guard(path_)), s(body_));
  }

  // Index forms inside a term; numbers that are sums of index atoms count as forms.
  std::set<Index> forms_in(Value v) {
    std::set<Index> forms = index_forms(t_, v);
    for (const Value part : values_inside(t_, v)) {
      const ValueNode& node = t_[part];
      if (node.kind == ValueKind::Int) forms.insert(atom_form(t_, Atom{node.ref}));
      if (node.kind != ValueKind::Poly) continue;
      Index sum = constant(t_, 0);
      for (const PolyPart& p : node.summands) {
        const auto& factors = t_[p.monomial].factors;
        const bool plain = factors.size() == 1 && factors[0].exponent.is_one() && t_[factors[0].base].kind == ValueKind::Int;
        if (plain && p.coef.integer()) sum = axpy(t_, *p.coef.integer(), atom_form(t_, Atom{t_[factors[0].base].ref}), sum);
      }
      forms.insert(sum);
    }
    return forms;
  }

  Var fresh(Size extent) { return t_.var(Space::Temp, t_.open_binders++, extent); }

  std::optional<Value> drop_unused() {
    for (const Var v : vars_) {
      const Size n = t_[v].extent;
      const bool used = t_.contains(t_[body_].free, v) || t_.contains(t_[t_.intern(path_)].free, v);
      if (used) continue;
      const bool modular = type_ != ElementType::Token;
      const bool multiplied = modular && fn_ == ScalarFn::Multiply;
      if (modular && !same(n, 1) && (fn_ == ScalarFn::Xor || (multiplied && !small(n, kMaxPower)))) continue;
      const Value rest = again(without(vars_, v), conjunction(t_, path_), body_);
      if (same(n, 1) || fn_ == ScalarFn::Max || fn_ == ScalarFn::Or || fn_ == ScalarFn::And || fn_ == ScalarFn::Min) return rest;
      if (multiplied) return repeated_product(t_, type_, rest, n);
      if (modular) return apply(t_, ScalarFn::Multiply, type_, type_, {rest, number(t_, wrapped_size(type_, n))});
      return fn_ == ScalarFn::Multiply ? power(t_, rest, n) : scaled(t_, n, rest);
    }
    return std::nullopt;
  }

  // A sum of equal finite elements over b >= L or b <= L, L in the box or beside it: how many there are.
  std::optional<Value> count() {
    if (fn_ != ScalarFn::Add || type_ != ElementType::Token || !classes_of(t_, body_).finite()) return std::nullopt;
    for (const Var v : vars_) {
      std::vector<Literal> rest, bounds;
      for (const Literal& l : path_) (t_.contains(t_[l.test].free, v) ? bounds : rest).push_back(l);
      if (t_.contains(t_[body_].free, v) || bounds.size() != 1) continue;
      const std::vector<Fact> bound = facts_of(t_, t_.intern(bounds));
      if (bound.size() != 1 || bound[0].equality) continue;
      const Index form = bound[0].index;
      const Size c = coefficient(t_, form, v), n = t_[v].extent;
      if (!same(magnitude(c), 1)) continue;
      const Index many = offset(t_, axpy(t_, -c, variable(t_, v), form), same(c, 1) ? n : Size(1));
      if (t_.contains(t_[many].free, v) || t_[many].lo < 0 || t_[many].hi > n) continue;
      return again(without(vars_, v), conjunction(t_, rest), product(t_, from_index(t_, many), body_));
    }
    return std::nullopt;
  }

  std::optional<Value> drop_implied() {
    std::vector<Literal> ordered = path_;
    std::sort(ordered.begin(), ordered.end(), [&](const Literal& a, const Literal& b) {
      return t_[a.test].shape < t_[b.test].shape;
    });
    for (const Literal& l : ordered) {
      std::vector<Literal> rest = path_;
      std::erase(rest, l);
      const auto known = decide(t_, t_.intern(rest), l.test);
      if (known) return *known == l.holds ? again(vars_, conjunction(t_, rest), body_) : unit(t_, fn_, type_);
    }
    return std::nullopt;
  }

  // Of a binder v: c*v is x, or v is x div c. None yet: c = 0.
  struct Solution {
    Size c = 0;
    Var v{};
    Index x{};
    Size above = 0;  // what x is more than c*v at most
  };

  // c*v + R == 0: v = -R div c, where that is exact and in the box.
  std::optional<Value> solve_equality() {
    Solution best;
    for (const Fact& f : facts_) {
      if (!f.equality) continue;
      for (const Var x : vars_) {
        const Size c = coefficient(t_, f.index, x);
        if (same(c, 0) || (!same(best.c, 0) && magnitude(c) >= magnitude(best.c))) continue;
        const Index rest = axpy(t_, -c, variable(t_, x), f.index);
        if (!t_.contains(t_[rest].free, x)) best = {c, x, rest};
      }
    }
    if (same(best.c, 0)) return std::nullopt;
    if (best.c > 0) best.x = scale(t_, -1, best.x);
    const Var v = best.v;
    const Index q = quotient(t_, best.x, magnitude(best.c), 0);
    const Value exact = eq(t_, axpy(t_, -magnitude(best.c), q, best.x));
    const Size low = std::max<Size>(t_[q].lo, 0);
    if (same(low, std::min<Size>(t_[q].hi, t_[v].extent - 1))) return replace({{v, constant(t_, low)}}, {}, both(t_, eq(t_, offset(t_, q, -low)), exact));
    return replace({{v, q}}, {}, both(t_, between(t_, q, 0, t_[v].extent), exact));
  }

  // Of two places that are one, one is a binder here; so is one at which an order has a known place.
  std::optional<Value> solve_place() {
    for (const Fact& f : facts_) {
      if (const auto taken = f.equality ? taken_at(t_, f.index, vars_) : std::nullopt) return replace({*taken}, {}, boolean(t_, true));
      if (const auto part = f.equality ? part_taken(t_, f.index, vars_, [&](Size n) { return fresh(n); }) : std::nullopt) return replace({part->first}, {part->second}, boolean(t_, true));
    }
    const auto one = same_place(t_, path_);
    if (!one) return std::nullopt;
    const auto [v, to] = contains(vars_, one->first) ? *one : std::pair{one->second, one->first};
    return contains(vars_, v) ? std::optional(replace({{v, variable(t_, to)}}, {}, boolean(t_, true))) : std::nullopt;
  }

  // X - c*v >= 0 and c*v - X + s >= 0 with 0 <= s < c: v = X div c. The smallest c first: of the digits of one index the
  // lowest, which leaves an interval of the next. Of high digits the first may stand as X div c - v >= 0.
  std::optional<Value> solve_interval() {
    Solution best;
    for (const Fact& fact : facts_) {
      for (const Fact& lower : facts_) {
        if (fact.equality || lower.equality) continue;
        Index upper = fact.index;
        auto s = constant_of(t_, add(t_, upper, lower.index));
        if (!s) s = constant_of(t_, add(t_, upper = multiplied_out(t_, upper), lower.index));
        if (!s || *s < 0) continue;
        for (const Var b : vars_) {
          const Size c = coefficient(t_, lower.index, b);
          if (same(c, 0) || !same(coefficient(t_, upper, b), -c) || c <= *s || (!same(best.c, 0) && c >= best.c)) continue;
          const Index rest = axpy(t_, c, variable(t_, b), upper);
          if (!t_.contains(t_[rest].free, b)) best = {c, b, rest, *s};
        }
      }
    }
    if (same(best.c, 0)) return std::nullopt;
    const Index q = quotient(t_, best.x, best.c, best.above);
    return replace({{best.v, q}}, {}, between(t_, q, 0, t_[best.v].extent));
  }

  // Bounds of one binder that are constants, or that are never beyond one; a bound that it has to meet.
  std::optional<Value> shift() {
    for (const Var v : vars_) {
      Size lo = 0, hi = t_[v].extent - 1;
      for (const Fact& f : facts_) {
        const Size c = coefficient(t_, f.index, v);
        if (f.equality || !same(magnitude(c), 1)) continue;
        const Index rest = axpy(t_, -c, variable(t_, v), f.index);  // a constant, or what stays in a range
        if (t_.contains(t_[rest].free, v)) continue;
        if (same(c, 1)) lo = std::max<Size>(lo, -t_[rest].hi);
        else hi = std::min<Size>(hi, t_[rest].hi);
      }
      for (const Literal& l : path_) {  // its first or last value excluded
        const IndexNode& node = t_[t_[l.test].index];
        if (l.holds || t_[l.test].kind != TestKind::Eq || node.parts.size() != 1) continue;
        const Size c = coefficient(t_, t_[l.test].index, v);
        if (!same(magnitude(c), 1)) continue;
        if (same(-c * node.c0, lo)) ++lo;
        else if (same(-c * node.c0, hi)) --hi;
      }
      if (hi < lo) return unit(t_, fn_, type_);
      if (same(lo, 0) && same(hi, t_[v].extent - 1)) continue;
      const Var w = fresh(hi - lo + 1);
      return replace({{v, offset(t_, variable(t_, w), lo)}}, {w}, boolean(t_, true));
    }
    const auto one = settled(t_, facts_, vars_);
    return one ? std::optional(replace({*one}, {}, between(t_, one->second, 0, t_[one->first].extent))) : std::nullopt;
  }

  // Windows that begin before their array, or end behind it.
  std::optional<Value> places() {
    const auto p = count_places(t_, vars_, facts_, read_forms());
    return p ? std::optional(replace({{p->binder, p->value}}, {p->place}, p->guard)) : std::nullopt;
  }

  // v div d occurs: v = d*a + b.
  std::optional<Value> cut() {
    for (const Index form : forms_) {
      for (const Part& p : t_[form].parts) {
        const AtomNode& atom = t_[p.atom];
        if (atom.kind != AtomKind::Div || !one_variable(t_, p.atom)) continue;
        const Var v = t_[t_[atom.arg].parts[0].atom].var;
        if (!contains(vars_, v) || !divides(atom.m, t_[v].extent)) continue;
        const Var a = fresh(t_[v].extent / atom.m), b = fresh(atom.m);
        return replace({{v, axpy(t_, atom.m, variable(t_, a), variable(t_, b))}}, {a, b}, boolean(t_, true));
      }
    }
    return std::nullopt;
  }

  // What is inside the body, in conditions and in integers of the data.
  std::set<Value> all_inside() {
    std::set<Value> all = values_inside(t_, body_);
    all.merge(values_inside(t_, conjunction(t_, path_)));
    return all;
  }

  // The indices of all reads.
  std::set<Index> read_forms() {
    std::set<Index> own;
    for (const Value part : all_inside()) own.insert(t_[part].index.begin(), t_[part].index.end());
    return own;
  }

  // A binder that the first of the reads looks up in a permutation is where that leads.
  std::optional<Value> permute() {
    const std::set<Value> own = all_inside();
    for (const Var v : vars_) {
      const auto back = permutation_back(t_, own, v);
      if (!back) continue;
      const Var w = fresh(t_[v].extent);
      return replace({{v, table(t_, *back, variable(t_, w))}}, {w}, boolean(t_, true));
    }
    return std::nullopt;
  }

  // A binder that all reads count down with is turned round.
  std::optional<Value> turn() {
    const std::set<Index> own = read_forms(), all = forms_;
    for (const Var v : vars_) {
      const auto inside = [&](const Part& p) {
        return t_[p.atom].kind != AtomKind::Variable && t_[p.atom].kind != AtomKind::Data && t_.contains(t_[p.atom].free, v);
      };
      bool down = false, up = false;
      for (const Index form : own) {
        const Size c = coefficient(t_, form, v);
        down = down || c < 0;
        up = up || c > 0;
      }
      for (const Index form : all) up = up || std::any_of(t_[form].parts.begin(), t_[form].parts.end(), inside);
      if (!down || up) continue;
      const Var w = fresh(t_[v].extent);
      return replace({{v, offset(t_, scale(t_, -1, variable(t_, w)), t_[v].extent - 1)}}, {w}, boolean(t_, true));
    }
    return std::nullopt;
  }

  // Two binders that occur only as n*a + b (n = extent of b) are one.
  std::optional<Value> merge() {
    std::set<std::pair<Var, Var>> tried;
    for (const Index form : std::vector<Index>(forms_.begin(), forms_.end())) {
      for (const Var a : vars_) {
        for (const Var b : vars_) {
          const Size n = t_[b].extent, c = coefficient(t_, form, b);
          if (a == b || same(c, 0) || !same(coefficient(t_, form, a), c * n) || !tried.insert({a, b}).second) continue;
          if (at_text(t_[a].extent) > kMaxExtent / at_text(n)) continue;
          if (auto v = try_merge(a, b)) return v;
        }
      }
    }
    return std::nullopt;
  }

  std::optional<Value> try_merge(Var a, Var b) {
    const Size n = t_[b].extent;
    const Var k = fresh(t_[a].extent * n);
    const Index high = divide(t_, variable(t_, k), n), low = modulo(t_, variable(t_, k), n);
    Substitution s(t_, {{a, high}, {b, low}});
    std::set<Index> forms = forms_in(s(body_));
    for (const Literal& l : path_)
      if (const Value c = s.condition(l.test); is_case(t_, c)) forms.merge(index_forms(t_, c));
    const Atom separate = t_[high].parts[0].atom;
    for (const Index form : forms) {
      for (const Part& p : t_[form].parts)
        if (p.atom == separate) return std::nullopt;
    }
    return replace({{a, high}, {b, low}}, {k}, boolean(t_, true));
  }

  Terms& t_;
  ScalarFn fn_;
  ElementType type_;
  const std::vector<Var>& vars_;
  const std::vector<Literal>& path_;
  Value body_;
  std::vector<Fact> facts_;
  std::set<Index> forms_;
};

}  // namespace

Value conjunction(Terms& t, const std::vector<Literal>& path) {
  Value guard = boolean(t, true);
  for (const Literal& l : path) guard = both(t, guard, condition(t, l));
  return guard;
}

std::optional<Value> simplify_box(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars,
                                  const std::vector<Literal>& path, Value body) {
  const Binders scope(t);  // numbers of fresh binders are in use while the fold is worked on
  return Box(t, fn, type, vars, path, body).simplify();
}

}  // namespace gg::checker
