// Integers of the data that tests say to be a number, or one another (docs/certificate.md, section 4, C2).
#include "prover/checker/choice.h"

namespace gg::checker {

std::optional<Index> told_of(Terms& t, Path path, Atom a) {
  for (const Literal& l : t[path].literals) {
    const TestNode& test = t[l.test];
    if (test.kind == TestKind::Truth) continue;
    const IndexNode& zero = t[test.index];
    if (zero.parts.size() == 1 && zero.parts[0] == Part{1, a}) {
      const auto gap = test.kind == TestKind::Ge ? gap_of(t, a) : std::nullopt;
      if (gap && l.holds == (gap->first > gap->second) && same(-zero.c0, l.holds ? gap->second + 1 : gap->second)) return constant(t, gap->first);
      if (l.holds && test.kind == TestKind::Eq) return constant(t, -zero.c0);
    }
    if (!l.holds || test.kind != TestKind::Eq || zero.parts.size() != 2 || !closed(t, zero.free)) continue;
    const Part &x = zero.parts[0], &y = zero.parts[1];  // x - y + c = 0: the one that comes first stands for both
    if (t[x.atom].kind != AtomKind::Data || t[y.atom].kind != AtomKind::Data || !same(magnitude(x.coef), 1) || !same(x.coef, -y.coef)) continue;
    const bool first = t[x.atom].shape == t[y.atom].shape ? x.atom < y.atom : t[x.atom].shape < t[y.atom].shape;
    const Part &kept = first ? x : y, &gone = first ? y : x;
    if (a == gone.atom) return offset(t, atom_form(t, kept.atom), kept.coef * zero.c0);
  }
  return std::nullopt;
}

Value told_value(Terms& t, Path path, Value v) {
  if (t[v].kind != ValueKind::Read || !is_integral(t.anchors[t[v].ref].type)) return v;
  const Index form = to_index(t, v);
  if (t[form].parts.size() != 1 || !same(t[form].c0, 0) || !same(t[form].parts[0].coef, 1)) return v;
  const auto told = told_of(t, path, t[form].parts[0].atom);
  return told ? from_index(t, *told) : v;
}

}  // namespace gg::checker
