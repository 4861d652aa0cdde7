// Extrema over boxes of clamps, of literals by conditions, and of integers beside a number that none of them passes (certificate.md, F2 and F14).
#include <algorithm>
#include <array>

#include "prover/term/fold_builder.h"

namespace gg::prover {

/// The extremum of case(g, a, b), a and b literals: the one beyond the other where there is a point at which it is the element.
std::optional<TermId> FoldBuilder::some_point(TermId g, TermId a, TermId b) {
  const bool extremum = op_ == ScalarFn::Max || op_ == ScalarFn::Min;
  const auto literal = [&](TermId x) { return t_.is_lit(x) || (t_[x].kind == Kind::Int && t_.is_num(t_.lin(x))); };
  if (!extremum || guard_ != TermId::True || std::count(extents_.begin(), extents_.end(), 0) != 0 || !literal(a) || !literal(b)) return std::nullopt;
  const bool first = (t_.compare(ScalarFn::CompareLt, a, b) == TermId::True) == (op_ == ScalarFn::Min);
  t_.count(LemmaId::SomePoint);
  const TermId some = t_.fold(ScalarFn::Or, vars_, TermId::True, first ? g : t_.negate(g));
  return t_.choose(some, first ? a : b, first ? b : a);
}

/// An extremum of clamps: that of what they limit, limited.
std::optional<TermId> FoldBuilder::clamped() {
  if ((op_ != ScalarFn::Max && op_ != ScalarFn::Min) || t_[body_].kind != Kind::Int || guard_ != TermId::True || std::count(extents_.begin(), extents_.end(), 0) != 0) return std::nullopt;
  const LinId form = t_.lin(body_);
  if (t_[form].n != 1 || t_[form].c0 != 0) return std::nullopt;
  const LinTerm only = t_.terms(form)[0];
  const AtomNode atom = t_[only.atom];
  if (only.coef != 1 || atom.kind != AtomKind::Clamp) return std::nullopt;
  return t_.integer(t_.clamp(t_.as_lin(again(guard_, t_.integer(static_cast<LinId>(atom.arg)))), atom.lo, atom.hi));
}

/// An extremum of integers of case(g, a, l), l a number that none of a passes: that of a where g holds, or l.
std::optional<TermId> FoldBuilder::beside_least(TermId g, TermId a, TermId b) {
  const bool max = op_ == ScalarFn::Max;
  const bool of_data = (t_[g].flags & (kHasReads | kHasInputs)) != 0;  // where the first of the largest is, another law says
  if (of_data || (!max && op_ != ScalarFn::Min) || guard_ != TermId::True || std::count(extents_.begin(), extents_.end(), 0) != 0 || t_[a].sort != Sort::Int) return std::nullopt;
  for (const bool second : {true, false}) {
    const TermId x = second ? a : b;
    const LinId end = t_.as_lin(second ? b : a);
    const auto [lo, hi] = t_.int_range(x);
    if (!t_.is_num(end) || (max ? t_[end].c0 > lo : t_[end].c0 < hi)) continue;
    const LinId inner = t_.as_lin(again(second ? g : t_.negate(g), x));
    return t_.integer(max ? t_.clamp(inner, t_[end].c0, std::max(hi, t_[end].c0)) : t_.clamp(inner, std::min(lo, t_[end].c0), t_[end].c0));
  }
  return std::nullopt;
}

}  // namespace gg::prover
