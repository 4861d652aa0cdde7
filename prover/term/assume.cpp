// Terms where conditions hold (certificate.md, C2): facts decide guards, clamps and quotients, and determine variables and integers.
#include <limits>
#include <utility>

#include "prover/term/filled.h"
#include "prover/term/rebuild.h"
#include "prover/term/whole.h"

namespace gg::prover {
namespace {

/// Rule C2: facts decide guards, clamps and quotients; equalities of a variable replace it.
class Assumer : public Guarded {
 public:
  Assumer(Terms& terms, TermId facts) : Guarded(terms, facts) {}

  TermId term(TermId id) override {
    const TermNode n = t_[id];
    const bool says = may_say(t_, facts_, id);
    if (!says && n.sort != Sort::Bool) return id;
    const PairKey key{raw(id), raw(facts_)};
    if (const TermId* known = memo_.find(key)) return *known;
    const std::optional<bool> decided = n.sort == Sort::Bool ? t_.decide(id, facts_) : std::nullopt;
    if (decided) t_.count(LemmaId::ImpliedGuard);
    const TermId result = !decided ? (says ? inside(filled(t_, id, facts_)) : id) : *decided ? TermId::True
                                                                                             : TermId::False;
    memo_.set(key, result);
    return result;
  }

  LinId lin(LinId id) override { return t_[id].guards ? Rebuilder::lin(id) : id; }

 protected:
  LinId atom(AtomId id) override {
    const AtomNode a = t_[id];
    if (!a.guards) return t_.atom_form(id);
    if (a.kind == AtomKind::Clamp) {
      const LinId x = lin(static_cast<LinId>(a.arg));
      const std::vector<TermId> facts = t_.conjuncts(facts_);
      const bool open = a.lo == std::numeric_limits<std::int64_t>::min();  // of 64 bits: nothing lies below
      const LinId above = open ? LinId::Zero : t_.offset(x, -a.lo), below = t_.offset(t_.scale(-1, x), a.hi);
      const bool low = t_.implied(above, facts, kImpliedDepth), high = t_.implied(below, facts, kImpliedDepth);
      if (low && high) return t_.count(LemmaId::ClampUnderGuard), x;
      if (!open && t_.implied(t_.scale(-1, above), facts, kImpliedDepth)) return t_.num(a.lo);
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
        list = without(std::move(list), i);
      } else {
        ++i;
      }
    }
    return t_.conj(list);
  }

 private:
  PairMap<TermId> memo_;
};

}  // namespace

TermId Terms::assume(TermId id, TermId facts) {
  if (facts == TermId::True || facts == TermId::False) return id;
  const PairKey key{raw(id), raw(facts)};
  if (const TermId* known = store_->assume_memo.find(key)) return *known;
  TermId result = id;
  // Equalities that determine a variable replace it.
  for (const TermId f : conjuncts(facts)) {
    if (const auto data = pinned_data(f)) {
      SmallMap<TermId> number;
      number.add(raw(data->first), integer(num(data->second)));
      const TermId before = std::exchange(result, exchange(result, std::move(number)));
      if (result != before) count((*this)[f].kind == Kind::Eq ? LemmaId::EqualityPinsData : LemmaId::LastValuePinsData);
    }
    if ((*this)[f].kind != Kind::Eq) continue;
    const auto plain = pinned(lin(f), ~VarSet{0}), pin = plain ? plain : pinned_digit(*this, lin(f));
    if (!pin || ((*this)[result].free & bit(pin->first)) == 0) continue;
    count(LemmaId::EqualityPins);
    result = substitute(result, Map(pin->first, pin->second));
  }
  if (may_say(*this, facts, result)) result = Assumer(*this, facts).term(result);
  store_->assume_memo.set(key, result);
  return result;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Terms::gap_in(TermId id) {
  if ((*this)[id].kind != Kind::Case) return std::nullopt;
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    const TermId one = kid(id, k), other = kid(id, 3 - k);
    if ((*this)[one].kind != Kind::Int || !is_num(lin(one)) || (*this)[other].sort != Sort::Int) continue;
    const std::int64_t apart = (*this)[lin(one)].c0;
    const auto [least, most] = int_range(other);
    if (apart < least - 1) return std::pair{apart, least};
    if (apart - 1 > most) return std::pair{apart, most};
  }
  return std::nullopt;
}

std::optional<std::pair<std::int64_t, std::int64_t>> Terms::gap_of(const AtomNode& atom) const {
  const auto term = static_cast<TermId>(atom.arg);
  if (atom.kind != AtomKind::Data || (*this)[term].kind != Kind::Read) return std::nullopt;
  return anchor(anchor_of(term)).gap;
}

/// A comparison of an integer with a number inside a gap of its values, or with the one apart: with the nearest of the others. Where the one apart
/// lies above, the same is said of the negatives.
std::optional<TermId> Terms::across_gap(LinId a, bool equality) {
  const LinNode n = (*this)[a];
  const LinTerm only = terms(a)[0];
  const auto gap = n.n == 1 && std::abs(only.coef) == 1 ? gap_of((*this)[only.atom]) : std::nullopt;
  if (!gap) return std::nullopt;
  const std::int64_t side = gap->first < gap->second ? 1 : -1, coef = side * only.coef, apart = side * gap->first, next = side * gap->second;
  const LinId others = offset(scale(side, atom_form(only.atom)), -next), alone = offset(scale(-1, others), -1);
  const std::int64_t number = -coef * n.c0;  // x = number; x >= number; x <= number
  const bool equal = number == apart, inside = number > apart && number < next;
  if (equality && inside) return count(LemmaId::GuardByRange), TermId::False;
  if (equality && equal) return count(LemmaId::GuardByRange), ge(alone);
  if (!equality && coef > 0 && inside) return count(LemmaId::GuardByRange), ge(others);
  if (!equality && coef < 0 && (equal || (inside && number < next - 1))) return count(LemmaId::GuardByRange), ge(alone);
  return std::nullopt;
}

std::optional<std::pair<TermId, std::int64_t>> Terms::pinned_data(TermId comparison) const {
  const Kind kind = (*this)[comparison].kind;
  if (kind != Kind::Eq && kind != Kind::Ge) return std::nullopt;
  const LinNode n = (*this)[lin(comparison)];
  if (n.n != 1) return std::nullopt;
  const LinTerm only = terms(lin(comparison))[0];
  const AtomNode atom = (*this)[only.atom];
  if (atom.kind != AtomKind::Data || std::abs(only.coef) != 1) return std::nullopt;
  const auto gap = kind == Kind::Ge ? gap_of(atom) : std::nullopt;
  const std::int64_t side = gap && gap->first > gap->second ? -1 : 1;
  if (gap && only.coef == -side && n.c0 == side * gap->second - 1) return std::pair{static_cast<TermId>(atom.arg), gap->first};
  if (kind == Kind::Ge && n.hi != 0) return std::nullopt;
  return std::pair{static_cast<TermId>(atom.arg), -only.coef * n.c0};
}

std::optional<std::pair<VarId, LinId>> Terms::pinned(LinId zero, VarSet wanted) {
  const std::vector<LinTerm> list(terms(zero).begin(), terms(zero).end());
  std::optional<std::pair<VarId, LinId>> best;
  for (const LinTerm& s : list) {
    const AtomNode a = (*this)[s.atom];
    if (a.kind != AtomKind::Var || a.m != 1 || std::abs(s.coef) != 1 || (wanted & bit(a.var)) == 0) continue;
    const LinId rest = scale(-s.coef, axpy(-s.coef, atom_form(s.atom), zero));
    if (((*this)[rest].free & bit(a.var)) != 0) continue;
    if (!best || a.var > best->first) best = {a.var, rest};
  }
  return best;
}

}  // namespace gg::prover
