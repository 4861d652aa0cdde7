// Binders of a fold: solved by guards, cut at the digits used (certificate.md, F3 and F4).
#include <algorithm>

#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"

namespace gg::prover {
namespace {

/// The divisors m > 1 of `v div m` among the forms, ascending.
std::vector<std::int64_t> cuts_in(const Terms& t, const LinVisitor& forms, VarId v) {
  std::vector<std::int64_t> cuts;
  for (const LinId l : forms.lins)
    for (const LinTerm& s : t.terms(l)) {
      const AtomNode& a = t[s.atom];
      if (a.kind == AtomKind::Var && a.var == v && a.m > 1) cuts.push_back(a.m);
    }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

}  // namespace

std::vector<std::int64_t> Terms::cuts_of(TermId id, VarId v) const {
  LinVisitor visit(*this, bit(v));
  visit.term(id);
  return cuts_in(*this, visit, v);
}

TermId FoldBuilder::replace(std::size_t k, LinId value, std::span<const LinId> fresh, TermId more, TermId gone) {
  const Terms::Map map(ids_[k], value);
  std::vector<LinId> vars = without(vars_, k);
  vars.insert(vars.end(), fresh.begin(), fresh.end());
  std::vector<TermId> guards{more};
  for (const TermId g : t_.conjuncts(guard_))
    if (g != gone) guards.push_back(t_.substitute(g, map));
  const TermId guard = t_.conj(guards);
  return t_.fold(op_, vars, guard, guard == TermId::False ? body_ : t_.substitute(body_, map));
}

std::optional<TermId> FoldBuilder::cut() {
  LinVisitor visit(t_, set_);
  visit.term(guard_);
  visit.term(body_);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    std::vector<std::int64_t> cuts = cuts_in(t_, visit, ids_[k]);
    if (cuts.empty()) continue;
    bool chain = extents_[k] % cuts.back() == 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) chain = chain && cuts[i] % cuts[i - 1] == 0;
    if (!chain) continue;
    cuts.insert(cuts.begin(), 1);
    cuts.push_back(extents_[k]);
    std::vector<std::int64_t> extents;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) extents.push_back(cuts[i + 1] / cuts[i]);
    t_.count(LemmaId::BindersCut);
    const Fresh fresh = t_.fresh(extents);
    LinId value = LinId::Zero;
    for (std::size_t i = 0; i < fresh.size(); ++i) value = t_.axpy(cuts[i], fresh[i], value);
    return replace(k, value, fresh, TermId::True, TermId::Unknown);
  }
  return std::nullopt;
}

std::optional<TermId> FoldBuilder::solve() {
  const std::vector<TermId> list = t_.conjuncts(op_ == ScalarFn::Or && t_[body_].sort == Sort::Bool ? body_ : guard_);
  for (const TermId g : list)
    if (t_[g].kind == Kind::Eq) {
      if (const auto s = solve_equality(g)) return s;
      if (const auto s = solve_place(g)) return s;
    }
  for (const TermId g : list)
    if (t_[g].kind == Kind::Ge)
      for (const TermId h : list)
        if (h != g && t_[h].kind == Kind::Ge)
          if (const auto s = solve_interval(g, h)) return s;
  return shorten(list);
}

std::optional<TermId> FoldBuilder::solve_equality(TermId equality) {
  auto pin = t_.pinned(t_.lin(equality), set_);
  if (!pin) pin = t_.taken(t_.lin(equality), set_);
  if (!pin) return solve_part(equality);
  t_.count(LemmaId::Pinned);
  const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), pin->first) - ids_.begin());
  return replace(k, pin->second, {}, t_.in_range(pin->second, extents_[k]), equality);
}

/// q - y >= 0 with q = X div m is X - m*y >= 0; other forms as they are.
LinId FoldBuilder::opened(LinId form) {
  const std::vector<LinTerm> list(t_.terms(form).begin(), t_.terms(form).end());
  for (const LinTerm& s : list) {
    const AtomNode atom = t_[s.atom];
    const bool digit = atom.kind == AtomKind::Var && atom.m != 1;
    if ((!digit && atom.kind != AtomKind::Div) || s.coef != 1) continue;
    const LinId whole = digit ? t_.var(atom.var, atom.extent) : static_cast<LinId>(atom.arg);
    return t_.add(whole, t_.scale(atom.m, t_.axpy(-1, t_.atom_form(s.atom), form)));
  }
  return form;
}

/// 0 <= X - c*b <= c-1 gives b = X div c.
std::optional<TermId> FoldBuilder::solve_interval(TermId low, TermId high) {
  LinId l = t_.lin(low);
  LinId total = t_.add(l, t_.lin(high));
  if (!t_.is_num(total)) total = t_.add(l = opened(l), t_.lin(high));
  if (!t_.is_num(total)) return std::nullopt;
  const std::int64_t c = t_[total].c0 + 1;
  if (c < 2) return std::nullopt;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const LinId x = t_.axpy(c, vars_[k], l);
    if ((t_[x].free & bit(ids_[k])) != 0) continue;
    t_.count(LemmaId::Interval);
    const LinId value = t_.div(x, c);
    return replace(k, value, {}, t_.in_range(value, extents_[k]), TermId::Unknown);
  }
  return solve_residue(t_.lin(low), t_.lin(high));
}

/// Bounds by forms that never pass a number (b <= L with L < n - 1 always), and the exclusion of its first or last value, shorten a binder and shift it.
std::optional<TermId> FoldBuilder::shorten(const std::vector<TermId>& guards) {
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    std::int64_t low = 0, high = extents_[k] - 1;
    LemmaId law{};
    for (const TermId g : guards) {
      const bool edge = t_[g].kind == Kind::Not && t_[t_.kid(g, 0)].kind == Kind::Eq;
      if (!edge && t_[g].kind != Kind::Ge) continue;
      const LinId form = t_.lin(edge ? t_.kid(g, 0) : g);
      const std::vector<LinTerm> terms = t_.term_list(form);
      const auto own = std::find_if(terms.begin(), terms.end(), [&](const LinTerm& s) {
        return t_[s.atom].kind == AtomKind::Var && t_[s.atom].var == ids_[k] && t_[s.atom].m == 1 && std::abs(s.coef) == 1;
      });
      if (own == terms.end()) continue;
      const LinId rest = t_.axpy(-own->coef, vars_[k], form);
      if ((t_[rest].free & bit(ids_[k])) != 0 || (edge && !t_.is_num(rest))) continue;
      const std::int64_t before = high - low, end = -own->coef * t_[rest].hi;
      if (edge && end == low) ++low;
      else if (edge && end == high) --high;
      else if (!edge) (own->coef == 1 ? low : high) = own->coef == 1 ? std::max(low, end) : std::min(high, end);
      if (high - low != before) law = edge ? LemmaId::EdgeExcluded : own->coef == 1 ? LemmaId::LowerBound
                                                                                    : LemmaId::UpperBound;
    }
    if (high < low) return t_.unit(op_, t_[body_].sort);
    if (low == 0 && high == extents_[k] - 1) continue;
    t_.count(law);
    const Fresh fresh = t_.fresh(high - low + 1);
    return replace(k, t_.offset(fresh[0], low), fresh, TermId::True, TermId::Unknown);
  }
  return std::nullopt;
}

}  // namespace gg::prover
