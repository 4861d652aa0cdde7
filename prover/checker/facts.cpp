// What follows from a conjunction of tests (docs/certificate.md, section 6).
#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/wide.h"

namespace gg::checker {
namespace {

constexpr int kDepth = 2;  // facts and quotients that are combined

// A combination of facts, or none where no form holds its numbers.
template <class Make>
std::optional<Index> combined(Terms& t, const Make& make) {
  return formed(
      t, [&] { return std::optional(make()); }, [] { return std::optional<Index>(); });
}

bool follows(Terms& t, const std::vector<Fact>& facts, Index a, int depth) {
  if (t[a].lo >= 0) return true;
  if (depth == 0) return false;
  t.step();
  const std::vector<Part> goal = t[a].parts;
  for (const Part& p : goal) {  // a quotient q = X div m: m*q <= X <= m*q + m-1
    const AtomNode& atom = t[p.atom];
    if (atom.kind != AtomKind::Div) continue;
    // s*a with s*coef*q = k*m*q replaced by its least value: k*(X - m+1) for k > 0, k*X else.
    const Size s = atom.m / common(atom.m, p.coef), k = p.coef / (atom.m / s);
    const Index least = offset(t, atom.arg, k > 0 ? 1 - atom.m : Size(0));
    const auto rest = combined(t, [&] { return offset(t, axpy(t, k, least, scale(t, s, axpy(t, -p.coef, atom_form(t, p.atom), a))), s - 1); });
    if (rest && follows(t, facts, *rest, depth - 1)) return true;
  }
  for (const Fact& fact : facts) {
    if (t.disjoint(t[a].free, t[fact.index].free) && !has_data(t, fact.index)) continue;
    if (!fact.equality && t[fact.index].parts == goal) {  // two numbers, as in the cases of what is joined of many
      if (t[a].c0 >= t[fact.index].c0) return true;
      continue;
    }
    // s*a - k*fact >= -(s-1) with k*fact >= 0 gives a >= 0; an atom cancels, or s = k = 1.
    std::vector<std::pair<Size, Size>> tries = {{1, 1}};
    if (fact.equality) tries.emplace_back(1, -1);
    for (const Part& p : goal) {
      for (const Part& q : t[fact.index].parts) {
        if (p.atom != q.atom) continue;
        const Size g = common(p.coef, q.coef);
        const Size s = magnitude(q.coef) / g, k = q.coef > 0 ? p.coef / g : -p.coef / g;
        if (k > 0 || fact.equality) tries.emplace_back(s, k);
      }
    }
    const auto in_text = [](const auto& x) { return std::pair(at_text(x.first), at_text(x.second)); };
    std::sort(tries.begin(), tries.end(), [&](const auto& a1, const auto& b1) { return in_text(a1) < in_text(b1); });
    tries.erase(std::unique(tries.begin(), tries.end(), [&](const auto& a1, const auto& b1) { return in_text(a1) == in_text(b1); }), tries.end());
    for (const auto& by : tries) {
      const auto rest = combined(t, [&] { return offset(t, axpy(t, -by.second, fact.index, scale(t, by.first, a)), by.first - 1); });
      if (!rest) continue;
      if (t[*rest].lo >= 0) return true;
      if (depth > 1 && t[*rest].parts.size() <= goal.size() + 1 && follows(t, facts, *rest, depth - 1)) return true;
    }
  }
  return false;
}

// An equality of the path carries another test of it over to `a`: of M = 0 and N /= 0 (N = 0) follows the same of N + k*M.
std::optional<bool> carried_over(Terms& t, Path path, Index a) {
  const std::vector<Literal> literals = t[path].literals;
  for (const Literal& equal : literals) {
    if (t[equal.test].kind != TestKind::Eq || !equal.holds) continue;
    const Index zero = t[equal.test].index;
    for (const Part& p : std::vector<Part>(t[a].parts)) {
      for (const Part& q : std::vector<Part>(t[zero].parts)) {
        if (p.atom != q.atom || !divides(q.coef, p.coef)) continue;
        const Index other = axpy(t, -p.coef / q.coef, zero, a), minus = scale(t, -1, other);
        for (const Literal& l : literals)
          if (t[l.test].kind == TestKind::Eq && (t[l.test].index == other || t[l.test].index == minus)) return l.holds;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Fact> facts_of(Terms& t, Path path) {
  std::vector<Fact> facts;
  for (const Literal& l : std::vector<Literal>(t[path].literals)) {
    const TestNode& test = t[l.test];
    if (test.kind == TestKind::Ge) {
      facts.push_back({l.holds ? test.index : offset(t, scale(t, -1, test.index), -1), false});
    } else if (test.kind == TestKind::Eq && l.holds) {
      facts.push_back({test.index, true});
    } else if (test.kind == TestKind::Eq) {  // a form that is not 0 at the end of its range
      if (t[test.index].lo >= 0) facts.push_back({offset(t, test.index, -1), false});
      if (t[test.index].hi <= 0) facts.push_back({offset(t, scale(t, -1, test.index), -1), false});
    }
  }
  return facts;
}

bool implied(Terms& t, const std::vector<Fact>& facts, Index a) {
  if (follows(t, facts, a, kDepth)) return true;
  for (const Part& p : std::vector<Part>(t[a].parts)) {  // X div m + R >= 0 iff X + m*R >= 0
    const AtomNode& atom = t[p.atom];
    if (atom.kind != AtomKind::Div || !same(magnitude(p.coef), 1)) continue;
    const auto whole = combined(t, [&] {
      const Index rest = scale(t, atom.m, axpy(t, -p.coef, atom_form(t, p.atom), a));
      return p.coef > 0 ? add(t, atom.arg, rest) : offset(t, sub(t, rest, atom.arg), atom.m - 1);
    });
    return whole && implied(t, facts, *whole);
  }
  return false;
}

std::optional<bool> decide(Terms& t, Path path, Test test) {
  for (const Literal& l : t[path].literals)
    if (l.test == test) return l.holds;
  const TestNode& node = t[test];
  if (node.kind == TestKind::Truth || t[path].literals.empty()) return std::nullopt;
  return remembered(t, t.memo().decided, pair_key(path.id, test.id), [&]() -> std::optional<bool> {
    const std::vector<Fact> facts = facts_of(t, path);
    const Index a = node.index, minus = scale(t, -1, a);
    if (node.kind == TestKind::Ge) {
      if (implied(t, facts, a)) return true;
      return implied(t, facts, offset(t, minus, -1)) ? std::optional(false) : std::nullopt;
    }
    if (implied(t, facts, offset(t, a, -1)) || implied(t, facts, offset(t, minus, -1))) return false;
    if (implied(t, facts, a) && implied(t, facts, minus)) return true;
    return apart(t, path, facts, a) ? std::optional(false) : carried_over(t, path, a);
  });
}

}  // namespace gg::checker
