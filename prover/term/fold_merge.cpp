// Binders of a fold: two that occur together become one, unused ones go (certificate.md, F3 and F4).
#include <algorithm>
#include <array>
#include <set>

#include "prover/term/fold_builder.h"
#include "prover/term/form_walk.h"
#include "prover/term/wide.h"

namespace gg::prover {

/// The fold over k = n_b*a + b, for k from `first` to `last`, in place of binders a and b.
TermId FoldBuilder::as_one(std::size_t a, std::size_t b, std::span<const TermId> guards, std::int64_t first, std::int64_t last) {
  t_.count(op_ == ScalarFn::Add ? LemmaId::BindersMerge : LemmaId::ExtremaMerge);
  const Fresh fresh = t_.fresh(checked_mul(extents_[a], extents_[b]));
  Terms::Map map;
  map.set(ids_[a], t_.div(fresh[0], extents_[b]));
  map.set(ids_[b], t_.mod(fresh[0], extents_[b]));
  std::vector<TermId> all{t_.ge(t_.offset(fresh[0], -first)), t_.ge(t_.offset(t_.scale(-1, fresh[0]), last))};
  for (const TermId g : guards) all.push_back(t_.substitute(g, map));
  std::vector<LinId> vars;
  for (std::size_t k = 0; k < vars_.size(); ++k)
    if (k != a && k != b) vars.push_back(vars_[k]);
  vars.push_back(fresh[0]);
  return t_.fold(op_, vars, t_.conj(all), t_.substitute(body_, map));
}

std::optional<TermId> FoldBuilder::merge() {
  LinVisitor visit(t_, set_);
  visit.term(guard_);
  visit.term(body_);
  std::vector<std::vector<std::int64_t>> weight(ids_.size(), std::vector<std::int64_t>(visit.lins.size(), 0));
  std::vector<bool> blocked(ids_.size(), false), used(ids_.size(), false);
  std::set<LinId> looked_up;  // a table of two binders may be one of them as one
  for (std::size_t i = 0; i < visit.lins.size(); ++i) {
    for (const LinTerm& s : t_.terms(visit.lins[i])) {
      const AtomNode& a = t_[s.atom];
      if (a.kind == AtomKind::Table) looked_up.insert(static_cast<LinId>(a.arg));
      if (a.kind != AtomKind::Var) continue;
      const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), a.var) - ids_.begin());
      if (k == ids_.size()) continue;
      if (a.m > 1) blocked[k] = true;
      weight[k][i] += s.coef;
      used[k] = true;
    }
  }
  for (std::size_t a = 0; a < ids_.size(); ++a) {
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      if (a == b || blocked[a] || blocked[b] || !used[a] || !used[b]) continue;
      bool fits = true, tables = false;
      for (std::size_t i = 0; i < visit.lins.size() && fits; ++i) {
        if (weight[a][i] == extents_[b] * weight[b][i]) continue;
        fits = tables = looked_up.contains(visit.lins[i]);
      }
      if (!fits || (tables && !tables_of_one(a, b))) continue;
      return as_one(a, b, t_.conjuncts(guard_), 0, extents_[a] * extents_[b] - 1);
    }
  }
  return merge_interval();
}

/// Guards over two binders alone that hold for an interval of n_b*a + b: its bounds. Comparisons of small digits lose the radix:
/// 2*a + b <= 4 is a + b <= 2 for b < 2, a < 3.
std::optional<std::pair<std::int64_t, std::int64_t>> FoldBuilder::interval(const std::vector<TermId>& guards, std::size_t a, std::size_t b) {
  constexpr std::int64_t kMaxPoints = 256;  // as many as the checker looks at
  const std::int64_t n = extents_[b];
  if (extents_[a] > kMaxPoints || n > kMaxPoints || extents_[a] * n > kMaxPoints) return std::nullopt;
  std::array<std::int64_t, kVars> at{};
  std::int64_t first = -1, last = -1;
  for (std::int64_t k = 0; k < extents_[a] * n; ++k) {
    at[ids_[a]] = k / n;
    at[ids_[b]] = k % n;
    bool holds = true;
    for (const TermId g : guards) {
      const auto value = t_.evaluate(t_.lin(g), at);
      if (!value) return std::nullopt;
      holds = holds && (t_[g].kind == Kind::Ge ? *value >= 0 : *value == 0);
    }
    if (!holds) continue;
    if (first >= 0 && last != k - 1) return std::nullopt;
    if (first < 0) first = k;
    last = k;
  }
  if (first < 0) return std::nullopt;
  return std::pair{first, last};
}

/// Two binders that occur as n_b*a + b but for such guards.
std::optional<TermId> FoldBuilder::merge_interval() {
  for (std::size_t a = 0; a < ids_.size(); ++a) {
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      const VarSet both = bit(ids_[a]) | bit(ids_[b]);
      std::vector<TermId> own, others;
      for (const TermId g : t_.conjuncts(guard_)) {
        const bool compares = t_[g].kind == Kind::Ge || t_[g].kind == Kind::Eq;
        (compares && t_[g].free == both ? own : others).push_back(g);
      }
      if (a == b || own.empty()) continue;
      const auto bounds = interval(own, a, b);
      if (!bounds) continue;
      LinVisitor visit(t_, both);
      for (const TermId g : others) visit.term(g);
      visit.term(body_);
      bool fits = !visit.lins.empty();
      for (const LinId l : visit.lins) {
        std::int64_t high = 0, low = 0;
        for (const LinTerm& s : t_.terms(l)) {
          const AtomNode& atom = t_[s.atom];
          if (atom.kind != AtomKind::Var || (bit(atom.var) & both) == 0) continue;
          fits = fits && atom.m == 1;
          (atom.var == ids_[a] ? high : low) += s.coef;
        }
        fits = fits && high == extents_[b] * low;
      }
      if (!fits) continue;
      return as_one(a, b, others, bounds->first, bounds->second);
    }
  }
  return std::nullopt;
}

std::optional<TermId> FoldBuilder::drop_unused() {
  const VarSet used = t_[guard_].free | t_[body_].free;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if ((used & bit(ids_[k])) != 0) continue;
    const std::int64_t extent = extents_[k];
    std::vector<LinId> vars = without(vars_, k);
    t_.count(op_ == ScalarFn::Add ? LemmaId::UnusedBinder : op_ == ScalarFn::Multiply ? LemmaId::UnusedBinderOfProduct
                                                                                      : LemmaId::UnusedBinderOfMax);
    const TermId rest = t_.fold(op_, vars, guard_, body_);
    if (op_ == ScalarFn::Xor && extent % 2 == 0) return t_.unit(op_, t_[rest].sort);
    if (t_[rest].sort == Sort::Int) {
      if (op_ == ScalarFn::Add) return t_.integer(t_.scale(extent, t_.as_lin(rest)));
      return op_ == ScalarFn::Multiply ? t_.integer(repeated_product(t_, t_.as_lin(rest), extent)) : rest;
    }
    if (op_ == ScalarFn::Add) return t_.scale(t_.q.of(extent), rest);
    return op_ == ScalarFn::Multiply ? t_.pow(rest, t_.q.of(extent)) : rest;
  }
  return std::nullopt;
}

}  // namespace gg::prover
