// From arena terms to a program: nodes, forms and guards by position, then the order of the loops.
#include <algorithm>
#include <unordered_map>

#include "kernels/plan/loop_order.h"
#include "kernels/plan/rewrite.h"
#include "kernels/plan/semantics.h"
#include "models/base/check.h"

namespace gg::plan {

namespace {

class Lowering {
 public:
  Lowering(Arena& arena, const Plan::Impl& plan, Program& program) : arena_(arena), plan_(plan), program_(program) {}

  int node(ExprId id) {
    const auto hit = nodes_.find(id.value);
    if (hit != nodes_.end()) {
      program_.nodes[static_cast<std::size_t>(hit->second)].cached = true;
      return hit->second;
    }
    const Expr& e = arena_[id];
    Node n{e.kind, e.type};
    n.fn = e.fn;
    for (const ExprId k : arena_.kids(id)) n.kids.push_back(node(k));
    switch (e.kind) {
      case ExprKind::Read:
        n.operand = static_cast<int>(e.arg);
        n.form = form(arena_.indices(id)[0]);
        break;
      case ExprKind::Constant: {
        n.kind = ExprKind::Read;
        n.operand = constant_buffer(ArrayId{e.arg});
        n.form = form(arena_.flatten(arena_.indices(id), arena_.array(ArrayId{e.arg}).type.dims));
        break;
      }
      case ExprKind::Index:
        n.form = form(LinId{e.arg});
        break;
      case ExprKind::Lit:
        n.literal = arena_.scalar(id);
        break;
      case ExprKind::Unknown:
        n.form = form(out);
        break;
      case ExprKind::Case:
        n.guard = guard(arena_.guard(id));
        break;
      case ExprKind::Fold:
        fold(id, e, n);
        break;
      case ExprKind::Fn:
        break;
    }
    program_.nodes.push_back(std::move(n));
    const int position = static_cast<int>(program_.nodes.size()) - 1;
    nodes_.emplace(id.value, position);
    return position;
  }

  int form(LinId id) {
    const auto hit = forms_.find(id.value);
    if (hit != forms_.end()) return hit->second;
    Form f;
    f.c0 = arena_[id].c0;
    for (const Multiple& t : arena_.terms(id)) {
      const Atom& a = arena_.atom(t.atom);
      if (a.kind == AtomKind::Var) {
        check_levels(a.level + 1);
        f.terms.push_back({a.level, t.coef});
      } else {
        f.slots.push_back(slot(a, t.coef));
      }
    }
    program_.forms.push_back(std::move(f));
    const int position = static_cast<int>(program_.forms.size()) - 1;
    forms_.emplace(id.value, position);
    return position;
  }

  int guard(GuardId id) {
    const auto hit = guards_.find(id.value);
    if (hit != guards_.end()) return hit->second;
    GuardNode g{arena_[id].kind};
    if (g.kind == GuardKind::Le0 || g.kind == GuardKind::Eq0) g.form = form(arena_.lin(id));
    for (const GuardId k : arena_.kids(id)) g.kids.push_back(guard(k));
    program_.guards.push_back(std::move(g));
    const int position = static_cast<int>(program_.guards.size()) - 1;
    guards_.emplace(id.value, position);
    return position;
  }

  LinId out{};  // address of the output, for Unknown

 private:
  Slot slot(const Atom& a, std::int64_t coef) {
    Slot s{a.kind, coef, -1};
    switch (a.kind) {
      case AtomKind::Div:
        s.arg = form(LinId{a.arg});
        s.m = a.m;
        break;
      case AtomKind::Data:
        s.arg = node(ExprId{a.arg});
        s.lo = a.lo;
        s.hi = a.hi;
        s.type = arena_[ExprId{a.arg}].type;
        break;
      case AtomKind::Table:
        s.arg = form(LinId{a.index});
        s.table = &arena_.table_values(TableId{a.arg});
        break;
      case AtomKind::Var:
        break;
    }
    return s;
  }

  void fold(ExprId id, const Expr& e, Node& n) {
    n.guard = guard(arena_.guard(id));
    n.product = accumulates_product(arena_, id);
    int level = e.fold_level;
    for (const std::int64_t extent : arena_.extents(id)) n.vars.push_back({level++, extent});
    check_levels(level);
  }

  // Constant arrays stand behind operands and scatter buffers.
  int constant_buffer(ArrayId array) {
    const auto at = std::find(plan_.constants.begin(), plan_.constants.end(), array);
    GG_CHECK(at != plan_.constants.end(), "constant array that was not collected");
    return static_cast<int>(plan_.operand_extents.size() + plan_.own_buffers) +
           static_cast<int>(at - plan_.constants.begin());
  }

  Arena& arena_;
  const Plan::Impl& plan_;
  Program& program_;
  std::unordered_map<std::uint32_t, int> nodes_, forms_, guards_;
};

std::int64_t coefficient(const Arena& arena, LinId form, int level) {
  for (const Multiple& t : arena.terms(form)) {
    const Atom& a = arena.atom(t.atom);
    GG_CHECK(a.kind == AtomKind::Var, "output address that is not affine");
    if (a.level == level) return t.coef;
  }
  return 0;
}

}  // namespace

Piece lower(Arena& arena, const Box& box, const Plan::Impl& plan) {
  Piece piece;
  piece.base = arena[box.out].c0;
  for (std::size_t l = 0; l < box.extents.size(); ++l) {
    piece.levels.push_back({box.extents[l], coefficient(arena, box.out, static_cast<int>(l))});
  }
  Lowering lowering(arena, plan, piece.program);
  lowering.out = box.out;
  piece.root = lowering.node(box.root);
  merge_outputs(piece);
  merge_fold_vars(piece.program);
  fill_masks(piece.program);
  piece.copy = piece.program.nodes[static_cast<std::size_t>(piece.root)].plain;
  if (!piece.copy) choose_row(piece);
  const std::int64_t extent = piece.row < 0 ? 1 : piece.levels[static_cast<std::size_t>(piece.row)].extent;
  order_folds(piece.program, piece.root, piece.row, extent);
  piece.operations = cost(piece);
  return piece;
}

Hoisted lower_fold(Arena& arena, const FoldSource& source, std::span<const std::int64_t> extents,
                   const Plan::Impl& plan) {
  Hoisted h;
  h.type = arena[source.fold].type;
  std::vector<std::int64_t> used(extents.size(), 1);
  LinId out = arena.constant(0);
  for (std::size_t l = 0; l < extents.size(); ++l) {
    if ((source.used & bit(static_cast<int>(l))) == 0) continue;
    used[l] = extents[l];
    h.count *= extents[l];
    out = arena.axpy(extents[l], out, arena.var(static_cast<int>(l), extents[l]));
  }
  for (const Box& box : split_boxes(arena, {used, source.fold, out})) h.pieces.push_back(lower(arena, box, plan));
  return h;
}

Scatter lower_scatter(Arena& arena, const ScatterSource& source, std::span<const std::int64_t> extents,
                      const Plan::Impl& plan) {
  Scatter s;
  const Expr& e = arena[source.fold];
  s.type = e.type;
  s.fn = e.fn;
  s.extents.assign(extents.size(), 1);
  s.strides.assign(extents.size(), 0);
  for (std::size_t l = extents.size(); l-- > 0;) {
    if ((source.used & bit(static_cast<int>(l))) == 0) continue;
    s.extents[l] = extents[l];
    s.strides[l] = s.count;
    s.count *= extents[l];
  }
  LinId out = arena.constant(0);
  for (std::size_t l = 0; l < extents.size(); ++l) {
    out = arena.axpy(s.strides[l], arena.var(static_cast<int>(l), s.extents[l]), out);
  }
  for (const Box& box : split_boxes(arena, {s.extents, arena.kids(source.fold)[0], out})) {
    s.init.push_back(lower(arena, box, plan));
  }
  Lowering lowering(arena, plan, s.program);
  lowering.out = arena.flatten(identity(arena, extents), extents);  // the place in the body's output, for Unknown
  s.body = lowering.node(arena.kids(source.fold)[1]);
  s.product = accumulates_product(arena, source.fold);
  if (arena[source.rest].kind != GuardKind::True) s.guard = lowering.guard(source.rest);
  Mask named = 0;
  for (const auto& [level, index] : source.targets) {
    s.targets.push_back({level, lowering.form(index)});
    named |= bit(level);
  }
  int level = e.fold_level;
  for (const std::int64_t n : arena.extents(source.fold)) s.vars.push_back({level++, n});
  check_levels(level);
  for (int l = 0; l < static_cast<int>(extents.size()); ++l) {
    const std::int64_t n = s.extents[static_cast<std::size_t>(l)];
    if (n == 1 || (named & bit(l)) != 0) continue;
    ((source.before & bit(l)) != 0 ? s.before : s.after).push_back({l, n});
  }
  fill_masks(s.program);
  if (!s.after.empty()) {  // the longest free level is the row
    const auto longest = std::max_element(s.after.begin(), s.after.end(), [](const FoldVar& a, const FoldVar& b) {
      return std::min<std::int64_t>(a.extent, 32) <= std::min<std::int64_t>(b.extent, 32);
    });
    s.row = longest->level;
    order_folds(s.program, s.body, s.row, longest->extent);
  } else {
    const FoldVar last = s.vars.back();
    order_folds(s.program, s.body, last.level, last.extent);
  }
  return s;
}

}  // namespace gg::plan
