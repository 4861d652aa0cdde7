// Rebuilding of terms through their constructors, and substitution of variables.
#include "prover/term/fold_builder.h"
#include "prover/term/rebuild.h"

namespace gg::prover {

LinId Rebuilder::lin(LinId id) {
  const LinNode n = t_[id];
  if (n.n == 0) return id;
  const std::vector<LinTerm> list(t_.terms(id).begin(), t_.terms(id).end());
  std::vector<std::pair<std::int64_t, LinId>> parts;
  parts.reserve(list.size());
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
  return t_.atom_form(id);
}

std::vector<TermId> Rebuilder::each_kid(TermId id) {
  std::vector<TermId> kids;
  for (std::size_t k = 0; k < t_[id].n; ++k) kids.push_back(term(t_.kid(id, k)));
  return kids;
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
      const std::vector<TermId> kids = each_kid(id);
      const auto f = static_cast<ScalarFn>(n.op);
      for (const TermId k : kids)
        if (k == TermId::Unknown) return k;
      const bool sum = f == ScalarFn::Add, product = f == ScalarFn::Multiply, real = n.sort == Sort::Real;
      if (real && (sum || product)) return sum ? t_.add(kids) : t_.mul(kids[0], kids[1]);
      if (sum || product || (real && f == ScalarFn::Convert)) return t_.opaque_fn(f, n.sort, n.type, kids);
      if (f == ScalarFn::Max || f == ScalarFn::Min) return t_.extremum(f, kids);
      return t_.fn(f, static_cast<ElementType>(n.type), kids);
    }
    case Kind::Case: {
      const TermId g = term(t_.kid(id, 0));
      if (g == TermId::True) return term(t_.kid(id, 1));
      if (g == TermId::False) return term(t_.kid(id, 2));
      const TermId a = term(t_.kid(id, 1)), b = term(t_.kid(id, 2));
      return t_.choose(g, a, b);
    }
    case Kind::And: return t_.conj(each_kid(id));
    case Kind::Or: return t_.disj(each_kid(id));
    case Kind::Not: return t_.negate(term(t_.kid(id, 0)));
    default: return id;
  }
}

namespace {

/// Replaces variables. One level a fold that is open: terms with its binders are remembered there only.
class Substituter : public Rebuilder {
 public:
  Substituter(Terms& terms, const Terms::Map& map, bool rename)
      : Rebuilder(terms), map_(map), rename_(rename) {
    levels_.push_back({map.domain, {}, {}, {}});
  }

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    const std::size_t level = level_of(n.free);
    if (level == 0) return id;
    auto& memo = levels_[level - 1].terms;
    if (const TermId* known = memo.find(raw(id))) return *known;
    const TermId result = n.kind == Kind::Fold ? fold(id) : n.kind == Kind::Row ? row(id)
                                                                                : rebuild(id);
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
    if ((map_.domain & bit(a.var)) == 0) return t_.atom_form(id);
    return t_.div(map_.to[a.var], a.m);
  }

 private:
  struct Level {
    VarSet vars;
    SmallMap<TermId> terms;
    SmallMap<LinId> lins;
    std::optional<Fresh> binders;
  };

  /// 1 + the deepest level whose variables occur; 0 if none does.
  std::size_t level_of(VarSet free) const {
    for (std::size_t k = levels_.size(); k-- > 0;)
      if ((free & levels_[k].vars) != 0) return k + 1;
    return 0;
  }

  std::vector<LinId> enter(VarId first, std::span<const std::int64_t> extents) {
    Fresh fresh = t_.fresh(extents);
    const std::vector<LinId> vars(fresh.begin(), fresh.end());
    VarSet set = 0;
    for (std::size_t k = 0; k < vars.size(); ++k) {
      const auto v = static_cast<VarId>(first + k);
      saved_.push_back({v, map_.to[v], (map_.domain & bit(v)) != 0});
      map_.set(v, vars[k]);
      set |= bit(v);
    }
    levels_.push_back({set, {}, {}, std::move(fresh)});
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
  }

  TermId fold(TermId id) {
    const FoldParts p = t_.fold_parts(id);
    const std::vector<LinId> vars = enter(p.first, p.extents);
    const TermId guard = term(p.guard);
    const TermId body = guard == TermId::False ? p.body : term(p.body);
    const TermId result = rename_ ? t_.name_fold(p.op, vars, guard, body) : t_.fold(p.op, vars, guard, body);
    leave(vars.size());
    return result;
  }

  TermId row(TermId id) {
    const RowParts p = t_.row_parts(id);
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

TermId Terms::name_fold(ScalarFn op, std::span<const LinId> vars, TermId guard, TermId body) { return FoldBuilder(*this, op, vars, guard, body).name(); }

}  // namespace gg::prover
