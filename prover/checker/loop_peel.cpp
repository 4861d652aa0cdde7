// The last step taken off a fold over the past (docs/certificate.md, section 8, peeling).
#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/loop.h"
#include "prover/checker/rewrite.h"

namespace gg::checker {
namespace {

class Peeling : public Rewriter {
 public:
  Peeling(Terms& t, Var time) : Rewriter(t), time_(time) {}

 protected:
  bool unchanged(VarSet free) override { return !t_.contains(free, time_); }

  Value fold(const ValueNode& node) override {
    if (node.type != ElementType::Token) return Rewriter::fold(node);
    const std::vector<Literal> literals = t_[node.path].literals;
    for (const Literal& l : literals) {
      for (const Fact& fact : facts_of(t_, t_.intern(std::vector<Literal>{l}))) {
        const auto digits = fact.equality ? std::nullopt : past(fact.index, node.vars);
        if (digits) return split(node, l, fact.index, *digits);
      }
    }
    return Rewriter::fold(node);
  }

 private:
  // If `index >= 0` says that a mixed radix of binders is at most the time: the values of the binders there.
  std::optional<std::vector<std::pair<Var, Index>>> past(Index index, const std::vector<Var>& binders) {
    const IndexNode& form = t_[index];
    if (!same(form.c0, 0)) return std::nullopt;
    bool has_time = false;
    std::vector<std::pair<Size, Var>> digits;
    for (const Part& p : form.parts) {
      const AtomNode& atom = t_[p.atom];
      if (atom.kind != AtomKind::Variable) return std::nullopt;
      if (atom.var == time_ && same(p.coef, 1)) has_time = true;
      else if (p.coef < 0 && std::find(binders.begin(), binders.end(), atom.var) != binders.end()) digits.emplace_back(-p.coef, atom.var);
      else return std::nullopt;
    }
    std::sort(digits.begin(), digits.end(), [](const auto& a, const auto& b) { return std::pair(at_text(a.first), a.second) < std::pair(at_text(b.first), b.second); });
    std::vector<std::pair<Var, Index>> values;
    Size radix = 1;
    const Index now = variable(t_, time_);
    for (const auto& [coef, v] : digits) {
      if (!same(coef, radix) || !product_fits(radix, t_[v].extent, &radix)) return std::nullopt;
      values.emplace_back(v, modulo(t_, divide(t_, now, coef), t_[v].extent));
    }
    if (!has_time || digits.empty() || radix < t_[time_].extent) return std::nullopt;
    return values;
  }

  Value split(const ValueNode& node, const Literal& l, Index index, const std::vector<std::pair<Var, Index>>& digits) {
    // Other guards and the body, with the binders open.
    const Opened open(t_, node);
    std::vector<std::pair<Var, Index>> names, now;
    std::vector<Var> others;
    for (std::size_t k = 0; k < node.vars.size(); ++k) {
      names.emplace_back(node.vars[k], variable(t_, open.vars[k]));
      const auto it = std::find_if(digits.begin(), digits.end(), [&](const auto& d) { return d.first == node.vars[k]; });
      if (it != digits.end()) now.emplace_back(open.vars[k], it->second);
      else others.push_back(open.vars[k]);
    }
    Substitution rename(t_, names);
    std::vector<Literal> other = t_[node.path].literals;
    std::erase(other, l);
    const Value rest = rename.guard(other);
    const Value body = open.kids[0];
    const Value before = both(t_, rest, ge(t_, offset(t_, rename(index), -1)));
    const Value earlier = checker::fold(t_, node.fn, node.type, open.vars, before, body);
    Substitution at(t_, now);
    const Value last = checker::fold(t_, node.fn, node.type, others, at(rest), at(body));
    return combine(t_, node.fn, node.type, earlier, last);
  }

  Var time_;
};

}  // namespace

Value peel(Terms& t, Value v, Var time) { return Peeling(t, time)(v); }

}  // namespace gg::checker
