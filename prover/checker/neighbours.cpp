// Sums of the same elements under bounds that are one apart, one taken from the other (docs/certificate.md, section 4, F19).
#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// L of a sum over one binder b under the condition b <= L alone, L free of b and in the box where it is not below 0.
struct Bounded {
  ValueNode sum;
  Index last;
};

std::optional<Bounded> bounded(Terms& t, const PolyPart& part) {
  const std::vector<Factor>& factors = t[part.monomial].factors;
  if (factors.size() != 1 || !factors[0].exponent.is_one()) return std::nullopt;
  const ValueNode sum = t[factors[0].base];
  if (sum.kind != ValueKind::Fold || sum.fn != ScalarFn::Add || sum.type != ElementType::Token || sum.vars.size() != 1 || t[sum.path].literals.size() != 1) return std::nullopt;
  const Literal bound = t[sum.path].literals[0];
  if (t[bound.test].kind != TestKind::Ge) return std::nullopt;
  const Index form = bound.holds ? t[bound.test].index : offset(t, scale(t, -1, t[bound.test].index), -1), last = add(t, form, variable(t, sum.vars[0]));
  if (uses(t, t[last].free, sum.vars) || !(t[last].hi < t[sum.vars[0]].extent)) return std::nullopt;
  return Bounded{sum, last};
}

}  // namespace

std::optional<Value> neighbours(Terms& t, Value whole) {
  if (t[whole].kind != ValueKind::Poly) return std::nullopt;
  const std::vector<PolyPart>& parts = t[whole].summands;
  for (const PolyPart& p : parts) {
    for (const PolyPart& q : parts) {
      if (t[p.monomial].reads != t[q.monomial].reads || !(p.coef + q.coef).is_zero()) continue;
      const auto more = bounded(t, p), less = more ? bounded(t, q) : std::nullopt;
      const auto apart = less ? constant_of(t, sub(t, more->last, less->last)) : std::nullopt;
      if (!apart || !same(*apart, 1) || !classes_of(t, more->sum.kids[0]).finite()) continue;
      const auto at = [&](const Bounded& b, Index place) { return Substitution(t, {{b.sum.vars[0], place}})(b.sum.kids[0]); };
      Binders scope(t);
      const Index any = variable(t, scope.open(t[more->sum.vars[0]].extent));
      if (at(*more, any) != at(*less, any)) continue;
      Value total = scaled(t, p.coef, choose(t, ge(t, more->last), at(*more, more->last), number(t, 0)));
      for (const PolyPart& rest : parts)
        if (!(rest == p) && !(rest == q)) total = sum(t, total, from_part(t, rest));
      return total;
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
