// Passes that rebuild terms: substitution of variables, simplification under facts, expansion of reads.
#include <algorithm>
#include <utility>

#include "prover/term/fold_builder.h"
#include "prover/term/rebuild.h"

namespace gg::prover {

LinId Rebuilder::lin(LinId id) {
  const LinNode n = t_[id];
  if (n.n == 0) return id;
  const std::vector<LinTerm> list(t_.terms(id).begin(), t_.terms(id).end());
  std::vector<std::pair<std::int64_t, LinId>> parts;
  for (const LinTerm& s : list) parts.emplace_back(s.coef, atom(s.atom));
  return t_.refit(t_.combine(n.c0, parts));
}

LinId Rebuilder::atom(AtomId id) {
  const AtomNode a = t_[id];
  switch (a.kind) {
    case AtomKind::Var: return variable(a, id);
    case AtomKind::Div: return t_.div(lin(static_cast<LinId>(a.arg)), a.m);
    case AtomKind::Clamp: return t_.clamp(lin(static_cast<LinId>(a.arg)), a.lo, a.hi);
    case AtomKind::Data: return t_.as_lin(term(static_cast<TermId>(a.arg)));
    case AtomKind::Table: return t_.table(t_.table_values(a.arg2), lin(static_cast<LinId>(a.arg)));
    case AtomKind::Mul: {
      const LinId x = lin(static_cast<LinId>(a.arg)), y = lin(static_cast<LinId>(a.arg2));
      return t_.mul(x, y);
    }
  }
  return atom_form(id);
}

TermId Rebuilder::rebuild(TermId id) {
  const TermNode n = t_[id];
  switch (n.kind) {
    case Kind::Int: return t_.integer(lin(t_.lin(id)));
    case Kind::FromInt: return t_.from_int(lin(t_.lin(id)));
    case Kind::Ge: return t_.ge(lin(t_.lin(id)));
    case Kind::Eq: return t_.eq(lin(t_.lin(id)));
    case Kind::Wrap: return t_.wrap(static_cast<ElementType>(n.type), lin(t_.lin(id)));
    case Kind::Read: {
      std::vector<LinId> index = t_.index_of(id);
      for (LinId& l : index) l = lin(l);
      return t_.read(t_.anchor_of(id), index);
    }
    case Kind::Mono: return TermId::Unknown;  // never on its own
    case Kind::Poly: {
      std::vector<TermId> parts;
      for (const Summand& s : t_.summands(id)) {
        TermId product = t_.lit(s.coef);
        for (const Factor& f : t_.factors(s.mono)) product = t_.mul(product, t_.pow(term(f.term), f.exp));
        parts.push_back(product);
      }
      return t_.add(parts);
    }
    case Kind::Fn: {
      std::vector<TermId> kids;
      for (std::size_t k = 0; k < n.n; ++k) kids.push_back(term(t_.kid(id, k)));
      const auto f = static_cast<ScalarFn>(n.op);
      for (const TermId k : kids)
        if (k == TermId::Unknown) return k;
      if (f == ScalarFn::Add || f == ScalarFn::Multiply || (n.sort == Sort::Real && f == ScalarFn::Convert)) {
        if (n.sort == Sort::Real && f != ScalarFn::Convert) return f == ScalarFn::Add ? t_.add(kids) : t_.mul(kids[0], kids[1]);
        return t_.opaque_fn(f, n.sort, n.type, kids);
      }
      if (f == ScalarFn::Max || f == ScalarFn::Min) return t_.extreme(f, kids);
      return t_.fn(f, static_cast<ElementType>(n.type), kids);
    }
    case Kind::Case: {
      const TermId g = term(t_.kid(id, 0));
      if (g == TermId::True) return term(t_.kid(id, 1));
      if (g == TermId::False) return term(t_.kid(id, 2));
      const TermId a = term(t_.kid(id, 1)), b = term(t_.kid(id, 2));
      return t_.choose(g, a, b);
    }
    case Kind::And:
    case Kind::Or:
    case Kind::Not: {
      std::vector<TermId> kids;
      for (std::size_t k = 0; k < n.n; ++k) kids.push_back(term(t_.kid(id, k)));
      return n.kind == Kind::And ? t_.conj(kids) : n.kind == Kind::Or ? t_.disj(kids) : t_.negate(kids[0]);
    }
    default: return id;
  }
}

namespace {

/// Replaces variables. One level a fold that is open: terms with its binders are remembered there only.
class Substituter : public Rebuilder {
 public:
  Substituter(Terms& terms, const Terms::Map& map, bool rename)
      : Rebuilder(terms), map_(map), rename_(rename) {
    levels_.push_back({map.domain, {}, {}});
  }

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    const std::size_t level = level_of(n.free);
    if (level == 0) return id;
    auto& memo = levels_[level - 1].terms;
    if (const TermId* known = memo.find(raw(id))) return *known;
    const TermId result = n.kind == Kind::Fold ? fold(id) : n.kind == Kind::Row ? row(id) : rebuild(id);
    levels_[level - 1].terms.add(raw(id), result);
    return result;
  }

  LinId lin(LinId id) override {
    const std::size_t level = level_of(t_[id].free);
    if (level == 0) return id;
    auto& memo = levels_[level - 1].lins;
    if (const LinId* known = memo.find(raw(id))) return *known;
    const LinId result = Rebuilder::lin(id);
    levels_[level - 1].lins.add(raw(id), result);
    return result;
  }

 protected:
  LinId variable(const AtomNode& a, AtomId id) override {
    if ((map_.domain & bit(a.var)) == 0) return atom_form(id);
    return t_.div(map_.to[a.var], a.m);
  }

 private:
  struct Level {
    VarSet vars;
    SmallMap<TermId> terms;
    SmallMap<LinId> lins;
  };

  /// 1 + the deepest level whose variables occur; 0 if none does.
  std::size_t level_of(VarSet free) const {
    for (std::size_t k = levels_.size(); k-- > 0;)
      if ((free & levels_[k].vars) != 0) return k + 1;
    return 0;
  }

  std::vector<LinId> enter(VarId first, std::span<const std::int64_t> extents) {
    const std::vector<LinId> vars = t_.push_vars(extents);
    VarSet set = 0;
    for (std::size_t k = 0; k < vars.size(); ++k) {
      const auto v = static_cast<VarId>(first + k);
      saved_.push_back({v, map_.to[v], (map_.domain & bit(v)) != 0});
      map_.set(v, vars[k]);
      set |= bit(v);
    }
    levels_.push_back({set, {}, {}});
    return vars;
  }
  void leave(std::size_t count) {
    levels_.pop_back();
    for (std::size_t k = 0; k < count; ++k) {
      const Saved s = saved_.back();
      saved_.pop_back();
      map_.to[s.var] = s.to;
      if (!s.mapped) map_.domain &= ~bit(s.var);
    }
    t_.pop_vars(count);
  }

  TermId fold(TermId id) {
    const Terms::FoldParts p = t_.fold_parts(id);
    const std::vector<LinId> vars = enter(p.first, p.extents);
    const TermId guard = term(p.guard);
    const TermId body = guard == TermId::False ? p.body : term(p.body);
    const TermId result = rename_ ? t_.name_fold(p.op, vars, guard, body) : t_.fold(p.op, vars, guard, body);
    leave(vars.size());
    return result;
  }

  TermId row(TermId id) {
    const Terms::RowParts p = t_.row_parts(id);
    std::vector<LinId> index = p.index;
    for (LinId& l : index) l = lin(l);
    const std::vector<LinId> vars = enter(p.first, p.extents);
    std::vector<TermId> bodies;
    for (const TermId b : p.bodies) bodies.push_back(term(b));
    const TermId result = t_.row(p.signature, p.leaf, t_[id].sort, vars, index, bodies);
    leave(vars.size());
    return result;
  }

  struct Saved {
    VarId var;
    LinId to;
    bool mapped;
  };
  Terms::Map map_;
  bool rename_;
  std::vector<Level> levels_;
  std::vector<Saved> saved_;
};

/// Rule C2: facts decide guards, clamps and quotients; equalities of a variable replace it.
class Assumer : public Guarded {
 public:
  Assumer(Terms& terms, TermId facts) : Guarded(terms, facts) {}

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    if ((n.flags & kHasGuards) == 0 || facts_ == TermId::True) return id;
    const PairKey key{raw(id), raw(facts_)};
    if (const TermId* known = memo_.find(key)) return *known;
    const TermId result = step(id, n);
    memo_.set(key, result);
    return result;
  }

  LinId lin(LinId id) override {
    const LinNode n = t_[id];
    if (!n.guards) return id;
    return Rebuilder::lin(id);
  }

 protected:
  LinId atom(AtomId id) override {
    const AtomNode a = t_[id];
    if (!a.guards) return atom_form(id);
    if (a.kind == AtomKind::Clamp) {
      const LinId x = lin(static_cast<LinId>(a.arg));
      const std::vector<TermId> facts = t_.conjuncts(facts_);
      const LinId above = t_.offset(x, -a.lo), below = t_.offset(t_.scale(-1, x), a.hi);
      const bool low = t_.implied(above, facts, kImpliedDepth), high = t_.implied(below, facts, kImpliedDepth);
      if (low && high) return t_.count(LemmaId::ClampUnderGuard), x;
      if (t_.implied(t_.scale(-1, above), facts, kImpliedDepth)) return t_.num(a.lo);
      if (t_.implied(t_.scale(-1, below), facts, kImpliedDepth)) return t_.num(a.hi);
      return t_.clamp(x, a.lo, a.hi);
    }
    if (a.kind == AtomKind::Div) {
      const LinId x = lin(static_cast<LinId>(a.arg));
      const LinId d = t_.div(x, a.m);
      const LinNode r = t_[d];
      if (r.hi - r.lo > 4) return d;
      const std::vector<TermId> facts = t_.conjuncts(facts_);
      for (std::int64_t k = r.lo; k <= r.hi; ++k)
        if (t_.implied(t_.offset(x, -k * a.m), facts, kImpliedDepth) &&
            t_.implied(t_.offset(t_.scale(-1, x), k * a.m + a.m - 1), facts, kImpliedDepth))
          return t_.num(k);
      return d;
    }
    return Rebuilder::atom(id);
  }

  TermId fold_guard(TermId guard) override {
    std::vector<TermId> list = t_.conjuncts(guard);
    for (std::size_t i = 0; i < list.size();) {
      std::vector<TermId> facts = t_.conjuncts(facts_);
      for (std::size_t j = 0; j < list.size(); ++j)
        if (j != i) facts.push_back(list[j]);
      const std::optional<bool> known = t_.decide(list[i], facts);
      if (known && !*known) return TermId::False;
      if (known) {
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        ++i;
      }
    }
    return t_.conj(list);
  }

 private:
  TermId step(TermId id, const TermNode& n) {
    if (n.sort == Sort::Bool) {
      const std::optional<bool> known = t_.decide(id, facts_);
      if (known) return t_.count(LemmaId::ImpliedGuard), *known ? TermId::True : TermId::False;
    }
    if (n.kind == Kind::Fold || n.kind == Kind::Row) return binder(id);
    if (n.kind == Kind::Case) {
      const TermId g = term(t_.kid(id, 0));
      if (g == TermId::True) return term(t_.kid(id, 1));
      if (g == TermId::False) return term(t_.kid(id, 2));
      const TermId a = under(g, t_.kid(id, 1)), b = under(t_.negate(g), t_.kid(id, 2));
      return t_.choose(g, a, b);
    }
    return rebuild(id);
  }

  PairMap<TermId> memo_;
};

/// An integer term by the number that it is.
class Pinner : public Guarded {
 public:
  Pinner(Terms& terms, TermId data, std::int64_t number) : Guarded(terms, TermId::True), data_(data), number_(number) {}

  TermId term(TermId id) override {
    if (id == data_) return t_.integer(t_.num(number_));
    const TermNode n = t_[id];
    if ((n.flags & (kHasReads | kHasInputs)) == 0) return id;
    if (const TermId* known = memo_.find(raw(id))) return *known;
    const TermId result = n.kind == Kind::Fold || n.kind == Kind::Row ? binder(id) : rebuild(id);
    memo_.add(raw(id), result);
    return result;
  }

  LinId lin(LinId id) override { return (t_.lin_flag(id) & (kHasReads | kHasInputs)) == 0 ? id : Rebuilder::lin(id); }

 private:
  TermId data_;
  std::int64_t number_;
  SmallMap<TermId> memo_;
};

}  // namespace

TermId Terms::substitute(TermId id, const Map& map) {
  if (((*this)[id].free & map.domain) == 0) return id;
  return Substituter(*this, map, false).term(id);
}

LinId Terms::substitute(LinId id, const Map& map) {
  if (((*this)[id].free & map.domain) == 0) return id;
  return Substituter(*this, map, false).lin(id);
}

TermId Terms::rename(TermId id, const Map& map) {
  if (((*this)[id].free & map.domain) == 0) return id;
  return Substituter(*this, map, true).term(id);
}

TermId Terms::name_fold(ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body) {
  return FoldBuilder(*this, op, vars, guard, body).name();
}

void Terms::reset_temps() { store_->temps = store_->depth = store_->cases = 0; }

TermId Terms::assume(TermId id, TermId facts) {
  const TermNode n = (*this)[id];
  if (facts == TermId::True || facts == TermId::False) return id;
  const PairKey key{raw(id), raw(facts)};
  if (const TermId* known = store_->assume_memo.find(key)) return *known;
  TermId result = id;
  // Equalities that determine a variable replace it.
  for (const TermId f : conjuncts(facts)) {
    if (const auto data = pinned_data(f)) {
      const TermId before = std::exchange(result, Pinner(*this, data->first, data->second).term(result));
      if (result != before) count((*this)[f].kind == Kind::Eq ? LemmaId::EqualityPinsData : LemmaId::LastValuePinsData);
    }
    if ((*this)[f].kind != Kind::Eq) continue;
    const auto pin = pinned(lin(f), ~VarSet{0});
    if (!pin || ((*this)[result].free & bit(pin->first)) == 0) continue;
    count(LemmaId::EqualityPins);
    Map map;
    map.set(pin->first, pin->second);
    result = substitute(result, map);
  }
  if (((*this)[result].flags & kHasGuards) != 0) result = Assumer(*this, facts).term(result);
  (void)n;
  store_->assume_memo.set(key, result);
  return result;
}

LinId Terms::assume(LinId id, TermId facts) {
  if (facts == TermId::True || facts == TermId::False || !(*this)[id].guards) return id;
  return Assumer(*this, facts).lin(id);
}

std::optional<std::pair<TermId, std::int64_t>> Terms::pinned_data(TermId comparison) const {
  const Kind kind = (*this)[comparison].kind;
  if (kind != Kind::Eq && kind != Kind::Ge) return std::nullopt;
  const LinNode n = (*this)[lin(comparison)];
  if (n.n != 1 || (kind == Kind::Ge && n.hi != 0)) return std::nullopt;
  const LinTerm only = terms(lin(comparison))[0];
  const AtomNode atom = (*this)[only.atom];
  if (atom.kind != AtomKind::Data || std::abs(only.coef) != 1) return std::nullopt;
  return std::pair{static_cast<TermId>(atom.arg), -only.coef * n.c0};
}

std::optional<std::pair<VarId, LinId>> Terms::pinned(LinId zero, VarSet wanted) {
  const std::vector<LinTerm> list(terms(zero).begin(), terms(zero).end());
  std::optional<std::pair<VarId, LinId>> best;
  for (const LinTerm& s : list) {
    const AtomNode a = (*this)[s.atom];
    if (a.kind != AtomKind::Var || a.m != 1 || std::abs(s.coef) != 1 || (wanted & bit(a.var)) == 0) continue;
    const LinId rest = scale(-s.coef, axpy(-s.coef, atom_lin(s.atom), zero));
    if (((*this)[rest].free & bit(a.var)) != 0) continue;
    if (!best || a.var > best->first) best = {a.var, rest};
  }
  return best;
}

}  // namespace gg::prover
