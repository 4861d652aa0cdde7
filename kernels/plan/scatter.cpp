// Finding scatters: `fold over updates u with guard target(u) == i`. Evaluated as written it visits every update for
// every output element; as a loop over the updates in the same order it visits each once.

#include "kernels/plan/rewrite.h"
#include "models/body/reads.h"

namespace gg::plan {

namespace {

class Finder final : public FoldTaker<ScatterSource> {
  using FoldTaker::FoldTaker;

  ExprId fold(ExprId id, const Expr& e) override {
    std::optional<ScatterSource> source = recognise(id);
    if (!source) return id;
    const ExprId init = rewrite(arena_.kids(id)[0]);
    source->fold = arena_.fold(e.fn, init, e.fold_level, arena_.extents(id), arena_.guard(id), arena_.kids(id)[1]);
    return taken(std::move(*source), e.type);
  }

  std::optional<ScatterSource> recognise(ExprId id) {
    const Expr& e = arena_[id];
    if (has_unknown(arena_, id)) return std::nullopt;  // its value depends on the output element
    const GuardId guard = arena_.guard(id);
    std::vector<GuardId> rest = {guard};
    if (arena_[guard].kind == GuardKind::And) {
      rest.assign(arena_.kids(guard).begin(), arena_.kids(guard).end());
    }
    ScatterSource s;
    Mask targets = 0;
    for (std::size_t i = 0; i < rest.size();) {
      if (take_target(rest[i], e.fold_level, s, targets)) {
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    if (s.targets.empty()) return std::nullopt;
    s.rest = arena_.all(rest);
    s.used = levels_.of(id);
    return s;
  }

  // An equality `i == T(u)` where i is an output variable that no other target uses.
  bool take_target(GuardId part, int first_fold_level, ScatterSource& s, Mask& targets) {
    if (arena_[part].kind != GuardKind::Eq0) return false;
    const LinId form = arena_.lin(part);
    const Mask outputs = bit(first_fold_level) - 1;
    if ((levels_.of(form) & ~outputs) == 0) return false;
    for (const Multiple& t : arena_.terms(form)) {
      const Atom& a = arena_.atom(t.atom);
      if (a.kind != AtomKind::Var || a.level >= extents_.size() || (t.coef != 1 && t.coef != -1)) continue;
      const int level = a.level;
      const LinId others = arena_.axpy(-t.coef, arena_.var(level, a.m), form);
      const Mask needs = levels_.of(others) & outputs;
      if ((needs & (bit(level) | targets)) != 0 || ((s.before | targets) & bit(level)) != 0) continue;
      s.targets.emplace_back(level, arena_.scale(-t.coef, others));
      s.before |= needs;
      targets |= bit(level);
      return true;
    }
    return false;
  }
};

}  // namespace

ExprId take_scatters(Arena& arena, ExprId root, std::span<const std::int64_t> extents, int first_buffer,
                     std::vector<ScatterSource>& scatters) {
  return Finder(arena, true, extents, first_buffer, scatters).rewrite(root);
}

}  // namespace gg::plan
