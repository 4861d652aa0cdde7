// Walks over the index forms of a term.
#pragma once

#include <unordered_set>
#include <utility>
#include <vector>

#include "prover/term/store.h"
#include "prover/term/terms.h"

namespace gg::prover {

/// Calls `operand(term)` for what a product, a sum, or a term whose kids are terms is made of.
template <class Operand>
void for_each_operand(const Terms& terms, TermId id, Operand operand) {
  switch (terms[id].kind) {
    case Kind::Mono:
      for (const Factor& f : terms.factors(id)) operand(f.term);
      return;
    case Kind::Poly:
      for (const Summand& s : terms.summands(id)) operand(s.mono);
      return;
    default:
      for (const std::uint32_t k : terms.kids(id)) operand(static_cast<TermId>(k));
  }
}

/// Calls `form(form, whether it is an index of a read or row)` for the index forms of terms that have one of the variables; each
/// term is looked at once.
template <class Form>
class FormWalk {
 public:
  FormWalk(const Terms& terms, VarSet set, Form form) : t_(terms), set_(set), form_(std::move(form)) {}
  void term(TermId id) {
    const TermNode& n = t_[id];
    if ((n.free & set_) == 0 || !seen_.insert(raw(id)).second) return;
    switch (n.kind) {
      case Kind::Int:
      case Kind::FromInt:
      case Kind::Ge:
      case Kind::Eq:
      case Kind::Wrap: form_(t_.lin(id), false); return;
      case Kind::Read:
        for (const LinId l : t_.index_of(id)) form_(l, true);
        return;
      case Kind::Fold: {
        const Terms::FoldParts p = t_.fold_parts(id);
        term(p.guard);
        term(p.body);
        return;
      }
      case Kind::Row: {
        const Terms::RowParts p = t_.row_parts(id);
        for (const LinId l : p.index) form_(l, true);
        for (const TermId b : p.bodies) term(b);
        return;
      }
      default: for_each_operand(t_, id, [&](TermId k) { term(k); });
    }
  }

 private:
  const Terms& t_;
  VarSet set_;
  Form form_;
  std::unordered_set<std::uint32_t> seen_;
};

/// Collects every index form (nested ones included) that has one of the variables.
class LinVisitor {
 public:
  LinVisitor(const Terms& terms, VarSet set) : t_(terms), set_(set), walk_(terms, set, Collect{this}) {}
  LinVisitor(const LinVisitor&) = delete;
  LinVisitor& operator=(const LinVisitor&) = delete;
  void term(TermId id) { walk_.term(id); }
  std::vector<LinId> lins;

 private:
  struct Collect {
    LinVisitor* to;
    void operator()(LinId id, bool) const { to->lin(id); }
  };
  void lin(LinId id) {
    if ((t_[id].free & set_) == 0 || !seen_.insert(raw(id)).second) return;
    lins.push_back(id);
    for (const LinTerm& s : t_.terms(id)) {
      const AtomNode& a = t_[s.atom];
      if (a.kind == AtomKind::Var) continue;
      if (a.kind == AtomKind::Data) {
        term(static_cast<TermId>(a.arg));
      } else {
        lin(static_cast<LinId>(a.arg));
        if (a.kind == AtomKind::Mul) lin(static_cast<LinId>(a.arg2));
      }
    }
  }
  const Terms& t_;
  VarSet set_;
  FormWalk<Collect> walk_;
  std::unordered_set<std::uint32_t> seen_;
};

}  // namespace gg::prover
