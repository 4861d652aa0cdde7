// One number before another, by their digits (docs/certificate.md, section 4, B7).
#include <algorithm>
#include <set>

#include "prover/checker/choice.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMostDigit = std::int64_t{1} << 20;

// Does a test of H and a number alone hold where H has this sign?
std::optional<bool> where(const Terms& t, Test test, Index h, int sign) {
  const IndexNode &node = t[t[test].index], &own = t[h];
  if (t[test].kind == TestKind::Truth || node.parts.size() != own.parts.size()) return std::nullopt;
  const Size lo = sign > 0 ? Size(1) : sign < 0 ? own.lo
                                                : Size(0),
             hi = sign < 0 ? Size(-1) : sign > 0 ? own.hi
                                                 : Size(0);
  for (const int side : {1, -1}) {
    const bool all = std::equal(node.parts.begin(), node.parts.end(), own.parts.begin(), [&](const Part& p, const Part& q) { return p.atom == q.atom && same(p.coef, q.coef * side); });
    if (!all) continue;
    const Size more = node.c0 - own.c0 * side, least = (side > 0 ? lo : -hi) + more, most = (side > 0 ? hi : -lo) + more;
    if (t[test].kind == TestKind::Ge) return least >= 0 ? std::optional(true) : most < 0 ? std::optional(false)
                                                                                         : std::nullopt;
    return same(least, 0) && same(most, 0) ? std::optional(true) : least > 0 || most < 0 ? std::optional(false)
                                                                                         : std::nullopt;
  }
  return std::nullopt;
}

// A tree of tests with two ends, `low` aside by the sign of H.
std::optional<bool> outcome(Terms& t, Value v, Index h, int sign, Test low, bool holds) {
  while (is_case(t, v)) {
    const ValueNode& node = t[v];
    const auto told = node.test == low ? std::optional(holds) : where(t, node.test, h, sign);
    if (!told) return std::nullopt;
    v = node.kids[*told ? 0 : 1];
  }
  return v == boolean(t, true) ? std::optional(true) : v == boolean(t, false) ? std::optional(false)
                                                                              : std::nullopt;
}

void tests_of(const Terms& t, Value v, std::set<Test>& found) {
  if (!is_case(t, v) || found.size() > 3) return;
  found.insert(t[v].test);
  for (const Value kid : t[v].kids) tests_of(t, kid, found);
}

}  // namespace

std::optional<Value> lexicographic(Terms& t, Test test, Value a, Value b) {
  std::set<Test> tests{test};
  tests_of(t, a, tests);
  tests_of(t, b, tests);
  if (tests.size() < 2 || tests.size() > 3 || std::any_of(tests.begin(), tests.end(), [&](Test x) { return t[x].kind == TestKind::Truth; })) return std::nullopt;
  const Value tree = t.intern(ValueNode{.kind = ValueKind::Case, .test = test, .kids = {a, b}});
  for (const Test same : tests) {
    if (t[same].kind != TestKind::Eq) continue;
    for (const Test low : tests) {
      const Index own = t[low].index;
      const bool at_least = checker::same(t[own].lo, 0), at_most = checker::same(t[own].hi, 0);  // eq L is ge -L, or ge L, at an end of its range
      if (low == same || (t[low].kind == TestKind::Eq && !at_least && !at_most)) continue;
      const Index above = t[low].kind == TestKind::Eq && at_least ? scale(t, -1, own) : own;
      for (const int side : {1, -1}) {
        const Index h = scale(t, side, t[same].index);
        const auto is = [&](int sign, bool holds) { return outcome(t, tree, h, sign, low, holds); };
        if (is(1, true) != true || is(1, false) != true || is(-1, true) != false || is(-1, false) != false) continue;
        const auto yes = is(0, true), no = is(0, false);
        if (!yes || !no || yes == no) continue;
        const Index r = *yes ? above : offset(t, scale(t, -1, above), -1);
        const Size lo = t[r].lo, hi = t[r].hi;
        if (!within(lo, kMostDigit) || !within(hi, kMostDigit)) continue;
        return ge(t, axpy(t, std::max<Size>(std::max<Size>(-lo, hi + 1), 1), h, r));
      }
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
