// Integers of the data that tests say to be a number, or one another, and digits of variables (docs/certificate.md, section 4, C2).
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

std::optional<std::pair<Var, Index>> pinned_digit(Terms& t, Test test) {
  const Index zero = t[test].index;
  const std::vector<Part> parts = t[zero].parts;
  std::optional<std::pair<Var, Index>> best;
  if (!closed(t, t[zero].free)) return best;
  for (const Part& p : parts) {
    if (!same(magnitude(p.coef), 1) || !one_variable(t, p.atom)) continue;
    const bool lowest = t[p.atom].kind == AtomKind::Variable;
    const Index own = lowest ? atom_form(t, p.atom) : t[p.atom].arg;
    const Size a = lowest ? Size(1) : t[p.atom].m;
    const Var v = t[t[own].parts[0].atom].var;
    if (best && !t.before(best->first, v)) continue;
    const auto pin = [&](Index digit, std::optional<Size> k) {
      const Index value = scale(t, -p.coef, axpy(t, -p.coef, digit, zero));
      const bool inside = k ? t[value].lo >= 0 && t[value].hi < *k : !lowest;
      if (inside && (lowest || !constant_of(t, value)) && !t.contains(t[value].free, v)) best = {v, axpy(t, a, sub(t, value, digit), own)};
    };
    bool above = false;
    for (const Part& q : parts) {
      const AtomNode high = t[q.atom];
      if (high.kind != AtomKind::Div || high.arg != own || same(high.m, a) || !divides(a, high.m) || !same(q.coef, -p.coef * (high.m / a))) continue;
      above = true;
      pin(axpy(t, -(high.m / a), atom_form(t, q.atom), atom_form(t, p.atom)), high.m / a);
    }
    if (!above) pin(atom_form(t, p.atom), std::nullopt);
  }
  return best;
}

}  // namespace gg::checker
