// Scalar functions of the table over reals: what has laws becomes polynomials, units or extrema; the rest is opaque.
#include <algorithm>
#include <cmath>

#include "prover/term/chosen.h"
#include "prover/term/compared.h"
#include "prover/term/counted.h"
#include "prover/term/floored.h"
#include "prover/term/join.h"
#include "prover/term/lowest.h"
#include "prover/term/quantised.h"
#include "prover/term/sigmoid.h"
#include "prover/term/wide.h"

namespace gg::prover {

TermId Terms::opaque_fn(ScalarFn f, Sort sort, std::uint8_t type, std::span<const TermId> list) {
  if (std::ranges::find(list, TermId::Unknown) != list.end()) return TermId::Unknown;
  const bool of_nan = list.size() == 2 && ((f == ScalarFn::CompareEq && list[0] == list[1]) || (f == ScalarFn::Multiply && list[0] == TermId::Zero));
  return of_terms({.kind = Kind::Fn, .sort = sort, .op = static_cast<std::uint8_t>(f), .type = type, .flags = of_nan ? static_cast<std::uint16_t>(kTestsNan | kHasGuards) : std::uint16_t{0}}, list);
}

TermId Terms::fn(ScalarFn f, ElementType type, std::span<const TermId> list) {
  step();
  if (f == ScalarFn::Select) {
    const auto one = (*this)[list[1]].sort == Sort::Real ? chosen(*this, list[0], list[1], list[2]) : floored(*this, list[0], list[1], list[2]);
    return one ? *one : choose(list[0], list[1], list[2]);
  }
  for (const TermId k : list)
    if (k == TermId::Unknown) return k;
  const Sort sort = (*this)[list[0]].sort;
  if (f == ScalarFn::Convert) return convert(type, list[0]);
  if (f >= ScalarFn::CompareEq && f <= ScalarFn::CompareNe) return compare(f, list[0], list[1]);
  if (sort == Sort::Int) return formed([&] { return int_fn(f, type, list); }, [&] { return opaque_fn(f, Sort::Int, static_cast<std::uint8_t>(type), list); });
  if (sort == Sort::Bool) return bool_fn(f, list);
  if (const auto s = sigmoid(*this, f, list[0])) return *s;
  switch (f) {
    case ScalarFn::Add: return add(list);
    case ScalarFn::Subtract: return add(list[0], scale(q.of(-1), list[1]));
    case ScalarFn::Negate: return scale(q.of(-1), list[0]);
    case ScalarFn::Multiply: return mul(list[0], list[1]);
    case ScalarFn::Divide: return count(LemmaId::Quotient), mul(list[0], pow(list[1], q.of(-1)));
    case ScalarFn::Sqrt: return pow(list[0], q.of(1, 2));
    case ScalarFn::Rsqrt: return count(LemmaId::ReciprocalRoot), pow(list[0], q.of(-1, 2));
    case ScalarFn::Power: return power(list[0], list[1]);
    case ScalarFn::Exp: return exp_of(list[0]);
    case ScalarFn::Log: return log_of(list[0]);
    case ScalarFn::Log1p: return count(LemmaId::LogPlusOne), log_of(add(TermId::One, list[0]));
    case ScalarFn::Max:
    case ScalarFn::Min: return extremum(f, list);
    case ScalarFn::Clamp: {
      const TermId low = extremum(ScalarFn::Max, std::array{list[0], list[1]});
      return extremum(ScalarFn::Min, std::array{low, list[2]});
    }
    case ScalarFn::Abs:
      if (attributes(list[0]).not_below) return count(LemmaId::AbsNonnegative), list[0];
      if (is_lit(list[0])) return lit(q.neg(rat(list[0])));
      break;
    case ScalarFn::IsFinite:
      if (attributes(list[0]).finite) return count(LemmaId::FiniteByAttribute), TermId::True;
      if (attributes(list[0]).below_inf) return negate(compare(ScalarFn::CompareEq, special(Special::NegInf), list[0]));
      if (attributes(list[0]).no_inf) return count(LemmaId::FiniteOrNan), compare(ScalarFn::CompareEq, list[0], list[0]);
      return opaque_fn(f, Sort::Bool, 0, list);
    case ScalarFn::Sign:
      if (const auto [coef, rest] = content(list[0]); coef != RatId::One && rest != TermId::One)
        return count(LemmaId::SignOfMultiple), scale(q.of(q.sign(coef)), fn(f, type, std::array{rest}));
      [[fallthrough]];
    default:
      if (info(f).is(ScalarFact::Zero) && list[0] == TermId::Zero) return count(LemmaId::ZeroOfZero), list[0];
  }
  if (list.size() == 1) {
    if (const auto outside = function_of_choice(list[0], [&](TermId a) { return fn(f, type, std::array{a}); })) return *outside;
  }
  return opaque_fn(f, Sort::Real, 0, list);
}

TermId Terms::power(TermId a, TermId b) {
  if (is_lit(b)) {
    const auto n = q.integer(rat(b));
    if (n && std::abs(*n) <= 16) return count(LemmaId::PowerFunction), pow(a, rat(b));
    if (rat(b) == q.of(1, 2) && attributes(a).nonnegative) return pow(a, rat(b));
  }
  return opaque_fn(ScalarFn::Power, Sort::Real, 0, std::array{a, b});
}

TermId Terms::exp_of(TermId a) {
  TermId product = TermId::One;
  if (summands(a).size() > 1) count(LemmaId::ExpOfSum);
  for (const Summand& s : summands(a)) {
    const TermId m = monomial(RatId::One, s.mono);
    const TermNode n = (*this)[m];
    TermId unit = TermId::Unknown;
    if (n.kind == Kind::Special) {
      if (n.is(Special::NaN)) return m;
      count(LemmaId::ExpOfInfinity);
      const bool up = n.is(Special::PosInf) == (q.sign(s.coef) > 0);
      unit = up ? special(Special::PosInf) : TermId::Zero;
    } else if (n.kind == Kind::Case && ((*this)[kid(m, 1)].kind == Kind::Special || (*this)[kid(m, 2)].kind == Kind::Special)) {
      unit = choose(kid(m, 0), exp_of(scale(s.coef, kid(m, 1))), exp_of(scale(s.coef, kid(m, 2))));
    } else if (const auto outside = function_of_choice(scale(s.coef, m), [&](TermId x) { return exp_of(x); })) {
      unit = *outside;
    } else if (n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Log && attributes(kid(m, 0)).nonnegative) {
      count(LemmaId::ExpOfLog);
      unit = pow(kid(m, 0), s.coef);
    } else {
      if (s.coef != RatId::One) count(LemmaId::ExpOfMultiple);
      unit = pow(opaque_fn(ScalarFn::Exp, Sort::Real, 0, std::array{m}), s.coef);
    }
    product = mul(product, unit);
  }
  return product;
}

TermId Terms::log_of(TermId a) {
  if (a == TermId::One) return TermId::Zero;
  const std::vector<Summand> list = summands(a);
  if (const std::vector<Factor> units = common_units(list); list.size() > 1 && !units.empty()) {
    count(LemmaId::LogOfUnits);
    TermId out = log_of(without_units(a, units));
    for (const Factor& u : units) out = add(out, scale(u.exp, log_of(u.term)));
    return out;
  }
  const auto log = [&](TermId x) { return opaque_fn(ScalarFn::Log, Sort::Real, 0, std::array{x}); };
  if (list.size() != 1 || q.sign(list[0].coef) <= 0) return log(a);
  std::vector<TermId> parts;
  std::vector<Factor> rest;
  for (const Factor& f : factors(list[0].mono)) {
    const TermNode n = (*this)[f.term];
    const Attributes at = attributes(f.term);
    if (!at.positive || !at.finite) {
      rest.push_back(f);
    } else if (n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == ScalarFn::Exp) {
      count(LemmaId::LogOfExp);
      parts.push_back(scale(f.exp, kid(f.term, 0)));
    } else {
      parts.push_back(scale(f.exp, log(f.term)));
    }
  }
  if (!rest.empty()) parts.push_back(log(monomial(RatId::One, mono(std::move(rest)))));
  if (parts.size() + (list[0].coef != RatId::One) > 1) count(LemmaId::LogOfProduct);
  if (list[0].coef != RatId::One) parts.push_back(log(lit(list[0].coef)));
  return add(parts);
}

TermId Terms::extremum(ScalarFn f, std::span<const TermId> input) {
  const bool max = f == ScalarFn::Max;
  std::vector<TermId> list;
  std::optional<RatId> constant;
  std::vector<TermId> todo(input.begin(), input.end());
  for (std::size_t i = 0; i < todo.size(); ++i) {
    const TermId k = todo[i];
    const TermNode n = (*this)[k];
    if (n.kind == Kind::Unknown) return k;
    if (n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == f) {
      count(LemmaId::ExtremumFlattens);
      for (std::size_t j = 0; j < n.n; ++j) todo.push_back(kid(k, j));
    } else if (n.kind == Kind::Lit) {
      const RatId v = rat(k);
      if (constant) count(LemmaId::ExtremumLiterals);
      if (!constant || (q.compare(v, *constant) > 0) == max) constant = v;
    } else if (n.is(Special::NaN)) {
      return k;
    } else if (k != special(max ? Special::NegInf : Special::PosInf)) {
      list.push_back(k);
    } else {
      count(LemmaId::ExtremumUnit);
    }
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  if (Joiner(*this).extremum(f, list)) {
    if (constant) list.push_back(lit(*constant));
    return extremum(f, list);
  }
  const auto nonnegative = [&](TermId k) { return attributes(k).nonnegative; };
  if (constant && max && q.sign(*constant) <= 0 && std::ranges::any_of(list, nonnegative)) {  // max(x, c) with x >= 0 >= c
    count(*constant == RatId::Zero ? LemmaId::ExtremumNonnegative : LemmaId::ExtremumNegativeLiteral);
    constant.reset();
  }
  if (constant && std::ranges::any_of(list, [&](TermId k) { return passed(*this, *constant, k, max); })) constant.reset();
  if (list.empty()) return constant ? lit(*constant) : special(max ? Special::NegInf : Special::PosInf);
  const auto negative = [&](TermId k) { return summands(k).size() == 1 && q.sign(content(k).first) < 0; };
  if (!constant && std::ranges::all_of(list, negative) && list.size() > 1) {
    for (TermId& k : list) k = scale(q.of(-1), k);
    return count(LemmaId::ExtremumOfNegatives), scale(q.of(-1), extremum(max ? ScalarFn::Min : ScalarFn::Max, list));
  }
  const auto exponents = list.size() + constant.has_value() > 1 && (!constant || *constant == RatId::One) ? exponents_of(*this, list) : std::nullopt;
  if (exponents) {
    std::vector<TermId> all = *exponents;
    if (constant) all.push_back(TermId::Zero);
    return count(LemmaId::ExtremumOfExponentials), exp_of(extremum(f, all));
  }
  // A positive coefficient goes out: that of the kid with the smallest rest.
  std::pair<TermId, RatId> least{static_cast<TermId>(0xffffffffU), RatId::One};
  for (const TermId k : list) {
    if ((*this)[k].kind == Kind::Special) continue;
    const auto [c, rest] = content(k);
    if (rest < least.first) least = {rest, q.sign(c) < 0 ? q.neg(c) : c};
  }
  if (constant) {
    const TermId bound = lit(*constant);
    if (list.size() == 1) {
      const auto limit = q.integer(*constant);
      if (const auto form = limit ? whole_sum(list[0], true) : std::nullopt) {
        const LinNode n = (*this)[*form];
        return count(LemmaId::ExtremumOfIntegers), from_int(max ? clamp(*form, *limit, std::max(n.hi, *limit)) : clamp(*form, std::min(n.lo, *limit), *limit));
      }
      if (const auto outside = function_of_choice(list[0], [&](TermId x) { return extremum(f, std::array{x, bound}); })) return *outside;
    }
    list.push_back(bound);
  }
  if (list.size() == 1) return list[0];
  if (least.second != RatId::One) {
    count(LemmaId::ExtremumScale);
    for (TermId& k : list) k = scale(q.inv(least.second), k);
    return scale(least.second, extremum(f, list));
  }
  std::sort(list.begin(), list.end());
  return opaque_fn(f, Sort::Real, 0, list);
}

TermId Terms::compare(ScalarFn f, TermId a, TermId b) {
  const Sort sort = (*this)[a].sort;
  if (f == ScalarFn::CompareNe) return negate(compare(ScalarFn::CompareEq, a, b));
  if (f == ScalarFn::CompareGt) return compare(ScalarFn::CompareLt, b, a);
  if (f == ScalarFn::CompareGe) return compare(ScalarFn::CompareLe, b, a);
  if (sort == Sort::Bool) {
    if (f == ScalarFn::CompareEq) return choose(a, b, negate(b));
    return f == ScalarFn::CompareLt ? conj(negate(a), b) : disj(negate(a), b);
  }
  if (sort == Sort::Int) {
    const auto form = [&] {
      const LinId d = sub(as_lin(b), as_lin(a));
      return f == ScalarFn::CompareEq ? eq(d) : ge(f == ScalarFn::CompareLt ? offset(d, -1) : d);
    };
    return count(LemmaId::IntegerComparison), formed(form, [&] { return opaque_fn(f, Sort::Bool, 0, std::array{a, b}); });
  }
  return compare_reals(f, a, b);
}

TermId Terms::compare_reals(ScalarFn f, TermId a, TermId b) {
  const TermNode x = (*this)[a], y = (*this)[b];
  if (x.kind == Kind::Lit && y.kind == Kind::Lit) {
    const int c = q.compare(rat(a), rat(b));
    const bool holds = f == ScalarFn::CompareEq ? c == 0 : f == ScalarFn::CompareLt ? c < 0
                                                                                    : c <= 0;
    return holds ? TermId::True : TermId::False;
  }
  if (x.is(Special::NaN) || y.is(Special::NaN)) return TermId::False;
  if (a == b) {
    if (f == ScalarFn::CompareLt) return count(LemmaId::NotLessThanItself), TermId::False;
    const Attributes at = attributes(a);
    if (at.below_inf || at.nonnegative) return count(LemmaId::EqualToItself), TermId::True;
  }
  if (const auto p = whole(a)) {
    if (const auto r = whole(b)) return compare(f, integer(*p), integer(*r));
  }
  // Both branches of a case decided: the guard itself. The other side must not be a case.
  for (const bool left : {true, false}) {
    const TermId c = left ? a : b, other = left ? b : a;
    if ((*this)[c].kind != Kind::Case || !is_lit(other)) continue;
    const TermId one = left ? compare_reals(f, kid(c, 1), other) : compare_reals(f, other, kid(c, 1));
    const TermId two = left ? compare_reals(f, kid(c, 2), other) : compare_reals(f, other, kid(c, 2));
    const auto decided = [](TermId t) { return t == TermId::True || t == TermId::False; };
    if (decided(one) && decided(two)) return count(LemmaId::ComparisonOfCase), choose(kid(c, 0), one, two);
  }
  if (const auto told = counted(*this, f, a, b)) return *told;
  // Signs.
  const Attributes p = attributes(a), r = attributes(b);
  if (is_lit(a) && q.sign(rat(a)) <= 0 && (r.positive || (r.nonnegative && (f == ScalarFn::CompareLe || q.sign(rat(a)) < 0))))
    return count(r.positive ? LemmaId::ComparisonBySign : LemmaId::ComparisonOfNonnegative), f == ScalarFn::CompareEq ? TermId::False : TermId::True;
  if (is_lit(a) && q.sign(rat(a)) <= (f == ScalarFn::CompareLe ? 0 : -1) && f != ScalarFn::CompareEq && r.not_below) return count(LemmaId::NotBelowOrNan), compare_reals(ScalarFn::CompareEq, b, b);
  if (is_lit(b) && q.sign(rat(b)) <= 0 && (p.positive || (p.nonnegative && (f == ScalarFn::CompareLt || q.sign(rat(b)) < 0))))
    return count(p.positive ? LemmaId::ComparisonBySign : LemmaId::ComparisonOfNonnegative), TermId::False;
  if (x.kind == Kind::Special && r.finite)
    return count(LemmaId::ComparisonWithInfinity), f != ScalarFn::CompareEq && x.is(Special::NegInf) ? TermId::True : TermId::False;
  if (y.kind == Kind::Special && p.finite)
    return count(LemmaId::ComparisonWithInfinity), f != ScalarFn::CompareEq && y.is(Special::PosInf) ? TermId::True : TermId::False;
  if (const auto g = f == ScalarFn::CompareEq ? is_lowest(*this, a, b) : std::nullopt) return *g;
  if (const auto one = f == ScalarFn::CompareLt ? less_than_extremum(*this, a, b) : std::nullopt) return *one;
  if (f == ScalarFn::CompareLe && p.ordered && r.ordered) return count(LemmaId::NegatedOrder), negate(compare_reals(ScalarFn::CompareLt, b, a));
  if (const auto one = f == ScalarFn::CompareLe ? std::nullopt : compared(*this, f, a, b)) return *one;
  if (f == ScalarFn::CompareEq && b < a) std::swap(a, b);
  return opaque_fn(f, Sort::Bool, 0, std::array{a, b});
}

TermId Terms::bool_fn(ScalarFn f, std::span<const TermId> list) {
  switch (f) {
    case ScalarFn::And:
    case ScalarFn::Multiply:
    case ScalarFn::Min: return conj(list);
    case ScalarFn::Or:
    case ScalarFn::Add:
    case ScalarFn::Max: return disj(list);
    case ScalarFn::Not: return negate(list[0]);
    case ScalarFn::Xor: return choose(list[0], negate(list[1]), list[1]);
    default: return opaque_fn(f, Sort::Bool, 0, list);
  }
}

}  // namespace gg::prover
