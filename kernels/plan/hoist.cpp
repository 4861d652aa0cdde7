// Folds that depend on few of the output's levels: the mean in a norm, the maximum in a softmax, seen from every element
// of a row. Inside the loops they would be folded anew for each element; taken out they are folded once into a buffer.
#include <algorithm>

#include "kernels/plan/rewrite.h"

namespace gg::plan {

namespace {

constexpr std::int64_t kWorthwhile = 4;  // elements of a fold's box

class Hoister {
 public:
  Hoister(Arena& arena, std::span<const std::int64_t> extents, int first_buffer, std::vector<FoldSource>& found)
      : arena_(arena),
        extents_(extents.begin(), extents.end()),
        first_buffer_(first_buffer),
        found_(found),
        levels_(arena) {}

  // Only below functions, which evaluate all their arguments: a branch of a case may read out of range elsewhere.
  ExprId rewrite(ExprId id) {
    const auto hit = memo_.find(id.value);
    if (hit != memo_.end()) return hit->second;
    const Expr e = arena_[id];
    ExprId result = id;
    if (e.kind == ExprKind::Fn) {
      const std::vector<ExprId> before(arena_.kids(id).begin(), arena_.kids(id).end());
      std::vector<ExprId> kids;
      for (const ExprId k : before) kids.push_back(rewrite(k));
      if (kids != before) result = arena_.fn(e.fn, e.type, kids);
    } else if (e.kind == ExprKind::Fold) {
      result = fold(id, e);
    }
    memo_.emplace(id.value, result);
    return result;
  }

 private:
  ExprId fold(ExprId id, const Expr& e) {
    const Mask used = levels_.of(id);
    std::int64_t box = 1, repeated = 1;
    for (const std::int64_t n : arena_.extents(id)) box *= n;
    std::vector<LinId> index;
    std::vector<std::int64_t> kept;
    for (std::size_t l = 0; l < extents_.size(); ++l) {
      if ((used & bit(static_cast<int>(l))) == 0) {
        repeated *= extents_[l];
        continue;
      }
      kept.push_back(extents_[l]);
      index.push_back(arena_.var(static_cast<int>(l), extents_[l]));
    }
    if (box < kWorthwhile || repeated == 1 || has_unknown(id)) return id;
    const int buffer = first_buffer_ + static_cast<int>(found_.size());
    found_.push_back({id, used});
    const LinId flat = arena_.flatten(index, kept);
    return arena_.read(buffer, e.type, {&flat, 1});
  }

  // An unknown value belongs to an output element, not to a fold.
  bool has_unknown(ExprId id) {
    const auto hit = unknown_.find(id.value);
    if (hit != unknown_.end()) return hit->second;
    const Expr& e = arena_[id];
    const std::span<const ExprId> kids = arena_.kids(id);
    bool found =
        e.kind == ExprKind::Unknown || std::any_of(kids.begin(), kids.end(), [&](ExprId k) { return has_unknown(k); });
    if (e.kind == ExprKind::Index) found = found || has_unknown(LinId{e.arg});
    if (e.kind == ExprKind::Read || e.kind == ExprKind::Constant) {
      for (const LinId l : arena_.indices(id)) found = found || has_unknown(l);
    }
    if (e.kind == ExprKind::Case || e.kind == ExprKind::Fold) found = found || has_unknown(arena_.guard(id));
    return unknown_[id.value] = found;
  }
  bool has_unknown(LinId id) {
    const std::span<const Term> terms = arena_.terms(id);
    return std::any_of(terms.begin(), terms.end(), [&](const Term& t) {
      const Atom& a = arena_.atom(t.atom);
      return a.kind == AtomKind::Data  ? has_unknown(ExprId{a.arg})
             : a.kind == AtomKind::Div ? has_unknown(LinId{a.arg})
                                       : a.kind == AtomKind::Table && has_unknown(LinId{a.index});
    });
  }
  bool has_unknown(GuardId id) {
    const Guard& g = arena_[id];
    if (g.kind == GuardKind::Le0 || g.kind == GuardKind::Eq0) return has_unknown(arena_.lin(id));
    const std::span<const GuardId> kids = arena_.kids(id);
    return std::any_of(kids.begin(), kids.end(), [&](GuardId k) { return has_unknown(k); });
  }

  Arena& arena_;
  std::vector<std::int64_t> extents_;
  int first_buffer_;
  std::vector<FoldSource>& found_;
  Levels levels_;
  std::unordered_map<std::uint32_t, ExprId> memo_;
  std::unordered_map<std::uint32_t, bool> unknown_;
};

}  // namespace

ExprId take_folds(Arena& arena, ExprId root, std::span<const std::int64_t> extents, int first_buffer,
                  std::vector<FoldSource>& folds) {
  if (arena[root].kind != ExprKind::Fn) return root;
  return Hoister(arena, extents, first_buffer, folds).rewrite(root);
}

}  // namespace gg::plan
