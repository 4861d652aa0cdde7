#include "prover/checker/write_out.h"

#include "models/pair/certificate_line.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

class WriteOut : public Rewriter {
 public:
  explicit WriteOut(Terms& t) : Rewriter(t) {}

 protected:
  bool unchanged(VarSet) override { return false; }

  Value fold(const ValueNode& node) override {
    const Opened open(t_, node);
    const Value body = (*this)(open.kids[0]);
    if (node.type != ElementType::Token) return checker::fold(t_, node.fn, node.type, open.vars, open.guard, body);
    std::vector<Var> rest;
    std::vector<std::pair<Var, Index>> zero;
    for (const Var v : open.vars) {
      if (!small(t_[v].extent, kMaxWritten)) rest.push_back(v);
      else zero.emplace_back(v, constant(t_, 0));
    }
    return sum(node, zero, 0, rest, open.guard, body);
  }

 private:
  // Over the values of the short binders from number `k` on.
  Value sum(const ValueNode& node, std::vector<std::pair<Var, Index>>& at, std::size_t k, const std::vector<Var>& rest, Value guard,
            Value body) {
    if (k == at.size()) {
      Substitution here(t_, at);
      return checker::fold(t_, node.fn, node.type, rest, here(guard), here(body));
    }
    Value total = unit(t_, node.fn, node.type);
    for (Size value = 0; value < t_[at[k].first].extent; ++value) {
      at[k].second = constant(t_, value);
      total = combine(t_, node.fn, node.type, total, sum(node, at, k + 1, rest, guard, body));
    }
    return total;
  }
};

}  // namespace

Value written_out(Terms& t, Value v) { return WriteOut(t)(v); }

}  // namespace gg::checker
