#include "prover/checker/fold.h"

#include <algorithm>

#include "models/pair/certificate_line.h"
#include "prover/checker/binders.h"
#include "prover/checker/choice.h"
#include "prover/checker/compared.h"
#include "prover/checker/first.h"
#include "prover/checker/index.h"
#include "prover/checker/inverse.h"
#include "prover/checker/lowest.h"
#include "prover/checker/number.h"
#include "prover/checker/order.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/summands.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// The first test of the tree that no binder occurs in.
std::optional<Test> binder_free_test(const Terms& t, Value v, const std::vector<Var>& vars) {
  const ValueNode& node = t[v];
  if (node.kind != ValueKind::Case) return std::nullopt;
  if (!uses(t, t[node.test].free, vars)) return node.test;
  const auto yes = binder_free_test(t, node.kids[0], vars);
  return yes ? yes : binder_free_test(t, node.kids[1], vars);
}

void leaves(const Terms& t, Value v, std::vector<Literal>& path, std::vector<Leaf>& out) {
  if (!is_case(t, v)) {
    out.push_back({path, v});
    return;
  }
  const ValueNode& node = t[v];
  for (const bool holds : {true, false}) {
    path.push_back({node.test, holds});
    leaves(t, node.kids[holds ? 0 : 1], path, out);
    path.pop_back();
  }
}

// A fold over `vars` whose body is a fold of the same operation (times a finite factor), as one over both boxes (F1).
Value flattened(Terms& t, const std::vector<Var>& vars, Value guard, const ValueNode& inner, std::optional<Value> factor = std::nullopt) {
  const Opened open(t, inner);
  std::vector<Var> all = vars;
  all.insert(all.end(), open.vars.begin(), open.vars.end());
  const Value body = factor ? product(t, *factor, open.kids[0]) : open.kids[0];
  return fold(t, inner.fn, inner.type, all, both(t, guard, open.guard), body);
}

// One monomial of a sum over a box: what can leave the fold leaves, inner sums join (F1, F2).
Value sum_of_monomial(Terms& t, const std::vector<Var>& vars, const std::vector<Literal>& path, Monomial monomial) {
  if (const auto fewer = without_lowest(t, vars, path, monomial)) return fold(t, ScalarFn::Add, ElementType::Token, vars, conjunction(t, *fewer), from_part(t, {monomial, 1}));
  std::vector<Factor> out, in;
  for (const Factor& f : t[monomial].factors) {
    const bool leaves = !uses(t, t[f.base].free, vars) && (classes_of(t, t.intern(std::vector<Factor>{f})).finite() ||
                                                           (path.empty() && inverse_leaves(t, t[monomial].factors, f)));
    (leaves ? out : in).push_back(f);
  }
  if (!out.empty()) {
    const Value outside = from_part(t, {t.intern(std::move(out)), 1});
    Value body = number(t, 1);  // a sum may have waited for what leaves
    for (const Factor& f : in) body = product(t, body, from_part(t, {t.intern(std::vector<Factor>{f}), 1}));
    return product(t, outside, fold(t, ScalarFn::Add, ElementType::Token, vars, conjunction(t, path), body));
  }
  for (std::size_t k = 0; k < in.size(); ++k) {  // an inner sum, the other factors finite
    const ValueNode& inner = t[in[k].base];
    if (inner.kind != ValueKind::Fold || inner.fn != ScalarFn::Add || inner.type != ElementType::Token) continue;
    if (!in[k].exponent.is_one()) continue;
    std::vector<Factor> others = in;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    const Monomial rest = t.intern(std::move(others));
    if (!classes_of(t, rest).finite()) continue;
    return flattened(t, vars, conjunction(t, path), inner, from_part(t, {rest, 1}));
  }
  return close_fold(t, ScalarFn::Add, ElementType::Token, vars, path, from_part(t, {monomial, 1}));
}

Value sum_of_leaf(Terms& t, const std::vector<Var>& vars, const Leaf& leaf) {
  const std::vector<PolyPart> parts = poly_parts(t, leaf.value);
  if (parts.size() == 1 && parts[0].coef.is_one()) return sum_of_monomial(t, vars, leaf.path, parts[0].monomial);
  Value total = number(t, 0);
  const Value guard = conjunction(t, leaf.path);
  for (const PolyPart& p : parts) {  // each summand has its own box: binders that it does not use leave
    const Value summand = from_part(t, {p.monomial, 1});
    total = sum(t, total, scaled(t, p.coef, fold(t, ScalarFn::Add, ElementType::Token, vars, guard, summand)));
  }
  return total;
}

// Maximum over a box: of sums, finite terms without binders and the size of the first coefficient leave.
Value max_of_leaf(Terms& t, const std::vector<Var>& vars, const Leaf& leaf) {
  const Value guard = conjunction(t, leaf.path);
  const auto again = [&](Value body) { return fold(t, ScalarFn::Max, ElementType::Token, vars, guard, body); };
  const ValueNode& node = t[leaf.value];
  if (const auto outer = leaf.path.empty() ? maximum_inside(t, leaf.value, again) : std::nullopt) return *outer;
  if (node.kind == ValueKind::Fn && node.fn == ScalarFn::Max && node.type == ElementType::Token) {
    Value all = special(t, ValueKind::NegInf);
    for (const Value v : node.kids) all = maximum(t, all, again(v));
    return all;
  }
  if (node.kind == ValueKind::Poly && !number_of(t, leaf.value)) {
    Value outside = number(t, 0), inside = number(t, 0);
    for (const PolyPart& p : node.summands) {
      const bool leaves = !uses(t, t[p.monomial].free, vars) && classes_of(t, p.monomial).finite();
      Value& side = leaves ? outside : inside;
      side = sum(t, side, from_part(t, p));
    }
    const auto rest = poly_parts(t, inside);
    if (!rest.empty() && outside != number(t, 0)) return sum(t, outside, again(inside));
    if (!rest.empty()) {
      const Rational size = rest[0].coef.sign() < 0 ? -rest[0].coef : rest[0].coef;
      if (!size.is_one()) return scaled(t, size, again(scaled(t, size.inverse(), inside)));
    }
  }
  return close_fold(t, ScalarFn::Max, ElementType::Token, vars, leaf.path, leaf.value);
}

// There is a point where, among others, "there is an inner point where": one fold over both (F1).
std::optional<Value> or_of_or(Terms& t, const std::vector<Var>& vars, const Leaf& leaf) {
  for (std::size_t k = 0; k < leaf.path.size(); ++k) {
    const TestNode& test = t[leaf.path[k].test];
    if (!leaf.path[k].holds || test.kind != TestKind::Truth) continue;
    const ValueNode& inner = t[test.value];
    if (inner.kind != ValueKind::Fold || inner.fn != ScalarFn::Or || inner.type != ElementType::Token) continue;
    std::vector<Literal> others = leaf.path;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    return flattened(t, vars, conjunction(t, others), inner);
  }
  return std::nullopt;
}

// Is a table looked up by a binder in a test?
bool tabled(const Terms& t, Value v, const std::vector<Var>& vars) {
  for (const Index form : index_forms(t, v)) {
    for (const Part& p : t[form].parts)
      if (t[p.atom].kind == AtomKind::Table && uses(t, t[t[p.atom].arg].free, vars)) return true;
  }
  return false;
}

// Are constant arrays and tables all that is read?
bool of_arrays(const Terms& t, Value v) {
  bool some = false;
  for (const Value part : values_inside(t, v)) {
    some = some || t[part].kind == ValueKind::Element || (t[part].kind == ValueKind::Int && t[Atom{t[part].ref}].kind == AtomKind::Table);
    if (t[part].kind == ValueKind::Read || t[part].kind == ValueKind::Row) return false;
  }
  return some;
}

// The disjunction of a few conditions that the binders only number; a number that a few elements of constant arrays come to (F12).
std::optional<Value> written_table(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, Value whole) {
  std::int64_t points = 1;
  const bool conditions = fn == ScalarFn::Or;
  const auto bound = [&](Var v) { return std::find(vars.begin(), vars.end(), v) != vars.end(); };
  if (type != ElementType::Token || (!conditions && !std::all_of(t[t[whole].free].begin(), t[t[whole].free].end(), bound))) return std::nullopt;
  for (const Var v : vars) {
    if (!small(t[v].extent, kMaxWritten)) return std::nullopt;
    points *= points > kMaxWritten ? 1 : static_cast<std::int64_t>(t[v].extent);
  }
  if (points > kMaxWritten || (!tabled(t, whole, vars) && (conditions || !of_arrays(t, whole)))) return std::nullopt;
  const Value all = over_points(t, fn, type, vars, [&](Substitution& point) { return point(whole); });
  return conditions || number_of(t, all) ? std::optional(all) : std::nullopt;
}

Value of_leaf(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, const Leaf& leaf) {
  if (leaf.value == unit(t, fn, type)) return leaf.value;
  if (const auto simpler = simplify_box(t, fn, type, vars, leaf.path, leaf.value)) return *simpler;
  if (t[leaf.value].kind == ValueKind::Unknown) return leaf.value;
  const ValueNode& inner = t[leaf.value];
  if (inner.kind == ValueKind::Fold && inner.fn == fn && inner.type == type) return flattened(t, vars, conjunction(t, leaf.path), inner);
  if (fn == ScalarFn::Add && type == ElementType::Token) return sum_of_leaf(t, vars, leaf);
  if (fn == ScalarFn::Max && type == ElementType::Token) return max_of_leaf(t, vars, leaf);
  if (fn == ScalarFn::Or && type == ElementType::Token)
    if (const auto flat = or_of_or(t, vars, leaf)) return *flat;
  return close_fold(t, fn, type, vars, leaf.path, leaf.value);
}

// The tree with each leaf as a condition.
Value where(Terms& t, Value v, const std::function<bool(Value)>& holds) {
  if (!is_case(t, v)) return boolean(t, holds(v));
  const ValueNode node = t[v];
  const Value yes = where(t, node.kids[0], holds);
  return choose(t, condition(t, {node.test, true}), yes, where(t, node.kids[1], holds));
}

// A maximum of literals by conditions: the larger ones, each where there is a point at which an element is as large.
std::optional<Value> largest_literal(Terms& t, const std::vector<Var>& vars, Value whole) {
  std::vector<Leaf> all;
  std::vector<Literal> path;
  leaves(t, whole, path, all);
  std::vector<Rational> values;
  for (const Leaf& leaf : all) {
    const auto value = number_of(t, leaf.value);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Value result = number(t, values[0]);
  for (std::size_t k = 1; k < values.size(); ++k) {
    const Value as_large = where(t, whole, [&](Value v) { return !(*number_of(t, v) < values[k]); });
    result = choose(t, fold(t, ScalarFn::Or, ElementType::Token, vars, boolean(t, true), as_large), number(t, values[k]), result);
  }
  return result;
}

// Integers by conditions on the data alone: they are not taken apart, for apart there is none at all points.
bool integers_by_data(Terms& t, Value v) {
  if (!is_case(t, v)) return t[v].kind != ValueKind::Unknown && integral_form(t, v);
  const ValueNode node = t[v];
  const bool of_data = t[node.test].kind == TestKind::Truth || has_data(t, t[node.test].index);
  return of_data && integers_by_data(t, node.kids[0]) && integers_by_data(t, node.kids[1]);
}

}  // namespace

Value unit(Terms& t, ScalarFn fn, ElementType type) {
  if (fn == ScalarFn::Or && type == ElementType::Token) return boolean(t, false);
  if (fn == ScalarFn::Max && type == ElementType::Token) return special(t, ValueKind::NegInf);
  if (fn == ScalarFn::And && !is_signed(type) && info(type).bits > 32) throw Limit("fold of and over a wide type");
  if (fn == ScalarFn::And) return number(t, is_signed(type) ? -1 : range_of_type(type).hi);
  return number(t, fn == ScalarFn::Multiply ? 1 : 0);
}

Value combine(Terms& t, ScalarFn fn, ElementType type, Value a, Value b) {
  if (type != ElementType::Token) return apply(t, fn, type, type, {a, b});
  if (fn == ScalarFn::Add) return sum(t, a, b);
  if (fn == ScalarFn::Max) return maximum(t, a, b);
  return fn == ScalarFn::Or ? either(t, a, b) : product(t, a, b);
}

FoldKind fold_kind(ScalarFn monoid, ElementType type) {
  if (type == ElementType::Pred) {
    if (monoid == ScalarFn::Xor) throw Limit("fold of exclusive or");
    const bool any = monoid == ScalarFn::Or || monoid == ScalarFn::Add || monoid == ScalarFn::Max;
    return {ScalarFn::Or, ElementType::Token, !any};
  }
  if (monoid == ScalarFn::Max || monoid == ScalarFn::Min) return {ScalarFn::Max, ElementType::Token, monoid == ScalarFn::Min};
  const bool modular = is_integral(type) && monoid != ScalarFn::Add;  // integers are wrapped when they are summed
  return {monoid, modular ? type : ElementType::Token};
}

Value flipped(Terms& t, const FoldKind& kind, Value v) {
  if (!kind.negated) return v;
  return kind.fn == ScalarFn::Or ? negate(t, v) : minus(t, v);
}

Value over_points(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, const std::function<Value(Substitution&)>& at) {
  constexpr std::int64_t kMaxPoints = 1 << 20;
  std::int64_t points = 1;
  for (const Var v : vars) {
    points *= static_cast<std::int64_t>(t[v].extent);
    if (points > kMaxPoints) throw Limit("a box of too many points");
  }
  Value all = unit(t, fn, type);
  for (std::int64_t n = 0; n < points; ++n) {
    Substitution point(t, nth_point(t, vars, n));
    all = combine(t, fn, type, all, at(point));
  }
  return all;
}

Value fold(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, Value guard, Value body) {
  t.step();
  const Deeper level(t.depth);
  const Value neutral = unit(t, fn, type);
  const Value whole = choose(t, guard, body, neutral);
  if (vars.empty() || whole == neutral) return whole;
  if (std::any_of(vars.begin(), vars.end(), [&](Var v) { return same(t[v].extent, 0); })) return neutral;
  if (const auto written = written_table(t, fn, type, vars, whole)) return *written;
  if (const auto test = binder_free_test(t, whole, vars)) {
    const Value yes = fold(t, fn, type, vars, boolean(t, true), assume(t, Path{}, {*test, true}, whole));
    const Value no = fold(t, fn, type, vars, boolean(t, true), assume(t, Path{}, {*test, false}, whole));
    return choose(t, condition(t, {*test, true}), yes, no);
  }
  if (fn == ScalarFn::Max && type == ElementType::Token && is_case(t, whole)) {
    if (const auto largest = largest_literal(t, vars, whole)) return *largest;
    const auto first = vars.size() == 1 ? first_of_largest(t, vars[0], whole) : std::nullopt;
    if (first) return *first;
    if (integers_by_data(t, whole)) return of_leaf(t, fn, type, vars, {{}, whole});
  }
  std::vector<Leaf> all;
  std::vector<Literal> path;
  if (fn == ScalarFn::Add && type == ElementType::Token && is_case(t, whole)) {
    for (const Leaf& x : summands(t, whole)) leaves(t, choose(t, conjunction(t, x.path), x.value, neutral), path, all);
  } else leaves(t, whole, path, all);
  Value result = neutral;
  for (const Leaf& leaf : all) {
    const Value part = of_leaf(t, fn, type, vars, leaf);
    result = result == neutral ? part : combine(t, fn, type, result, part);
  }
  return result;
}

std::uint32_t row_function(Terms& t, RowFunction function) {
  const auto it = std::find_if(t.rows.begin(), t.rows.end(), [&](const RowFunction& f) { return f.signature == function.signature; });
  if (it != t.rows.end()) return static_cast<std::uint32_t>(it - t.rows.begin());
  t.rows.push_back(std::move(function));
  return static_cast<std::uint32_t>(t.rows.size() - 1);
}

// The tuple of all places of one join is that join; a place of a tuple is what stands there.
static std::optional<Value> joined(const Terms& t, std::uint32_t signature, std::uint32_t leaf, const std::vector<Value>& kids) {
  const std::size_t places = t.rows[signature].results.size() - 1;
  const auto is = [&](Value v, std::size_t k) { return t[v].kind == ValueKind::Row && t[v].ref == signature && t[v].leaf == k; };
  if (leaf < places) return is(kids[0], places) ? std::optional(t[kids[0]].kids[leaf]) : std::nullopt;
  for (std::size_t k = 0; k < places; ++k)
    if (!is(kids[k], k) || t[kids[k]].kids != t[kids[0]].kids) return std::nullopt;
  return t[kids[0]].kids[0];
}

Value row(Terms& t, std::uint32_t signature, std::uint32_t leaf, const std::vector<Var>& vars,
          const std::vector<Value>& kids, const std::vector<Index>& index) {
  if (t.rows[signature].joins) {
    if (const auto simple = joined(t, signature, leaf, kids)) return *simple;
    const RowFunction function = t.rows[signature];
    const auto first = function.keeps != RowFunction::Keeps::Neither && leaf < 2 ? first_of_join(t, function, leaf, kids[0]) : std::nullopt;
    if (first) return *first;
  }
  if (t.rows[signature].orders)
    if (const auto simple = ordered(t, signature, static_cast<Sorted>(leaf), vars, kids[0], index[0])) return *simple;
  std::uint32_t height = 0;
  for (const Value v : kids) height = std::max(height, t[v].height);
  std::vector<std::pair<Var, Index>> names;
  ValueNode node{.kind = ValueKind::Row, .ref = signature, .leaf = leaf, .index = index};
  for (const Var v : vars) {
    node.vars.push_back(t.var(Space::Bound, height++, t[v].extent));
    names.emplace_back(v, variable(t, node.vars.back()));
  }
  Substitution rename(t, std::move(names));
  for (const Value v : kids) node.kids.push_back(rename(v));
  const Value v = t.intern(std::move(node));
  return t.rows[signature].results[leaf].type == ElementType::Pred ? truth(t, v) : v;
}

}  // namespace gg::checker
