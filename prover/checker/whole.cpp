// Reals that are integers (docs/certificate.md, section 4, P7).
#include <algorithm>

#include "prover/checker/fold.h"
#include "prover/checker/integer.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

bool whole(Terms& t, Value v) {
  const std::vector<PolyPart> parts = poly_parts(t, v);
  return std::all_of(parts.begin(), parts.end(), [&](const PolyPart& p) {
    if (!p.coef.integer()) return false;
    if (integral_form(t, from_part(t, {p.monomial, 1}))) return true;
    const std::vector<Factor> factors = t[p.monomial].factors;
    if (factors.size() != 1 || !factors[0].exponent.is_one()) return false;
    const ValueNode fold = t[factors[0].base];
    if (fold.kind != ValueKind::Fold || fold.fn != ScalarFn::Add || fold.type != ElementType::Token) return false;
    return whole(t, Opened(t, fold).kids[0]);
  });
}

}  // namespace

bool whole_of(Terms& t, ElementType type, Value v) {
  if (!whole(t, v)) return false;
  const Range all = range_of_type(type), r = integer_range(t, v);
  if (!number_of(t, v) && !(within(r.lo, t.exact_integers) && within(r.hi, t.exact_integers))) return false;
  return r.lo > -kFar && r.hi < kFar && r.lo >= all.lo && r.hi <= all.hi;
}

}  // namespace gg::checker
