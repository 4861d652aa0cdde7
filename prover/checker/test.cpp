// Atomic tests in normal form (B1, B2): ge and eq of index forms.
#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/counted.h"
#include "prover/checker/groups.h"
#include "prover/checker/limited.h"
#include "prover/checker/number.h"
#include "prover/checker/wrapped.h"

namespace gg::checker {
namespace {

Size content(const IndexNode& node) {
  Size g = 0;
  for (const Part& p : node.parts) g = common(g, p.coef);
  return g;
}

// Coefficients above 1 in absolute value, descending: the places where a form may fall apart.
std::vector<Size> cuts(const IndexNode& node) {
  std::vector<Size> result;
  for (const Part& p : node.parts)
    if (magnitude(p.coef) > 1) result.push_back(magnitude(p.coef));
  descending(result);
  return result;
}

bool digits_only(const Terms& t, Index a, Index old) {
  return std::all_of(t[a].parts.begin(), t[a].parts.end(), [&](const Part& p) {
    return t[p.atom].kind != AtomKind::Div ||
           std::any_of(t[old].parts.begin(), t[old].parts.end(), [&](const Part& q) { return q.atom == p.atom; });
  });
}

Value case_of(Terms& t, const TestNode& test, bool holds) {
  return t.intern(ValueNode{.kind = ValueKind::Case, .test = t.intern(test), .kids = {boolean(t, holds), boolean(t, !holds)}});
}

// a >= 0 as it stands, of a and -a - 1 that with a positive first coefficient.
Value half(Terms& t, Index a) {
  return t[a].parts[0].coef < 0 ? case_of(t, {TestKind::Ge, offset(t, scale(t, -1, a), -1)}, false) : case_of(t, {TestKind::Ge, a}, true);
}

// A test of one variable and nothing else, where its truth is one point, its complement, or a half line.
std::optional<Value> by_points(Terms& t, Index a, bool equality) {
  const IndexNode& node = t[a];
  const std::vector<Var> vars = t[node.free];
  if (vars.size() != 1 || !small(t[vars[0]].extent, 256) || has_data(t, a)) return std::nullopt;
  if (node.parts.size() == 1 && t[node.parts[0].atom].kind == AtomKind::Variable) return std::nullopt;
  const auto n = static_cast<std::int64_t>(t[vars[0]].extent);
  std::vector<bool> holds;
  for (std::int64_t v = 0; v < n; ++v) {
    const Size x = evaluate(t, a, [&](Var) { return v; });
    holds.push_back(equality ? x == 0 : x >= 0);
  }
  const auto count = std::count(holds.begin(), holds.end(), true);
  const Index v = variable(t, vars[0]);
  const auto first = std::find(holds.begin(), holds.end(), true) - holds.begin();
  const auto hole = std::find(holds.begin(), holds.end(), false) - holds.begin();
  if (count == n || count == 0) return boolean(t, count == n);
  if (count == 1) return eq(t, offset(t, v, -first));
  if (count == n - 1) return negate(t, eq(t, offset(t, v, -hole)));
  if (hole == count) return ge(t, offset(t, scale(t, -1, v), count - 1));
  if (std::all_of(holds.begin() + first, holds.end(), [](bool b) { return b; })) return ge(t, offset(t, v, -first));
  return std::nullopt;
}

// A comparison of clamp(X, lo, hi) with a form y is one of X itself where the range of y excludes the limits that matter.
std::optional<Value> open_clamp(Terms& t, Index a, bool equality) {
  const IndexNode& node = t[a];
  for (const Part& p : node.parts) {
    const AtomNode& atom = t[p.atom];
    if (atom.kind != AtomKind::Clamp || !same(magnitude(p.coef), 1)) continue;
    const Index rest = axpy(t, -p.coef, atom_form(t, p.atom), a), y = scale(t, -p.coef, rest);  // compared with the atom
    const Size lo = t[y].lo, hi = t[y].hi;
    const Index above = sub(t, atom.arg, y), below = sub(t, y, atom.arg);
    if (!equality) {
      if (p.coef > 0 && lo > atom.lo && hi <= atom.hi) return ge(t, above);
      if (p.coef < 0 && lo >= atom.lo && hi < atom.hi) return ge(t, below);
    } else {
      if (lo > atom.lo && hi < atom.hi) return eq(t, above);
      if (same(lo, hi) && near(lo) && same(lo, atom.lo) && lo < atom.hi) return ge(t, below);
      if (same(lo, hi) && near(lo) && same(lo, atom.hi) && lo > atom.lo) return ge(t, above);
    }
  }
  return std::nullopt;
}

// q = X div m with coefficient 1 or -1 in q + y >= 0: X + m*y >= 0, and in y - q >= 0: m*y + m-1 - X >= 0.
std::optional<Index> without_quotient(Terms& t, Index a) {
  const IndexNode& node = t[a];
  for (const Part& p : node.parts) {
    const AtomNode& atom = t[p.atom];
    if (atom.kind != AtomKind::Div || !same(magnitude(p.coef), 1) || one_variable(t, p.atom)) continue;
    const Index others = scale(t, atom.m, axpy(t, -p.coef, atom_form(t, p.atom), a));
    return axpy(t, p.coef, atom.arg, p.coef > 0 ? others : offset(t, others, atom.m - 1));
  }
  return std::nullopt;
}

// A comparison of an integer with a number inside a gap of its values, or with the one apart: with the nearest of the others. Where that one
// is above the others, of the negatives.
std::optional<Value> across_gap(Terms& t, Index a, bool equality) {
  const IndexNode node = t[a];
  if (node.parts.size() != 1 || !same(magnitude(node.parts[0].coef), 1)) return std::nullopt;
  const auto gap = gap_of(t, node.parts[0].atom);
  if (!gap) return std::nullopt;
  const bool below = gap->first < gap->second, up = (node.parts[0].coef > 0) == below;
  const Size apart = below ? gap->first : -gap->first, next = below ? gap->second : -gap->second;
  const Size number = up ? -node.c0 : node.c0;  // x = number; x >= number; x <= number
  const Index above = offset(t, scale(t, below ? 1 : -1, atom_form(t, node.parts[0].atom)), -next);
  const bool equal = same(number, apart), inside = number > apart && number < next;
  if (equality && inside) return boolean(t, false);
  if (equality && equal) return negate(t, ge(t, above));
  if (!equality && up && inside) return ge(t, above);
  if (!equality && !up && (equal || (inside && number < next - 1))) return negate(t, ge(t, above));
  return std::nullopt;
}

// C5, of a case by data: one branch must decide the comparison.
std::optional<Value> by_branch(Terms& t, Index a, const std::function<Value(Index)>& compare) {
  const std::vector<Part> parts = t[a].parts;
  for (const Part& p : parts) {
    const AtomNode atom = t[p.atom];
    if (atom.kind != AtomKind::Data || !is_case(t, atom.value) || has_unknown(t, atom.value)) continue;
    const ValueNode by = t[atom.value];
    const Index rest = axpy(t, -p.coef, atom_form(t, p.atom), a);
    const Value yes = compare(axpy(t, p.coef, to_index(t, by.kids[0]), rest)), no = compare(axpy(t, p.coef, to_index(t, by.kids[1]), rest));
    const auto decided = [&](Value v) { return v == boolean(t, true) || v == boolean(t, false); };
    if (decided(yes) || decided(no)) return choose(t, condition(t, {by.test, true}), yes, no);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::pair<Size, Size>> gap_in(Terms& t, Value v) {
  const ValueNode node = t[v];
  if (node.kind != ValueKind::Case) return std::nullopt;
  for (const bool second : {false, true}) {
    const auto literal = number_of(t, node.kids[second ? 1 : 0]);
    if (!literal || !literal->integer()) continue;
    const Size apart = *literal->integer();
    const Range others = integer_range(t, node.kids[second ? 0 : 1]);
    if (near(others.lo) && apart < others.lo - 1) return std::pair{apart, others.lo};
    if (near(others.hi) && apart > others.hi + 1) return std::pair{apart, others.hi};
  }
  return std::nullopt;
}

std::optional<std::pair<Size, Size>> gap_of(const Terms& t, Atom atom) {
  if (t[atom].kind != AtomKind::Data || t[t[atom].value].kind != ValueKind::Read) return std::nullopt;
  return t.anchors[t[t[atom].value].ref].gap;
}

Value ge(Terms& t, Index a) {
  t.step();
  if (const auto v = lift_forms(t, {a}, [&](const auto& x) { return ge(t, x[0]); })) return *v;
  if (const auto told = by_branch(t, a, [&](Index x) { return ge(t, x); })) return *told;
  if (const Index whole = joined_sums(t, a); whole != a) return ge(t, whole);
  const IndexNode& node = t[a];
  if (node.lo >= 0) return boolean(t, true);
  if (node.hi < 0) return boolean(t, false);
  if (const auto told = beside_count(t, a)) return *told;
  if (const auto told = beside_itself(t, a, false)) return *told;
  if (const auto open = open_clamp(t, a, false)) return *open;
  if (const auto told = wrap_compared(t, a, false)) return *told;
  if (const auto clear = across_gap(t, a, false)) return *clear;
  if (const auto whole = without_quotient(t, a)) return ge(t, *whole);
  if (const Size g = content(node); !same(g, 1)) return ge(t, divide(t, a, g));
  for (const Size& g : cuts(node)) {
    const Index high = divide(t, a, g);
    if (high != a && digits_only(t, high, a)) return ge(t, high);
  }
  if (same(node.hi, 0)) return eq(t, a);
  if (same(node.lo, -1)) return negate(t, eq(t, offset(t, a, 1)));
  if (const auto simple = by_points(t, a, false)) return *simple;
  return half(t, a);
}

Value eq(Terms& t, Index a) {
  t.step();
  if (const auto v = lift_forms(t, {a}, [&](const auto& x) { return eq(t, x[0]); })) return *v;
  if (const auto told = by_branch(t, a, [&](Index x) { return eq(t, x); })) return *told;
  if (const Index whole = joined_sums(t, a); whole != a) return eq(t, whole);
  const IndexNode& node = t[a];
  if (node.lo > 0 || node.hi < 0) return boolean(t, false);
  if (node.parts.empty()) return boolean(t, true);
  if (const auto told = counted(t, ScalarFn::CompareEq, from_index(t, offset(t, a, -node.c0)), -Rational(node.c0))) return *told;
  if (const auto told = beside_itself(t, a, true)) return *told;
  if (const auto open = open_clamp(t, a, true)) return *open;
  if (const auto told = wrap_compared(t, a, true)) return *told;
  if (const auto clear = across_gap(t, a, true)) return *clear;
  const Size g = content(node);
  if (!divides(g, node.c0) && never_divides(g, node.c0)) return boolean(t, false);
  if (!same(g, 1) && divides(g, node.c0)) return eq(t, divide(t, a, g));
  for (const Size& cut : cuts(node)) {  // a = cut * high + low with |low| < cut on the box
    Index low = constant(t, node.c0);
    bool taken_apart = false;
    for (const Part& p : node.parts) {
      if (divides(cut, p.coef)) continue;
      const Size m = cut / common(cut, p.coef);
      const Index atom = atom_form(t, p.atom), own = one_variable(t, p.atom) ? modulo(t, atom, m) : atom;
      taken_apart = taken_apart || own != atom;
      low = axpy(t, p.coef, own, low);
    }
    const Size multiple = cut * floor_div(t[low].hi, cut);  // the largest value that low may need
    if (multiple < t[low].lo) return boolean(t, false);
    if (multiple - cut >= t[low].lo) continue;
    low = offset(t, low, -multiple);
    if (t[low].parts.empty() || low == a) continue;
    // At an end of the range it is a comparison: of a place that a halo is beside, its digits tell nothing.
    if (taken_apart && t[node.free].size() > 1 && same(node.lo, 0)) return negate(t, half(t, offset(t, a, -1)));
    if (taken_apart && t[node.free].size() > 1 && same(node.hi, 0)) return half(t, a);
    return both(t, eq(t, divide(t, sub(t, a, low), cut)), eq(t, low));
  }
  if (node.parts[0].coef < 0) return eq(t, scale(t, -1, a));
  if (same(node.lo, -1) && same(node.hi, 0)) return negate(t, eq(t, offset(t, a, 1)));
  if (const auto simple = by_points(t, a, true)) return *simple;
  return case_of(t, {TestKind::Eq, a}, true);
}

Value between(Terms& t, Index a, Size lo, Size hi) { return both(t, ge(t, offset(t, a, -lo)), ge(t, offset(t, scale(t, -1, a), hi - 1))); }

Value truth(Terms& t, Value opaque) {
  const ValueKind kind = t[opaque].kind;
  if (kind == ValueKind::True || kind == ValueKind::False || kind == ValueKind::Case || kind == ValueKind::Unknown) return opaque;
  return case_of(t, {TestKind::Truth, Index{}, opaque}, true);
}

Value condition(Terms& t, Literal literal) {
  const TestNode& test = t[literal.test];
  return case_of(t, {test.kind, test.index, test.value}, literal.holds);
}

}  // namespace gg::checker
