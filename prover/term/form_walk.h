// Walks over terms: what one is made of, and the index forms of whole terms.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "prover/term/store.h"
#include "prover/term/terms.h"

namespace gg::prover {

/// Calls `term(part)` for the terms and `form(form, whether it is an index of a read or row)` for the index forms that a term is made of.
template <class Term, class Form>
void for_each_part(const Terms& t, TermId id, const Term& term, const Form& form) {
  switch (t[id].kind) {
    case Kind::Lit:
    case Kind::Special: return;
    case Kind::Int:
    case Kind::FromInt:
    case Kind::Ge:
    case Kind::Eq:
    case Kind::Wrap: return form(t.lin(id), false);
    case Kind::Read:
      for (const LinId l : t.index_of(id)) form(l, true);
      return;
    case Kind::Mono:
      for (const Factor& f : t.factors(id)) term(f.term);
      return;
    case Kind::Poly:
      for (const Summand& s : t.summands(id)) term(s.mono);
      return;
    case Kind::Fold: {
      const FoldParts p = t.fold_parts(id);
      term(p.guard);
      return term(p.body);
    }
    case Kind::Row: {
      const RowParts p = t.row_parts(id);
      for (const LinId l : p.index) form(l, true);
      for (const TermId b : p.bodies) term(b);
      return;
    }
    default:
      for (const std::uint32_t k : t.kids(id)) term(static_cast<TermId>(k));
  }
}

/// The same of the atoms of an index form.
template <class Term, class Form>
void for_each_part(const Terms& t, LinId id, const Term& term, const Form& form) {
  for (const LinTerm& s : t.terms(id)) {
    const AtomNode& a = t[s.atom];
    if (a.kind == AtomKind::Var) continue;
    if (a.kind == AtomKind::Data) {
      term(static_cast<TermId>(a.arg));
      continue;
    }
    form(static_cast<LinId>(a.arg));
    if (a.kind == AtomKind::Mul) form(static_cast<LinId>(a.arg2));
  }
}

/// The condition of a case or fold; true of other terms.
inline TermId condition_of(const Terms& t, TermId id) {
  const Kind kind = t[id].kind;
  return kind == Kind::Case ? t.kid(id, 0) : kind == Kind::Fold ? t.fold_parts(id).guard
                                                                : TermId::True;
}

/// A hash of what terms have in common that differ by index forms (unless `boxes`, by conditions and extents too) and the order of operands;
/// `inside(part)`: that of a part.
template <class Inside>
std::uint64_t skeleton_of(const Terms& t, TermId id, bool boxes, const Inside& inside) {
  const TermNode n = t[id];
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.kind) * 31 + static_cast<std::uint64_t>(n.sort), n.op * 7ULL + n.type);
  if (n.kind == Kind::Lit) return mix(h, raw(id));
  if (n.kind == Kind::Read) return mix(h, t.anchor_of(id));
  if (n.kind == Kind::Row) h = mix(h, t.row_parts(id).signature * 31 + t.row_parts(id).leaf);
  if (n.kind == Kind::Mono) {
    for (const Factor& f : t.factors(id)) h += mix(mix(3, raw(f.exp)), inside(f.term));
    return h;
  }
  if (n.kind == Kind::Fold)
    for (const std::int64_t e : t.fold_parts(id).extents) h += mix(11, boxes ? static_cast<std::uint64_t>(e) : 0);
  // One that may stand the other way round, or does not count, is left out.
  const TermId condition = n.kind == (boxes ? Kind::Case : Kind::Fold) ? condition_of(t, id) : TermId::Unknown;
  for_each_part(
      t, id, [&](TermId part) {
    if (part != condition) h += mix(13, inside(part)); }, [](LinId, bool) {});
  return h;
}

/// Collects every index form (nested ones included) that has one of the variables.
class LinVisitor {
 public:
  LinVisitor(const Terms& terms, VarSet set) : t_(terms), set_(set) {}
  void term(TermId id) {
    if ((t_[id].free & set_) == 0 || !terms_.insert(raw(id)).second) return;
    for_each_part(
        t_, id, [&](TermId part) { term(part); }, [&](LinId part, bool) { lin(part); });
  }
  void lin(LinId id) {
    if ((t_[id].free & set_) == 0 || !forms_.insert(raw(id)).second) return;
    lins.push_back(id);
    for_each_part(
        t_, id, [&](TermId part) { term(part); }, [&](LinId part) { lin(part); });
  }
  std::vector<LinId> lins;

 private:
  const Terms& t_;
  VarSet set_;
  std::unordered_set<std::uint32_t> terms_, forms_;  ///< seen
};

}  // namespace gg::prover
