// What expressions, index forms and guards are made of: the walks that visit everything have it from here.
#pragma once

#include "models/body/arena.h"

namespace gg {

/// Calls f with each part, one level down: forms and guards (LinId, GuardId) before expressions (ExprId).
template <class F>
void each_part(const Arena& arena, ExprId id, const F& f) {
  const Expr e = arena[id];
  if (e.kind == ExprKind::Index) f(LinId{e.arg});
  if (e.kind == ExprKind::Read || e.kind == ExprKind::Constant) {
    for (const LinId index : arena.indices(id)) f(index);
  }
  if (e.kind == ExprKind::Case || e.kind == ExprKind::Fold) f(arena.guard(id));
  for (const ExprId kid : arena.kids(id)) f(kid);
}
template <class F>
void each_part(const Arena& arena, LinId id, const F& f) {
  for (const Multiple& term : arena.terms(id)) {
    const Atom& atom = arena.atom(term.atom);
    if (atom.kind == AtomKind::Div) f(LinId{atom.arg});
    if (atom.kind == AtomKind::Table) f(LinId{atom.index});
    if (atom.kind == AtomKind::Data) f(ExprId{atom.arg});
  }
}
template <class F>
void each_part(const Arena& arena, GuardId id, const F& f) {
  const GuardKind kind = arena[id].kind;
  if (kind == GuardKind::Le0 || kind == GuardKind::Eq0) f(arena.lin(id));
  for (const GuardId kid : arena.kids(id)) f(kid);
}

}  // namespace gg
