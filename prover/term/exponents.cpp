// Exponentials of positions in a product (certificate.md, P5).
#include "prover/term/exponents.h"

#include <algorithm>
#include <array>

namespace gg::prover {

void join_exponentials(Terms& t, std::vector<Factor>& list) {
  const auto position = [&](TermId x) { return t[x].kind == Kind::FromInt && !t[t.lin(x)].data; };
  const auto exponential = [&](const Factor& f) {
    if (t[f.term].kind != Kind::Fn || static_cast<ScalarFn>(t[f.term].op) != ScalarFn::Exp) return false;
    return t.kid(f.term, 0) == TermId::One || position(t.kid(f.term, 0));
  };
  if (std::ranges::count_if(list, exponential) < 2) return;
  TermId exponent = TermId::Zero;
  std::vector<Factor> others, joined;
  for (const Factor& f : list) {
    if (exponential(f)) exponent = t.add(exponent, t.scale(f.exp, t.kid(f.term, 0)));
    else others.push_back(f);
  }
  for (const Summand& s : t.summands(exponent)) joined.push_back({t.fn(ScalarFn::Exp, ElementType::Token, std::array{t.monomial(RatId::One, s.mono)}), s.coef});
  if (others.size() + joined.size() >= list.size()) return;
  t.count(LemmaId::ExponentsAdded);
  others.insert(others.end(), joined.begin(), joined.end());
  list = std::move(others);
}

}  // namespace gg::prover
