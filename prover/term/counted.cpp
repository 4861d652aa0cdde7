#include "prover/term/counted.h"

#include "models/body/store.h"

namespace gg::prover {

std::optional<TermId> counted(Terms& t, const std::vector<Counted>& sums, ScalarFn compared, RatId bound) {
  std::optional<RatId> least;
  RatId all = RatId::Zero;
  for (const auto& [coef, sum] : sums) {
    if (t[sum].kind != Kind::Fold || t.fold_parts(sum).op != ScalarFn::Add || t.q.sign(coef) <= 0) return std::nullopt;
    const FoldParts p = t.fold_parts(sum);
    const bool number = t[sum].sort == Sort::Int ? t.is_num(t.as_lin(p.body)) : t.is_lit(p.body);
    if (p.guard == TermId::True || !number) return std::nullopt;
    const RatId element = t.q.mul(coef, t[sum].sort == Sort::Int ? t.q.of(t.int_range(p.body).first) : t.rat(p.body));
    if (t.q.sign(element) <= 0) return std::nullopt;
    if (!least || t.q.compare(element, *least) < 0) least = element;
    std::int64_t points = 1;
    for (const std::int64_t n : p.extents) points = checked_mul(points, n);
    all = t.q.add(all, t.q.mul(element, t.q.of(points)));
  }
  if (!least) return std::nullopt;
  // Is it the bound of a comparison that the next number above `from` meets, and `from` does not?
  const auto between = [&](RatId from, RatId next) {
    if (compared == ScalarFn::CompareEq) return false;
    const bool strict = compared == ScalarFn::CompareGt;
    return t.q.compare(from, bound) < (strict ? 1 : 0) && t.q.compare(bound, next) < (strict ? 0 : 1);
  };
  const bool none = compared == ScalarFn::CompareEq && bound == RatId::Zero;
  const bool some = none || between(RatId::Zero, *least);
  if (!some && !(compared == ScalarFn::CompareEq ? bound == all : between(t.q.sub(all, *least), all))) return std::nullopt;
  std::vector<TermId> points;
  for (const Counted& c : sums) {
    const Opened o = t.open(c.sum);
    points.push_back(t.fold(ScalarFn::Or, o.vars, TermId::True, some ? o.guard : t.negate(o.guard)));
  }
  t.count(some ? LemmaId::SomeCounted : LemmaId::AllCounted);
  const TermId any = t.disj(points);
  return some && !none ? any : t.negate(any);
}

std::optional<TermId> counted(Terms& t, LinId a, bool equality) {
  const bool below = t[a].n > 0 && t.terms(a)[0].coef < 0;
  std::vector<Counted> sums;
  for (const LinTerm& s : t.term_list(a)) {
    if (t[s.atom].kind != AtomKind::Data) return std::nullopt;
    sums.push_back({t.q.of(below ? -s.coef : s.coef), static_cast<TermId>(t[s.atom].arg)});
  }
  const RatId bound = t.q.of(below ? t[a].c0 : -t[a].c0);
  const auto result = counted(t, sums, equality ? ScalarFn::CompareEq : below ? ScalarFn::CompareGt
                                                                              : ScalarFn::CompareGe,
                              bound);
  return result && below && !equality ? t.negate(*result) : result;
}

std::optional<TermId> counted(Terms& t, ScalarFn compared, TermId a, TermId b) {
  if (t.is_lit(a) == t.is_lit(b)) return std::nullopt;
  const std::vector<Summand> list = t.summands(t.is_lit(a) ? b : a);
  const bool negative = t.q.sign(list[0].coef) < 0, above = t.is_lit(a) != negative;  // is the sum above the literal?
  std::vector<Counted> sums;
  for (const Summand& s : list) sums.push_back({negative ? t.q.neg(s.coef) : s.coef, t.monomial(RatId::One, s.mono)});
  const RatId literal = t.rat(t.is_lit(a) ? a : b), bound = negative ? t.q.neg(literal) : literal;
  if (compared == ScalarFn::CompareEq) return counted(t, sums, compared, bound);
  const auto result = counted(t, sums, (compared == ScalarFn::CompareLt) == above ? ScalarFn::CompareGt : ScalarFn::CompareGe, bound);
  return result && !above ? t.negate(*result) : result;
}

}  // namespace gg::prover
