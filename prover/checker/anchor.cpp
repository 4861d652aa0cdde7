#include "prover/checker/anchor.h"

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

bool in_range(Terms& t, const Anchor& anchor, const std::vector<Index>& index) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (t[index[k]].lo < 0 || t[index[k]].hi >= t[anchor.vars[k]].extent) return false;
  }
  return true;
}

// Is a test of the tree decided, that is: does the instance have fewer tests on index forms than the definition?
bool decides(Terms& t, Value definition, Substitution& at) {
  const ValueNode node = t[definition];
  if (node.kind != ValueKind::Case) return false;
  if (t[node.test].kind != TestKind::Truth && !is_case(t, at.condition(node.test))) return true;
  return decides(t, node.kids[0], at) || decides(t, node.kids[1], at);
}

std::vector<std::pair<Var, Index>> instance(const Anchor& anchor, const std::vector<Index>& index) {
  std::vector<std::pair<Var, Index>> map;
  for (std::size_t k = 0; k < index.size(); ++k) map.emplace_back(anchor.vars[k], index[k]);
  return map;
}

}  // namespace

Value instantiate(Terms& t, std::uint32_t anchor, Value form, const std::vector<Index>& index) {
  Substitution at(t, instance(t.anchors[anchor], index));
  return at(form);
}

Value read(Terms& t, std::uint32_t anchor, const std::vector<Index>& index) {
  if (const auto v = lift_forms(t, index, [&](const auto& x) { return read(t, anchor, x); })) return *v;
  const Anchor& a = t.anchors[anchor];
  if (a.definition && !a.named && is_case(t, *a.definition) && in_range(t, a, index)) {
    Substitution at(t, instance(a, index));
    if (decides(t, *a.definition, at)) return at(*a.definition);
  }
  ValueNode node{ValueKind::Read};
  node.ref = anchor;
  node.index = index;
  if (a.definition && !a.keeps) {  // the anchor is its definition, which is the same for all of these
    for (std::size_t k = 0; k < index.size(); ++k) {
      if (!t.contains(t[*a.definition].free, a.vars[k])) node.index[k] = constant(t, 0);
    }
  }
  const Value v = t.intern(std::move(node));
  return a.type == ElementType::Pred ? truth(t, v) : v;
}

}  // namespace gg::checker
