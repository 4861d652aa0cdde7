#include "prover/checker/window.h"

#include <algorithm>

#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/visit.h"

namespace gg::checker {

std::optional<Places> count_places(Terms& t, const std::vector<Var>& vars, const std::vector<Fact>& facts, const std::set<Index>& reads) {
  for (const Fact& f : facts) {
    for (const Var v : vars) {
      const Size sign = f.equality ? Size(0) : coefficient(t, f.index, v), n = t[v].extent;
      if (!same(magnitude(sign), 1)) continue;
      const Index rest = axpy(t, -sign, variable(t, v), f.index);
      const bool before = same(sign, 1);
      const auto has = [&](Index form) { return t.contains(t[form].free, v); };
      if (t[rest].parts.empty() || has(rest) || has_data(t, rest) || std::none_of(reads.begin(), reads.end(), has)) continue;
      Substitution at(t, {{v, before ? scale(t, -1, rest) : rest}});  // the binder, less the place
      const std::vector<Var> gone(t[t[rest].free].begin(), t[t[rest].free].end());
      const bool all = std::all_of(reads.begin(), reads.end(), [&](Index form) {
        const std::vector<Part> parts = has(form) ? t[at(form)].parts : std::vector<Part>();
        return std::none_of(parts.begin(), parts.end(), [&](const Part& p) { return t[p.atom].kind != AtomKind::Data && uses(t, t[p.atom].free, gone); });
      });
      if (!all || t[rest].hi > (before ? Size(0) : n - 1)) continue;
      const Size last = before ? n - 1 + t[rest].hi : t[rest].hi;
      if (last < 0) continue;
      const Var k = t.var(Space::Temp, t.open_binders++, last + 1);
      const Index from = sub(t, variable(t, k), before ? rest : offset(t, scale(t, -1, rest), last));
      return Places{v, k, from, before ? ge(t, offset(t, scale(t, -1, from), n - 1)) : ge(t, from)};
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
