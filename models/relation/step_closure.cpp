#include <algorithm>

#include "models/relation/relation.h"

namespace gg {
namespace {

/// A plain placement: the element of one array at these index forms wherever `guard` holds, padding elsewhere.
struct PlainRead {
  ExprId read;
  std::optional<GuardId> guard;  ///< nothing: everywhere
};

std::optional<PlainRead> plain_read(const Arena& arena, ExprId root) {
  const Expr e = arena[root];
  if (e.kind == ExprKind::Read) return PlainRead{root, std::nullopt};
  if (e.kind != ExprKind::Case) return std::nullopt;
  const auto kids = arena.kids(root);
  if (arena[kids[0]].kind != ExprKind::Read || arena[kids[1]].kind != ExprKind::Unknown) return std::nullopt;
  return PlainRead{kids[0], arena.guard(root)};
}

bool same_indices(const Arena& arena, ExprId a, ExprId b) {
  const auto x = arena.indices(a), y = arena.indices(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end());
}

/// The sequential input is its free input, element by element, and the output claim says of the output what the
/// distributed input says of that free input.
bool holds(const Arena& arena, const Relation& r, std::size_t output, std::size_t input) {
  if (input >= r.sequential_inputs.size() || input >= r.distributed_inputs.size()) return false;
  const OutputClaim& claim = r.outputs[output];
  if (claim.kind != OutputClaim::Kind::Compared || claim.extents != r.distributed_inputs[input].extents) return false;
  const auto fed = plain_read(arena, r.distributed_inputs[input].root);
  const auto free = plain_read(arena, r.sequential_inputs[input].root);
  const auto claimed = plain_read(arena, claim.sequential);
  const auto own = plain_read(arena, claim.distributed);
  if (!fed || !free || !claimed || !own || free->guard || own->guard) return false;
  const auto identity = [&](ExprId read, std::size_t rank) {
    const auto index = arena.indices(read);
    for (std::size_t k = 0; k < index.size(); ++k) {
      const Lin form = arena[index[k]];
      const auto terms = arena.terms(index[k]);
      if (form.c0 != 0 || terms.size() > 1) return false;
      if (terms.empty()) continue;  // a dimension of extent 1
      const Atom atom = arena.atom(terms[0].atom);
      if (terms[0].coef != 1 || atom.kind != AtomKind::Var || atom.level != k) return false;
    }
    return index.size() == rank;
  };
  const bool whole = identity(free->read, r.sequential_inputs[input].extents.size()) &&
                     identity(own->read, claim.extents.size());
  const bool same_input = arena[free->read].arg == arena[fed->read].arg;
  const bool everywhere = arena[claim.compared].kind == GuardKind::True;
  const bool same_guard = fed->guard ? *fed->guard == claim.compared : everywhere;
  return whole && same_input && same_guard && same_indices(arena, fed->read, claimed->read);
}

}  // namespace

std::optional<StepClosure> step_closure(const Arena& arena, const Relation& relation) {
  StepClosure result;
  bool any = false;
  for (std::size_t k = 0; k < relation.outputs.size() && k < relation.next.size(); ++k) {
    if (!relation.next[k]) continue;
    any = true;
    if (!holds(arena, relation, k, static_cast<std::size_t>(*relation.next[k]))) result.open.push_back(static_cast<int>(k));
  }
  result.closed = result.open.empty();
  return any ? std::optional(result) : std::nullopt;
}

}  // namespace gg
