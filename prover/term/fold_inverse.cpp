// Powers below zero that leave a sum although they may be infinite (certificate.md, F11).
#include <algorithm>

#include "prover/term/fold_builder.h"

namespace gg::prover {
namespace {

std::vector<TermId> reads_in(Terms& t, TermId guard) {
  std::vector<TermId> reads;
  t.replace_reads(guard, [&](TermId read, TermId) -> std::optional<TermId> {
    reads.push_back(read);
    return std::nullopt;
  });
  return reads;
}

/// A finite sum of positive elements, one for each point where a condition holds: where it is zero the condition holds nowhere.
std::optional<TermId> count_of(Terms& t, TermId x) {
  if (t[x].kind == Kind::FromInt) {
    const LinId form = t.lin(x);
    if (t[form].n != 1 || t[form].c0 != 0 || t.terms(form)[0].coef != 1) return std::nullopt;
    x = t.integer(form);
  }
  if (t[x].kind == Kind::Read) x = t.definition(x, TermId::True).value_or(x);
  for (const TermId sum : {x, t.expand_all(x, 1)}) {
    if (t[sum].kind != Kind::Fold || t.fold_parts(sum).op != ScalarFn::Add || t.fold_parts(sum).guard == TermId::True) continue;
    const TermId element = t.fold_parts(sum).body;
    const bool integral = t[sum].sort == Sort::Int;
    if (integral ? t.int_range(element).first > 0 : t.attributes(element).positive && t.attributes(sum).finite) return sum;
  }
  return std::nullopt;
}

/// The point of the opened count whose read `element` is the read `x`.
std::optional<Terms::Map> point_of(const Terms& t, const Opened& count, TermId element, TermId x) {
  if (t.anchor_of(element) != t.anchor_of(x)) return std::nullopt;
  const std::vector<LinId> from = t.index_of(element), to = t.index_of(x);
  Terms::Map map;
  for (std::size_t k = 0; k < from.size(); ++k) {
    const auto b = static_cast<std::size_t>(std::find(count.vars.begin(), count.vars.end(), from[k]) - count.vars.begin());
    if (b == count.vars.size()) {
      if (from[k] != to[k]) return std::nullopt;
    } else {
      if (t[to[k]].lo < 0 || t[to[k]].hi >= count.extents[b] || (map.domain & t[from[k]].free) != 0) return std::nullopt;
      if (t[from[k]].n == 1) map.set(t[t.terms(from[k])[0].atom].var, to[k]);
    }
  }
  return map;
}

/// Does the fold have no element where the count is zero?
bool empty_without(Terms& t, TermId count, TermId fold) {
  const Opened c = t.open(count), f = t.open(fold);
  bool empty = false;
  for (const TermId element : reads_in(t, c.guard)) {
    for (const TermId x : reads_in(t, f.guard)) {
      const auto map = empty ? std::nullopt : point_of(t, c, element, x);
      if (map && (t[c.guard].free & c.set & ~map->domain) == 0) empty = t.decide(t.substitute(c.guard, *map), f.guard) == true;
    }
  }
  return empty;
}

}  // namespace

/// Is x, finite, a count of points some of which the fold adds over? Where it is zero, the fold is empty: beside x^-1 there is 0 * inf
/// in every (a) summand, and outside.
bool Terms::counts(TermId x, TermId fold) {
  const TermNode n = (*this)[fold];
  if (n.kind != Kind::Fold || n.sort != Sort::Real || fold_parts(fold).op != ScalarFn::Add || fold_parts(fold).guard == TermId::True) return false;
  const auto count = count_of(*this, x);
  return count && empty_without(*this, *count, fold);
}

/// A power below zero of a sum of nonnegative elements, one of which is a factor too: where the power is infinite (zero) there
/// is 0 * inf in every (a) summand, and outside.
bool FoldBuilder::inverse_leaves(std::span<const Factor> all, const Factor& inverse) {
  if (t_.q.sign(inverse.exp) > 0 || guard_ != TermId::True) return false;
  const bool counted = std::any_of(all.begin(), all.end(), [&](const Factor& f) { return f.exp == RatId::One && t_.counts(inverse.term, f.term); });
  if (counted) return t_.count(LemmaId::InverseCountOut), true;
  if (t_[inverse.term].kind != Kind::Fold) return false;
  const Terms::FoldParts sum = t_.fold_parts(inverse.term);
  if (sum.op != ScalarFn::Add || sum.guard != TermId::True || t_[sum.body].kind != Kind::Read || !t_.attributes(sum.body).nonnegative) return false;
  const auto adds = [&](TermId x) {
    if (t_[x].kind != Kind::Read || t_.anchor_of(x) != t_.anchor_of(sum.body)) return false;
    const std::vector<LinId> at = t_.index_of(x), element = t_.index_of(sum.body);
    VarSet seen = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      bool fits = at[k] == element[k] && (t_[element[k]].free >> sum.first) == 0;
      for (std::size_t b = 0; b < sum.extents.size() && !fits; ++b) {
        const auto v = static_cast<VarId>(sum.first + b);
        fits = element[k] == t_.var(v, sum.extents[b]) && (seen & bit(v)) == 0 && t_[at[k]].lo >= 0 && t_[at[k]].hi < sum.extents[b];
        if (fits) seen |= bit(v);
      }
      if (!fits) return false;
    }
    return true;
  };
  const bool element = std::any_of(all.begin(), all.end(), [&](const Factor& f) { return f.exp == RatId::One && adds(f.term); });
  if (element) t_.count(LemmaId::InverseOut);
  return element;
}

}  // namespace gg::prover
