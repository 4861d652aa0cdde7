#include "prover/checker/rewrite.h"

#include <algorithm>

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/fold.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/scalar.h"

namespace gg::checker {

Value Rewriter::operator()(Value v) {
  if (unchanged(t_[v].free)) return v;
  if (const auto it = values_.find(v.id); it != values_.end()) return it->second;
  const Value result = rebuild(v);
  return values_[v.id] = result;
}

Index Rewriter::operator()(Index a) {
  if (unchanged(t_[a].free)) return a;
  if (const auto it = indices_.find(a.id); it != indices_.end()) return it->second;
  const IndexNode& node = t_[a];
  std::vector<std::pair<Size, Index>> summands;
  summands.reserve(node.parts.size());
  for (const Part& p : node.parts) summands.emplace_back(p.coef, atom(p.atom));
  return indices_[a.id] = linear(t_, node.c0, summands);
}

Value Rewriter::condition(Test test) {
  if (unchanged(t_[test].free)) return checker::condition(t_, {test, true});
  const TestNode& node = t_[test];
  if (node.kind == TestKind::Truth) return truth(t_, (*this)(node.value));
  const Index a = (*this)(node.index);
  return node.kind == TestKind::Ge ? ge(t_, a) : eq(t_, a);
}

Value Rewriter::guard(const std::vector<Literal>& path) {
  Value all = boolean(t_, true);
  for (const Literal& l : path) {
    const Value c = condition(l.test);
    all = both(t_, all, l.holds ? c : negate(t_, c));
  }
  return all;
}

Index Rewriter::atom(Atom a) {
  const AtomNode& node = t_[a];
  switch (node.kind) {
    case AtomKind::Variable: return atom_form(t_, a);
    case AtomKind::Div: return divide(t_, (*this)(node.arg), node.m);
    case AtomKind::Clamp: return clamp(t_, (*this)(node.arg), node.lo, node.hi);
    case AtomKind::Table: return table(t_, node.table, (*this)(node.arg));
    case AtomKind::Data: return to_index(t_, (*this)(node.value));
  }
  return atom_form(t_, a);
}

std::vector<Index> Rewriter::each(const std::vector<Index>& list) {
  std::vector<Index> result;
  result.reserve(list.size());
  for (const Index a : list) result.push_back((*this)(a));
  return result;
}

Value Rewriter::read(Value v, const std::vector<Index>& index) { return checker::read(t_, t_[v].ref, index); }

Value Rewriter::total(const std::vector<PolyPart>& summands) {
  Value total = number(t_, 0);
  for (const PolyPart& part : summands) {
    Value term = number(t_, part.coef);
    for (const Factor& f : t_[part.monomial].factors)
      term = product(t_, term, power(t_, base(f), f.exponent));
    total = sum(t_, total, term);
  }
  return total;
}

Value Rewriter::pick(const ValueNode& node) {
  const Value test = condition(node.test);
  const Value a = (*this)(node.kids[0]);
  return choose(t_, test, a, (*this)(node.kids[1]));
}

Value Rewriter::fold(const ValueNode& node) {
  const Opened open(t_, node);
  const Value guard = (*this)(open.guard);
  const Value body = (*this)(open.kids[0]);
  return checker::fold(t_, node.fn, node.type, open.vars, guard, body);
}

Value Rewriter::rebuild(Value v) {
  t_.step();
  const Deeper level(t_.depth);
  const ValueNode& node = t_[v];
  switch (node.kind) {
    case ValueKind::Poly: return total(node.summands);
    case ValueKind::Int: return from_index(t_, atom(Atom{node.ref}));
    case ValueKind::Read: return read(v, each(node.index));
    case ValueKind::Element: return element(t_, node.ref, (*this)(node.index[0]));
    case ValueKind::Fn: {
      std::vector<Value> args;
      for (const Value kid : node.kids) args.push_back((*this)(kid));
      return reapply(t_, node, args);
    }
    case ValueKind::Case: return pick(node);
    case ValueKind::Fold: return fold(node);
    case ValueKind::Row: {
      const std::vector<Index> index = each(node.index);
      const Opened open(t_, node);
      std::vector<Value> kids;
      for (const Value kid : open.kids) kids.push_back((*this)(kid));
      return row(t_, node.ref, node.leaf, open.vars, kids, index);
    }
    default: return v;
  }
}

Substitution::Substitution(Terms& t, std::vector<std::pair<Var, Index>> map) : Rewriter(t), map_(std::move(map)) {
  std::sort(map_.begin(), map_.end());
  std::vector<Var> keys;
  for (const auto& [v, to] : map_) keys.push_back(v);
  keys_ = t.set(std::move(keys));
}

Substitution::Substitution(Terms& t, const std::vector<Var>& vars, const std::vector<Index>& forms)
    : Substitution(t, [&] {
        std::vector<std::pair<Var, Index>> map;
        for (std::size_t k = 0; k < forms.size(); ++k) map.emplace_back(vars[k], forms[k]);
        return map;
      }()) {}

std::vector<std::pair<Var, Index>> nth_point(Terms& t, const std::vector<Var>& vars, std::int64_t point) {
  std::vector<std::pair<Var, Index>> map;
  for (const Var v : vars) {
    const auto extent = static_cast<std::int64_t>(t[v].extent);
    map.emplace_back(v, constant(t, point % extent));
    point /= extent;
  }
  return map;
}

Index Substitution::atom(Atom a) {
  const AtomNode& node = t_[a];
  if (node.kind != AtomKind::Variable) return Rewriter::atom(a);
  const auto it = std::lower_bound(map_.begin(), map_.end(), node.var, [](const auto& e, Var v) { return e.first < v; });
  return it != map_.end() && it->first == node.var ? it->second : atom_form(t_, a);
}

Opened::Opened(Terms& t, const ValueNode& node) : scope_(t) {
  std::vector<std::pair<Var, Index>> map;
  for (const Var v : node.vars) {
    vars.push_back(scope_.open(t[v].extent));
    map.emplace_back(v, variable(t, vars.back()));
  }
  Substitution rename(t, std::move(map));
  guard = rename.guard(std::vector<Literal>(t[node.path].literals));
  for (const Value kid : node.kids) kids.push_back(rename(kid));
}

}  // namespace gg::checker
