#include "prover/checker/order.h"

#include "prover/checker/first.h"
#include "prover/checker/fold.h"
#include "prover/checker/number.h"
#include "prover/checker/permuted.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// The place `at` of the order of the row of `kid` over `var`.
struct Asked {
  std::uint32_t order;
  Var var;
  Value kid;
  Index at;
};

bool is_place(const Terms& t, Value v, std::uint32_t order) {
  return t[v].kind == ValueKind::Row && t[v].ref == order && t[v].leaf == static_cast<std::uint32_t>(Sorted::Place);
}

Index where(Terms& t, std::uint32_t order, Sorted what, const std::vector<Var>& vars, Value kid, Index at) {
  return to_index(t, row(t, order, static_cast<std::uint32_t>(what), vars, {kid}, {at}));
}

// k of the form v - k*(v div k), v itself (all of it) and 0 (k = 1) included.
std::optional<Size> low_digit(Terms& t, Index a, Var v) {
  const IndexNode& node = t[a];
  if (!same(node.c0, 0)) return std::nullopt;
  if (node.parts.empty()) return Size(1);
  if (a == variable(t, v)) return t[v].extent;
  for (const Part& p : node.parts)
    if (t[p.atom].kind == AtomKind::Div && modulo(t, variable(t, v), t[p.atom].m) == a) return t[p.atom].m;
  return std::nullopt;
}

// A place by another index.
class InPlace : public Rewriter {
 public:
  InPlace(Terms& t, Value from, Index to) : Rewriter(t), from_(from), to_(to) {}

 protected:
  bool unchanged(VarSet) override { return false; }
  Index atom(Atom a) override {
    const AtomNode& node = t_[a];
    return node.kind == AtomKind::Data && node.value == from_ ? to_ : Rewriter::atom(a);
  }

 private:
  Value from_;
  Index to_;
};

bool equal_in_row(const Terms& t, VarSet free, const std::vector<Var>& vars) { return !uses(t, free, vars); }

bool is_read(const Terms& t, const std::vector<Factor>& factors) {
  return factors.size() == 1 && factors[0].exponent.is_one() && t[factors[0].base].kind == ValueKind::Read;
}

// A key that puts a row in the same order: without finite addends and positive finite factors that are equal in all of it, the exponent
// of an exponential, and of a read what its definition leaves, if that is a read again.
Value order_key(Terms& t, Value key, const std::vector<Var>& vars) {
  std::vector<PolyPart> parts = poly_parts(t, key);
  std::erase_if(parts, [&](const PolyPart& p) { return equal_in_row(t, t[p.monomial].free, vars) && classes_of(t, p.monomial).finite(); });
  if (parts.empty()) return number(t, 0);
  if (parts.size() > 1) {
    Value rest = number(t, 0);
    for (const PolyPart& p : parts) rest = sum(t, rest, from_part(t, p));
    const Rational first = poly_parts(t, rest)[0].coef;
    return scaled(t, first.inverse() * Rational(first.sign()), rest);
  }
  const Rational sign = parts[0].coef.sign();
  std::vector<Factor> factors = t[parts[0].monomial].factors;
  std::erase_if(factors, [&](const Factor& f) {
    const Classes c = classes_of(t, t.intern(std::vector<Factor>{f}));
    return equal_in_row(t, t[f.base].free, vars) && c.finite() && c.positive();
  });
  Value exponent = number(t, 0);
  bool all = true;
  for (const Factor& f : factors) {
    const ValueNode& base = t[f.base];
    all = all && base.kind == ValueKind::Fn && base.fn == ScalarFn::Exp;
    if (all) exponent = sum(t, exponent, scaled(t, sign * f.exponent, base.kids[0]));
  }
  if (all) return order_key(t, exponent, vars);
  if (is_read(t, factors)) {
    const ValueNode read = t[factors[0].base];
    const auto meant = definition_at(t, read.ref, read.index, {});
    const Value other = meant ? order_key(t, scaled(t, sign, *meant), vars) : key;
    const std::vector<PolyPart> left = poly_parts(t, other);
    if (meant && left.size() == 1 && is_read(t, t[left[0].monomial].factors)) return other;
  }
  return from_part(t, {t.intern(std::move(factors)), sign});
}

// The row has the k best elements of each part, part after part, by the place `inner` in each: its best are those of all parts.
std::optional<Index> best_of_parts(Terms& t, const Asked& row, Value inner) {
  const auto k = low_digit(t, t[inner].index[0], row.var);
  const Size whole = t[row.var].extent, n = t[t[inner].vars[0]].extent;
  if (!k || !t.contains(t[inner].free, row.var) || !divides(*k, whole) || *k > n) return std::nullopt;
  if (t[row.at].lo < 0 || t[row.at].hi >= (same(*k, n) ? whole : *k)) return std::nullopt;
  Binders scope(t);
  const Var part = scope.open(whole / *k), place = scope.open(*k), one = scope.open(n), all = scope.open(whole / *k * n);
  Substitution cut(t, {{row.var, axpy(t, *k, variable(t, part), variable(t, place))}});
  const Value sorted = cut(inner);
  if (!is_place(t, sorted, row.order) || t[sorted].index[0] != variable(t, place)) return std::nullopt;
  const Value element = InPlace(t, sorted, variable(t, one))(cut(row.kid));
  if (t.contains(t[element].free, place)) return std::nullopt;
  if (where(t, row.order, Sorted::Place, {one}, element, variable(t, place)) != to_index(t, sorted)) return std::nullopt;
  const Index x = variable(t, all);
  const Value joined = Substitution(t, {{part, divide(t, x, n)}, {one, modulo(t, x, n)}})(element);
  const Index best = where(t, row.order, Sorted::Place, {all}, joined, row.at);
  const Index own = where(t, row.order, Sorted::OwnPlace, {part, one}, element, row.at);
  return axpy(t, *k, divide(t, best, n), own);
}

// The row is the part of `winner`, and the place that which the winner has in the order of this part: there is the winner.
std::optional<Index> winner_in_part(Terms& t, const Asked& row, Value winner) {
  const Size n = t[row.var].extent, whole = t[t[winner].vars[0]].extent;
  const Index at = t[winner].index[0], won = to_index(t, winner);
  if (!divides(n, whole) || t[at].lo < 0 || t[at].hi >= whole) return std::nullopt;
  Binders scope(t);
  const Opened open(t, t[winner]);
  const auto in_part = [&](Index part, Var element) {
    return Substitution(t, {{open.vars[0], axpy(t, n, part, variable(t, element))}})(open.kids[0]);
  };
  if (order_key(t, in_part(divide(t, won, n), row.var), {row.var}) != row.kid) return std::nullopt;
  const Var part = scope.open(whole / n), element = scope.open(n);
  const Value parts = in_part(variable(t, part), element);
  if (where(t, row.order, Sorted::OwnPlace, {part, element}, parts, at) != row.at) return std::nullopt;
  return modulo(t, won, n);
}

// What the row has at the place that comes to v when the places of its order are put in ascending order: v.
std::optional<Index> sorted_back(Terms& t, const Asked& row) {
  const IndexNode& at = t[row.at];
  if (at.parts.size() != 1 || !same(at.c0, 0) || !same(at.parts[0].coef, 1) || t[at.parts[0].atom].kind != AtomKind::Data) return std::nullopt;
  const Value sorted = t[at.parts[0].atom].value;
  const Size n = t[row.var].extent;
  if (!is_place(t, sorted, order_function(t, true)) || t[sorted].vars.size() != 1 || !same(t[t[sorted].vars[0]].extent, n)) return std::nullopt;
  const Index v = t[sorted].index[0];
  if (t[v].lo < 0 || t[v].hi >= n) return std::nullopt;
  const Opened open(t, t[sorted]);
  const Index own = where(t, row.order, Sorted::Place, {row.var}, row.kid, variable(t, open.vars[0]));
  return open.kids[0] == from_index(t, scale(t, -1, own)) ? std::optional(v) : std::nullopt;
}

}  // namespace

std::uint32_t order_function(Terms& t, bool nan_first) {
  const RowResult place{ElementType::S64, {}};
  return row_function(t, {.signature = nan_first ? "order" : "order, nan last", .results = {place, place}, .orders = true});
}

std::optional<Value> ordered(Terms& t, std::uint32_t order, Sorted what, const std::vector<Var>& vars, Value kid, Index at) {
  const Deeper level(t.depth);
  const std::uint32_t nan_first = order_function(t, true);
  if (const Value key = order_key(t, kid, vars); key != kid) return from_index(t, where(t, order, what, vars, key, at));
  if (order != nan_first && classes_of(t, kid).no_nan()) return from_index(t, where(t, nan_first, what, vars, kid, at));
  const auto place = constant_of(t, at);
  const bool first = place && same(*place, 0), alone = same(t[vars[0]].extent, 1);  // a row of one element, or of one part
  if (what == Sorted::OwnPlace) return first || alone ? std::optional(from_index(t, at)) : std::nullopt;
  if (alone) return first ? std::optional(from_index(t, at)) : std::nullopt;
  if (first && order == nan_first) {
    if (const auto best = part_of_largest(t, order, vars[0], kid)) return from_index(t, *best);
  }
  const Asked row{order, vars[0], kid, at};
  const auto numbers = t[at].lo >= 0 && t[at].hi < t[row.var].extent ? order_of_numbers(t, row.var, kid) : std::nullopt;
  if (numbers) return from_index(t, table(t, *numbers, at));
  if (const auto back = sorted_back(t, row)) return from_index(t, *back);
  for (const Value inside : values_inside(t, kid)) {
    if (!is_place(t, inside, order)) continue;
    if (const auto best = best_of_parts(t, row, inside)) return from_index(t, *best);
    if (const auto won = winner_in_part(t, row, inside)) return from_index(t, *won);
  }
  return std::nullopt;
}

std::optional<std::pair<Var, Index>> taken_at(Terms& t, Index zero, const std::vector<Var>& vars) {
  for (const Part& p : std::vector<Part>(t[zero].parts)) {
    const AtomNode atom = t[p.atom];
    if (atom.kind != AtomKind::Data || !same(magnitude(p.coef), 1) || t[atom.value].kind != ValueKind::Row || !t.rows[t[atom.value].ref].orders) continue;
    const ValueNode place = t[atom.value];
    const Index other = scale(t, -p.coef, axpy(t, -p.coef, atom_form(t, p.atom), zero));
    const auto at = std::find_if(vars.begin(), vars.end(), [&](Var v) { return place.index[0] == variable(t, v); });
    if (at == vars.end() || place.leaf != static_cast<std::uint32_t>(Sorted::Place) || !same(t[*at].extent, t[place.vars[0]].extent)) continue;
    const Opened row(t, place);
    if (t.contains(t[row.kids[0]].free, *at) || t.contains(t[other].free, *at) || t[other].lo < 0 || t[other].hi >= t[*at].extent) continue;
    Binders scope(t);
    const Var b = scope.open(t[*at].extent);
    const Index there = where(t, place.ref, Sorted::Place, row.vars, row.kids[0], variable(t, b));
    return std::pair{*at, where(t, order_function(t, true), Sorted::Place, {b}, from_index(t, scale(t, -1, there)), other)};
  }
  return std::nullopt;
}

Range range_of_place(const Terms& t, const ValueNode& row) {
  const Size last = t[row.vars.back()].extent - 1;
  if (static_cast<Sorted>(row.leaf) == Sorted::Place) return {0, last};
  return {0, std::max<Size>(0, std::min(last, t[row.index[0]].hi))};
}

}  // namespace gg::checker
