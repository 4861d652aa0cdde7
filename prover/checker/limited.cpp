#include "prover/checker/limited.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/integer.h"
#include "prover/checker/number.h"

namespace gg::checker {
namespace {

// clamp(X, lo, hi) compared with X - less: it is X between the limits.
Value by_limits(Terms& t, const AtomNode& clamp, Size less, bool equality, bool down) {
  const auto at_most = [&](Size end) { return near(end) ? ge(t, offset(t, scale(t, -1, clamp.arg), end)) : boolean(t, end > 0); };
  const auto at_least = [&](Size end) { return near(end) ? ge(t, offset(t, clamp.arg, -end)) : boolean(t, end < 0); };
  if (!equality) return down ? at_most((less < 0 ? clamp.lo : clamp.hi) + less) : at_least((less > 0 ? clamp.hi : clamp.lo) + less);
  if (same(less, 0)) return both(t, at_least(clamp.lo), at_most(clamp.hi));
  const Size end = less < 0 ? clamp.lo : clamp.hi;
  return near(end) ? eq(t, offset(t, clamp.arg, -(end + less))) : boolean(t, false);
}

}  // namespace

std::optional<Value> beside_itself(Terms& t, Index a, bool equality) {
  for (const Part& p : std::vector<Part>(t[a].parts)) {
    const AtomNode clamp = t[p.atom];
    if (clamp.kind != AtomKind::Clamp || !same(magnitude(p.coef), 1)) continue;
    const Index rest = axpy(t, -p.coef, atom_form(t, p.atom), a);
    if (const auto less = constant_of(t, add(t, clamp.arg, scale(t, p.coef, rest)))) return by_limits(t, clamp, *less, equality, p.coef > 0);
  }
  return std::nullopt;
}

Value absolute(Terms& t, ElementType type, Value x, Value size) {
  const IndexNode& form = t[to_index(t, x)];
  return form.lo > -kFar && std::max(-form.lo, form.hi) <= range_of_type(type).hi ? size : wrapped(t, type, size);
}

}  // namespace gg::checker
