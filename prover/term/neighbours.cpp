// Sums of the same elements under bounds that are one apart, one taken from the other (certificate.md, F19).
#include "prover/term/neighbours.h"

namespace gg::prover {
namespace {

/// A sum over one binder b under the condition b <= L alone, L free of b and in the box where it is not below 0.
struct Bounded {
  Opened open;
  LinId last;
};

std::optional<Bounded> bounded(Terms& t, const Summand& s) {
  const std::vector<Factor> list = t.factors(s.mono);
  if (list.size() != 1 || list[0].exp != RatId::One || t[list[0].term].kind != Kind::Fold) return std::nullopt;
  const FoldParts p = t.fold_parts(list[0].term);
  if (p.op != ScalarFn::Add || p.extents.size() != 1 || t[p.guard].kind != Kind::Ge) return std::nullopt;
  Opened open = t.open(list[0].term);
  const LinId last = t.add(t.lin(open.guard), open.vars[0]);
  if ((t[last].free & open.set) != 0 || t[last].hi >= p.extents[0]) return std::nullopt;
  return Bounded{std::move(open), last};
}

}  // namespace

bool join_neighbours(Terms& t, std::vector<Summand>& list) {
  const auto guarded_fold = [&](const Summand& s) { return (t[s.mono].flags & kHasGuards) != 0 && t.factors(s.mono).size() == 1; };
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (std::size_t j = 0; j < list.size() && guarded_fold(list[i]); ++j) {
      if (t[list[i].mono].reads != t[list[j].mono].reads || t.q.add(list[i].coef, list[j].coef) != RatId::Zero || !guarded_fold(list[j])) continue;
      const auto more = bounded(t, list[i]), less = more ? bounded(t, list[j]) : std::nullopt;
      if (!less || t.sub(more->last, less->last) != t.num(1)) continue;
      const auto at = [&](const Bounded& sum, LinId place) { return t.substitute(sum.open.bodies[0], Terms::Map(t[t.terms(sum.open.vars[0])[0].atom].var, place)); };
      if (at(*less, more->open.vars[0]) != more->open.bodies[0] || !t.attributes(more->open.bodies[0]).finite) continue;
      const TermId only = t.choose(t.ge(more->last), at(*more, more->last), TermId::Zero);
      t.count(LemmaId::NeighbouringBounds);
      const TermId one = t.scale(list[i].coef, only);
      list = without(without(std::move(list), std::max(i, j)), std::min(i, j));
      for (const Summand& s : t.summands(one)) list.push_back(s);
      return true;
    }
  }
  return false;
}

}  // namespace gg::prover
