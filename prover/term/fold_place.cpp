// Counts tell places apart (certificate.md, F13).
#include <algorithm>
#include <bit>

#include "prover/term/fold_builder.h"

namespace gg::prover {
namespace {

using Pair = std::pair<TermId, TermId>;

/// x - y == 0 for two integers of the data.
std::optional<Pair> equal_data(const Terms& t, TermId guard) {
  if (t[guard].kind != Kind::Eq || t[t.lin(guard)].n != 2 || t[t.lin(guard)].c0 != 0) return std::nullopt;
  const auto list = t.terms(t.lin(guard));
  const AtomNode &x = t[list[0].atom], &y = t[list[1].atom];
  if (std::abs(list[0].coef) != 1 || list[0].coef + list[1].coef != 0 || x.kind != AtomKind::Data || y.kind != AtomKind::Data) return std::nullopt;
  return Pair{static_cast<TermId>(x.arg), static_cast<TermId>(y.arg)};
}

TermId renamed(Terms& t, TermId x, VarId u, LinId w) { return t.substitute(x, Terms::Map(u, w)); }

/// Is `count` the number of places j <= u, each with what hangs on u by its key alone, not negative, and u itself one of them?
bool counts_up_to(Terms& t, TermId count, LinId u, TermId key) {
  const FoldParts sum = t.fold_parts(count);
  const auto [lo, hi] = t.int_range(key);
  if (t[key].kind != Kind::Read || lo < 0 || hi > INT32_MAX || sum.op != ScalarFn::Add || sum.extents.size() != 1 || t.int_range(sum.body).first < 0) return false;
  const std::int64_t n = sum.extents[0];
  const TermId up_to = t.ge(t.sub(u, t.var(sum.first, n)));
  bool bounded = false;
  TermId element = sum.body;  // under the other conditions
  for (const TermId g : t.conjuncts(sum.guard)) {
    if (g == up_to) bounded = true;
    else element = t.choose(g, element, t.integer(LinId::Zero));
  }
  if (!bounded || t[u].hi >= n || t.int_range(renamed(t, element, sum.first, u)).first < 1) return false;
  const Fresh fresh = t.fresh(std::array{n, hi + 1});
  const TermId there = renamed(t, element, sum.first, fresh[0]);
  const TermId keyed = t.replace_reads(there, [&](TermId read, TermId) { return read == key ? std::optional(t.integer(fresh[1])) : std::nullopt; });
  return (t[keyed].free & t[u].free) == 0;
}

}  // namespace

/// Equal numbers of elements up to and with two places, equal keys of these elements: the places are one.
std::optional<TermId> FoldBuilder::solve_place(TermId equality) {
  auto counts = equal_data(t_, equality);
  if (!counts || t_[counts->first].kind != Kind::Fold || t_[counts->second].kind != Kind::Fold) return std::nullopt;
  if ((t_[counts->first].free & ~t_[counts->second].free & set_) == 0) std::swap(counts->first, counts->second);
  const VarSet one = t_[counts->first].free & ~t_[counts->second].free, other = t_[counts->second].free & ~t_[counts->first].free;
  if (!std::has_single_bit(one & set_) || !std::has_single_bit(one) || !std::has_single_bit(other)) return std::nullopt;
  const auto u = static_cast<VarId>(std::countr_zero(one)), w = static_cast<VarId>(std::countr_zero(other));
  const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), u) - ids_.begin());
  const LinId at = t_.var(w, extents_[k]);
  if (renamed(t_, counts->first, u, at) != counts->second) return std::nullopt;
  for (const TermId g : t_.conjuncts(guard_)) {
    auto keys = g == equality ? std::nullopt : equal_data(t_, g);
    if (!keys) continue;
    if ((t_[keys->first].free & one) == 0) std::swap(keys->first, keys->second);
    if ((t_[keys->first].free & one) == 0 || renamed(t_, keys->first, u, at) != keys->second || !counts_up_to(t_, counts->first, vars_[k], keys->first)) continue;
    return replace(k, at, {}, TermId::True, equality);
  }
  return std::nullopt;
}

}  // namespace gg::prover
