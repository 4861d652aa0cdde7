// Flat addresses, and the levels on which things depend.
#include "kernels/plan/rewrite.h"

#include "models/base/check.h"

namespace gg::plan {

std::vector<LinId> identity(Arena& arena, std::span<const std::int64_t> extents) {
  std::vector<LinId> vars;
  for (std::size_t l = 0; l < extents.size(); ++l) vars.push_back(arena.var(static_cast<int>(l), extents[l]));
  return vars;
}

ExprId flatten_reads(Arena& arena, ExprId root, std::span<const std::int64_t> extents,
                     std::span<const std::vector<std::int64_t>> operands, std::span<const ElementType> types) {
  Arena::Substitution s;
  s.vars = identity(arena, extents);
  s.depth = static_cast<int>(extents.size());
  s.read = [&](int operand, std::span<const LinId> index, int) -> std::optional<ExprId> {
    const auto k = static_cast<std::size_t>(operand);
    GG_CHECK(k < operands.size(), "read of an operand that is not given");
    GG_CHECK(index.size() == operands[k].size(), "read with another rank than its operand");
    const LinId flat = arena.flatten(index, operands[k]);
    return arena.read(operand, types[k], {&flat, 1});
  };
  return arena.substitute(root, s);
}

Mask Levels::of_atom(std::uint32_t id) {
  const Atom& a = arena_.atom(id);
  switch (a.kind) {
    case AtomKind::Var:
      check_levels(a.level + 1);
      return bit(a.level);
    case AtomKind::Div:
      return of(LinId{a.arg});
    case AtomKind::Data:
      return of(ExprId{a.arg});
    case AtomKind::Table:
      return of(LinId{a.index});
  }
  return 0;
}

Mask Levels::of(LinId id) {
  const auto hit = lins_.find(id.value);
  if (hit != lins_.end()) return hit->second;
  Mask mask = 0;
  for (const Term& t : arena_.terms(id)) mask |= of_atom(t.atom);
  lins_.emplace(id.value, mask);
  return mask;
}

Mask Levels::of(GuardId id) {
  const auto hit = guards_.find(id.value);
  if (hit != guards_.end()) return hit->second;
  Mask mask = 0;
  const GuardKind kind = arena_[id].kind;
  if (kind == GuardKind::Le0 || kind == GuardKind::Eq0) mask = of(arena_.lin(id));
  for (const GuardId k : arena_.kids(id)) mask |= of(k);
  guards_.emplace(id.value, mask);
  return mask;
}

Mask Levels::of(ExprId id) {
  const auto hit = exprs_.find(id.value);
  if (hit != exprs_.end()) return hit->second;
  const Expr& e = arena_[id];
  Mask mask = 0;
  if (e.kind == ExprKind::Index) mask = of(LinId{e.arg});
  if (e.kind == ExprKind::Read || e.kind == ExprKind::Constant) {
    for (const LinId l : arena_.indices(id)) mask |= of(l);
  }
  for (const ExprId k : arena_.kids(id)) mask |= of(k);
  if (e.kind == ExprKind::Case || e.kind == ExprKind::Fold) mask |= of(arena_.guard(id));
  if (e.kind == ExprKind::Fold) {
    Mask bound = 0;
    for (std::size_t v = 0; v < arena_.extents(id).size(); ++v) bound |= bit(e.fold_level + static_cast<int>(v));
    mask = (mask & ~bound) | of(arena_.kids(id)[0]);
  }
  exprs_.emplace(id.value, mask);
  return mask;
}

}  // namespace gg::plan
