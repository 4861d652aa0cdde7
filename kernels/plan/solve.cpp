// Solving guards of folds for a fold variable: `u == i - 3` or `0 <= i - 4*u < 4` leave one value of u, so the loop
// over it goes away. What stays of the guard is checked as before.
#include <algorithm>

#include "kernels/plan/rewrite.h"
#include "models/body/parts.h"

namespace gg::plan {

namespace {

// lo <= L <= hi for a form without constant.
struct Bounds {
  LinId form;  // constant 0
  std::int64_t lo, hi;
};

struct Solution {
  int variable;  // position among the fold's variables
  LinId value;
  GuardId also = {};  // must hold for the value to exist
};

class Solver final : public FoldRewriter {
 public:
  Solver(Arena& arena, std::span<const std::int64_t> extents) : FoldRewriter(arena, true), extents_(extents.begin(), extents.end()) {}

 private:
  ExprId fold(ExprId id, const Expr& e) override {
    const ExprId init = rewrite(arena_.kids(id)[0]);
    const std::span<const std::int64_t> vars = arena_.extents(id);
    const std::vector<std::int64_t> outer = extents_;
    extents_.resize(e.fold_level, 1);
    extents_.insert(extents_.end(), vars.begin(), vars.end());
    const ExprId body = rewrite(arena_.kids(id)[1]);
    extents_ = outer;
    const ExprId same = arena_.fold(e.fn, init, e.fold_level, vars, arena_.guard(id), body);
    if (arena_[same].kind != ExprKind::Fold) return same;
    const std::optional<Solution> found = solve(same);
    return found ? rewrite(eliminated(same, *found)) : same;
  }

  std::vector<GuardId> parts(GuardId guard) const {
    if (arena_[guard].kind != GuardKind::And) return {guard};
    const std::span<const GuardId> k = arena_.kids(guard);
    return {k.begin(), k.end()};
  }

  std::optional<Bounds> bounds(GuardId part) {
    const GuardKind kind = arena_[part].kind;
    if (kind != GuardKind::Le0 && kind != GuardKind::Eq0) return std::nullopt;
    const LinId form = arena_.lin(part);
    const std::int64_t c0 = arena_[form].c0;
    const LinId bare = arena_.offset(form, -c0);
    return Bounds{bare, kind == GuardKind::Eq0 ? -c0 : arena_[bare].lo, -c0};
  }

  // The first pair of bounds (or equality) that determines a variable from what precedes it.
  std::optional<Solution> solve(ExprId id) {
    std::vector<Bounds> all;
    for (const GuardId part : parts(arena_.guard(id))) {
      if (const auto b = bounds(part)) all.push_back(*b);
    }
    for (const Bounds& b : all) {
      Bounds tight = b;
      const LinId opposite = arena_.scale(-1, b.form);
      for (const Bounds& c : all) {
        if (c.form == opposite) tight.lo = std::max(tight.lo, -c.hi);
      }
      if (const auto found = determined(id, tight)) return found;
    }
    return std::nullopt;
  }

  // form = c * variable + R, where R depends on levels before the variable only.
  std::optional<Solution> determined(ExprId id, const Bounds& b) {
    const Expr& e = arena_[id];
    const int level = arena_[b.form].levels - 1, position = level - e.fold_level;
    if (position < 0 || position >= e.fold_vars) return std::nullopt;
    std::int64_t c = 0;
    LinId variable{};
    for (const Multiple& t : arena_.terms(b.form)) {
      const Atom& a = arena_.atom(t.atom);
      // A value by data is a scatter's target: found by its own loop (scatter.cpp), not solved.
      if (a.kind != AtomKind::Var && a.levels > e.fold_level) return std::nullopt;
      if (a.levels != level + 1) continue;
      if (a.kind != AtomKind::Var || c != 0) return std::nullopt;
      c = t.coef;
      variable = arena_.var(level, a.m);
    }
    const std::int64_t size = c < 0 ? -c : c;
    if (b.hi - b.lo + 1 > size || b.lo > b.hi) return std::nullopt;
    const LinId rest = arena_.axpy(-c, variable, b.form);
    // c > 0: ceil((lo - R) / c); c < 0: ceil((R - hi) / |c|)
    const LinId numerator = c > 0 ? arena_.sub(arena_.constant(b.lo), rest) : arena_.offset(rest, -b.hi);
    const LinId value = arena_.div(arena_.offset(numerator, size - 1), size);
    const LinId reached = arena_.axpy(c, value, rest);
    const GuardId also[] = {arena_.le(reached, arena_.constant(b.hi)), arena_.le(arena_.constant(b.lo), reached),
                            arena_.between(0, value, arena_.extents(id)[static_cast<std::size_t>(position)])};
    const Solution found{position, value, arena_.all(also)};
    // A guard that reads data at the variable may do so only where the value is in its range, so that has to be asked
    // first, outside of the fold.
    if (reads_data(arena_.guard(id)) && arena_[found.also].levels > e.fold_level) return std::nullopt;
    return found;
  }

  template <class Id>
  bool reads_data(Id id) const {
    if constexpr (std::is_same_v<Id, ExprId>) return true;
    bool found = false;
    each_part(arena_, id, [&](auto part) { found = found || reads_data(part); });
    return found;
  }

  // The fold without that variable; those behind it move up one level.
  ExprId eliminated(ExprId id, const Solution& found) {
    const Expr& e = arena_[id];
    std::vector<std::int64_t> kept;
    Arena::Substitution s;
    for (std::size_t l = 0; l < e.fold_level; ++l) {
      s.vars.push_back(arena_.var(static_cast<int>(l), l < extents_.size() ? extents_[l] : 1));
    }
    const std::span<const std::int64_t> vars = arena_.extents(id);
    for (std::size_t v = 0; v < vars.size(); ++v) {
      if (static_cast<int>(v) == found.variable) {
        s.vars.push_back(found.value);
      } else {
        s.vars.push_back(arena_.var(e.fold_level + static_cast<int>(kept.size()), vars[v]));
        kept.push_back(vars[v]);
      }
    }
    s.depth = e.fold_level + static_cast<int>(kept.size());
    // `value` and `also` depend on levels before the variable only, whose numbers stay.
    const GuardId rest = arena_.substitute(arena_.guard(id), s);
    const bool first = reads_data(rest);  // `also` before the rest
    const GuardId both[] = {found.also, rest};
    const GuardId guard = first ? rest : arena_.all(both);
    const ExprId init = arena_.kids(id)[0];
    if (arena_[guard].kind == GuardKind::False) return init;
    const ExprId body = arena_.substitute(arena_.kids(id)[1], s);
    ExprId result = init;
    if (kept.empty()) {  // start and value both, though the start be the unit: 0 + -0 is 0
      const ExprId terms[] = {init, body};
      result = arena_.select(guard, arena_.fn(e.fn, e.type, terms), init);
    } else {
      result = arena_.fold(e.fn, init, e.fold_level, kept, guard, body);
    }
    return first ? arena_.select(found.also, result, init) : result;
  }

  std::vector<std::int64_t> extents_;  // of the levels in scope
};

}  // namespace

ExprId solve_guards(Arena& arena, ExprId root, std::span<const std::int64_t> extents) {
  return Solver(arena, extents).rewrite(root);
}

}  // namespace gg::plan
