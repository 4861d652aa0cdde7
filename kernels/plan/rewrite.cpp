// Flat addresses, and the levels on which things depend.
#include "kernels/plan/rewrite.h"

#include "models/base/check.h"
#include "models/body/parts.h"

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

template <class Id>
Mask Levels::of(Id id) {
  constexpr std::size_t kKind = std::is_same_v<Id, ExprId> ? 0 : std::is_same_v<Id, LinId> ? 1
                                                                                           : 2;
  if (const auto hit = known_[kKind].find(id.value); hit != known_[kKind].end()) return hit->second;
  Mask mask = 0;
  each_part(arena_, id, [&](auto part) { mask |= of(part); });
  if constexpr (std::is_same_v<Id, LinId>) {
    for (const Multiple& t : arena_.terms(id)) {
      const Atom& a = arena_.atom(t.atom);
      if (a.kind != AtomKind::Var) continue;
      check_levels(a.level + 1);
      mask |= bit(a.level);
    }
  }
  if constexpr (std::is_same_v<Id, ExprId>) {
    const Expr& e = arena_[id];
    for (int v = 0; e.kind == ExprKind::Fold && v < e.fold_vars; ++v) mask &= ~bit(e.fold_level + v);
    if (e.kind == ExprKind::Fold) mask |= of(arena_.kids(id)[0]);
  }
  known_[kKind].emplace(id.value, mask);
  return mask;
}
template Mask Levels::of(ExprId);
template Mask Levels::of(LinId);

ExprId FoldRewriter::rewrite(ExprId id) {
  const auto hit = memo_.find(id.value);
  if (hit != memo_.end()) return hit->second;
  const Expr e = arena_[id];
  ExprId result = id;
  if (e.kind == ExprKind::Fn || (e.kind == ExprKind::Case && enters_cases_)) {
    const std::vector<ExprId> before(arena_.kids(id).begin(), arena_.kids(id).end());
    std::vector<ExprId> kids;
    for (const ExprId k : before) kids.push_back(rewrite(k));
    if (kids != before) result = e.kind == ExprKind::Fn ? arena_.fn(e.fn, e.type, kids) : arena_.select(arena_.guard(id), kids[0], kids[1]);
  } else if (e.kind == ExprKind::Fold) {
    result = fold(id, e);
  }
  memo_.emplace(id.value, result);
  return result;
}

ExprId read_of_levels(Arena& arena, std::size_t buffer, ElementType type, Mask used, std::span<const std::int64_t> extents) {
  std::vector<LinId> index;
  std::vector<std::int64_t> kept;
  for (std::size_t l = 0; l < extents.size(); ++l) {
    if ((used & bit(static_cast<int>(l))) == 0) continue;
    kept.push_back(extents[l]);
    index.push_back(arena.var(static_cast<int>(l), extents[l]));
  }
  const LinId flat = arena.flatten(index, kept);
  return arena.read(static_cast<int>(buffer), type, {&flat, 1});
}

}  // namespace gg::plan
