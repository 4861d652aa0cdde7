// Counts tell places apart (docs/certificate.md, F13).
#include "prover/checker/binders.h"
#include "prover/checker/choice.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

using Pair = std::pair<Value, Value>;

// x - y == 0 for two integers of the data.
std::optional<Pair> equal_data(const Terms& t, const Literal& l) {
  if (!l.holds || t[l.test].kind != TestKind::Eq) return std::nullopt;
  const IndexNode& form = t[t[l.test].index];
  if (form.parts.size() != 2 || !same(form.c0, 0) || !same(form.parts[0].coef + form.parts[1].coef, 0) || !same(magnitude(form.parts[0].coef), 1)) return std::nullopt;
  const AtomNode &x = t[form.parts[0].atom], &y = t[form.parts[1].atom];
  if (x.kind != AtomKind::Data || y.kind != AtomKind::Data) return std::nullopt;
  return Pair{x.value, y.value};
}

// The variable that x has and y has not, if it is one.
std::optional<Var> only_of(const Terms& t, Value x, Value y) {
  std::optional<Var> found;
  for (const Var v : t[t[x].free]) {
    if (t.contains(t[y].free, v)) continue;
    if (found) return std::nullopt;
    found = v;
  }
  return found;
}

Value renamed(Terms& t, Value x, Var u, Var w) { return Substitution(t, {{u, variable(t, w)}})(x); }

// Is `count` the number of places j <= u, each with what hangs on u by its key alone, not negative, and u itself one of them?
bool counts_up_to(Terms& t, Value count, Var u, Value key) {
  const ValueNode& sum = t[count];
  if (sum.kind != ValueKind::Fold || sum.fn != ScalarFn::Add || sum.type != ElementType::Token || sum.vars.size() != 1) return false;
  const Range keys = integer_range(t, key);
  if (t[key].kind != ValueKind::Read || keys.lo < 0 || !within(keys.hi, kFar - 1)) return false;
  const Opened open(t, sum);
  const Size n = t[open.vars[0]].extent;
  const Index b = variable(t, open.vars[0]), at = variable(t, u);
  if (t[u].extent > n || integer_range(t, open.kids[0]).lo < 0) return false;
  const Value up_to = ge(t, sub(t, at, b));
  bool bounded = false;
  Value element = open.kids[0];  // under the other conditions
  for (const Literal& l : std::vector<Literal>(t[literals_of(t, open.guard)].literals)) {
    if (condition(t, l) == up_to) bounded = true;
    else element = choose(t, condition(t, l), element, number(t, 0));
  }
  if (!bounded || integer_range(t, Substitution(t, {{open.vars[0], at}})(element)).lo < 1) return false;
  const Index j = variable(t, t.var(Space::Temp, t.open_binders++, n)), name = variable(t, t.var(Space::Temp, t.open_binders++, keys.hi + 1));
  const Value there = Substitution(t, {{open.vars[0], j}})(element);
  const ValueNode read = t[key];
  const Value keyed = replace_reads(t, there, [&](std::uint32_t anchor, const auto& index, const auto&) {
    return anchor == read.ref && index == read.index ? std::optional(from_index(t, name)) : std::nullopt;
  });
  return !t.contains(t[keyed].free, u);
}

// The value with reads of one key in place of another's.
Value with_key(Terms& t, Value v, Value key, Value instead) {
  const ValueNode read = t[key];
  return replace_reads(t, v, [&](std::uint32_t anchor, const auto& index, const auto&) {
    return anchor == read.ref && index == read.index ? std::optional(instead) : std::nullopt;
  });
}

}  // namespace

std::optional<std::pair<Var, Var>> same_place(Terms& t, const std::vector<Literal>& path) {
  for (const Literal& same_keys : path) {
    auto keys = equal_data(t, same_keys);
    if (!keys || t[keys->first].kind != ValueKind::Read || t[keys->second].kind != ValueKind::Read) continue;
    for (int turned = 0; turned < 2; ++turned, std::swap(keys->first, keys->second)) {
      const auto [key, other] = *keys;
      const auto u = only_of(t, key, other), w = only_of(t, other, key);
      if (!u || !w || !same(t[*u].extent, t[*w].extent) || renamed(t, key, *u, *w) != other) continue;
      for (const Literal& l : path) {
        const auto counts = l == same_keys ? std::nullopt : equal_data(t, l);
        if (!counts || t[counts->first].kind != ValueKind::Fold || t[counts->second].kind != ValueKind::Fold) continue;
        for (const auto& [first, second] : {*counts, Pair{counts->second, counts->first}}) {  // each may have either key, for they are one (C2)
          const Value count = with_key(t, first, other, key);
          if (renamed(t, count, *u, *w) == with_key(t, second, key, other) && t.contains(t[count].free, *u) && counts_up_to(t, count, *u, key)) return std::pair{*u, *w};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace gg::checker
