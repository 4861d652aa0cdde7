// Quotients and remainders towards zero that a selection corrects (docs/certificate.md, C11).
#include "prover/checker/floored.h"

#include <algorithm>
#include <set>

#include "prover/checker/anchor.h"
#include "prover/checker/choice.h"
#include "prover/checker/index.h"
#include "prover/checker/integer.h"
#include "prover/checker/number.h"
#include "prover/checker/rewrite.h"
#include "prover/checker/unfold.h"

namespace gg::checker {
namespace {

constexpr int kDefinitions = 3;  // one in the other
constexpr int kQuotients = 4;    // of a branch

bool divides_towards_zero(const Terms& t, const ValueNode& node) {
  if (node.kind != ValueKind::Fn || (node.fn != ScalarFn::Divide && node.fn != ScalarFn::Remainder) || !is_integral(node.type)) return false;
  const auto by = number_of(t, node.kids[1]);
  return by && by->integer() && near(*by->integer()) && magnitude(*by->integer()) > 1;
}

// Terms by others; those that it meets first.
class Exchange : public Rewriter {
 public:
  Exchange(Terms& t, const std::vector<std::pair<Value, Value>>& by) : Rewriter(t) {
    for (const auto& [from, to] : by) values_[from.id] = to;
  }

 protected:
  bool unchanged(VarSet) override { return false; }
};

// Looks at every term outside of the reads, folds and rows in it.
class Quotients : public Rewriter {
 public:
  explicit Quotients(Terms& t) : Rewriter(t) {}
  std::optional<Value> in(Value v) {
    look(v);
    return found_;
  }

 private:
  bool unchanged(VarSet) override { return false; }
  void look(Value v) {
    if (found_ || !seen_.insert(v.id).second) return;
    const ValueNode node = t_[v];
    if (node.kind == ValueKind::Read || node.kind == ValueKind::Fold || node.kind == ValueKind::Row) return;
    if (divides_towards_zero(t_, node)) {
      found_ = v;
      return;
    }
    for (const Value kid : node.kids) look(kid);
    for (const PolyPart& p : node.summands)
      for (const Factor& f : std::vector<Factor>(t_[p.monomial].factors)) look(f.base);
    if (node.kind == ValueKind::Int) look(Atom{node.ref});
    if (node.kind != ValueKind::Case) return;
    const TestNode test = t_[node.test];
    if (test.kind == TestKind::Truth) look(test.value);
    else look(test.index);
  }
  void look(Index a) {
    for (const Part& p : std::vector<Part>(t_[a].parts)) look(p.atom);
  }
  void look(Atom a) {
    const AtomNode node = t_[a];
    if (node.kind == AtomKind::Data) look(node.value);
    else if (node.kind != AtomKind::Variable) look(node.arg);
  }

  std::optional<Value> found_;
  std::set<std::uint32_t> seen_;
};

bool number_by_cases(const Terms& t, Value v) {
  const ValueNode& node = t[v];
  return node.kind == ValueKind::Case ? number_by_cases(t, node.kids[0]) && number_by_cases(t, node.kids[1]) : number_of(t, v).has_value();
}

// Integers that are such quotients, are made of them, or are numbers by cases (signs), as what they are.
Value what_they_are(Terms& t, Value v, int levels) {
  return replace_reads(t, v, [&](std::uint32_t anchor, const auto& index, const auto& facts) -> std::optional<Value> {
    if (!is_integral(t.anchors[anchor].type)) return std::nullopt;
    const auto own = definition_at(t, anchor, index, facts);
    if (!own) return std::nullopt;
    const Value whole = levels > 1 ? what_they_are(t, *own, levels - 1) : *own;
    return Quotients(t).in(whole) || number_by_cases(t, whole) ? std::optional(whole) : std::nullopt;
  });
}

// Tests that hold wherever the condition does: all of a conjunction.
Path certain_of(Terms& t, Value condition) {
  std::vector<Literal> literals;
  const Value no = boolean(t, false);
  while (t[condition].kind == ValueKind::Case) {
    const ValueNode& node = t[condition];
    if (node.kids[0] != no && node.kids[1] != no) break;
    literals.push_back({node.test, node.kids[1] == no});
    condition = node.kids[node.kids[1] == no ? 0 : 1];
  }
  return t.intern(std::move(literals));
}

// The quotients and remainders in a branch where the path says on which side of zero the numbers lie that are divided.
std::optional<Value> on_sides(Terms& t, Value branch, const Value& holds) {
  const std::vector<Fact> facts = facts_of(t, certain_of(t, holds));
  for (int k = 0; k < kQuotients; ++k) {
    const auto one = Quotients(t).in(branch);
    if (!one) return branch;
    const ValueNode node = t[*one];
    const Size by = *number_of(t, node.kids[1])->integer();
    const Index x = to_index(t, node.kids[0]), minus_x = scale(t, -1, x);
    const bool above = t[x].lo >= 0 || implied(t, facts, x);
    if (!above && !implied(t, facts, minus_x)) return std::nullopt;
    const Index size = above ? x : minus_x, part = node.fn == ScalarFn::Divide ? divide(t, size, magnitude(by)) : modulo(t, size, magnitude(by));
    const bool turned = above == (node.fn == ScalarFn::Divide && by < 0);
    branch = Exchange(t, {{*one, from_index(t, turned ? scale(t, -1, part) : part)}})(branch);
  }
  return std::nullopt;
}

// The same where the rest is not zero and where it is, below zero and above.
std::optional<Value> by_rest(Terms& t, Value condition, Value yes, Value no, Value one) {
  const ValueNode node = t[one];
  const Size by = *number_of(t, node.kids[1])->integer(), m = magnitude(by), turn = by < 0 ? Size(-1) : Size(1);
  const Index x = scale(t, turn, to_index(t, node.kids[0])), down = divide(t, x, m), rest = modulo(t, x, m);
  const Value quotient = uninterpreted(t, ScalarFn::Divide, node.type, node.kids), remainder = uninterpreted(t, ScalarFn::Remainder, node.type, node.kids);
  std::optional<Value> result;
  for (const int sign : {-1, 0, 1}) {
    const Value divides = eq(t, rest), side = sign == 0 ? divides : both(t, negate(t, divides), ge(t, offset(t, scale(t, sign, x), -1)));
    if (t[side].kind == ValueKind::False) continue;
    const Index left = sign < 0 ? offset(t, rest, -m) : rest;
    const auto told = [&](Value v, Index remains) {
      return Exchange(t, {{quotient, from_index(t, sign < 0 ? offset(t, down, 1) : down)}, {remainder, from_index(t, scale(t, turn, remains))}})(v);
    };
    Value which = told(condition, sign == 0 ? constant(t, 0) : left);
    std::vector<Literal> path;
    for (const Literal& l : std::vector<Literal>(t[certain_of(t, side)].literals)) {
      which = assume(t, t.intern(path), l, which);
      path.push_back(l);
    }
    if (t[which].kind != ValueKind::True && t[which].kind != ValueKind::False) return std::nullopt;
    const Value branch = told(t[which].kind == ValueKind::True ? yes : no, left);
    if (result && *result != branch) return std::nullopt;
    result = branch;
  }
  return result;
}

}  // namespace

bool multiple_of(const Terms& t, Index form, Size m) {
  const std::vector<Part>& parts = t[form].parts;
  return divides(m, t[form].c0) && std::all_of(parts.begin(), parts.end(), [&](const Part& p) { return divides(m, p.coef); });
}

Index congruent(Terms& t, Index form, Size m) {
  Index out = form;
  for (const Part& p : std::vector<Part>(t[form].parts)) {
    const AtomNode atom = t[p.atom];
    if (atom.kind != AtomKind::Data) continue;
    Value rest = atom.value;
    if (t[rest].kind == ValueKind::Read) rest = definition_at(t, t[rest].ref, std::vector<Index>(t[rest].index), {}).value_or(rest);
    const ValueNode node = t[rest];
    if (!divides_towards_zero(t, node) || node.fn != ScalarFn::Remainder || !divides(m, p.coef * *number_of(t, node.kids[1])->integer())) continue;
    out = axpy(t, p.coef, sub(t, to_index(t, node.kids[0]), atom_form(t, p.atom)), out);
  }
  return out;
}

bool turned_quotient(const Terms& t, Index form, Size m) {
  const std::vector<Part>& parts = t[form].parts;
  const bool turned = !parts.empty() && (parts[0].coef < 0 || (same(parts[0].coef * 2, m) && t[form].c0 * 2 >= m));
  return turned && std::all_of(parts.begin(), parts.end(), [&](const Part& p) { return t[p.atom].kind == AtomKind::Data; });
}

std::optional<Value> exact_quotient(Terms& t, ScalarFn fn, Index dividend, Size by) {
  const Size m = magnitude(by), sign = by < 0 ? -1 : 1;
  const bool rest = fn == ScalarFn::Remainder, above = t[dividend].lo >= 0;
  if (multiple_of(t, dividend, m)) return from_index(t, rest ? constant(t, 0) : scale(t, sign, divide(t, dividend, m)));
  if (!above && t[dividend].hi > 0) return std::nullopt;
  const Size side = above ? 1 : -1;  // truncation is symmetric
  const Index size = scale(t, side, dividend);
  return from_index(t, scale(t, rest ? side : side * sign, rest ? modulo(t, congruent(t, size, m), m) : divide(t, size, m)));
}

std::optional<Value> masked(Terms& t, ElementType type, Value v, Size mask) {
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  const bool low = mask >= 0;
  const bool fits = low ? small(mask, kMost - 1) : is_signed(type) && small(-(mask + 1), kMost - 2);
  if (!fits) return std::nullopt;
  const Size count = low ? mask + 1 : -mask;
  if ((static_cast<std::int64_t>(count) & (static_cast<std::int64_t>(count) - 1)) != 0) return std::nullopt;
  const Index x = to_index(t, v);
  return from_index(t, low ? modulo(t, congruent(t, x, count), count) : sub(t, x, modulo(t, x, count)));
}

std::optional<Value> floored(Terms& t, Value condition, Value yes, Value no) {
  yes = what_they_are(t, yes, kDefinitions);
  no = what_they_are(t, no, kDefinitions);
  auto one = Quotients(t).in(yes);
  if (!one) one = Quotients(t).in(no);
  if (!one) return std::nullopt;
  condition = what_they_are(t, condition, kDefinitions);
  const auto selected = by_rest(t, condition, yes, no, *one);
  if (selected) return selected;
  const auto first = on_sides(t, yes, condition), second = first ? on_sides(t, no, negate(t, condition)) : std::nullopt;
  return second && *first == *second ? first : std::nullopt;
}

}  // namespace gg::checker
