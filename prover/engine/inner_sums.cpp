// A sequential value inside of a longer sum of products: a rank's part of a Gram matrix times the whole, added over the ranks, has the whole twice.
#include "prover/engine/engine.h"

namespace gg::prover {

/// Sums of products in which the factors that have one of the binders, summed over it, are a sequential value: a Gram matrix inside of a longer product.
TermId Engine::match_inner(TermId t, std::vector<std::pair<TermId, int>>& marks) {
  std::vector<TermId> parts;
  for (const Summand& s : t_.summands(t)) {
    parts.push_back(t_.monomial(s.coef, s.mono));
    const TermId whole = t_.monomial(RatId::One, s.mono);
    if (t_[whole].kind != Kind::Fold || static_cast<ScalarFn>(t_[whole].op) != ScalarFn::Add || t_.fold_parts(whole).extents.size() < 2) continue;
    const Opened open = t_.open(whole);
    const std::vector<Summand> body = t_.summands(open.bodies[0]);
    if (open.guard != TermId::True || body.size() != 1 || !t_.attributes(open.bodies[0]).finite) continue;
    for (std::size_t k = 0; k < open.vars.size(); ++k) {
      std::vector<Factor> in, out;
      for (const Factor& f : t_.factors(body[0].mono)) ((t_[f.term].free & t_[open.vars[k]].free) != 0 ? in : out).push_back(f);
      if (in.size() < 2 || out.empty()) continue;
      const auto m = matcher_.find(t_.fold(ScalarFn::Add, std::array{open.vars[k]}, TermId::True, t_.monomial(RatId::One, t_.mono(in))), TermId::True, 1);
      if (!m) continue;
      const std::vector<LinId> others = without(std::vector(open.vars.begin(), open.vars.end()), k);
      std::vector<std::pair<TermId, int>> own;
      const TermId product = t_.mul(take(*m, own), t_.monomial(t_.q.mul(s.coef, body[0].coef), t_.mono(out)));
      parts.back() = t_.fold(ScalarFn::Add, others, TermId::True, product);
      for (const auto& [read, levels] : own)
        for (const TermId closed : t_.reads_in(parts.back()))
          if (t_.anchor_of(closed) == t_.anchor_of(read)) marks.emplace_back(closed, levels);
      break;
    }
  }
  return t_.add(parts);
}

}  // namespace gg::prover
