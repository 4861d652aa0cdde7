// Counts that conditions say not to be zero (certificate.md, F11).
#include "prover/term/filled.h"

#include <array>

namespace gg::prover {

TermId filled(Terms& t, TermId sum, TermId facts) {
  if (t[sum].kind != Kind::Poly || (t[sum].flags & kHasInverse) == 0) return sum;
  bool changed = false;
  std::vector<TermId> parts;
  for (const Summand& s : t.summands(sum)) {
    TermId product = t.lit(s.coef);
    for (const Factor& f : t.factors(s.mono)) {
      const auto least = may_count(t, f) ? least_where(t, f.term, facts) : std::nullopt;
      changed = changed || least;
      product = t.mul(product, t.pow(least ? t.extremum(ScalarFn::Max, std::array{f.term, t.lit(*least)}) : f.term, f.exp));
    }
    parts.push_back(product);
  }
  if (!changed) return sum;
  t.count(LemmaId::InverseFilled);
  return t.add(parts);
}

}  // namespace gg::prover
