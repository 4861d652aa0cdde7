// Binders that only count down are turned round, so that sums in opposite orders are one; sums of what no binder occurs in are
// counts; binders that only number a few conditions are written out (certificate.md, F9, F10 and F12).
#include <algorithm>

#include "models/pair/certificate_line.h"
#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

/// In which directions the indices of reads go with each variable; other forms do not count.
struct Directions {
  const Terms& t;
  VarSet set;
  std::vector<TermId> data;            ///< what is looked at: terms, and integers of their forms
  VarSet up = 0, down = 0, mixed = 0;  ///< mixed: also inside quotients, clamps or tables
  std::unordered_set<std::uint32_t> seen{};

  void term(TermId id) {
    if ((t[id].free & set) == 0 || !seen.insert(raw(id)).second) return;
    for_each_part(
        t, id, [&](TermId part) { term(part); }, [&](LinId l, bool counts) { form(l, counts); });
  }
  void form(LinId l, bool counts) {
    if ((t[l].free & set) == 0) return;
    for (const LinTerm& s : t.terms(l)) {
      const AtomNode& a = t[s.atom];
      if (a.kind == AtomKind::Data) data.push_back(static_cast<TermId>(a.arg));
      else if (a.kind != AtomKind::Var || a.m != 1) mixed |= a.free & set;
      else if (counts) (s.coef > 0 ? up : down) |= a.free & set;
    }
  }
};

}  // namespace

std::optional<TermId> FoldBuilder::turn() {
  Directions to{t_, set_, {body_, guard_}};
  for (std::size_t k = 0; k < to.data.size(); ++k) to.term(to.data[k]);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const VarSet b = bit(ids_[k]);
    if ((to.down & b) == 0 || ((to.up | to.mixed) & b) != 0) continue;
    t_.count(LemmaId::BinderTurned);
    const Fresh fresh = t_.fresh(extents_[k]);
    return replace(k, t_.offset(t_.scale(-1, fresh[0]), extents_[k] - 1), fresh, TermId::True, TermId::Unknown);
  }
  return std::nullopt;
}

/// A few conditions that a binder only numbers (bounds of an index of several components, by a table): a disjunction. A few
/// elements of constant arrays: a number.
std::optional<TermId> FoldBuilder::write_table() {
  std::int64_t points = 1;
  for (const std::int64_t e : extents_) points *= points > kMaxWritten ? 1 : e;
  const Sort sort = t_[body_].sort;
  const bool conditions = sort == Sort::Bool;
  const auto flags = static_cast<std::uint16_t>(t_[guard_].flags | t_[body_].flags);
  const bool closed = sort == Sort::Real && ((t_[guard_].free | t_[body_].free) & ~set_) == 0 && (flags & kHasReads) == 0;
  if ((!conditions && !closed) || points > kMaxWritten) return std::nullopt;
  LinVisitor forms(t_, set_);
  forms.term(guard_);
  forms.term(body_);
  const auto tabled = [&](LinId l) {
    const auto list = t_.terms(l);
    return std::any_of(list.begin(), list.end(), [&](const LinTerm& s) { return t_[s.atom].kind == AtomKind::Table && (t_[s.atom].free & set_) != 0; });
  };
  if (!(closed && (flags & kHasInputs) != 0) && std::none_of(forms.lins.begin(), forms.lins.end(), tabled)) return std::nullopt;
  std::vector<TermId> parts;
  for (std::int64_t point = 0; point < points; ++point) {
    Terms::Map map;
    std::int64_t left = point;
    for (std::size_t k = 0; k < ids_.size(); ++k) {
      map.set(ids_[k], t_.num(left % extents_[k]));
      left /= extents_[k];
    }
    const TermId guard = t_.substitute(guard_, map);
    parts.push_back(t_.choose(guard, t_.substitute(body_, map), t_.unit(op_, sort)));
  }
  const TermId whole = t_.together(op_, parts);
  if (closed && !t_.is_lit(whole)) return std::nullopt;
  t_.count(closed ? LemmaId::ArrayWritten : LemmaId::ConditionsByTable);
  return whole;
}

/// sum_{b < n, b >= L} c = (n - L) * c and sum_{b < n, b <= L} c = (L + 1) * c, where L stays in the box or beside it.
std::optional<TermId> FoldBuilder::count_bound() {
  if (op_ != ScalarFn::Add || t_[body_].sort != Sort::Real || !t_.attributes(body_).finite) return std::nullopt;
  const std::vector<TermId> list = t_.conjuncts(guard_);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const VarSet b = bit(ids_[k]);
    const auto bounds = [&](TermId g) { return (t_[g].free & b) != 0; };
    if ((t_[body_].free & b) != 0 || std::count_if(list.begin(), list.end(), bounds) != 1) continue;
    const TermId bound = *std::find_if(list.begin(), list.end(), bounds);
    if (t_[bound].kind != Kind::Ge) continue;
    for (const std::int64_t sign : {1, -1}) {  // b + R >= 0: the last R + n; R - b >= 0: the first R + 1
      const LinId rest = t_.axpy(-sign, vars_[k], t_.lin(bound));
      if ((t_[rest].free & b) != 0) continue;
      const LinId count = t_.offset(rest, sign == 1 ? extents_[k] : 1);
      if (t_[count].lo < 0 || t_[count].hi > extents_[k]) continue;
      t_.count(LemmaId::CountUnderBound);
      std::vector<TermId> guards;
      for (const TermId g : list)
        if (g != bound) guards.push_back(g);
      std::vector<LinId> vars = without(vars_, k);
      std::vector<TermId> many{t_.lit(t_.q.of(t_[count].c0))};  // a sum, so that counts add
      for (const LinTerm& s : t_.term_list(count)) many.push_back(t_.scale(t_.q.of(s.coef), t_.from_int(t_.atom_form(s.atom))));
      return t_.fold(op_, vars, t_.conj(guards), t_.mul(t_.add(many), body_));
    }
  }
  return std::nullopt;
}

}  // namespace gg::prover
