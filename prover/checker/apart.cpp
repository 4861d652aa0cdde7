// Multiples are apart from small numbers, by what is known (docs/certificate.md, section 6).
#include <algorithm>

#include "prover/checker/choice.h"

namespace gg::checker {

// B1 where what is known bounds the rest: g*H + R = 0 with |R| < g is H = 0 and R = 0, which is known not to be.
bool apart(Terms& t, Path path, const std::vector<Fact>& facts, Index a) {
  const std::vector<Part> parts = t[a].parts;
  for (const Part& p : parts) {
    const Size g = magnitude(p.coef);
    std::vector<Part> others;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(others), [&](const Part& q) { return !divides(g, q.coef); });
    if (others.empty()) continue;
    const Index rest = t.intern(t[a].c0, std::move(others));
    if (!implied(t, facts, offset(t, rest, g - 1)) || !implied(t, facts, offset(t, scale(t, -1, rest), g - 1))) continue;
    const auto zero = literal_of(t, eq(t, rest));
    if (zero && decide(t, path, zero->test) == !zero->holds) return true;
  }
  return false;
}

}  // namespace gg::checker
