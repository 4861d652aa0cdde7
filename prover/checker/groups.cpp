#include "prover/checker/groups.h"

#include <algorithm>
#include <numeric>

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/order.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr std::size_t kMostDigits = 3;  // binders that number a row

// The place of an order of one row.
std::optional<ValueNode> ordered_place(const Terms& t, Value v) {
  const ValueNode& node = t[v];
  const bool place = node.kind == ValueKind::Row && t.rows[node.ref].orders && node.leaf == static_cast<std::uint32_t>(Sorted::Place);
  return place && node.vars.size() == 1 ? std::optional(node) : std::nullopt;
}

// x of -x.
std::optional<Value> negated(Terms& t, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  if (parts.size() != 1 || !(parts[0].coef == Rational(-1))) return std::nullopt;
  const std::vector<Factor>& factors = t[parts[0].monomial].factors;
  return factors.size() == 1 && factors[0].exponent.is_one() ? std::optional(factors[0].base) : std::nullopt;
}

// Forms L of comparisons that may say L >= 0; at an end of the range of a form it stands as an equality, or not as one.
std::vector<Index> forms_in(Terms& t, const std::vector<Literal>& literals) {
  std::vector<Index> forms;
  for (const Literal& l : literals) {
    const TestNode test = t[l.test];
    if (test.kind == TestKind::Truth) continue;
    if (test.kind == TestKind::Ge) forms.push_back(l.holds ? test.index : offset(t, scale(t, -1, test.index), -1));
    if (test.kind == TestKind::Eq)
      for (const Size sign : {-1, 1}) forms.push_back(offset(t, scale(t, sign, test.index), l.holds ? 0 : -1));
  }
  return forms;
}

// Do both hold at the same places?
bool alike(Terms& t, Value a, Value b) { return a == b || (both(t, a, negate(t, b)) == boolean(t, false) && both(t, b, negate(t, a)) == boolean(t, false)); }

// The branches of an integer.
void add_values(Terms& t, Value v, std::vector<Index>& values) {
  if (!is_case(t, v)) return values.push_back(to_index(t, v));
  for (const Value kid : std::vector<Value>(t[v].kids)) add_values(t, kid, values);
}

// B of a sum of 1 over all of the row, whose places the binders are together, where `element`, over `var`, is at least B, which is the same in all of it.
std::optional<Index> bound_of(Terms& t, const ValueNode& sum, Var var, Value element) {
  if (sum.kind != ValueKind::Fold || sum.fn != ScalarFn::Add || sum.type != ElementType::Token || sum.vars.size() > kMostDigits) return std::nullopt;
  const auto one = number_of(t, sum.kids[0]);
  const std::vector<Index> forms = forms_in(t, t[sum.path].literals);
  Value guard = boolean(t, true);
  for (const Literal& l : t[sum.path].literals) guard = both(t, guard, condition(t, l));
  Size places = 1;
  for (const Var v : sum.vars) places = places * t[v].extent;
  if (!one || !one->is_one() || !same(places, t[var].extent)) return std::nullopt;
  std::vector<std::size_t> order(sum.vars.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    Index place = constant(t, 0);
    for (const std::size_t k : order) place = axpy(t, t[sum.vars[k]].extent, place, variable(t, sum.vars[k]));
    const Value here = Substitution(t, {{var, place}})(element);
    std::vector<Index> values;
    add_values(t, here, values);
    for (const Index value : values) {
      for (const Index form : forms) {
        const Index bound = sub(t, value, form);
        if (!uses(t, t[bound].free, sum.vars) && alike(t, ge(t, sub(t, to_index(t, here), bound)), guard)) return bound;
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return std::nullopt;
}

}  // namespace

std::optional<Value> beside_count(Terms& t, Index a) {
  if (t[a].parts.size() != 2 || t[t[a].parts[0].atom].kind != AtomKind::Data || t[t[a].parts[1].atom].kind != AtomKind::Data) return std::nullopt;
  const IndexNode node = t[a];
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    const Part &own = node.parts[k], &other = node.parts[1 - k];
    const bool above = own.coef > 0;  // w - C, else C - 1 - w
    const auto place = ordered_place(t, t[own.atom].value);
    if (!place || !same(own.coef, above ? 1 : -1) || !same(other.coef, -own.coef) || !same(node.c0, above ? 0 : -1)) continue;
    const Opened places(t, *place);
    const auto inner = negated(t, places.kids[0]);
    const auto order = inner ? ordered_place(t, *inner) : std::nullopt;
    if (!order || order->index[0] != variable(t, places.vars[0]) || !same(t[order->vars[0]].extent, t[places.vars[0]].extent)) continue;
    const Index at = place->index[0];
    if (t[at].lo < 0 || t[at].hi >= t[places.vars[0]].extent) continue;
    const Opened sorted(t, *order);
    if (t.contains(t[sorted.kids[0]].free, places.vars[0])) continue;
    ValueNode count = t[t[other.atom].value];
    if (const auto made = count.kind == ValueKind::Read ? definition_at(t, count.ref, count.index, {}) : std::nullopt) count = t[*made];
    const auto bound = bound_of(t, count, sorted.vars[0], sorted.kids[0]);
    if (!bound) continue;
    const Index over = sub(t, to_index(t, Substitution(t, {{sorted.vars[0], at}})(sorted.kids[0])), *bound);
    return above ? negate(t, ge(t, over)) : ge(t, over);
  }
  return std::nullopt;
}

std::optional<std::pair<std::pair<Var, Index>, Var>> part_taken(Terms& t, Index zero, const std::vector<Var>& vars, const std::function<Var(Size)>& fresh) {
  for (const Part& p : std::vector<Part>(t[zero].parts)) {
    const AtomNode quotient = t[p.atom];
    if (quotient.kind != AtomKind::Div || !same(magnitude(p.coef), 1) || !has_data(t, quotient.arg)) continue;
    const Var place = fresh(quotient.m);
    const Index first = scale(t, quotient.m * -p.coef, axpy(t, -p.coef, atom_form(t, p.atom), zero));
    if (const auto taken = taken_at(t, sub(t, quotient.arg, add(t, first, variable(t, place))), vars)) return std::pair{*taken, place};
  }
  return std::nullopt;
}

Index quotient(Terms& t, Index x, const Size& c, const Size& above) {
  const Size less = floor_div(-t[x].c0, c), least = -t[x].c0 - c * less;
  if (!has_data(t, x) || c < 2 || least + above >= c) return divide(t, x, c);
  return offset(t, divide(t, offset(t, x, -t[x].c0), c), -less);
}

std::optional<std::pair<Var, Index>> settled(Terms& t, const std::vector<Fact>& facts, const std::vector<Var>& vars) {
  for (const Fact& f : facts) {
    const auto negative = [&](const Fact& g) { return !g.equality && g.index == scale(t, -1, f.index); };
    if (f.equality || !has_data(t, f.index) || std::ranges::none_of(facts, negative)) continue;
    for (const Var v : vars) {
      const Size c = coefficient(t, f.index, v);
      const Index others = axpy(t, -c, variable(t, v), f.index);
      if (same(magnitude(c), 1) && !t.contains(t[others].free, v)) return std::pair{v, scale(t, -c, others)};
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
