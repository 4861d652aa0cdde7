// Equality by cases (docs/certificate.md, section 1): an integer is below, at or above zero; a condition holds or not.
#include "prover/checker/cases.h"

#include <algorithm>

#include "models/pair/certificate_line.h"
#include "prover/checker/blocks.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/functions.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/summands.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

constexpr std::int64_t kFewBlocks = 16, kMoreBlocks = 32;

// Folds over short binders as the combination of their elements: exact, and free of the choices that joining makes. Every binder of at most
// kMaxWritten values is written out, in all folds but those of modular integers.
class WriteOut : public Rewriter {
 public:
  explicit WriteOut(Terms& t) : Rewriter(t) {}

 protected:
  bool unchanged(VarSet) override { return false; }

  Value fold(const ValueNode& node) override {
    const Opened open(t_, node);
    const Value body = (*this)(open.kids[0]);
    if (node.type != ElementType::Token) return checker::fold(t_, node.fn, node.type, open.vars, open.guard, body);
    std::vector<Var> written, rest;
    for (const Var v : open.vars) (small(t_[v].extent, kMaxWritten) ? written : rest).push_back(v);
    return over(node, written, {}, rest, open.guard, body);
  }

 private:
  // One short binder after the other, so that what has been written is joined in the order of the box.
  Value over(const ValueNode& node, const std::vector<Var>& written, std::vector<std::pair<Var, Index>> at, const std::vector<Var>& rest, Value guard, Value body) {
    if (at.size() == written.size()) {
      Substitution here(t_, at);
      return checker::fold(t_, node.fn, node.type, rest, here(guard), here(body));
    }
    const Var v = written[at.size()];
    Value total = unit(t_, node.fn, node.type);
    for (Size value = 0; value < t_[v].extent; ++value) {
      auto next = at;
      next.emplace_back(v, constant(t_, value));
      total = combine(t_, node.fn, node.type, total, over(node, written, std::move(next), rest, guard, body));
    }
    return total;
  }
};

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

bool agree_in_blocks(Terms& t, const std::optional<std::vector<Block>>& blocks, int depth) {
  return blocks && std::all_of(blocks->begin(), blocks->end(), [&](const Block& x) { return agree(t, x.a, x.b, depth, x.known); });
}

// Where the test holds and where it does not; an equality is below, at and above zero.
std::vector<std::vector<Literal>> branches_of(Terms& t, Test test, const std::vector<Literal>& known) {
  if (t[test].kind != TestKind::Eq) return {{{test, true}}, {{test, false}}};
  std::vector<std::vector<Literal>> branches{{{test, true}}};
  const Index l = t[test].index;
  const std::vector<Fact> facts = facts_of(t, t.intern(known));
  for (const Literal& end : at_ends(t, test)) branches.front().push_back(end);
  for (const Index side : {offset(t, l, -1), offset(t, scale(t, -1, l), -1)}) {
    if (t[side].hi < 0) continue;                 // never on this side
    if (implied(t, facts, scale(t, -1, side))) {  // or at one distance only
      branches.push_back({{t.intern(TestNode{TestKind::Eq, side}), true}});
      continue;
    }
    branches.push_back({{test, false}});
    if (const auto more = literal_of(t, ge(t, side))) branches.back().push_back(*more);
  }
  return branches;
}

bool agree_written(Terms& t, Value a, Value b, int depth, const std::vector<Literal>& known) {
  const Value x = WriteOut(t)(a), y = WriteOut(t)(b);
  return agree(t, x, y, depth, known, true);
}

bool agree_in_cases(Terms& t, Value a, Value b, int depth, const std::vector<Literal>& known, bool written) {
  if (a == b || (depth == kMaxCases && spelled_alike(t, a, b, known))) return true;  // more cases than are gone through may differ in spelling alone
  const auto test = depth > 0 ? splitting(t, a, b) : std::nullopt;
  if (!test) return agree_moved(t, a, b) || (written ? spelled_alike(t, a, b, known) : agree_written(t, a, b, depth, known));
  if (const auto blocks = in_blocks(t, *test, a, b, known, kFewBlocks)) return agree_in_blocks(t, blocks, depth - 1);
  const std::vector<std::vector<Literal>> branches = branches_of(t, *test, known);
  const bool all = std::all_of(branches.begin(), branches.end(), [&](const std::vector<Literal>& branch) {
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
  return all || agree_in_blocks(t, in_blocks(t, *test, a, b, known, kMoreBlocks), depth - 1);
}

}  // namespace

bool agree(Terms& t, Value a, Value b, int depth, const std::vector<Literal>& known, bool written) {
  return agree_in_cases(t, a, b, depth, known, written) || (depth == kMaxCases && !written && agree_written(t, a, b, depth, known));
}

bool agree_by_branches(Terms& t, Value a, Value b, const std::vector<Literal>& known) {
  const ValueNode x = t[a], y = t[b];
  if (a == b || x.kind != ValueKind::Case || y.kind != ValueKind::Case || x.test != y.test) return agree(t, a, b, kMaxCases, known);
  std::vector<Literal> branch = known;
  for (const bool holds : {true, false}) {
    branch.push_back({x.test, holds});
    if (!agree_by_branches(t, x.kids[holds ? 0 : 1], y.kids[holds ? 0 : 1], branch)) return false;
    branch.pop_back();
  }
  return true;
}

}  // namespace gg::checker
