// The ways to prove a row: directly, by induction over one size, by a bijection of the indices of two folds.
#include <algorithm>

#include "tests/unit/lemma/parse.h"
#include "tests/unit/lemma/smt.h"

namespace gg::lemma {
namespace {

using prover::LemmaProof;

std::vector<std::string> split(const std::string& text, const std::string& by) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at = text.find(by); at != std::string::npos; at = text.find(by, from)) {
    parts.push_back(text.substr(from, at - from));
    from = at + by.size();
  }
  parts.push_back(text.substr(from));
  return parts;
}

/// Turns an answer into a reason.
std::string reason(Answer answer, const std::string& what, bool& missing) {
  if (answer == Answer::Missing) missing = true;
  if (answer == Answer::Unsat || answer == Answer::Missing) return "";
  return what + (answer == Answer::Sat ? ": there is a counterexample" : ": not decided");
}

std::string directly(const Statement& s, const std::string& by, int milliseconds, bool& missing) {
  Smt smt(s, milliseconds);
  if (!by.empty()) {
    for (const std::string& claim : split(by, "; ")) {
      const std::string text = smt.boolean(parse_term(claim));
      const std::string problem = reason(smt.prove(text), "the step " + claim, missing);
      if (!problem.empty() || missing) return problem;
      smt.assume(text);
    }
  }
  const std::string goal = smt.equal(s.left, s.right);
  if (smt.vacuous()) return "the premises are contradictory";
  return reason(smt.prove(goal), "the statement", missing);
}

Expr number(std::int64_t n) {
  Expr e;
  e.number = n;
  return e;
}
Expr plus_one(const std::string& name) {
  Expr n{Op::Name}, sum{Op::Add};
  n.name = name;
  sum.kids = {n, number(1)};
  return sum;
}

/// `by`: `n` or `n from 1`, then `; m: LEFT = RIGHT`, an equation proved by induction over m first and used in the step.
std::string by_induction(const Statement& s, const std::string& by, int milliseconds, bool& missing) {
  const std::vector<std::string> parts = split(by, "; ");
  const std::vector<std::string> head = split(parts[0], " from ");
  const std::string n = head[0];
  const Expr base = number(head.size() > 1 ? std::stoll(head[1]) : 0);
  std::vector<std::pair<Expr, Expr>> used;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const auto colon = parts[k].find(": ");
    const std::vector<std::string> sides = split(parts[k].substr(colon + 2), " = ");
    Statement claim{s.decls, parse_term(sides[0]), parse_term(sides[1])};
    const std::string problem = by_induction(claim, parts[k].substr(0, colon), milliseconds, missing);
    if (!problem.empty() || missing) return "the claim " + parts[k] + ": " + problem;
    used.emplace_back(claim.left, claim.right);
  }
  if (base.number > 1) return "an induction that leaves sizes out";
  Smt first(s, milliseconds);
  const std::string start = first.equal(substitute(s.left, n, base), substitute(s.right, n, base));
  std::string problem = reason(first.prove(start), "the base", missing);
  if (!problem.empty() || missing) return problem;
  Smt step(s, milliseconds, base.number == 0 ? n : "");
  step.assume(step.equal(s.left, s.right));
  for (const auto& [left, right] : used) step.assume(step.equal(left, right));
  const std::string next = step.equal(substitute(s.left, n, plus_one(n)), substitute(s.right, n, plus_one(n)));
  if (step.vacuous()) return "the premises of the step are contradictory";
  return reason(step.prove(next), "the step", missing);
}

using Maps = std::vector<std::pair<std::string, Expr>>;

Maps parse_maps(const std::string& text) {
  Maps maps;
  for (const std::string& one : split(text, ", ")) {
    const auto equals = one.find('=');
    maps.emplace_back(one.substr(0, equals), parse_index(one.substr(equals + 1)));
  }
  return maps;
}

Expr mapped(Expr e, const Maps& maps) {
  for (const auto& [name, form] : maps) e = substitute(e, name, form);
  return e;
}

/// Within the box of `from`, `maps` lead into the box of `to` and `back` leads home; one query each.
std::string one_way(const Statement& s, const Expr& from, const Expr& to, const Maps& maps, const Maps& back, int milliseconds,
                    bool& missing) {
  Smt smt(s, milliseconds);
  const auto bounded = [&](const std::string& x, const Expr& extent) { return "(and (<= 0 " + x + ") (< " + x + " " + smt.index(extent) + "))"; };
  for (std::size_t k = 0; k < from.binders.size(); ++k) {
    const std::string x = smt.bind(from.binders[k]);
    smt.assume(bounded(x, from.extents[k]));
  }
  for (const auto& [name, form] : maps) {
    const auto it = std::find(to.binders.begin(), to.binders.end(), name);
    if (it == to.binders.end()) return "'" + name + "' is no binder of the other side";
    const std::string inside = bounded(smt.index(form), to.extents[static_cast<std::size_t>(it - to.binders.begin())]);
    const std::string problem = reason(smt.prove(inside), "the range of " + name, missing);
    if (!problem.empty() || missing) return problem;
    smt.assume(inside);
  }
  for (const auto& [name, form] : back) {
    Expr home{Op::Name}, there{Op::Integer};
    home.name = name;
    there.kids = {mapped(form, maps)};
    Expr here{Op::Integer};
    here.kids = {home};
    const std::string problem = reason(smt.prove(smt.equal(there, here)), "the way back of " + name, missing);
    if (!problem.empty() || missing) return problem;
  }
  return "";
}

std::string by_bijection(const Statement& s, const std::string& by, int milliseconds, bool& missing) {
  const std::vector<std::string> parts = split(by, "; ");
  const Maps to_left = parse_maps(parts[0]), to_right = parse_maps(parts[1]);
  if (s.left.op != Op::Fold || s.right.op != Op::Fold || s.left.name != s.right.name) return "the sides are no folds of one operation";
  if (to_left.size() != s.left.binders.size() || to_right.size() != s.right.binders.size()) return "a binder without a map";
  std::string problem = one_way(s, s.right, s.left, to_left, to_right, milliseconds, missing);
  if (problem.empty() && !missing) problem = one_way(s, s.left, s.right, to_right, to_left, milliseconds, missing);
  if (!problem.empty() || missing) return problem;
  Smt smt(s, milliseconds);
  for (std::size_t k = 0; k < s.right.binders.size(); ++k) {
    const std::string x = smt.bind(s.right.binders[k]);
    smt.assume("(and (<= 0 " + x + ") (< " + x + " " + smt.index(s.right.extents[k]) + "))");
  }
  Expr left = s.left;
  left.binders.clear();
  left.extents.clear();
  const std::string a = smt.element(mapped(left, to_left)), b = smt.element(s.right);
  return reason(smt.prove("(= " + a + " " + b + ")"), "the elements", missing);
}

}  // namespace

std::string prove(const Statement& s, LemmaProof proof, const std::string& by, int milliseconds, bool& missing) {
  switch (proof) {
    case LemmaProof::Smt: return directly(s, by, milliseconds, missing);
    case LemmaProof::Induction: return by_induction(s, by, milliseconds, missing);
    case LemmaProof::Bijection: return by_bijection(s, by, milliseconds, missing);
    case LemmaProof::NormalForms: return "";
  }
  return "";
}

}  // namespace gg::lemma
