#include "prover/checker/index.h"

#include <algorithm>
#include <array>

#include "models/base/check.h"
#include "prover/checker/choice.h"
#include "prover/checker/floored.h"
#include "prover/checker/fold.h"
#include "prover/checker/last_hit.h"
#include "prover/checker/memo.h"
#include "prover/checker/number.h"
#include "prover/checker/overflow.h"
#include "prover/checker/permuted.h"

namespace gg::checker {
namespace {

Size checked_mul(Size a, Size b) {
  Size r = 0;
  if (!product_fits(a, b, &r) || at_text(r) > kFar || at_text(r) < -kFar) throw Overflow("coefficient overflow");
  return r;
}

Size checked_add(Size a, Size b) {
  Size r = 0;
  if (!sum_fits(a, b, &r) || at_text(r) > 2 * kFar || at_text(r) < -2 * kFar) throw Overflow("coefficient overflow");
  return r;
}

// Sorted parts of a map atom -> coefficient.
Index from_parts(Terms& t, Size c0, std::vector<Part> parts) {
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.atom < b.atom; });
  std::size_t distinct = 0;
  for (const Part& p : parts) {
    if (distinct != 0 && parts[distinct - 1].atom == p.atom) {
      parts[distinct - 1].coef = checked_add(parts[distinct - 1].coef, p.coef);
    } else {
      parts[distinct++] = p;
    }
  }
  parts.resize(distinct);
  std::erase_if(parts, [](const Part& p) { return same(p.coef, 0); });
  return refit(t, t.intern(c0, std::move(parts)));
}

Index div_atom(Terms& t, Index a, Size m) {
  const Size lo = t[a].lo <= -kFar ? -kFar : floor_div(t[a].lo, m), hi = t[a].hi >= kFar ? kFar : floor_div(t[a].hi, m);
  return atom_form(t, t.intern(AtomNode{.kind = AtomKind::Div, .arg = a, .m = m, .lo = lo, .hi = hi}));
}

// floor(a / m) where every coefficient is already reduced modulo m.
Index divide_reduced(Terms& t, Index a, Size m) {
  const IndexNode& node = t[a];
  if (node.lo > -kFar && node.hi < kFar && floor_div(node.lo, m) == floor_div(node.hi, m))
    return constant(t, floor_div(node.lo, m));
  if (node.parts.size() == 1 && same(node.parts[0].coef, 1) && t[node.parts[0].atom].kind == AtomKind::Div) {
    const AtomNode& inner = t[node.parts[0].atom];  // (X div k + c) div m = (X + c k) div (k m)
    return divide(t, offset(t, inner.arg, checked_mul(node.c0, inner.m)), checked_mul(inner.m, m));
  }
  std::vector<Size> steps;
  for (const Part& p : node.parts) steps.push_back(common(m, p.coef));
  descending(steps);
  for (const Size& g : steps) {
    if (same(g, 1) || same(g, m)) continue;
    std::vector<Part> high, low;
    for (const Part& p : node.parts) {
      if (divides(g, p.coef)) high.push_back({p.coef / g, p.atom});
      else low.push_back(p);
    }
    const Size rest = node.c0 - g * floor_div(node.c0, g);
    const Index low_form = from_parts(t, rest, low);
    const IndexNode& l = t[low_form];
    const bool fits = l.lo >= 0 && l.hi < g;
    const bool digit = low.size() == 1 && same(rest, 0) && one_variable(t, low[0].atom) && same(low[0].coef, 1);
    if (!fits && !digit) continue;
    const Index high_form = from_parts(t, floor_div(node.c0, g), high);
    return divide(t, fits ? high_form : add(t, high_form, divide(t, low_form, g)), m / g);
  }
  return turned_quotient(t, a, m) ? scale(t, -1, divide(t, offset(t, scale(t, -1, a), m - 1), m)) : div_atom(t, a, m);
}

}  // namespace

void descending(std::vector<Size>& list) {
  std::sort(list.begin(), list.end(), [](const Size& a, const Size& b) { return at_text(a) > at_text(b); });
  list.erase(std::unique(list.begin(), list.end(), [](const Size& a, const Size& b) { return same(a, b); }), list.end());
}

bool one_variable(const Terms& t, Atom atom) {
  const AtomNode& node = t[atom];
  if (node.kind == AtomKind::Variable) return true;
  if (node.kind != AtomKind::Div) return false;
  const IndexNode& arg = t[node.arg];
  return same(arg.c0, 0) && arg.parts.size() == 1 && same(arg.parts[0].coef, 1) &&
         t[arg.parts[0].atom].kind == AtomKind::Variable;
}

Size floor_div(Size a, Size m) {
  const Size q = a / m;
  return q * m > a ? q - 1 : q;
}

Size saturate(Wide value) {
  if (!within(value, kFar)) return value > 0 ? kFar : -kFar;
  return static_cast<Size>(value);
}

Index constant(Terms& t, Size value) {
  if (at_text(value) > 2 * kFar || at_text(value) < -2 * kFar) throw Overflow("index constant out of bounds");
  return t.intern(value, std::vector<Part>{});
}

Index variable(Terms& t, Var v) {
  const Size extent = t[v].extent;
  if (extent <= 1) return constant(t, 0);
  std::vector<Index>& known = t.memo().variables;
  if (v.id >= known.size()) known.resize(v.id + 1);
  if (known[v.id] == Index{}) known[v.id] = atom_form(t, t.intern(AtomNode{.kind = AtomKind::Variable, .var = v, .hi = extent - 1}));
  return known[v.id];
}

Index atom_form(Terms& t, Atom atom) { return t.intern(0, {Part{1, atom}}); }

Index axpy(Terms& t, Size factor, Index x, Index y) {
  if (same(factor, 0)) return y;
  return linear(t, 0, std::array{std::pair<Size, Index>(1, y), std::pair<Size, Index>(factor, x)});
}

Index linear(Terms& t, Size c0, std::span<const std::pair<Size, Index>> summands) {
  std::vector<Part> parts;
  parts.reserve(2 * summands.size());
  for (const auto& [factor, form] : summands) {
    const IndexNode& a = t[form];
    c0 = checked_add(c0, checked_mul(factor, a.c0));
    for (const Part& p : a.parts) parts.push_back({checked_mul(factor, p.coef), p.atom});
  }
  return from_parts(t, c0, std::move(parts));
}

Index add(Terms& t, Index a, Index b) { return axpy(t, 1, a, b); }
Index sub(Terms& t, Index a, Index b) { return axpy(t, -1, b, a); }
Index scale(Terms& t, Size factor, Index a) { return axpy(t, factor, a, constant(t, 0)); }
Index offset(Terms& t, Index a, Size c) { return axpy(t, 1, a, constant(t, c)); }

Index divide(Terms& t, Index a, Size m) {
  GG_CHECK(m >= 1, "divisor of an index form");
  if (same(m, 1)) return a;
  if (const auto v = lift_forms(t, {a}, [&](const auto& x) { return from_index(t, divide(t, x[0], m)); })) return to_index(t, *v);
  const IndexNode& node = t[a];
  std::vector<Part> out, rest;
  for (const Part& p : node.parts) {  // balanced remainders keep ranges small
    Size q = floor_div(p.coef, m);
    Size r = p.coef - q * m;
    if (at_text(r) > at_text(m) / 2) r -= m, ++q;
    if (!same(q, 0)) out.push_back({q, p.atom});
    if (!same(r, 0)) rest.push_back({r, p.atom});
  }
  const Size q0 = floor_div(node.c0, m);
  const Index low = from_parts(t, node.c0 - q0 * m, rest);
  return add(t, from_parts(t, q0, out), divide_reduced(t, low, m));
}

Index modulo(Terms& t, Index a, Size m) { return axpy(t, -m, divide(t, a, m), a); }

Index clamp(Terms& t, Index a, Size lo, Size hi) {
  const IndexNode& node = t[a];
  if (lo >= hi) return constant(t, hi);
  if (node.lo >= lo && node.hi <= hi) return a;
  if (node.hi <= lo) return constant(t, lo);
  if (node.lo >= hi) return constant(t, hi);
  if (const auto v = lift_forms(t, {a}, [&](const auto& x) { return from_index(t, clamp(t, x[0], lo, hi)); })) return to_index(t, *v);
  if (!same(node.c0, 0)) {  // constants move out
    const Size l = lo <= -kFar ? lo : checked_add(lo, -node.c0), h = hi >= kFar ? hi : checked_add(hi, -node.c0);
    if ((l <= -kFar && lo > -kFar) || (h >= kFar && hi < kFar)) throw Overflow("limit of a clamp out of bounds");
    return offset(t, clamp(t, offset(t, a, -node.c0), l, h), node.c0);
  }
  if (node.parts[0].coef < 0) return scale(t, -1, clamp(t, scale(t, -1, a), saturate(-hi), saturate(-lo)));
  if (const auto last = last_hit(t, a, lo, hi)) return to_index(t, *last);
  lo = std::max(lo, node.lo);
  hi = std::min(hi, node.hi);
  if (node.parts.size() == 1 && same(node.parts[0].coef, 1) && t[node.parts[0].atom].kind == AtomKind::Clamp) {
    const AtomNode& inner = t[node.parts[0].atom];  // here inner.lo <= lo < hi <= inner.hi
    return clamp(t, inner.arg, lo, hi);
  }
  if (const auto larger = same(lo, 0) && same(hi, node.hi) ? larger_by(t, a) : std::nullopt) return *larger;
  // The smaller of two data, whose order no renaming keeps, is what the larger one leaves of both.
  const auto of_data = [&](const Part& p) { return has_data(t, atom_form(t, p.atom)); };
  if (node.parts.size() > 1 && same(lo, node.lo) && hi < node.hi && std::all_of(node.parts.begin(), node.parts.end(), of_data))
    return sub(t, offset(t, a, hi), clamp(t, a, hi, t[a].hi));
  return refit(t, atom_form(t, t.intern(AtomNode{.kind = AtomKind::Clamp, .arg = a, .lo = lo, .hi = hi})));
}

Index table(Terms& t, const std::vector<Size>& values, Index a) {
  GG_CHECK(!values.empty(), "empty table");
  const bool small = std::all_of(values.begin(), values.end(), [](const Size& x) { return x > -kFar && x < kFar; });
  if (!small) throw Limit("entry of a table out of bounds");
  const auto last = static_cast<std::int64_t>(values.size()) - 1;
  a = clamp(t, a, 0, last);
  if (const auto v = lift_forms(t, {a}, [&](const auto& x) { return from_index(t, table(t, values, x[0])); })) return to_index(t, *v);
  if (const auto c = constant_of(t, a)) return constant(t, values[static_cast<std::size_t>(*c)]);
  if (same(t[a].c0, 0) && t[a].parts.size() == 1 && same(t[a].parts[0].coef, 1) && t[t[a].parts[0].atom].kind == AtomKind::Table) {
    const AtomNode& inner = t[t[a].parts[0].atom];  // a table of a table
    std::vector<Size> both;
    for (const Size& k : inner.table) both.push_back(values[static_cast<std::size_t>(std::clamp<Size>(k, 0, last))]);
    return table(t, both, inner.arg);
  }
  const Size step = values.size() > 1 ? values[1] - values[0] : 0;
  bool affine = true;
  for (std::size_t k = 0; k + 1 < values.size() && affine; ++k)
    affine = same(values[k + 1] - values[k], step);
  if (affine) return offset(t, scale(t, step, a), values[0]);
  if (const auto one = table_of_variable(t, values, a)) return *one;
  const auto first = static_cast<std::int64_t>(std::max<Size>(t[a].lo, 0)), behind = static_cast<std::int64_t>(std::min<Size>(t[a].hi, last)) + 1;  // a range may be wider than the clamp
  const auto [lo, hi] = std::minmax_element(values.begin() + first, values.begin() + behind);
  return refit(t, atom_form(t, t.intern(AtomNode{.kind = AtomKind::Table, .arg = a, .table = values, .lo = *lo, .hi = *hi})));
}

Index data(Terms& t, Value value, Range range) {
  if (same(range.lo, range.hi) && near(range.lo)) return constant(t, range.lo);
  return atom_form(t, t.intern(AtomNode{.kind = AtomKind::Data, .value = value, .lo = range.lo, .hi = range.hi}));
}

std::optional<Size> constant_of(const Terms& t, Index a) {
  if (!t[a].parts.empty()) return std::nullopt;
  return t[a].c0;
}

Size coefficient(const Terms& t, Index a, Var v) {
  for (const Part& p : t[a].parts)
    if (t[p.atom].kind == AtomKind::Variable && t[p.atom].var == v) return p.coef;
  return 0;
}

Index multiplied_out(Terms& t, Index a) {
  for (const Part& p : t[a].parts) {
    const AtomNode& atom = t[p.atom];
    if (atom.kind == AtomKind::Div && same(p.coef, 1)) return add(t, atom.arg, scale(t, atom.m, axpy(t, -1, atom_form(t, p.atom), a)));
  }
  return a;
}

}  // namespace gg::checker
