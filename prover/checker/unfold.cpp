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
    if (in_extent(t, anchor, k, index[k])) continue;
    if (facts.empty()) facts = facts_of(t, t.intern(known));
    const Size last = t[t.anchors[anchor].vars[k]].extent - 1;
    if (!implied(t, facts, index[k])) return false;
    if (!implied(t, facts, offset(t, scale(t, -1, index[k]), last))) return false;
  }
  return true;
}

class Replacement : public Rewriter {
 public:
  Replacement(Terms& t, const ReadsBy& by) : Rewriter(t), by_(by) {}

 protected:
  bool unchanged(VarSet) override { return false; }

  Value read(Value v, const std::vector<Index>& index) override {
    const auto other = by_(t_[v].ref, index, facts_);
    return other ? *other : Rewriter::read(v, index);
  }

  Value pick(const ValueNode& node) override {
    const Value test = condition(node.test);
    const Value a = under({{node.test, true}}, node.kids[0]), b = under({{node.test, false}}, node.kids[1]);
    return choose(t_, test, a, b);
  }

  Value fold(const ValueNode& node) override {
    const Opened open(t_, node);
    const Value guard = (*this)(open.guard);
    const Value body = under(t_[literals_of(t_, open.guard)].literals, open.kids[0]);
    return checker::fold(t_, node.fn, node.type, open.vars, guard, body);
  }

 private:
  // Results hang on the facts: they are not remembered across them.
  Value under(std::vector<Literal> more, Value v) {
    const std::size_t before = facts_.size();
    facts_.insert(facts_.end(), more.begin(), more.end());
    auto values = std::exchange(values_, {});
    auto indices = std::exchange(indices_, {});
    const Value result = (*this)(v);
    values_ = std::move(values);
    indices_ = std::move(indices);
    facts_.resize(before);
    return result;
  }

  const ReadsBy& by_;
  std::vector<Literal> facts_;  // guards around the current place
};

}  // namespace

Value replace_reads(Terms& t, Value v, const ReadsBy& by) { return Replacement(t, by)(v); }

std::optional<Value> definition_at(Terms& t, std::uint32_t anchor, const std::vector<Index>& index, const std::vector<Literal>& facts, std::int64_t levels) {
  if (levels < 1 || !t.defined(anchor) || !in_range(t, anchor, index, facts)) return std::nullopt;
  return instantiate(t, anchor, unfold_all(t, t.definition(anchor), levels - 1), index);
}

Value unfold(Terms& t, Value v, const Marks& marks) {
  if (marks.empty()) return v;
  return replace_reads(t, v, [&](std::uint32_t anchor, const auto& index, const auto& facts) {
    const auto mark = marks.find(anchor);
    return mark == marks.end() ? std::nullopt : definition_at(t, anchor, index, facts, mark->second);
  });
}

Value unfold_all(Terms& t, Value v, std::int64_t levels) {
  for (std::int64_t k = 0; k < levels; ++k) {
    const Value next = replace_reads(t, v, [&](std::uint32_t anchor, const auto& index, const auto& facts) { return definition_at(t, anchor, index, facts); });
    if (next == v) break;
    v = next;
  }
  return v;
}

}  // namespace gg::checker
