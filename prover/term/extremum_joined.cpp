// The larger, or smaller, of two integer extrema over neighbouring boxes (certificate.md, F7).
#include "prover/term/join.h"

namespace gg::prover {

std::optional<TermId> joined_extremum(Terms& t, TermId guard, TermId a, TermId b) {
  if (t[guard].kind != Kind::Ge || t[a].sort != Sort::Int || t[b].sort != Sort::Int || (t[a].kind != Kind::Fold && t[b].kind != Kind::Fold)) return std::nullopt;
  const LinId difference = t.sub(t.as_lin(a), t.as_lin(b)), other = t.scale(-1, difference), said = t.lin(guard);
  const bool larger = said == difference || said == t.offset(difference, -1), smaller = said == other || said == t.offset(other, -1);
  std::vector<TermId> list{a, b};
  if ((!larger && !smaller) || !Joiner(t).extremum(larger ? ScalarFn::Max : ScalarFn::Min, list)) return std::nullopt;
  t.count(LemmaId::JoinExtrema);
  return list[0];
}

}  // namespace gg::prover
