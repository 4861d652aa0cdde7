// Internal to prover/term: rebuilding terms through their constructors with changed kids. A pass derives from Rebuilder
// and says what happens to variables, guards and folds; everything else is here.
#pragma once

#include "prover/term/store.h"

namespace gg::prover {

class Rebuilder {
 public:
  explicit Rebuilder(Terms& terms) : t_(terms) {}
  virtual ~Rebuilder() = default;
  virtual TermId term(TermId id) = 0;
  virtual LinId lin(LinId id);

 protected:
  virtual LinId variable(const AtomNode& atom, AtomId id) = 0;
  virtual LinId atom(AtomId id);
  /// Any node but folds and rows.
  TermId rebuild(TermId id);
  std::vector<TermId> each_kid(TermId id);

  Terms& t_;
};

/// Common to passes that carry the guards around a place.
class Guarded : public Rebuilder {
 public:
  Guarded(Terms& terms, TermId facts) : Rebuilder(terms), facts_(facts) {}

 protected:
  TermId under(TermId more, TermId id) {
    const TermId outer = facts_;
    facts_ = t_.conj(facts_, more);
    const TermId result = facts_ == TermId::False ? id : term(id);
    facts_ = outer;
    return result;
  }

  LinId variable(const AtomNode&, AtomId id) override { return t_.atom_form(id); }

  /// What is inside, under the conditions around it.
  TermId inside(TermId id) {
    const Kind kind = t_[id].kind;
    if (kind == Kind::Fold || kind == Kind::Row) return binder(id);
    if (kind != Kind::Case) return rebuild(id);
    const TermId g = term(t_.kid(id, 0));
    if (g == TermId::True) return term(t_.kid(id, 1));
    if (g == TermId::False) return term(t_.kid(id, 2));
    const TermId a = under(g, t_.kid(id, 1)), b = under(t_.negate(g), t_.kid(id, 2));
    return t_.choose(g, a, b);
  }

  TermId binder(TermId id) {
    Opened o = t_.open(id);
    const TermNode n = t_[id];
    if (n.kind == Kind::Fold) {
      const TermId guard = fold_guard(o.guard);
      const TermId body = guard == TermId::False ? o.bodies[0] : under(guard, o.bodies[0]);
      return t_.fold(static_cast<ScalarFn>(n.op), o.vars, guard, body);
    }
    RowParts p = t_.row_parts(id);
    for (LinId& l : p.index) l = lin(l);
    for (TermId& b : o.bodies) b = term(b);
    return t_.row(p.signature, p.leaf, n.sort, o.vars, p.index, o.bodies);
  }

  virtual TermId fold_guard(TermId guard) { return term(guard); }

  TermId facts_;
};

}  // namespace gg::prover
