#include "prover/checker/choice.h"

#include <algorithm>

#include "prover/checker/inverse.h"
#include "prover/checker/lowest.h"
#include "prover/checker/nan_where.h"
#include "prover/checker/number.h"
#include "prover/checker/picked.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kNear = std::int64_t{1} << 31;

std::optional<Test> top(const Terms& t, Value v) { return is_case(t, v) ? std::optional(t[v].test) : std::nullopt; }

// Does it compare a clamp of data, or an integer that may wrap around?
bool respelled(const Terms& t, Test test) {
  const std::vector<Part>& parts = t[t[test].index].parts;
  return t[test].kind != TestKind::Truth && std::any_of(parts.begin(), parts.end(), [&](const Part& p) {
           if (t[p.atom].kind == AtomKind::Clamp) return has_data(t, t[p.atom].arg);
           return t[p.atom].kind == AtomKind::Data && t[t[p.atom].value].kind == ValueKind::Fn && t[t[p.atom].value].fn == ScalarFn::Convert && t[t[p.atom].value].leaf == 1;
         });
}

// The order of tests in a tree: by shape, so that it does not hang on the names of binders; but where others hold it may be seen that one does
// not wrap, or that a clamp does nothing.
bool earlier(const Terms& t, Test a, Test b) {
  if (t[a].shape == t[b].shape) return a < b;
  const bool last = respelled(t, a);
  return last != respelled(t, b) ? !last : t[a].shape < t[b].shape;
}

void take_earlier(const Terms& t, std::optional<Test>& first, Value v) {
  if (const auto x = top(t, v); x && (!first || earlier(t, *x, *first))) first = x;
}

// B2: of L < 0, L = 0, L > 0, told apart by two comparisons, the outer two are the same: eq L. So of L = -1, L = 0, L = 1, where there is no more.
std::optional<Value> as_equality(Terms& t, Test test, Value a, Value b) {
  const Index l = t[test].index;
  if (const ValueNode outer = t[b]; t[test].kind == TestKind::Eq && outer.kind == ValueKind::Case && t[outer.test].kind == TestKind::Eq && outer.kids[0] == a) {
    for (const Size side : {-1, 1}) {
      const Index middle = offset(t, l, side);
      if (t[outer.test].index == offset(t, l, 2 * side) && t[middle].lo >= -1 && t[middle].hi <= 1) return choose(t, eq(t, middle), outer.kids[1], a);
    }
  }
  if (t[test].kind != TestKind::Ge) return std::nullopt;
  for (const bool below : {false, true}) {  // ge L-1 under ge L, or ge L+1 under its negation
    const ValueNode& inner = t[below ? b : a];
    if (inner.kind != ValueKind::Case || t[inner.test].kind != TestKind::Ge) continue;
    if (t[inner.test].index != offset(t, l, below ? 1 : -1) || inner.kids[below ? 1 : 0] != (below ? a : b)) continue;
    return choose(t, eq(t, below ? t[inner.test].index : l), inner.kids[below ? 0 : 1], below ? a : b);
  }
  return std::nullopt;
}

// v = L from an equality with coefficient +-1 of a variable: the last such variable, and what it is.
std::optional<std::pair<Var, Index>> pinned(Terms& t, Test test) {
  const IndexNode& node = t[t[test].index];
  std::optional<std::pair<Var, Index>> best;
  for (const Part& p : node.parts) {
    const AtomNode& atom = t[p.atom];
    if (atom.kind != AtomKind::Variable || !same(magnitude(p.coef), 1)) continue;
    if (best && !t.before(best->first, atom.var)) continue;
    Index value = axpy(t, -p.coef, t[test].index, atom_form(t, p.atom));
    const Size low = std::max<Size>(t[value].lo, 0);
    if (same(low, std::min<Size>(t[value].hi, t[atom.var].extent - 1))) value = constant(t, low);  // the only one in its box
    if (!t.contains(t[value].free, atom.var)) best = {atom.var, value};
  }
  return best;
}

// C7: of test ? (v = L ? x : b) : b, where the test speaks of v, the equality comes first: then the test speaks of L.
std::optional<Value> told_of_value(Terms& t, Test test, Value a, Value b) {
  const ValueNode inner = t[a];
  if (inner.kind != ValueKind::Case || inner.kids[1] != b || t[inner.test].kind != TestKind::Eq) return std::nullopt;
  const auto pin = pinned(t, inner.test);
  if (!pin || !t.contains(t[test].free, pin->first)) return std::nullopt;
  const Value rest = choose(t, condition(t, {test, true}), inner.kids[0], b);
  return choose(t, condition(t, {inner.test, true}), rest, b);
}

// test ? a : b for an atomic test, keeping the order of tests.
Value branch(Terms& t, Test test, Value a, Value b) {
  t.step();
  const Deeper level(t.depth);
  if (const auto equality = as_equality(t, test, a, b)) return *equality;
  a = assume(t, Path{}, {test, true}, a);
  b = assume(t, Path{}, {test, false}, b);
  if (a == b) return a;
  std::optional<Test> first = test;
  take_earlier(t, first, a);
  take_earlier(t, first, b);
  if (*first != test) {
    const auto inner = [&](bool holds) {
      return branch(t, test, assume(t, Path{}, {*first, holds}, a), assume(t, Path{}, {*first, holds}, b));
    };
    const Value yes = inner(true);
    return branch(t, *first, yes, inner(false));
  }
  // One branch may be what the other becomes under the test: then it serves everywhere.
  if (assume(t, Path{}, {test, true}, b) == a) return b;
  if (assume(t, Path{}, {test, false}, a) == b) return a;
  if (const auto equality = as_equality(t, test, a, b)) return *equality;
  if (const auto part = finite_part(t, test, a, b)) return *part;
  if (const auto one = around(t, test, a, b)) return *one;
  if (const auto one = nan_either_way(t, test, a, b)) return *one;
  if (const auto one = lexicographic(t, test, a, b)) return *one;
  if (const auto turned = told_of_value(t, test, a, b)) return *turned;
  if (const auto one = picked(t, test, a, b)) return *one;
  return t.intern(ValueNode{.kind = ValueKind::Case, .test = test, .kids = {a, b}});
}

// Rebuilds a value for the places where a path holds.
class Restriction : public Rewriter {
 public:
  Restriction(Terms& t, Path path) : Rewriter(t), path_(path), facts_(facts_of(t, path)) {
    for (const Literal& l : t[path].literals) closed_ = closed_ || has_opaque(l.test);
  }

 protected:
  bool unchanged(VarSet free) override { return !closed_ && t_.disjoint(free, t_[path_].free); }

  // Of a wrap, what it wraps where the facts keep that inside the type (of 64 bits: inside 32, so that no bound overflows).
  std::optional<Index> unwrapped(Value v) {
    const ValueNode& node = t_[v];
    if (node.kind != ValueKind::Fn || node.fn != ScalarFn::Convert || node.leaf != 1) return std::nullopt;
    const Index inner = (*this)(to_index(t_, node.kids[0]));
    const Range all = range_of_type(node.type);
    const Index above = offset(t_, inner, -std::max<Size>(all.lo, -kNear)), below = offset(t_, scale(t_, -1, inner), std::min<Size>(all.hi, kNear));
    return implied(t_, facts_, above) && implied(t_, facts_, below) ? std::optional(inner) : std::nullopt;
  }

  Value base(const Factor& f) override {
    const auto least = closed_ && f.exponent.sign() < 0 ? least_where(t_, f.base, t_[path_].literals) : std::nullopt;
    const Value inside = (*this)(f.base);
    return least ? maximum(t_, inside, number(t_, *least)) : inside;
  }

  Value read(Value v, const std::vector<Index>& index) override { return told_value(t_, path_, Rewriter::read(v, index)); }

  // Clamps, divisions and wraps that the facts decide.
  Index atom(Atom a) override {
    const AtomNode& node = t_[a];
    if (node.kind == AtomKind::Data) {
      if (const auto inner = unwrapped(node.value)) return *inner;
      if (const auto told = told_of(t_, path_, a)) return *told;
    }
    if (node.kind != AtomKind::Clamp && node.kind != AtomKind::Div) return Rewriter::atom(a);
    const Index arg = (*this)(node.arg);
    const auto at_least = [&](const Size& c) { return implied(t_, facts_, offset(t_, arg, -c)); };
    const auto at_most = [&](const Size& c) { return implied(t_, facts_, offset(t_, scale(t_, -1, arg), c)); };
    if (node.kind == AtomKind::Clamp) {
      if (node.lo > -kFar && at_most(node.lo)) return constant(t_, node.lo);
      if (node.hi < kFar && at_least(node.hi)) return constant(t_, node.hi);
      const bool low = at_least(node.lo), high = at_most(node.hi), kept = has_data(t_, arg) && low != high;  // a case about something else may tell one limit
      return clamp(t_, arg, low && !kept ? -kFar : node.lo, high && !kept ? kFar : node.hi);
    }
    if (small(node.hi - node.lo, 3)) {
      for (Size q = node.lo; q <= node.hi; ++q)
        if (at_least(q * node.m) && at_most(q * node.m + node.m - 1)) return constant(t_, q);
    }
    return divide(t_, arg, node.m);
  }

  Value pick(const ValueNode& node) override {
    if (const auto known = decide(t_, path_, node.test)) return (*this)(node.kids[*known ? 0 : 1]);
    const Value test = remainder_decided(node.test) ? checker::condition(t_, {node.test, true}) : condition(node.test);
    const auto branch = [&](bool holds, std::size_t kid) { return assume(t_, path_, {node.test, holds}, node.kids[kid]); };
    const Value a = branch(true, 0), b = branch(false, 1);
    if (a == branch(true, 1)) return (*this)(node.kids[1]);  // by what the path says one branch may serve both
    if (b == branch(false, 0)) return (*this)(node.kids[0]);
    return choose(t_, test, a, b);
  }

 private:
  bool has_opaque(Test test) const {
    return t_[test].kind == TestKind::Truth || has_data(t_, t_[test].index);
  }

  // Is this a test of a remainder x - m (x div m) whose quotient the facts decide? With the number in its place the comparison would be
  // taken apart into quotient and remainder again, and so on without end.
  bool remainder_decided(Test test) {
    if (t_[test].kind != TestKind::Eq) return false;
    const IndexNode& before = t_[t_[test].index];
    const IndexNode& after = t_[(*this)(t_[test].index)];
    return std::any_of(before.parts.begin(), before.parts.end(), [&](const Part& p) {
      if (t_[p.atom].kind != AtomKind::Div) return false;
      const VarSet free = t_[t_[p.atom].arg].free;
      const bool beside = std::any_of(before.parts.begin(), before.parts.end(), [&](const Part& other) { return t_[other.atom].kind == AtomKind::Variable && t_.contains(free, t_[other.atom].var); });
      return beside && std::none_of(after.parts.begin(), after.parts.end(), [&](const Part& other) { return other.atom == p.atom; });
    });
  }

  Path path_;
  std::vector<Fact> facts_;
  bool closed_ = false;  // says something about values without variables
};

}  // namespace

Value special(Terms& t, ValueKind kind) {
  Value& known = t.memo().specials.at(static_cast<std::size_t>(kind));
  return known == Value{} ? known = t.intern(ValueNode{kind}) : known;
}
Value boolean(Terms& t, bool value) { return special(t, value ? ValueKind::True : ValueKind::False); }
bool closed(const Terms& t, VarSet free) {
  return std::none_of(t[free].begin(), t[free].end(), [&](Var v) { return t[v].space == Space::Bound || t[v].space == Space::Temp; });
}
bool is_case(const Terms& t, Value v) { return t[v].kind == ValueKind::Case; }

Value choose(Terms& t, Value condition, Value a, Value b) {
  const ValueNode& node = t[condition];
  if (node.kind == ValueKind::True) return a;
  if (node.kind == ValueKind::False) return b;
  if (node.kind == ValueKind::Unknown) return condition;
  if (node.kind != ValueKind::Case) throw Limit("a condition that is no boolean term");
  if (a == b) return a;
  return branch(t, node.test, choose(t, node.kids[0], a, b), choose(t, node.kids[1], a, b));
}

Value negate(Terms& t, Value c) { return choose(t, c, boolean(t, false), boolean(t, true)); }
Value both(Terms& t, Value a, Value b) { return choose(t, a, b, boolean(t, false)); }
Value either(Terms& t, Value a, Value b) { return choose(t, a, boolean(t, true), b); }

Value lift(Terms& t, const std::vector<Value>& args, const std::function<Value(const std::vector<Value>&)>& f) {
  std::optional<Test> first;
  for (const Value v : args) take_earlier(t, first, v);
  if (!first) return f(args);
  t.step();
  std::vector<Value> yes, no;
  for (const Value v : args) {
    yes.push_back(assume(t, Path{}, {*first, true}, v));
    no.push_back(assume(t, Path{}, {*first, false}, v));
  }
  const Value a = lift(t, yes, f);
  return branch(t, *first, a, lift(t, no, f));
}

std::optional<Value> lift_forms(Terms& t, const std::vector<Index>& forms, const std::function<Value(const std::vector<Index>&)>& f) {
  const auto pieces = [&](const Part& p) {
    const AtomNode& atom = t[p.atom];
    if (atom.kind != AtomKind::Data || !is_case(t, atom.value)) return false;
    const Test test = t[atom.value].test;
    return t[test].kind != TestKind::Truth && !has_data(t, t[test].index);
  };
  if (std::none_of(forms.begin(), forms.end(), [&](Index a) { return std::any_of(t[a].parts.begin(), t[a].parts.end(), pieces); }))
    return std::nullopt;
  std::vector<Value> values;
  for (const Index a : forms) values.push_back(from_index(t, a));
  return lift(t, values, [&](const std::vector<Value>& args) {
    std::vector<Index> at;
    for (const Value v : args) at.push_back(to_index(t, v));
    return f(at);
  });
}

Value restrict(Terms& t, Path path, Value v) {
  if (t[path].literals.empty()) return v;
  return remembered(t, t.memo().restricted, pair_key(path.id, v.id), [&] { return Restriction(t, path)(v); });
}

Value assume(Terms& t, Path path, Literal literal, Value v) {
  std::vector<Literal> literals = t[path].literals;
  literals.push_back(literal);
  if (literal.holds && t[literal.test].kind == TestKind::Eq) {
    auto pin = pinned(t, literal.test);
    if (!pin) pin = pinned_digit(t, literal.test);
    if (pin) {
      Substitution replace(t, {*pin});
      v = replace(v);
      for (const Literal& l : t[path].literals) {  // what is known of the variable is known of its value
        if (!t.contains(t[l.test].free, pin->first)) continue;
        if (const auto known = literal_of(t, replace.condition(l.test))) literals.push_back({known->test, known->holds == l.holds});
      }
      const Size extent = t[pin->first].extent;
      for (const Index bound : {pin->second, offset(t, scale(t, -1, pin->second), extent - 1)}) {  // the variable's own range
        if (const auto known = literal_of(t, ge(t, bound))) literals.push_back(*known);
      }
    }
  }
  return restrict(t, t.intern(std::move(literals)), v);
}

bool has_unknown(Terms& t, Value v) { return values_inside(t, v).count(special(t, ValueKind::Unknown)) != 0; }

Value forget(Terms& t, Value like, Value v) {
  const ValueNode& node = t[like];
  if (node.kind == ValueKind::Unknown) return like;
  if (node.kind != ValueKind::Case || !has_unknown(t, like)) return v;
  const Value yes = forget(t, node.kids[0], v);
  return choose(t, condition(t, {node.test, true}), yes, forget(t, node.kids[1], v));
}

std::optional<Literal> literal_of(Terms& t, Value condition) {
  const ValueNode& node = t[condition];
  for (const bool holds : {true, false})
    if (node.kind == ValueKind::Case && node.kids[0] == boolean(t, holds) && node.kids[1] == boolean(t, !holds)) return Literal{node.test, holds};
  return std::nullopt;
}

Path literals_of(Terms& t, Value guard) {
  std::vector<Literal> literals;
  const Value no = boolean(t, false), yes = boolean(t, true);
  while (guard != yes) {
    const ValueNode& node = t[guard];
    const bool plain = node.kind == ValueKind::Case && (node.kids[0] == no || node.kids[1] == no);
    if (!plain) throw Limit("a guard that is no conjunction");
    literals.push_back({node.test, node.kids[1] == no});
    guard = node.kids[node.kids[1] == no ? 0 : 1];
  }
  return t.intern(std::move(literals));
}

}  // namespace gg::checker
