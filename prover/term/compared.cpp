#include "prover/term/compared.h"

#include <algorithm>
#include <array>
#include <bit>

namespace gg::prover {
namespace {

constexpr std::int64_t kMostValues = 256;  ///< of a variable of which digits are compared

/// x^e, e not 1, x not negative (e > 0) or above zero, as x and e.
std::optional<Factor> power_of(Terms& t, TermId x) {
  const std::vector<Summand> list = t.summands(x);
  if (list.size() != 1 || list[0].coef != RatId::One) return std::nullopt;
  const std::vector<Factor> factors = t.factors(list[0].mono);
  if (factors.size() != 1 || factors[0].exp == RatId::One) return std::nullopt;
  const Attributes base = t.attributes(factors[0].term);
  return (t.q.sign(factors[0].exp) > 0 ? base.nonnegative : base.positive) ? std::optional(factors[0]) : std::nullopt;
}

/// The number above zero whose power by e, 1/2, -1/2 or -1, is c.
std::optional<TermId> root_of(Terms& t, TermId c, RatId e) {
  const auto by = t.q.integer(t.q.inv(e));
  if (!t.is_lit(c) || t.q.sign(t.rat(c)) <= 0 || !by || std::abs(*by) > 2) return std::nullopt;
  return t.lit(t.q.pow(t.rat(c), *by));
}

/// The same of what both sides are functions of.
std::optional<TermId> without_function(Terms& t, ScalarFn f, TermId a, TermId b) {
  const auto again = [&](TermId x, TermId y, bool turned) { return t.fn(f, ElementType::Token, turned ? std::array{y, x} : std::array{x, y}); };
  const auto u = exponent_of(t, a), v = exponent_of(t, b);
  if (u && v) return again(*u, *v, false);
  const auto p = power_of(t, a), r = power_of(t, b);
  if (!p && !r) return std::nullopt;
  const RatId e = p ? p->exp : r->exp;
  if (p && r && p->exp != r->exp) return std::nullopt;
  const auto x = p ? std::optional(p->term) : root_of(t, a, e), y = r ? std::optional(r->term) : root_of(t, b, e);
  return x && y ? std::optional(again(*x, *y, t.q.sign(e) < 0)) : std::nullopt;
}

}  // namespace

std::optional<TermId> exponent_of(Terms& t, TermId x) {
  if (x == TermId::One) return TermId::Zero;
  const std::vector<Summand> list = t.summands(x);
  if (list.size() != 1 || list[0].coef != RatId::One) return std::nullopt;
  std::vector<TermId> sum;
  for (const Factor& f : t.factors(list[0].mono)) {
    if (t[f.term].kind != Kind::Fn || static_cast<ScalarFn>(t[f.term].op) != ScalarFn::Exp) return std::nullopt;
    sum.push_back(t.scale(f.exp, t.kid(f.term, 0)));
  }
  return t.add(sum);
}

std::optional<std::vector<TermId>> exponents_of(Terms& t, std::span<const TermId> list) {
  std::vector<TermId> out;
  for (const TermId x : list) {
    const auto u = exponent_of(t, x);
    if (!u) return std::nullopt;
    out.push_back(*u);
  }
  return out;
}

std::optional<TermId> compared(Terms& t, ScalarFn f, TermId a, TermId b) {
  if (!t.attributes(a).finite || !t.attributes(b).finite) return std::nullopt;
  const TermId difference = t.add(b, t.negative(a));
  const auto decided = [&](bool holds) { return t.count(LemmaId::ComparedByDifference), holds ? TermId::True : TermId::False; };
  if (t.is_lit(difference)) return decided(f == ScalarFn::CompareEq ? difference == TermId::Zero : t.q.sign(t.rat(difference)) > 0);
  if (t.attributes(difference).positive) return decided(f == ScalarFn::CompareLt);
  const Attributes opposite = t.attributes(t.negative(difference));
  if (opposite.positive || (f == ScalarFn::CompareLt && opposite.nonnegative)) return decided(false);
  const std::vector<Summand> list = t.summands(difference);
  const auto constant = [&](const Summand& s) { return t.factors(s.mono).empty(); };
  const auto first = std::ranges::find_if_not(list, constant);
  const int sign = t.q.sign(first->coef);
  const bool one_sided = std::ranges::all_of(list, [&](const Summand& s) { return constant(s) || t.q.sign(s.coef) == sign; });
  RatId largest = RatId::Zero;  // the largest coefficient becomes 1, whatever the order of the summands
  for (const Summand& s : list) {
    const RatId size = t.q.sign(s.coef) < 0 ? t.q.neg(s.coef) : s.coef;
    if (!constant(s) && t.q.compare(largest, size) < 0) largest = size;
  }
  const RatId unit = t.q.inv(largest);
  std::vector<TermId> less, more;
  for (const Summand& s : list) {
    const bool right = one_sided && constant(s) ? sign < 0 : t.q.sign(s.coef) > 0;
    const RatId coef = t.q.mul(s.coef, unit);
    (right ? more : less).push_back(t.monomial(right ? coef : t.q.neg(coef), s.mono));
  }
  const TermId x = t.add(less), y = t.add(more);
  if (const auto inner = without_function(t, f, x, y)) return t.count(LemmaId::ComparedByFunction), *inner;
  if ((x == a && y == b) || (f == ScalarFn::CompareEq && x == b && y == a)) return std::nullopt;
  return t.count(LemmaId::ComparedByDifference), t.fn(f, ElementType::Token, std::array{x, y});
}

LinId bounded_by(Terms& t, TermId fact) {
  const Kind kind = t[fact].kind;
  if (kind == Kind::Ge || kind == Kind::Eq) return t.lin(fact);
  if (kind != Kind::Not || t[t.kid(fact, 0)].kind != Kind::Eq) return LinId::Zero;
  const LinId other = t.lin(t.kid(fact, 0));
  return t[other].lo >= 0 ? t.offset(other, -1) : t[other].hi <= 0 ? t.offset(t.scale(-1, other), -1)
                                                                   : LinId::Zero;
}

std::optional<TermId> half_line(Terms& t, LinId a) {
  const std::vector<LinTerm> list = t.term_list(a);
  if (list.size() < 2 || std::popcount(t[a].free) != 1) return std::nullopt;
  const auto v = static_cast<VarId>(std::countr_zero(t[a].free));
  std::int64_t extent = 0;
  for (const LinTerm& s : list) {
    if (t[s.atom].kind != AtomKind::Var) return std::nullopt;
    extent = t[s.atom].extent;
  }
  if (extent > kMostValues) return std::nullopt;
  std::array<std::int64_t, kVars> at{};
  std::vector<bool> holds;
  for (at[v] = 0; at[v] < extent; ++at[v]) holds.push_back(*t.evaluate(a, at) >= 0);
  const auto change = std::ranges::adjacent_find(holds, std::ranges::not_equal_to());
  if (change == holds.end()) return holds[0] ? TermId::True : TermId::False;
  if (std::adjacent_find(change + 1, holds.end(), std::not_equal_to()) != holds.end()) return std::nullopt;
  const std::int64_t first = change - holds.begin() + 1;
  const LinId whole = t.var(v, extent);
  t.count(LemmaId::HalfLine);
  return *change ? t.ge(t.offset(t.scale(-1, whole), first - 1)) : t.ge(t.offset(whole, -first));
}

}  // namespace gg::prover
