#include "prover/checker/unfold.h"

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

bool in_range(Terms& t, std::uint32_t anchor, const std::vector<Index>& index, const std::vector<Literal>& known) {
  std::vector<Fact> facts;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const Size last = t[t.anchors[anchor].vars[k]].extent - 1;
    if (t[index[k]].lo >= 0 && t[index[k]].hi <= last) continue;
    if (facts.empty()) facts = facts_of(t, t.intern(known));
    if (!implied(t, facts, index[k])) return false;
    if (!implied(t, facts, offset(t, scale(t, -1, index[k]), last))) return false;
  }
  return true;
}

class Unfolding : public Rewriter {
 public:
  Unfolding(Terms& t, const Marks* marks) : Rewriter(t), marks_(marks) {}

 protected:
  bool unchanged(VarSet) override { return false; }

  Value read(Value v, const std::vector<Index>& index) override {
    const std::uint32_t anchor = t_[v].ref;
    std::int64_t levels = 1;
    if (marks_ != nullptr) {
      const auto it = marks_->find(anchor);
      levels = it == marks_->end() ? 0 : it->second;
    }
    if (levels == 0 || !t_.defined(anchor) || !in_range(t_, anchor, index, facts_)) return Rewriter::read(v, index);
    const Value inner = unfold_all(t_, t_.definition(anchor), levels - 1);
    return instantiate(t_, anchor, inner, index);
  }

  Value pick(const ValueNode& node) override {
    const Value test = condition(node.test);
    const Value a = under({node.test, true}, node.kids[0]), b = under({node.test, false}, node.kids[1]);
    return choose(t_, test, a, b);
  }

  Value fold(const ValueNode& node) override {
    const Opened open(t_, node);
    const std::vector<Literal> before = facts_;
    const Value guard = (*this)(open.guard);
    for (const Literal& l : t_[literals_of(t_, open.guard)].literals) facts_.push_back(l);
    const Value body = fresh(open.kids[0]);
    facts_ = before;
    return checker::fold(t_, node.fn, node.type, open.vars, guard, body);
  }

 private:
  Value under(Literal literal, Value v) {
    facts_.push_back(literal);
    const Value result = fresh(v);
    facts_.pop_back();
    return result;
  }

  // Results hang on the facts: they are not remembered across them.
  Value fresh(Value v) {
    auto values = std::move(values_);
    auto indices = std::move(indices_);
    values_.clear();
    indices_.clear();
    const Value result = (*this)(v);
    values_ = std::move(values);
    indices_ = std::move(indices);
    return result;
  }

  const Marks* marks_;          // null = every anchor, one level
  std::vector<Literal> facts_;  // guards around the current place
};

}  // namespace

Value unfold(Terms& t, Value v, const Marks& marks) {
  return marks.empty() ? v : Unfolding(t, &marks)(v);
}

std::optional<Value> definition_at(Terms& t, Value read, const std::vector<Literal>& facts) {
  const std::uint32_t anchor = t[read].ref;
  const std::vector<Index> index = t[read].index;
  if (!t.defined(anchor) || !in_range(t, anchor, index, facts)) return std::nullopt;
  return instantiate(t, anchor, t.definition(anchor), index);
}

Value unfold_all(Terms& t, Value v, std::int64_t levels) {
  for (std::int64_t k = 0; k < levels; ++k) {
    const Value next = Unfolding(t, nullptr)(v);
    if (next == v) break;
    v = next;
  }
  return v;
}

}  // namespace gg::checker
