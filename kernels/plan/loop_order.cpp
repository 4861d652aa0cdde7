// The order of a program's loops: what moves with which level, neighbours that are one loop, the row, folds along rows.
#include "kernels/plan/loop_order.h"

#include <algorithm>

namespace gg::plan {
namespace {

// Dependence of everything on levels; nodes that are worth keeping while other levels move.
class Masks {
 public:
  explicit Masks(Program& program)
      : p_(program), forms_(p_.forms.size()), guards_(p_.guards.size()), nodes_(p_.nodes.size()) {}

  void fill() {
    for (std::size_t i = 0; i < p_.forms.size(); ++i) form(static_cast<int>(i));
    for (std::size_t i = 0; i < p_.guards.size(); ++i) guard(static_cast<int>(i));
    for (std::size_t i = 0; i < p_.nodes.size(); ++i) node(static_cast<int>(i));
  }

 private:
  Mask form(int id) {
    const auto i = static_cast<std::size_t>(id);
    Form& f = p_.forms[i];
    if (forms_[i]) return f.mask;
    forms_[i] = true;
    f.mask = 0;
    for (const FormTerm& t : f.terms) f.mask |= bit(t.level);
    for (Slot& s : f.slots) {
      s.mask = s.kind == AtomKind::Data ? node(s.arg) : form(s.arg);
      f.mask |= s.mask;
    }
    return f.mask;
  }
  Mask guard(int id) {
    const auto i = static_cast<std::size_t>(id);
    GuardNode& g = p_.guards[i];
    if (guards_[i]) return g.mask;
    guards_[i] = true;
    g.mask = g.form < 0 ? 0 : form(g.form);
    for (const int k : g.kids) g.mask |= guard(k);
    return g.mask;
  }
  Mask node(int id) {
    const auto i = static_cast<std::size_t>(id);
    if (nodes_[i]) return p_.nodes[i].mask;
    nodes_[i] = true;
    Node& n = p_.nodes[i];
    Mask mask = n.form < 0 ? 0 : form(n.form);
    if (n.guard >= 0) mask |= guard(n.guard);
    for (const int k : n.kids) mask |= node(k);
    if (n.kind == ExprKind::Fold) {
      for (const FoldVar& v : n.vars) mask &= ~bit(v.level);
      mask |= node(n.kids[0]);
    }
    n.mask = mask;
    n.plain = n.kind == ExprKind::Read && p_.forms[static_cast<std::size_t>(n.form)].slots.empty();
    const bool leaf = n.kind == ExprKind::Lit || n.kind == ExprKind::Unknown || n.plain;
    if (leaf) n.cached = false;
    return mask;
  }
  Program& p_;
  std::vector<bool> forms_, guards_, nodes_;
};

// One loop in place of two neighbours wherever every form takes a step of the outer one as a full turn of the inner.
bool mergeable(const Program& program, int outer, int inner, std::int64_t extent) {
  return std::all_of(program.forms.begin(), program.forms.end(),
                     [&](const Form& f) { return f.coef(outer) == f.coef(inner) * extent; });
}

void remove_level(Program& program, int level) {
  for (Form& f : program.forms) {
    std::erase_if(f.terms, [&](const FormTerm& t) { return t.level == level; });
  }
}

// Folds along rows where the row they stand in is short; nodes under a fold that do not move with it are kept.
class FoldOrder {
 public:
  explicit FoldOrder(Program& program) : p_(program), seen_(program.nodes.size(), false) {}
  void visit(int id, int row, std::int64_t extent, Mask moving) {
    p_.block = std::max(p_.block, std::min(extent, kBlock));
    Node& n = p_.nodes[static_cast<std::size_t>(id)];
    const bool leaf = n.kind == ExprKind::Lit || n.kind == ExprKind::Unknown || n.plain;
    if (moving != 0 && (n.mask & moving) == 0 && !leaf) n.cached = true;
    if (seen_[static_cast<std::size_t>(id)]) return;
    seen_[static_cast<std::size_t>(id)] = true;
    if (n.form >= 0) forms(n.form, row, extent, moving);
    if (n.guard >= 0) guards(n.guard, row, extent, moving);
    if (n.kind == ExprKind::Fold) {
      constexpr std::int64_t kShortRow = 8;
      const std::int64_t here = (n.mask & bit(row)) != 0 ? extent : 1;
      n.horizontal = here < kShortRow && n.vars.back().extent > here;
      visit(n.kids[0], row, extent, moving);
      // A guard that is the same along the row is evaluated along the last variable (executor_fold.cpp).
      p_.block = std::max(p_.block, std::min(n.vars.back().extent, kBlock));
      Mask inner = 0;
      for (const FoldVar& v : n.vars) inner |= bit(v.level);
      if (n.horizontal) {
        visit(n.kids[1], n.vars.back().level, n.vars.back().extent, inner);
      } else {
        visit(n.kids[1], row, extent, inner);
      }
    } else {
      for (const int k : n.kids) visit(k, row, extent, moving);
    }
  }

 private:
  void forms(int id, int row, std::int64_t extent, Mask moving) {
    for (const Slot& s : p_.forms[static_cast<std::size_t>(id)].slots) {
      if (s.kind == AtomKind::Data) {
        visit(s.arg, row, extent, moving);
      } else {
        forms(s.arg, row, extent, moving);
      }
    }
  }
  void guards(int id, int row, std::int64_t extent, Mask moving) {
    const GuardNode& g = p_.guards[static_cast<std::size_t>(id)];
    if (g.form >= 0) forms(g.form, row, extent, moving);
    for (const int k : g.kids) guards(k, row, extent, moving);
  }
  Program& p_;
  std::vector<bool> seen_;
};

}  // namespace

void fill_masks(Program& program) { Masks(program).fill(); }

void merge_outputs(Piece& piece) {
  int outer = kNoLevel;
  for (int l = 0; l < static_cast<int>(piece.levels.size()); ++l) {
    Level& inner = piece.levels[static_cast<std::size_t>(l)];
    if (inner.extent == 1) continue;
    if (outer != kNoLevel) {
      Level& o = piece.levels[static_cast<std::size_t>(outer)];
      if (o.stride == inner.stride * inner.extent && mergeable(piece.program, outer, l, inner.extent)) {
        remove_level(piece.program, outer);
        inner.extent *= o.extent;
        o.extent = 1;
      }
    }
    outer = l;
  }
}

void merge_fold_vars(Program& program) {
  std::vector<int> users(kMaxLevels, 0);
  for (const Node& n : program.nodes) {
    for (const FoldVar& v : n.vars) ++users[static_cast<std::size_t>(v.level)];
  }
  for (Node& n : program.nodes) {
    for (std::size_t v = n.vars.size(); v-- > 1;) {
      FoldVar &outer = n.vars[v - 1], &inner = n.vars[v];
      if (users[static_cast<std::size_t>(outer.level)] != 1 || users[static_cast<std::size_t>(inner.level)] != 1 ||
          !mergeable(program, outer.level, inner.level, inner.extent)) {
        continue;
      }
      remove_level(program, outer.level);
      outer = {inner.level, outer.extent * inner.extent};
      n.vars.erase(n.vars.begin() + static_cast<std::ptrdiff_t>(v));
    }
  }
}

void order_folds(Program& program, int root, int row, std::int64_t extent) { FoldOrder(program).visit(root, row, extent, 0); }

void choose_row(Piece& piece) {
  const Mask mask = piece.program.nodes[static_cast<std::size_t>(piece.root)].mask;
  constexpr std::int64_t kEnough = 32;
  std::int64_t best = 0;
  for (int l = 0; l < static_cast<int>(piece.levels.size()); ++l) {
    const Level& level = piece.levels[static_cast<std::size_t>(l)];
    if (level.extent == 1) continue;
    const bool moves = (mask & bit(l)) != 0, contiguous = level.stride == 1;
    if (!moves && !(contiguous && level.extent >= 8)) continue;
    const std::int64_t score = 4 * std::min(level.extent, kEnough) + (contiguous ? 2 : 0) + (moves ? 1 : 0);
    if (score > best) best = score, piece.row = l;
  }
  for (int l = 0; l < static_cast<int>(piece.levels.size()); ++l) {
    if (piece.levels[static_cast<std::size_t>(l)].extent == 1 || l == piece.row) continue;
    ((mask & bit(l)) != 0 ? piece.loops : piece.replicated).push_back(l);
  }
}

}  // namespace gg::plan
