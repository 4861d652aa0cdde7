#include "prover/term/lowest.h"

#include <algorithm>
#include <array>

namespace gg::prover {
namespace {

/// X of `X = -inf`.
std::optional<TermId> lowest(const Terms& t, TermId g) {
  const TermNode n = t[g];
  if (n.kind != Kind::Fn || static_cast<ScalarFn>(n.op) != ScalarFn::CompareEq) return std::nullopt;
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
    if (t[t.kid(g, k)].is(Special::NegInf)) return t.kid(g, 1 - k);
  return std::nullopt;
}

/// u of exp(u).
std::optional<TermId> exponent(const Terms& t, TermId a) {
  const TermNode n = t[a];
  return n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Exp ? std::optional(t.kid(a, 0)) : std::nullopt;
}

/// Is the body 0 where e is -inf: a product of a power of exp(e) above zero and finite factors?
bool vanishes(Terms& t, TermId body, TermId e) {
  const std::vector<Summand> sum = t[body].sort == Sort::Real ? t.summands(body) : std::vector<Summand>{};
  if (sum.size() != 1) return false;
  std::vector<Factor> factors = t.factors(sum[0].mono);
  const std::size_t all = std::erase_if(factors, [&](const Factor& f) { return exponent(t, f.term) == e && t.q.sign(f.exp) > 0; });
  return all > 0 && t.attributes(t.mono(std::move(factors))).finite;
}

/// Does a maximum have an element by the facts, at a point of one of these variables, that is finite or without which the body is 0?
bool has_element(Terms& t, TermId maximum, std::span<const LinId> vars, const std::vector<TermId>& facts, TermId body) {
  const TermNode n = t[maximum];
  if (n.kind != Kind::Fold || n.sort != Sort::Real || static_cast<ScalarFn>(n.op) != ScalarFn::Max) return false;
  const Opened o = t.open(maximum);
  if (o.extents.size() != 1) return false;
  const VarId own = t[t.terms(LinId(o.vars[0]))[0].atom].var;
  return std::ranges::any_of(vars, [&](LinId v) {
    if (t.is_num(v) || t[t.terms(v)[0].atom].extent > o.extents[0]) return false;
    const Terms::Map there(own, v);
    const std::vector<TermId> needed = t.conjuncts(t.substitute(o.guard, there));
    if (!std::ranges::all_of(needed, [&](TermId g) { return g == TermId::True || t.decide(g, facts) == true; })) return false;
    const TermId e = t.substitute(o.bodies[0], there);
    return t.attributes(e).finite || vanishes(t, body, e);
  });
}

}  // namespace

/// The attributes of x where the guard holds (or does not): what says that x is finite, or that |x| is not infinite, of an x that is no NaN.
Attributes Terms::attributes_where(TermId guard, bool holds, TermId x) {
  Attributes a = attributes(x);
  if ((*this)[guard].kind == Kind::Not) return attributes_where(kid(guard, 0), !holds, x);
  if ((*this)[guard].kind != Kind::Fn || a.finite) return a;
  const auto f = static_cast<ScalarFn>((*this)[guard].op);
  const TermId infinite = special(Special::PosInf), size = opaque_fn(ScalarFn::Abs, Sort::Real, 0, std::array{x});
  const bool told = f == ScalarFn::IsFinite && holds && kid(guard, 0) == x;
  const bool apart = f == ScalarFn::CompareEq && !holds && a.ordered && std::ranges::is_permutation(kids(guard), std::array{raw(infinite), raw(size)});
  const auto [coef, rest] = content(x);
  const bool low = f == ScalarFn::CompareEq && !holds && a.below_inf && q.sign(coef) > 0 && std::ranges::is_permutation(kids(guard), std::array{raw(special(Special::NegInf)), raw(rest)});
  if (told || apart || low) a.finite = a.below_inf = a.ordered = true;
  return a;
}

std::optional<TermId> is_lowest(Terms& t, TermId a, TermId b) {
  for (const bool swapped : {false, true}) {
    const TermId end = swapped ? b : a, x = swapped ? a : b;
    const TermNode n = t[x];
    if (t[end].is(Special::PosInf) && n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Abs && t.attributes(t.kid(x, 0)).below_inf)
      return t.fn(ScalarFn::CompareEq, ElementType::Pred, std::array{t.special(Special::NegInf), t.kid(x, 0)});
    if (!t[end].is(Special::NegInf) || t.summands(x).size() != 1) continue;
    const auto [coef, rest] = t.content(x);
    if (coef != RatId::One && t.q.sign(coef) > 0) return t.fn(ScalarFn::CompareEq, ElementType::Pred, std::array{end, rest});
  }
  return std::nullopt;
}

std::optional<TermId> lowest_share(Terms& t, RatId coef, const std::vector<Factor>& list) {
  for (const Factor& below : list) {
    const auto chosen = t.q.sign(below.exp) < 0 ? exponent(t, below.term) : std::nullopt;
    if (!chosen || t[*chosen].kind != Kind::Case || !t.is_lit(t.kid(*chosen, 1))) continue;
    const TermId x = t.kid(*chosen, 2);
    if (lowest(t, t.kid(*chosen, 0)) != x || !t.attributes(x).below_inf) continue;
    for (const Factor& above : list) {
      const TermNode n = t[above.term];
      const bool same = exponent(t, above.term) == x && above.exp == t.q.neg(below.exp);
      // case(X = -inf, 0, a), which takes the inverse in
      const bool apart = n.kind == Kind::Case && above.exp == RatId::One && t.kid(above.term, 0) == t.kid(*chosen, 0) && t.kid(above.term, 1) == TermId::Zero;
      if (!same && !apart) continue;
      std::vector<Factor> rest;
      std::ranges::copy_if(list, std::back_inserter(rest), [&](const Factor& f) { return &f != &below && &f != &above; });
      const TermId other = same ? TermId::One : t.mul(t.kid(above.term, 2), t.monomial(RatId::One, t.mono({below})));
      t.count(LemmaId::LowestShare);
      return t.mul(t.choose(t.kid(*chosen, 0), TermId::Zero, other), t.monomial(coef, t.mono(std::move(rest))));
    }
  }
  return std::nullopt;
}

TermId without_lowest(Terms& t, std::span<const LinId> vars, TermId guard, TermId body) {
  const std::vector<TermId> list = t.conjuncts(guard);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto x = t[list[k]].kind == Kind::Not ? lowest(t, t.kid(list[k], 0)) : std::nullopt;
    std::vector<TermId> rest = list;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    if (x && has_element(t, *x, vars, rest, body)) return t.count(LemmaId::LowestAside), t.conj(rest);
  }
  return guard;
}

}  // namespace gg::prover
