// Folds of one operation over neighbouring boxes as one fold (docs/certificate.md, F7).
#include <algorithm>

#include "prover/checker/fold.h"
#include "prover/checker/memo.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

// What folds that join have in common: everything but index forms and extents. Only saves attempts.
std::uint64_t skeleton(Terms& t, Value v) {
  if (const auto it = t.memo().skeletons.find(v.id); it != t.memo().skeletons.end()) return it->second;
  const Deeper level(t);
  const ValueNode& node = t[v];
  std::uint64_t h = pair_key(static_cast<std::uint32_t>(node.kind) * 256U + static_cast<std::uint32_t>(node.fn),
                             node.kind == ValueKind::Read ? node.ref : node.leaf);
  for (const Value kid : node.kids) h += 0x9e3779b97f4a7c15ULL * (skeleton(t, kid) + 1);
  for (const PolyPart& p : node.summands) {
    std::uint64_t product = 0;  // the order of factors hangs on index forms
    for (const Factor& f : t[p.monomial].factors) product += (skeleton(t, f.base) ^ f.exponent.hash()) * 0xbf58476d1ce4e5b9ULL;
    h += (product ^ (product >> 29U)) * 0x94d049bb133111ebULL;
  }
  t.memo().skeletons[v.id] = h;
  return h;
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
  for (std::size_t k = 0; k < vars.size(); ++k) {
    if (k != without) result.push_back(t[vars[k]].extent);
  }
  std::sort(result.begin(), result.end(), in_text);
  return result;
}

// fold_{b < n} f(b) and fold_{b < m} f(b + n) as fold_{b < n+m} f(b); `back`: fold_{b < m, g(b)} f(b) and fold_{b < n} f(b - n), where the
// guard of the first holds in all of the second.
std::optional<Value> beside(Terms& t, const ValueNode& from, Value to, bool back) {
  if (back && t[from.path].literals.empty()) return std::nullopt;
  const std::vector<Size> all = extents(t, t[to].vars, t[to].vars.size());
  for (std::size_t k = 0; k < from.vars.size(); ++k) {
    const std::vector<Size> others = extents(t, from.vars, k);
    std::vector<Size> left;
    std::set_difference(all.begin(), all.end(), others.begin(), others.end(), std::back_inserter(left), in_text);
    if (left.size() != 1) continue;
    const Size own = t[from.vars[k]].extent;
    if (moved(t, from, k, left[0], back ? -left[0] : own) == to) return moved(t, from, k, own + left[0], back ? -left[0] : Size(0));
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t reads_key(Terms& t, Value v) {
  if (const auto it = t.memo().reads.find(v.id); it != t.memo().reads.end()) return it->second;
  const Deeper level(t);
  const ValueNode& node = t[v];
  std::uint64_t h = node.kind == ValueKind::Read ? pair_key(node.ref, 1) * 0x9e3779b97f4a7c15ULL : 0;
  const std::vector<Value> kids = node.kids;
  for (const Value kid : kids) h += reads_key(t, kid);
  const std::vector<PolyPart> parts = t[v].summands;
  for (const PolyPart& p : parts) h += reads_key(t, p.monomial);
  t.memo().reads[v.id] = h;
  return h;
}

std::uint64_t reads_key(Terms& t, Monomial m) {
  std::uint64_t h = 0;
  const std::vector<Factor> factors = t[m].factors;
  for (const Factor& f : factors) h += reads_key(t, f.base);
  return h;
}

namespace {

// The fold over one more element, if that element, after the last or before the first, is what is wanted.
std::optional<Value> extended(Terms& t, const ValueNode& node, const std::function<bool(Value)>& wanted) {
  for (std::size_t k = 0; k < node.vars.size(); ++k) {
    const Size n = t[node.vars[k]].extent;
    for (const bool after : {true, false}) {
      if (wanted(moved(t, node, k, 1, after ? n : Size(-1)))) return moved(t, node, k, n + 1, after ? Size(0) : Size(-1));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Value> join_element(Terms& t, Value fold, Value element) {
  const ValueNode& node = t[fold];
  if (node.kind != ValueKind::Fold || reads_key(t, fold) != reads_key(t, element)) return std::nullopt;
  return extended(t, node, [&](Value v) { return v == element; });
}

std::optional<Value> join_point(Terms& t, const PolyPart& fold_part, const PolyPart& point) {
  const std::vector<Factor> factors = t[fold_part.monomial].factors;
  const Value wanted = from_part(t, point);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const ValueNode& node = t[factors[f].base];
    if (node.kind != ValueKind::Fold || node.fn != ScalarFn::Add || !factors[f].exponent.is_one()) continue;
    std::vector<Factor> rest = factors;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(f));
    const Monomial others = t.intern(std::move(rest));
    if (!classes_of(t, others).finite()) continue;
    const Value outside = from_part(t, {others, fold_part.coef});
    const auto whole = extended(t, node, [&](Value v) { return product(t, outside, v) == wanted; });
    if (whole) return product(t, outside, *whole);
  }
  return std::nullopt;
}

std::optional<Value> join_folds(Terms& t, Value a, Value b) {
  const ValueNode &x = t[a], &y = t[b];
  if (x.kind != ValueKind::Fold || y.kind != ValueKind::Fold || x.fn != y.fn || x.type != y.type) return std::nullopt;
  if (x.vars.size() != y.vars.size()) return std::nullopt;
  if (skeleton(t, a) != skeleton(t, b)) return std::nullopt;
  return remembered(t, t.memo().joined, pair_key(a.id, b.id), [&] {
    std::optional<Value> joined;
    for (const bool back : {false, true}) {
      if (!joined) joined = beside(t, back ? y : x, back ? a : b, back);
      if (!joined) joined = beside(t, back ? x : y, back ? b : a, back);
    }
    if (!joined && reads_key(t, a) == reads_key(t, b)) joined = join_slices(t, a, b);
    if (!joined && reads_key(t, a) == reads_key(t, b)) joined = join_slices(t, b, a);
    return joined;
  });
}

}  // namespace gg::checker
