#include "runtime/read_boxes.h"

#include <algorithm>

#include "kernels/plan/semantics.h"
#include "models/body/parts.h"

namespace gg {

std::int64_t count(const Box& box) {
  std::int64_t n = 1;
  for (const IntegerSpan& span : box) n *= span.hi - span.lo + 1;
  return n;
}

IntegerSpan ReadBoxes::range(const Atom& atom) const {
  IntegerSpan span{atom.lo, atom.hi};
  if (atom.kind == AtomKind::Var && atom.level < levels_.size()) span = levels_[atom.level];
  if (atom.kind == AtomKind::Div) {
    const IntegerSpan inner = range(LinId{atom.arg});
    span = {floor_quotient(inner.lo, atom.m), floor_quotient(inner.hi, atom.m)};
  }
  return {std::max(span.lo, atom.lo), std::min(span.hi, atom.hi)};
}

IntegerSpan ReadBoxes::range(LinId id) const {
  const Lin& form = arena_[id];
  IntegerSpan sum{form.c0, form.c0};
  for (const Multiple& term : arena_.terms(id)) {
    const IntegerSpan atom = range(arena_.atom(term.atom));
    sum.lo += term.coef * (term.coef > 0 ? atom.lo : atom.hi);
    sum.hi += term.coef * (term.coef > 0 ? atom.hi : atom.lo);
  }
  return {std::max(sum.lo, form.lo), std::min(sum.hi, form.hi)};
}

ReadBoxes::Truth ReadBoxes::truth(GuardId id) const {
  const Guard& guard = arena_[id];
  const auto some = [&](Truth stops) {
    Truth all = stops == Truth::No ? Truth::Yes : Truth::No;
    for (const GuardId kid : arena_.kids(id)) {
      const Truth one = truth(kid);
      if (one == stops) return stops;
      if (one == Truth::Perhaps) all = Truth::Perhaps;
    }
    return all;
  };
  switch (guard.kind) {
    case GuardKind::True: return Truth::Yes;
    case GuardKind::False: return Truth::No;
    case GuardKind::And: return some(Truth::No);
    case GuardKind::Or: return some(Truth::Yes);
    case GuardKind::Not: {
      const Truth inner = truth(arena_.kids(id)[0]);
      return inner == Truth::Perhaps ? inner : inner == Truth::Yes ? Truth::No
                                                                   : Truth::Yes;
    }
    case GuardKind::Le0:
    case GuardKind::Eq0: break;
  }
  const IntegerSpan form = range(arena_.lin(id));
  if (guard.kind == GuardKind::Le0) return form.hi <= 0 ? Truth::Yes : form.lo > 0 ? Truth::No
                                                                                   : Truth::Perhaps;
  return form.lo == 0 && form.hi == 0 ? Truth::Yes : form.lo > 0 || form.hi < 0 ? Truth::No
                                                                                : Truth::Perhaps;
}

template <class Id>
double ReadBoxes::inside(Id id) {
  double operations = 0;
  each_part(arena_, id, [&](auto part) {
    if constexpr (std::is_same_v<decltype(part), ExprId>) operations += walk(part);
    else operations += inside(part);
  });
  return operations;
}

double ReadBoxes::walk(ExprId id) {
  if (!seen_.insert(id.value).second) return 1;
  const Expr expr = arena_[id];
  switch (expr.kind) {
    case ExprKind::Read: {
      Box box;
      for (const LinId one : arena_.indices(id)) box.push_back(range(one));
      const double operations = 1 + inside(id);
      visit_(expr.arg, box);
      return operations;
    }
    case ExprKind::Case: {
      const Truth holds = truth(arena_.guard(id));
      double operations = inside(arena_.guard(id));
      if (holds != Truth::No) operations += walk(arena_.kids(id)[0]);
      if (holds != Truth::Yes) operations += walk(arena_.kids(id)[1]);
      return operations;
    }
    case ExprKind::Constant:
    case ExprKind::Index:
    case ExprKind::Lit:
    case ExprKind::Unknown:
    case ExprKind::Fn: return 1 + inside(id);
    case ExprKind::Fold: break;
  }
  const auto extents = arena_.extents(id);
  double times = 1, share = 1;
  levels_.resize(std::max(levels_.size(), expr.fold_level + extents.size()));
  for (std::size_t v = 0; v < extents.size(); ++v) {
    levels_[expr.fold_level + v] = {0, extents[v] - 1};
    times *= static_cast<double>(extents[v]);
  }
  const std::vector<int>& used = folds_.levels(id);
  for (int level = 0; level < expr.fold_level; ++level) {
    const IntegerSpan& span = levels_[static_cast<std::size_t>(level)];
    if (std::find(used.begin(), used.end(), level) == used.end()) share /= static_cast<double>(span.hi - span.lo + 1);
  }
  return 1 + share * (walk(arena_.kids(id)[0]) + times * (inside(arena_.guard(id)) + walk(arena_.kids(id)[1])));
}

}  // namespace gg
