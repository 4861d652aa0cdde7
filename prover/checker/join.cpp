// Folds of one operation over neighbouring boxes as one fold (docs/certificate.md, F7).
#include <algorithm>
#include <unordered_map>

#include "prover/checker/fold.h"
#include "prover/checker/inverse.h"
#include "prover/checker/memo.h"
#include "prover/checker/number.h"
#include "prover/checker/picked.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

/// coef * rest * fold; of a maximum the rest is empty and the coefficient positive.
struct Summand {
  Value fold;
  Monomial rest;
  Rational coef;
  std::uint64_t skeleton = 0;
};

// What folds that join have in common: everything but index forms and extents. Only saves attempts.
std::uint64_t skeleton(const Terms& t, Value v, std::unordered_map<std::uint32_t, std::uint64_t>& known) {
  if (const auto it = known.find(v.id); it != known.end()) return it->second;
  const ValueNode& node = t[v];
  std::uint64_t h = pair_key(static_cast<std::uint32_t>(node.kind) * 256U + static_cast<std::uint32_t>(node.fn),
                             node.kind == ValueKind::Read ? node.ref : node.leaf);
  for (const Value kid : node.kids) h += 0x9e3779b97f4a7c15ULL * (skeleton(t, kid, known) + 1);
  for (const PolyPart& p : node.summands) {
    std::uint64_t product = 0;  // the order of factors hangs on index forms
    for (const Factor& f : t[p.monomial].factors) product += (skeleton(t, f.base, known) ^ f.exponent.hash()) * 0xbf58476d1ce4e5b9ULL;
    h += (product ^ (product >> 29U)) * 0x94d049bb133111ebULL;
  }
  return known[v.id] = h;
}

std::vector<Summand> folds_in(Terms& t, ScalarFn fn, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  if (parts.size() != 1) return {};
  std::vector<Summand> result;
  const std::vector<Factor> factors = t[parts[0].monomial].factors;
  if (fn == ScalarFn::Max && (factors.size() != 1 || parts[0].coef.sign() <= 0)) return {};
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const ValueNode& node = t[factors[k].base];
    if (node.kind != ValueKind::Fold || node.fn != fn || node.type != ElementType::Token || !factors[k].exponent.is_one()) continue;
    std::vector<Factor> rest = factors;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    result.push_back({factors[k].base, t.intern(std::move(rest)), parts[0].coef});
  }
  return result;
}

// The fold with one binder replaced by another of `extent`, plus `shift`.
Value moved(Terms& t, const ValueNode& node, std::size_t k, Size extent, Size shift) {
  const Opened open(t, node);
  std::vector<Var> vars = open.vars;
  vars[k] = t.var(Space::Temp, t.open_binders++, extent);
  Substitution s(t, {{open.vars[k], offset(t, variable(t, vars[k]), shift)}});
  return fold(t, node.fn, node.type, vars, s(open.guard), s(open.kids[0]));
}

bool in_text(const Size& a, const Size& b) { return at_text(a) < at_text(b); }

std::vector<Size> extents(const Terms& t, const std::vector<Var>& vars, std::size_t without) {
  std::vector<Size> result;
  for (std::size_t k = 0; k < vars.size(); ++k)
    if (k != without) result.push_back(t[vars[k]].extent);
  std::sort(result.begin(), result.end(), in_text);
  return result;
}

// How many elements of the k-th binder the other summand may have: one, or what is left of a fold's extents without those of the other binders.
std::vector<Size> lengths(const Terms& t, const Summand& part, std::size_t k, const std::vector<Summand>& others) {
  std::vector<Size> result{1};
  const std::vector<Size> own = extents(t, t[part.fold].vars, k);
  for (const Summand& other : others) {
    if (other.skeleton != part.skeleton) continue;
    const std::vector<Var>& vars = t[other.fold].vars;
    const std::vector<Size> all = extents(t, vars, vars.size());
    std::vector<Size> left;
    std::set_difference(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(left), in_text);
    if (left.size() == 1) result.push_back(left[0]);
  }
  return result;
}

// fold_{b < n} f(b) and fold_{b < m} f(b + n), or f(n), as fold_{b < n+m} f(b), both with the same beside them; `back`: fold_{b < n, g(b)} f(b)
// and fold_{b < m} f(b - m), or f(-1), where the guard of the first holds in all of the second.
std::optional<Value> beside(Terms& t, const Summand& part, Value other, const std::vector<Summand>& others, bool back) {
  const ValueNode node = t[part.fold];
  const Value outside = from_part(t, {part.rest, part.coef});
  for (std::size_t k = 0; k < node.vars.size(); ++k) {
    const Size own = t[node.vars[k]].extent;
    for (const Size& more : lengths(t, part, k, others)) {
      if (back && !same(more, 1) && t[node.path].literals.empty()) continue;  // the other fold goes on from its end
      const Value there = moved(t, node, k, more, back ? -more : own);
      if (part.rest != Monomial{} && poly_parts(t, there).size() > 1 && classes_of(t, part.rest).finite()) continue;  // no one summand
      if (product(t, outside, there) != other || !finite_but_for_idle(t, part.rest, part.fold) || !finite_but_for_idle(t, part.rest, there)) continue;
      return product(t, outside, moved(t, node, k, own + more, back ? -more : Size(0)));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> join(Terms& t, ScalarFn fn, Value a, Value b) {
  std::vector<Summand> x = folds_in(t, fn, a), y = folds_in(t, fn, b);
  if ((x.empty() && y.empty()) || t[a].reads != t[b].reads) return std::nullopt;
  const Deeper level(t.depth);  // an element may be a sum, of which summands join in their turn
  return remembered(t, t.memo().joined[fn == ScalarFn::Max ? 1 : 0], pair_key(a.id, b.id), [&] {
    std::unordered_map<std::uint32_t, std::uint64_t> known;
    for (std::vector<Summand>* side : {&x, &y}) {
      for (Summand& part : *side) part.skeleton = skeleton(t, part.fold, known);
    }
    std::optional<Value> whole;
    for (const bool back : {false, true}) {
      for (std::size_t k = 0; k < x.size() && !whole; ++k) whole = beside(t, x[k], b, y, back);
      for (std::size_t k = 0; k < y.size() && !whole; ++k) whole = beside(t, y[k], a, x, back);
    }
    for (const Summand& p : x) {
      for (const Summand& q : y) {
        if (whole || p.skeleton != q.skeleton || p.rest != q.rest || !(p.coef == q.coef) || !finite_but_for_idle(t, p.rest, p.fold) || !finite_but_for_idle(t, p.rest, q.fold)) continue;
        auto slices = join_slices(t, p.fold, q.fold);
        if (!slices) slices = join_slices(t, q.fold, p.fold);
        if (slices) whole = product(t, from_part(t, {p.rest, p.coef}), *slices);
      }
    }
    if (!whole && fn == ScalarFn::Add) whole = picked_sums(t, a, b);
    return whole;
  });
}

}  // namespace gg::checker
