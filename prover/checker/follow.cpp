#include "prover/checker/follow.h"

#include <algorithm>

#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// Is everything that has the binder b + rest, and something that `rest` has not?
bool follows_form(Terms& t, Var b, Index rest, const std::set<Index>& forms) {
  const Index form = add(t, variable(t, b), rest);
  bool some = false;
  for (const Index l : std::vector<Index>(forms.begin(), forms.end())) {
    if (!t.contains(t[l].free, b)) continue;
    some = true;
    const Index beside = sub(t, l, form);
    if (t.contains(t[beside].free, b) || !t.disjoint(t[beside].free, t[rest].free)) return false;
  }
  return some;
}

}  // namespace

std::optional<Followed> followed(Terms& t, const std::vector<Var>& vars, const std::vector<Fact>& facts, const std::set<Index>& forms) {
  for (const Fact& f : facts) {
    for (const Var b : vars) {
      const Size c = coefficient(t, f.index, b);
      if (f.equality || !same(magnitude(c), 1)) continue;
      const bool from_zero = same(c, 1);
      const Index rest = axpy(t, -1, variable(t, b), from_zero ? f.index : scale(t, -1, f.index));
      if (t[t[rest].free].empty() || uses(t, t[rest].free, vars)) continue;
      const Size last = t[b].extent - 1;
      if ((from_zero ? t[rest].hi > 0 : t[rest].lo < -last) || !follows_form(t, b, rest, forms)) continue;
      const Var k = t.var(Space::Temp, t.open_binders++, t[b].extent);
      const Index value = sub(t, from_zero ? variable(t, k) : offset(t, variable(t, k), -last), rest);
      return Followed{b, k, value, ge(t, from_zero ? offset(t, scale(t, -1, value), last) : value)};
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
