// Equality by cases (docs/certificate.md, section 1): an integer is below, at or above zero; a condition holds or not.
#include "prover/checker/cases.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/visit.h"
#include "prover/checker/write_out.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kMaxEach = 8;  ///< values of a variable that are looked at one by one

// A test of an index form that a case hangs on: equalities first.
std::optional<Test> splitting(const Terms& t, Value a, Value b) {
  std::optional<Test> best;
  const auto rank = [&](Test c) { return std::pair(t[c].kind != TestKind::Eq, c.id); };
  for (const Value side : {a, b}) {
    for (const Value v : values_inside(t, side)) {
      if (t[v].kind != ValueKind::Case || t[t[v].test].kind == TestKind::Truth || !closed(t, t[t[v].test].free)) continue;
      if (!best || rank(t[v].test) < rank(*best)) best = t[v].test;
    }
  }
  return best;
}

// `a >= 0` as a literal; nothing if it is decided.
std::optional<Literal> literal_of(Terms& t, Index a) {
  const ValueNode& node = t[ge(t, a)];
  if (node.kind != ValueKind::Case) return std::nullopt;
  if (node.kids[0] == boolean(t, true) && node.kids[1] == boolean(t, false)) return Literal{node.test, true};
  if (node.kids[1] == boolean(t, true) && node.kids[0] == boolean(t, false)) return Literal{node.test, false};
  return std::nullopt;
}

}  // namespace

bool agree(Terms& t, Value a, Value b, int depth, const std::vector<Literal>& known) {
  if (a == b) return true;
  const auto test = depth > 0 ? splitting(t, a, b) : std::nullopt;
  if (!test) {
    const Value x = written_out(t, a), y = written_out(t, b);
    return x == y || (depth > 0 && (x != a || y != b) && agree(t, x, y, depth, known));
  }
  std::vector<std::vector<Literal>> branches{{{*test, true}}, {{*test, false}}};
  const auto& free = t[t[*test].free];
  if (free.size() == 1 && small(t[free[0]].extent, kMaxEach)) {
    branches.clear();
    for (Size value = 0; value < t[free[0]].extent; ++value)
      branches.push_back({{t.intern(TestNode{TestKind::Eq, offset(t, variable(t, free[0]), -value)}), true}});
  } else if (t[*test].kind == TestKind::Eq) {
    const Index l = t[*test].index;
    const std::vector<Fact> facts = facts_of(t, t.intern(known));
    branches.pop_back();
    for (const Index side : {offset(t, l, -1), offset(t, scale(t, -1, l), -1)}) {
      if (t[side].hi < 0) continue;                 // never on this side
      if (implied(t, facts, scale(t, -1, side))) {  // or at one distance only
        branches.push_back({{t.intern(TestNode{TestKind::Eq, side}), true}});
        continue;
      }
      branches.push_back({{*test, false}});
      if (const auto more = literal_of(t, side)) branches.back().push_back(*more);
    }
  }
  return std::all_of(branches.begin(), branches.end(), [&](const std::vector<Literal>& branch) {
    Value x = a, y = b;
    std::vector<Literal> path = known;
    for (const Literal& l : branch) {
      const Path before = t.intern(path);
      x = assume(t, before, l, x);
      y = assume(t, before, l, y);
      path.push_back(l);
    }
    return agree(t, x, y, depth - 1, path);
  });
}

}  // namespace gg::checker
