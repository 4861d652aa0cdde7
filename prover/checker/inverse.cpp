#include "prover/checker/inverse.h"

#include <algorithm>

#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/scalar.h"
#include "prover/checker/unfold.h"
#include "prover/checker/visit.h"

namespace gg::checker {
namespace {

// Is `x` what `sum` adds at some point of its box?
bool adds(Terms& t, const ValueNode& sum, const ValueNode& x) {
  const ValueNode& body = t[sum.kids[0]];
  if (body.kind != ValueKind::Read || x.kind != ValueKind::Read || x.ref != body.ref) return false;
  std::vector<Var> seen;
  for (std::size_t k = 0; k < body.index.size(); ++k) {
    if (body.index[k] == x.index[k] && !uses(t, t[body.index[k]].free, sum.vars)) continue;
    const auto v = std::find_if(sum.vars.begin(), sum.vars.end(), [&](Var b) { return variable(t, b) == body.index[k]; });
    if (v == sum.vars.end() || std::find(seen.begin(), seen.end(), *v) != seen.end()) return false;
    if (t[x.index[k]].lo < 0 || t[x.index[k]].hi >= t[*v].extent) return false;
    seen.push_back(*v);
  }
  return true;
}

// A power below zero of a sum of nonnegative elements, one of which is a factor too: where the power is infinite (zero) there
// is 0 * inf in every (a) summand, and outside.
bool element_leaves(Terms& t, const std::vector<Factor>& all, const Factor& inverse) {
  const ValueNode& sum = t[inverse.base];
  const bool plain = sum.kind == ValueKind::Fold && sum.fn == ScalarFn::Add && sum.type == ElementType::Token && t[sum.path].literals.empty();
  if (!plain || !classes_of(t, sum.kids[0]).nonnegative()) return false;
  return std::any_of(all.begin(), all.end(), [&](const Factor& f) { return f.exponent.is_one() && adds(t, sum, t[f.base]); });
}

bool is_sum_node(const ValueNode& node) {
  return node.kind == ValueKind::Fold && node.fn == ScalarFn::Add && node.type == ElementType::Token;
}

// A finite sum of positive elements, one for each point where a condition holds: where it is zero the condition holds nowhere.
std::optional<ValueNode> count_of(Terms& t, Value x) {
  const Value whole = unfold_all(t, x, 1);
  for (const Value v : {x, whole, unfold_all(t, whole, 1)}) {
    const ValueNode& node = t[v];
    if (!is_sum_node(node) || t[node.path].literals.empty()) continue;
    if (classes_of(t, node.kids[0]).positive() && classes_of(t, v).finite()) return node;
  }
  return std::nullopt;
}

std::vector<Value> reads_in(const Terms& t, Value condition) {
  std::vector<Value> reads;
  for (const Value v : values_inside(t, condition)) {
    if (t[v].kind == ValueKind::Read) reads.push_back(v);
  }
  return reads;
}

// The point of the box at which `element` is the read `x`.
std::optional<std::vector<std::pair<Var, Index>>> point_of(Terms& t, const std::vector<Var>& box, Value element, Value x) {
  const ValueNode &from = t[element], &to = t[x];
  std::vector<std::pair<Var, Index>> point;
  if (from.ref != to.ref) return std::nullopt;
  for (std::size_t k = 0; k < from.index.size(); ++k) {
    const auto v = std::find_if(box.begin(), box.end(), [&](Var b) { return variable(t, b) == from.index[k]; });
    if (v == box.end() || t[*v].extent == 1) {
      if (from.index[k] != to.index[k]) return std::nullopt;
      continue;
    }
    const bool twice = std::any_of(point.begin(), point.end(), [&](const auto& e) { return e.first == *v; });
    if (twice || t[to.index[k]].lo < 0 || t[to.index[k]].hi >= t[*v].extent) return std::nullopt;
    point.emplace_back(*v, to.index[k]);
  }
  return point;
}

// Has the sum no element where the count is zero? Each of its points is one that counts.
bool empty_without(Terms& t, const ValueNode& count, const ValueNode& sum) {
  const Opened counted(t, count), added(t, sum);
  const Path holds = literals_of(t, added.guard);
  for (const Value element : reads_in(t, counted.guard)) {
    for (const Value x : reads_in(t, added.guard)) {
      auto point = point_of(t, counted.vars, element, x);
      if (!point) continue;
      const Value there = Substitution(t, *std::move(point))(counted.guard);
      if (!uses(t, t[there].free, counted.vars)&& restrict(t, holds, there) == boolean(t, true)) return true;
    }
  }
  return false;
}

}  // namespace

bool counts(Terms& t, Value x, Value fold) {
  const ValueNode& sum = t[fold];
  if (!is_sum_node(sum) || t[sum.path].literals.empty()) return false;
  const auto count = count_of(t, x);
  return count && empty_without(t, *count, sum);
}

bool inverse_leaves(Terms& t, const std::vector<Factor>& all, const Factor& inverse) {
  if (inverse.exponent.sign() > 0) return false;
  return element_leaves(t, all, inverse) || std::any_of(all.begin(), all.end(), [&](const Factor& f) {
           return f.exponent.is_one() && counts(t, inverse.base, f.base);
         });
}

bool finite_but_for_counts(Terms& t, Monomial rest, Value fold) {
  std::vector<Factor> factors = t[rest].factors;
  if (classes_of(t, rest).finite()) return true;
  std::erase_if(factors, [&](const Factor& f) { return f.exponent.sign() < 0 && counts(t, f.base, fold); });
  return classes_of(t, t.intern(std::move(factors))).finite();
}

}  // namespace gg::checker
