// Finding scatters: `fold over updates u with guard target(u) == i`. Evaluated as written it visits every update for
// every output element; as a loop over the updates in the same order it visits each once.
#include <algorithm>
#include <bit>

#include "kernels/plan/rewrite.h"
#include "models/base/check.h"

namespace gg::plan {

namespace {

class Finder {
 public:
  Finder(Arena& arena, std::span<const std::int64_t> extents, int first_buffer, std::vector<ScatterSource>& found)
      : arena_(arena),
        extents_(extents.begin(), extents.end()),
        first_buffer_(first_buffer),
        found_(found),
        levels_(arena) {}

  ExprId rewrite(ExprId id) {
    const auto hit = memo_.find(id.value);
    if (hit != memo_.end()) return hit->second;
    const Expr& e = arena_[id];
    ExprId result = id;
    if (e.kind == ExprKind::Fn || e.kind == ExprKind::Case) {
      std::vector<ExprId> kids;
      for (const ExprId k : arena_.kids(id)) kids.push_back(rewrite(k));
      result =
          e.kind == ExprKind::Fn ? arena_.fn(e.fn, e.type, kids) : arena_.select(arena_.guard(id), kids[0], kids[1]);
    } else if (e.kind == ExprKind::Fold) {
      result = fold(id, e);
    }
    memo_.emplace(id.value, result);
    return result;
  }

 private:
  int rank() const { return static_cast<int>(extents_.size()); }

  ExprId fold(ExprId id, const Expr& e) {
    std::optional<ScatterSource> source = recognise(id);
    if (!source) return id;
    const ExprId init = rewrite(arena_.kids(id)[0]);
    source->fold = arena_.fold(e.fn, init, e.fold_level, arena_.extents(id), arena_.guard(id), arena_.kids(id)[1]);
    std::vector<LinId> index;
    std::vector<std::int64_t> used;
    for (int l = 0; l < rank(); ++l) {
      if ((source->used & bit(l)) == 0) continue;
      used.push_back(extents_[static_cast<std::size_t>(l)]);
      index.push_back(arena_.var(l, used.back()));
    }
    const int buffer = first_buffer_ + static_cast<int>(found_.size());
    found_.push_back(*source);
    const LinId flat = arena_.flatten(index, used);
    return arena_.read(buffer, e.type, {&flat, 1});
  }

  std::optional<ScatterSource> recognise(ExprId id) {
    const Expr& e = arena_[id];
    if (has_unknown(id)) return std::nullopt;  // its value depends on the output element
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

  bool has_unknown(ExprId id) {
    const auto hit = unknown_.find(id.value);
    if (hit != unknown_.end()) return hit->second;
    const std::span<const ExprId> kids = arena_.kids(id);
    const bool found = arena_[id].kind == ExprKind::Unknown ||
                       std::any_of(kids.begin(), kids.end(), [&](ExprId k) { return has_unknown(k); });
    return unknown_[id.value] = found;
  }

  // An equality `i == T(u)` where i is an output variable that no other target uses.
  bool take_target(GuardId part, int first_fold_level, ScatterSource& s, Mask& targets) {
    if (arena_[part].kind != GuardKind::Eq0) return false;
    const LinId form = arena_.lin(part);
    const Mask outputs = bit(first_fold_level) - 1;
    if ((levels_.of(form) & ~outputs) == 0) return false;
    for (const Term& t : arena_.terms(form)) {
      const Atom& a = arena_.atom(t.atom);
      if (a.kind != AtomKind::Var || a.level >= rank() || (t.coef != 1 && t.coef != -1)) continue;
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

  Arena& arena_;
  std::vector<std::int64_t> extents_;
  int first_buffer_;
  std::vector<ScatterSource>& found_;
  Levels levels_;
  std::unordered_map<std::uint32_t, ExprId> memo_;
  std::unordered_map<std::uint32_t, bool> unknown_;
};

}  // namespace

ExprId take_scatters(Arena& arena, ExprId root, std::span<const std::int64_t> extents, int first_buffer,
                     std::vector<ScatterSource>& scatters) {
  return Finder(arena, extents, first_buffer, scatters).rewrite(root);
}

}  // namespace gg::plan
