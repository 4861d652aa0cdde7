#include "prover/checker/first.h"

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/number.h"
#include "prover/checker/order.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

Value largest(Terms& t, Var var, Value key) { return fold(t, ScalarFn::Max, ElementType::Token, {var}, boolean(t, true), key); }

// The form at the first largest key, if it grows from each place of the row to the next.
std::optional<Index> at_first(Terms& t, Var var, Value key, Index form) {
  const Size step = coefficient(t, form, var);
  Index moving = constant(t, 0);  // what else hangs on the place
  const std::vector<Part> parts = t[form].parts;
  for (const Part& p : parts) {
    const Atom atom = p.atom;
    const bool itself = t[atom].kind == AtomKind::Variable && t[atom].var == var;
    if (!itself && t.contains(t[atom].free, var)) moving = axpy(t, p.coef, atom_form(t, atom), moving);
  }
  const Size lo = t[moving].lo, hi = t[moving].hi;
  if (step <= 0 || !near(lo) || !near(hi) || hi - lo >= step) return std::nullopt;
  const Value place = row(t, order_function(t, true), static_cast<std::uint32_t>(Sorted::Place), {var}, {key}, {constant(t, 0)});
  return Substitution(t, {{var, to_index(t, place)}})(form);
}

// Is a <= b for certain? Both are integers.
bool no_more(Terms& t, Value a, Value b) { return integral_form(t, a) && integral_form(t, b) && t[to_index(t, sum(t, b, minus(t, a)))].lo >= 0; }

bool whole_maximum(const Terms& t, Value v) {
  const ValueNode& n = t[v];
  return n.kind == ValueKind::Fold && n.fn == ScalarFn::Max && n.type == ElementType::Token && t[n.path].literals.empty();
}

bool simple_maximum(const Terms& t, Value v) { return whole_maximum(t, v) && t[v].vars.size() == 1; }

// Is the value, which larger ones are kept before, no more than any of these?
bool lowest_of(Terms& t, bool integers, bool smallest, Value lowest, Value all) {
  if (!integers) return t[lowest].kind == ValueKind::NegInf;
  return (!smallest && number_of(t, lowest) == Rational(INT64_MIN)) || no_more(t, lowest, all);  // of 64 bits, signed
}

// Tuples (case(g, e, l), f), l no more than any e: those where g holds. The others are no more than the first of these.
std::optional<Value> without_padding(Terms& t, const RowFunction& function, const Opened& open) {
  const bool smallest = function.keeps == RowFunction::Keeps::Smallest, integers = is_integral(function.results[0].type);
  const ValueNode tuple = t[open.kids[0]];
  if (!is_case(t, tuple.kids[0])) return std::nullopt;
  const ValueNode value = t[tuple.kids[0]];
  const auto oriented = [&](Value v) { return smallest ? minus(t, v) : v; };
  for (const bool holds : {true, false}) {
    const Literal g{value.test, holds};
    const Value e = value.kids[holds ? 0 : 1], low = value.kids[holds ? 1 : 0];
    const Value there = assume(t, Path{}, g, tuple.kids[1]), other = assume(t, Path{}, {value.test, !holds}, tuple.kids[1]);
    if (is_case(t, low) || is_case(t, e) || !lowest_of(t, integers, smallest, oriented(low), oriented(e)) || !integral_form(t, there) || !integral_form(t, other)) continue;
    const Value f = from_index(t, affine_where(t, to_index(t, there), g));
    std::vector<std::pair<Var, Index>> origin;
    for (const Var v : open.vars) origin.emplace_back(v, constant(t, 0));
    Substitution first(t, origin);
    const bool later = first(condition(t, g)) == boolean(t, true) && no_more(t, first(f), other);
    if (!later && (integers || !classes_of(t, e).finite())) continue;
    return fold(t, ScalarFn::Max, ElementType::Token, open.vars, condition(t, g), row(t, tuple.ref, tuple.leaf, {}, {e, f}, {}));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> first_of_join(Terms& t, const RowFunction& function, std::uint32_t leaf, Value join) {
  const bool smallest = function.keeps == RowFunction::Keeps::Smallest;
  const auto oriented = [&](Value v) { return smallest ? minus(t, v) : v; };
  std::optional<Value> elements, seed;
  const ValueNode whole = t[join];
  const bool alone = whole.kind == ValueKind::Fold;
  if (!alone && (whole.kind != ValueKind::Fn || whole.kids.size() != 2)) return std::nullopt;
  std::vector<Value> parts = whole.kids;
  if (alone) parts = {join};
  for (const Value v : parts) {
    if (whole_maximum(t, v)) elements = v;
    if (t[v].kind == ValueKind::Row && t[v].kids.size() == 2) seed = v;
  }
  if (!elements || alone == seed.has_value()) return std::nullopt;
  const Opened open(t, t[*elements]);
  if (t[open.kids[0]].kind != ValueKind::Row || t[open.kids[0]].kids.size() != 2) return std::nullopt;
  if (const auto rest = without_padding(t, function, open)) return first_of_join(t, function, leaf, seed ? maximum(t, *seed, *rest) : *rest);
  if (open.vars.size() != 1) return std::nullopt;
  const Value value = oriented(t[open.kids[0]].kids[0]), at = t[open.kids[0]].kids[1];
  const bool integers = is_integral(function.results[0].type);
  if (!is_integral(function.results[1].type) || !integral_form(t, at)) return std::nullopt;
  if (seed) {  // it is no more than the element at place 0
    const Value lowest = oriented(t[*seed].kids[0]), first = Substitution(t, {{open.vars[0], constant(t, 0)}})(at);
    const bool below = lowest_of(t, integers, smallest, lowest, value);
    const bool apart = !integers && classes_of(t, value).finite();
    if (!below || (!apart && !no_more(t, first, t[*seed].kids[1]))) return std::nullopt;
  }
  const auto found = at_first(t, open.vars[0], value, to_index(t, at));
  if (!found) return std::nullopt;
  return leaf == 1 ? from_index(t, *found) : oriented(largest(t, open.vars[0], value));
}

namespace {

// What a test compares that the place moves and what it does not: key = named, key >= named (upper) or key <= named.
struct Compared {
  Value key, named;
  bool upper, equal;
};

std::vector<Compared> compared(Terms& t, Var var, const TestNode& test, bool holds) {
  if (test.kind == TestKind::Truth) {
    const ValueNode c = t[test.value];
    const bool equal = c.kind == ValueKind::Fn && c.fn == ScalarFn::CompareEq;
    if (equal != holds || (!equal && (c.kind != ValueKind::Fn || c.fn != ScalarFn::CompareLt))) return {};  // not a < b: b <= a
    std::vector<Compared> all{{c.kids[1], c.kids[0], equal, equal}, {c.kids[0], c.kids[1], !equal, equal}};
    if (!classes_of(t, c.kids[0]).finite() || !classes_of(t, c.kids[1]).finite()) return all;
    Value moved = number(t, 0), rest = moved;  // moved + rest is 0, or at most 0
    for (const PolyPart& p : poly_parts(t, sum(t, c.kids[1], minus(t, c.kids[0])))) {
      Value& part = t.contains(t[p.monomial].free, var) ? moved : rest;
      part = sum(t, part, from_part(t, p));
    }
    all.push_back({moved, minus(t, rest), equal, equal});
    all.push_back({minus(t, moved), rest, !equal, equal});
    return all;
  }
  const bool equal = test.kind == TestKind::Eq;
  if (equal && !holds) return {};
  const Index form = holds ? test.index : offset(t, scale(t, -1, test.index), -1);
  Index moved = constant(t, 0), rest = constant(t, t[form].c0);
  const std::vector<Part> parts = t[form].parts;
  for (const Part& p : parts) {
    Index& part = t.contains(t[p.atom].free, var) ? moved : rest;
    part = axpy(t, p.coef, atom_form(t, p.atom), part);
  }
  return {{from_index(t, moved), from_index(t, scale(t, -1, rest)), true, equal}, {from_index(t, scale(t, -1, moved)), from_index(t, rest), false, equal}};
}

}  // namespace

std::optional<Value> first_of_largest(Terms& t, Var var, Value whole) {
  const ValueNode node = t[whole];
  const TestNode test = t[node.test];
  for (const bool holds : {true, false}) {
    const Value yes = node.kids[holds ? 0 : 1], no = node.kids[holds ? 1 : 0];
    if (is_case(t, yes) || is_case(t, no) || !no_more(t, no, yes)) continue;
    for (const Compared& c : compared(t, var, test, holds)) {
      const auto meant = t[c.named].kind == ValueKind::Read ? definition_at(t, t[c.named].ref, t[c.named].index, {}) : std::nullopt;
      const Value all = meant.value_or(c.named);
      const bool ordered = integral_form(t, c.key) || classes_of(t, c.key).no_nan();
      if (t.contains(t[all].free, var) || !t.contains(t[c.key].free, var) || !ordered) continue;
      for (const bool upper : {true, false}) {  // the largest, all <= key; the smallest, key <= all
        if (!c.equal && upper != c.upper) continue;
        const Value up = upper ? c.key : minus(t, c.key);
        if (largest(t, var, up) != (upper ? all : minus(t, all))) continue;
        if (const auto at = at_first(t, var, up, scale(t, -1, to_index(t, yes)))) return minus(t, from_index(t, *at));
      }
    }
  }
  return std::nullopt;
}

std::optional<Index> part_of_largest(Terms& t, std::uint32_t order, Var var, Value kid) {
  Value others = number(t, 0);
  std::optional<PolyPart> part;
  const std::vector<PolyPart> parts = poly_parts(t, kid);
  for (const PolyPart& p : parts) {
    const std::vector<Factor>& factors = t[p.monomial].factors;
    const bool maximum = factors.size() == 1 && factors[0].exponent.is_one() && simple_maximum(t, factors[0].base);
    if (maximum && !part && p.coef.sign() > 0) part = p;
    else others = sum(t, others, from_part(t, p));
  }
  if (!part || !classes_of(t, others).finite()) return std::nullopt;
  const Opened open(t, t[t[part->monomial].factors[0].base]);
  const Size size = t[open.vars[0]].extent;
  Binders scope(t);
  const Var all = scope.open(t[var].extent * size);
  const Index one = variable(t, all);
  const Value element = sum(t, others, scaled(t, part->coef, open.kids[0]));
  const Value joined = Substitution(t, {{var, divide(t, one, size)}, {open.vars[0], modulo(t, one, size)}})(element);
  const Value best = row(t, order, static_cast<std::uint32_t>(Sorted::Place), {all}, {joined}, {constant(t, 0)});
  return divide(t, to_index(t, best), size);
}

}  // namespace gg::checker
