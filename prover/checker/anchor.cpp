#include "prover/checker/anchor.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// Where the divisors at which `forms` cut a variable divide one another: 1, these, and its extent.
std::vector<Size> digits_of(Terms& t, Var v, const std::set<Index>& forms) {
  std::vector<Size> cuts{1, t[v].extent};
  const Index whole = variable(t, v);
  for (const Index a : forms) {
    for (const Part& p : t[a].parts)
      if (t[p.atom].kind == AtomKind::Div && t[p.atom].arg == whole) cuts.push_back(t[p.atom].m);
  }
  descending(cuts);
  std::reverse(cuts.begin(), cuts.end());
  for (std::size_t k = 1; k < cuts.size(); ++k)
    if (!divides(cuts[k - 1], cuts[k])) return {1, t[v].extent};
  return cuts;
}

// Is a test of the tree decided, that is: does the instance have fewer tests on index forms than the definition?
bool decides(Terms& t, Value definition, Substitution& at) {
  const ValueNode& node = t[definition];
  if (node.kind != ValueKind::Case) return false;
  if (t[node.test].kind != TestKind::Truth && !is_case(t, at.condition(node.test))) return true;
  return decides(t, node.kids[0], at) || decides(t, node.kids[1], at);
}

}  // namespace

bool in_extent(const Terms& t, std::uint32_t anchor, std::size_t k, Index index) {
  return t[index].lo >= 0 && t[index].hi < t[t.anchors[anchor].vars[k]].extent;
}

bool in_extents(const Terms& t, std::uint32_t anchor, const std::vector<Index>& index) {
  std::size_t k = 0;
  return std::all_of(index.begin(), index.end(), [&](Index i) { return in_extent(t, anchor, k++, i); });
}

Value plain_read(Terms& t, std::uint32_t anchor, std::vector<Index> index) {
  const Value v = t.intern(ValueNode{.kind = ValueKind::Read, .ref = anchor, .index = std::move(index)});
  return t.anchors[anchor].type == ElementType::Pred ? truth(t, v) : v;
}

Value instantiate(Terms& t, std::uint32_t anchor, Value form, const std::vector<Index>& index) {
  return Substitution(t, t.anchors[anchor].vars, index)(form);
}

std::vector<Index> used_parts(Terms& t, const std::vector<Var>& vars, std::size_t context, Value definition) {
  const std::set<Index> forms = index_forms(t, definition);
  std::vector<Index> used;
  for (const Var v : vars) {
    const Index whole = variable(t, v);
    Index part = t.contains(t[definition].free, v) ? whole : constant(t, 0);
    const std::vector<Size> cuts = used.size() < context || part != whole ? std::vector<Size>{} : digits_of(t, v, forms);
    for (std::size_t k = 0; cuts.size() > 2 && k + 1 < cuts.size(); ++k) {
      const Index digit = modulo(t, divide(t, whole, cuts[k]), cuts[k + 1] / cuts[k]);
      const Index without = axpy(t, -cuts[k], digit, part);
      if (Substitution(t, {{v, without}})(definition) == definition) part = without;
    }
    used.push_back(part);
  }
  return used;
}

Value read(Terms& t, std::uint32_t anchor, const std::vector<Index>& index) {
  if (const auto v = lift_forms(t, index, [&](const auto& x) { return read(t, anchor, x); })) return *v;
  const Anchor& a = t.anchors[anchor];
  if (is_integral(a.type) && a.type != ElementType::Pred && !t.defined(anchor) && same(a.lo, a.hi)) return number(t, a.lo);  // an input
  if (is_float(a.type) && !t.defined(anchor) && a.bounds.lo && a.bounds.hi && *a.bounds.lo == *a.bounds.hi) return number(t, *a.bounds.lo);
  if (!a.named && t.by_cases(anchor) && in_extents(t, anchor, index)) {
    const Value definition = t.definition(anchor);
    Substitution at(t, a.vars, index);
    if (decides(t, definition, at)) return at(definition);
  }
  std::vector<Index> at = index;
  for (std::size_t k = 0; k < a.used.size(); ++k) {  // the anchor is its definition, which is the same for all of these
    if (t[a.used[k]].parts.empty()) at[k] = a.used[k];
    else if (a.used[k] != variable(t, a.vars[k]) && in_extent(t, anchor, k, index[k])) at[k] = Substitution(t, {{a.vars[k], index[k]}})(a.used[k]);
  }
  return plain_read(t, anchor, std::move(at));
}

}  // namespace gg::checker
