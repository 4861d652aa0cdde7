// Folds as they are kept: one order and naming of the binders.
#include <algorithm>

#include "prover/checker/binders.h"
#include "prover/checker/choice.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {

Value close_fold(Terms& t, ScalarFn fn, ElementType type, const std::vector<Var>& vars, const std::vector<Literal>& path,
                 Value body) {
  t.step();
  const Value guard = conjunction(t, path);
  // Order of the binders: extent, then how each occurs (the shape with this binder marked), then all orders of the rest.
  struct Key {
    Size extent;
    std::uint64_t shape;
    Var v;
  };
  std::vector<Key> keys;
  const Index mark = variable(t, t.var(Space::Out, 0xffffffffU, 2));
  for (const Var v : vars) {
    std::uint64_t shape = 0;
    if (vars.size() > 1) {
      Substitution marked(t, {{v, mark}});
      shape = t[marked(body)].shape + 31 * t[marked(guard)].shape;
    }
    keys.push_back({t[v].extent, shape, v});
  }
  const auto less = [](const Key& a, const Key& b) {
    return same(a.extent, b.extent) ? a.shape < b.shape : at_text(a.extent) < at_text(b.extent);
  };
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    return less(a, b) || (!less(b, a) && t.before(a.v, b.v));
  });
  const std::uint32_t height = std::max(t[body].height, t[guard].height);
  std::optional<ValueNode> best;
  for (int order = 0; order < 24; ++order) {
    ValueNode node{.kind = ValueKind::Fold, .fn = fn, .type = type};
    std::vector<std::pair<Var, Index>> names;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      node.vars.push_back(t.var(Space::Bound, height + static_cast<std::uint32_t>(k), keys[k].extent));
      names.emplace_back(keys[k].v, variable(t, node.vars.back()));
    }
    Substitution rename(t, std::move(names));
    node.path = literals_of(t, rename(guard));
    node.kids = {rename(body)};
    if (!best || std::pair(node.path, node.kids[0]) < std::pair(best->path, best->kids[0])) best = std::move(node);
    // The next order: permute inside the runs of equal keys.
    bool more = false;
    for (auto run = keys.begin(); run != keys.end() && !more;) {
      const auto end = std::find_if(run, keys.end(), [&](const Key& k) { return less(*run, k); });
      more = std::next_permutation(run, end, [&](const Key& a, const Key& b) { return t.before(a.v, b.v); });
      run = end;
    }
    if (!more) break;
  }
  const Value v = t.intern(std::move(*best));
  return fn == ScalarFn::Or && type == ElementType::Token ? truth(t, v) : v;
}

}  // namespace gg::checker
