// Guards: comparisons of index forms with zero, connectives, and what follows from what (certificate.md, B and section 6).
#include <algorithm>
#include <numeric>

#include "prover/term/compared.h"
#include "prover/term/counted.h"
#include "prover/term/groups.h"
#include "prover/term/lexicographic.h"
#include "prover/term/limited.h"
#include "prover/term/wide.h"
#include "prover/term/wrapped.h"

namespace gg::prover {
TermId Terms::ge(LinId a) {
  const LinNode n = (*this)[a];
  if (n.lo >= 0 || n.hi < 0) return count(LemmaId::GuardByRange), n.lo >= 0 ? TermId::True : TermId::False;
  const std::vector<LinTerm> list(terms(a).begin(), terms(a).end());
  if (const auto told = counted(*this, a, false)) return *told;
  if (const auto told = beside_count(*this, a)) return *told;
  if (const auto clear = across_gap(a, false)) return *clear;
  std::int64_t g = 0;
  std::vector<std::int64_t> coefs;
  for (const LinTerm& t : list) {
    g = std::gcd(g, std::abs(t.coef));
    coefs.push_back(std::abs(t.coef));
  }
  if (g > 1) {
    count(LemmaId::GuardCommonFactor);
    return ge(divided(floor_div(n.c0, g), list, g));
  }
  if (const auto told = beside_itself(*this, a, false)) return *told;
  if (const auto open = open_clamp(a, false)) return ge(*open);
  if (const auto told = wrap_compared(*this, a, false)) return *told;
  if (const auto told = by_branch(a, false)) return *told;
  for (const LinTerm& t : list) {  // q = X div m: q + y >= 0 is X + m*y >= 0, y - q >= 0 is m*y + m-1 - X >= 0
    const AtomNode atom = (*this)[t.atom];
    if (atom.kind != AtomKind::Div || std::abs(t.coef) != 1) continue;
    const LinId rest = scale(atom.m, axpy(-t.coef, atom_form(t.atom), a));
    return count(LemmaId::GuardOfQuotient), ge(axpy(t.coef, static_cast<LinId>(atom.arg), t.coef > 0 ? rest : offset(rest, atom.m - 1)));
  }
  std::sort(coefs.rbegin(), coefs.rend());
  coefs.erase(std::unique(coefs.begin(), coefs.end()), coefs.end());
  for (const std::int64_t c : coefs) {
    if (c < 2) break;
    const LinId d = div(a, c);
    bool simpler = true;
    for (const LinTerm& t : terms(d)) {
      const AtomNode atom = (*this)[t.atom];
      bool known = atom.kind != AtomKind::Div && (atom.kind != AtomKind::Var || atom.m == 1);
      for (const LinTerm& s : list) known = known || s.atom == t.atom;
      simpler = simpler && known;
    }
    if (simpler && d != a) return count(LemmaId::GuardHighDigits), ge(d);
  }
  if (const auto plain = half_line(*this, a)) return *plain;
  return of_form({.kind = Kind::Ge, .sort = Sort::Bool, .flags = kHasGuards, .size = 0}, a);
}

/// In a comparison of clamp(X, lo, hi) with a form whose range lies inside, the clamp does nothing.
std::optional<LinId> Terms::open_clamp(LinId a, bool equality) {
  const std::vector<LinTerm> list = term_list(a);
  for (const LinTerm& t : list) {
    const AtomNode atom = (*this)[t.atom];
    if (atom.kind != AtomKind::Clamp || std::abs(t.coef) != 1) continue;
    // coef*clamp + rest compared with 0: clamp against other = -rest/coef.
    const LinId rest = axpy(-t.coef, atom_form(t.atom), a);
    const LinNode other = (*this)[scale(-t.coef, rest)];
    // clamp >= other needs other in (lo, hi]; clamp <= other needs other in [lo, hi); equality both, strictly inside.
    const bool above = other.lo > atom.lo && other.hi <= atom.hi, below = other.lo >= atom.lo && other.hi < atom.hi;
    const bool inside = other.lo > atom.lo && other.hi < atom.hi;
    if (equality ? inside : t.coef > 0 ? above
                                       : below) return count(LemmaId::OpenClamp), axpy(t.coef, static_cast<LinId>(atom.arg), rest);
  }
  return std::nullopt;
}

TermId Terms::eq(LinId a) {
  const LinNode n = (*this)[a];
  if (n.lo > 0 || n.hi < 0) return count(LemmaId::EqualByRange), TermId::False;
  if (n.n == 0) return TermId::True;
  const std::vector<LinTerm> list(terms(a).begin(), terms(a).end());
  if (const auto told = counted(*this, a, true)) return *told;
  if (const auto clear = across_gap(a, true)) return *clear;
  std::int64_t g = 0;
  for (const LinTerm& t : list) g = std::gcd(g, std::abs(t.coef));
  if (floor_mod(n.c0, g) != 0) return count(LemmaId::EqualIndivisible), TermId::False;
  if (g > 1 || list[0].coef < 0) {
    const std::int64_t s = list[0].coef < 0 ? -g : g;
    return eq(divided(n.c0 / s, list, s));
  }
  if (const auto told = beside_itself(*this, a, true)) return *told;
  if (const auto open = open_clamp(a, true)) return eq(*open);
  if (const auto told = wrap_compared(*this, a, true)) return *told;
  if (const auto told = by_branch(a, true)) return *told;
  // g*H + R with |R| < g is zero iff both are.
  std::vector<std::int64_t> coefs;
  const DigitView v = view(a);
  for (const VariableDigit& d : v.digits) coefs.push_back(std::abs(d.coef));
  for (const LinTerm& t : v.others) coefs.push_back(std::abs(t.coef));
  std::sort(coefs.begin(), coefs.end());
  for (const std::int64_t c : coefs) {
    if (c < 2) continue;
    for (const std::int64_t r : {floor_mod(n.c0, c), floor_mod(n.c0, c) - c}) {
      const auto [high, low] = apart(v, c, r);
      if ((*this)[low].lo > -c && (*this)[low].hi < c && high != a && low != a) return count(LemmaId::EqualDigits), conj(eq(low), eq(high));
    }
  }
  return of_form({.kind = Kind::Eq, .sort = Sort::Bool, .flags = kHasGuards, .size = 0}, a);
}

TermId Terms::in_range(LinId a, std::int64_t extent) { return conj(ge(a), ge(offset(scale(-1, a), extent - 1))); }

std::vector<TermId> Terms::conjuncts(TermId guard) const {
  std::vector<TermId> out;
  if (guard == TermId::True) return out;
  if ((*this)[guard].kind != Kind::And) return {guard};
  for (const std::uint32_t k : kids(guard)) out.push_back(static_cast<TermId>(k));
  return out;
}

bool Terms::index_guard(TermId guard) const {
  switch ((*this)[guard].kind) {
    case Kind::Ge:
    case Kind::Eq:
    case Kind::True:
    case Kind::False: return true;
    case Kind::And:
    case Kind::Or:
    case Kind::Not:
      for (const std::uint32_t k : kids(guard))
        if (!index_guard(static_cast<TermId>(k))) return false;
      return true;
    default: return false;
  }
}

bool Terms::choice(TermId id) const {
  const TermNode& n = (*this)[id];
  if (n.kind != Kind::Case || n.sort != Sort::Real) return false;
  return ((*this)[kid(id, 0)].flags & (kHasReads | kHasInputs)) != 0 && index_guard(kid(id, 0));
}

TermId Terms::connective(Kind kind, std::vector<TermId> list) {
  std::sort(list.begin(), list.end());
  return of_terms({.kind = kind, .sort = Sort::Bool}, list);
}

TermId Terms::conj(std::span<const TermId> input) {
  std::vector<TermId> list;
  for (const TermId k : input) {
    if (k == TermId::Unknown) return k;
    for (const TermId c : conjuncts(k)) list.push_back(c);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  for (std::size_t i = 0; i < list.size(); ++i) {  // ge L and ge -L is eq L
    if ((*this)[list[i]].kind != Kind::Ge) continue;
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      if ((*this)[list[j]].kind != Kind::Ge || add(lin(list[i]), lin(list[j])) != LinId::Zero) continue;
      count(LemmaId::BothSigns);
      const TermId equal = eq(lin(list[i]));
      list = without(std::move(list), j);
      list = without(std::move(list), i);
      list.push_back(equal);
      return conj(list);
    }
  }
  for (std::size_t i = 0; i < list.size();) {
    const TermId k = list[i];
    if (k == TermId::False) return k;
    std::vector<TermId> rest = without(list, i);
    const std::optional<bool> known = decide(k, rest);
    if (known) count(*known ? LemmaId::ImpliedConjunct : LemmaId::ContradictedConjunct);
    if (known && !*known) return TermId::False;
    if (known) {
      list = std::move(rest);
    } else {
      ++i;
    }
  }
  if (list.empty()) return TermId::True;
  if (list.size() == 1) return list[0];
  if (const auto one = lexicographic(*this, list, true)) return *one;
  for (std::size_t i = 0; i < list.size(); ++i) {  // an integer case or a clamp inside, under the others
    if (!compares_chosen(list[i])) continue;
    std::vector<TermId> rest = without(list, i);
    const TermId part = assume(list[i], rest.size() == 1 ? rest[0] : connective(Kind::And, rest));
    if (part == list[i]) continue;
    rest.push_back(part);
    return conj(rest);
  }
  return connective(Kind::And, std::move(list));
}

TermId Terms::disj(std::span<const TermId> input) {
  std::vector<TermId> list;
  for (const TermId k : input) {
    if (k == TermId::Unknown || k == TermId::True) return k;
    if ((*this)[k].kind == Kind::Or) {
      for (const std::uint32_t c : kids(k)) list.push_back(static_cast<TermId>(c));
    } else if (k != TermId::False) {
      list.push_back(k);
    }
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  for (std::size_t i = 0; i < list.size();) {
    std::vector<TermId> negated;
    for (std::size_t j = 0; j < list.size(); ++j)
      if (j != i)
        for (const TermId c : conjuncts(negate(list[j]))) negated.push_back(c);
    const std::optional<bool> known = decide(list[i], negated);
    if (known && *known) return count(LemmaId::Complementary), TermId::True;
    if (known) list = without(std::move(list), i);
    else ++i;
  }
  if (list.empty()) return TermId::False;
  if (const auto one = lexicographic(*this, list, false)) return *one;
  return list.size() == 1 ? list[0] : connective(Kind::Or, std::move(list));
}

TermId Terms::negate(TermId a) {
  const TermNode n = (*this)[a];
  switch (n.kind) {
    case Kind::True: return TermId::False;
    case Kind::False: return TermId::True;
    case Kind::Unknown: return a;
    case Kind::Ge: return count(LemmaId::NegatedGuard), ge(offset(scale(-1, lin(a)), -1));
    case Kind::Not: return kid(a, 0);
    case Kind::And:
    case Kind::Or: {
      std::vector<TermId> list;
      for (std::size_t k = 0; k < n.n; ++k) list.push_back(kid(a, k));
      count(LemmaId::DeMorgan);
      for (TermId& k : list) k = negate(k);
      return n.kind == Kind::And ? disj(list) : conj(list);
    }
    default: return connective(Kind::Not, {a});
  }
}

/// Does a fact say that one of several things holds, of which the others leave none?
bool Terms::absurd(std::span<const TermId> facts) {
  for (std::size_t k = 0; k < facts.size(); ++k) {
    if ((*this)[facts[k]].kind != Kind::Or) continue;
    const std::vector<TermId> rest = without(std::vector(facts.begin(), facts.end()), k);
    const TermNode n = (*this)[facts[k]];
    bool none = true;
    for (std::size_t i = 0; i < n.n && none; ++i) none = decide(kid(facts[k], i), rest) == std::optional(false);
    if (none) return true;
  }
  return false;
}

std::optional<bool> Terms::decide(TermId goal, TermId facts) {
  const std::vector<TermId> list = conjuncts(facts);
  return decide(goal, list);
}

std::optional<bool> Terms::decide(TermId goal, std::span<const TermId> facts) {
  if (goal == TermId::True) return true;
  if (goal == TermId::False) return false;
  for (const TermId f : facts)
    if (f == goal) return true;
  const TermNode n = (*this)[goal];
  if (n.kind == Kind::Not) {
    const std::optional<bool> inner = decide(kid(goal, 0), facts);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (n.kind == Kind::And || n.kind == Kind::Or) {
    const bool stop = n.kind == Kind::Or;
    bool all = true;
    std::vector<TermId> given(facts.begin(), facts.end());  // with the earlier parts true (of `or`: false)
    for (std::size_t k = 0; k < n.n; ++k) {
      const TermId part = kid(goal, k);
      const std::optional<bool> one = decide(part, k == 0 ? facts : std::span<const TermId>(given));
      if (one && *one == stop) return stop;
      all = all && one.has_value();
      for (const TermId c : conjuncts(stop ? negate(part) : part)) given.push_back(c);
    }
    if (all) return !stop;
    if (absurd(given)) return count(LemmaId::RefutedConjunction), stop;
    return std::nullopt;
  }
  if (n.kind == Kind::Ge) {
    if (implied(lin(goal), facts, kImpliedDepth)) return true;
    if (implied(offset(scale(-1, lin(goal)), -1), facts, kImpliedDepth)) return false;
    return std::nullopt;
  }
  if (n.kind == Kind::Eq) {
    const LinId l = lin(goal), minus = scale(-1, l);
    const bool up = implied(l, facts, kImpliedDepth), down = implied(minus, facts, kImpliedDepth);
    if (up && down) return true;
    if (implied(offset(l, -1), facts, kImpliedDepth) || implied(offset(minus, -1), facts, kImpliedDepth)) return false;
  }
  for (const TermId f : facts)
    if ((*this)[f].kind == Kind::Not && kid(f, 0) == goal) return false;
  return std::nullopt;
}

/// Does every index lie in its extent?
bool Terms::in_box(std::span<const LinId> index, std::span<const std::int64_t> extents, std::span<const TermId> facts) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    const bool inside = (*this)[index[k]].lo >= 0 && (*this)[index[k]].hi < extents[k];
    if (!inside && (!implied(index[k], facts, kImpliedDepth) || !implied(offset(scale(-1, index[k]), extents[k] - 1), facts, kImpliedDepth))) return false;
  }
  return true;
}

bool Terms::implied(LinId l, std::span<const TermId> facts, int depth) {
  const LinNode n = (*this)[l];
  if (n.lo >= 0) return true;
  if (depth == 0 || n.n == 0) return false;
  step();
  const std::vector<LinTerm> goal = term_list(l);
  const auto none = [&] { return num(-1); };  // nothing follows of what no form holds
  for (const LinTerm& s : goal) {             // a quotient q = X div d: d*q <= X <= d*q + d-1
    const AtomNode atom = (*this)[s.atom];
    if (atom.kind != AtomKind::Div) continue;
    const std::int64_t g = std::gcd(atom.m, std::abs(s.coef)), p = atom.m / g, k = s.coef / g;
    // p*L with p*coef*q = k*d*q bounded below by k*(X - d+1) for k > 0, by k*X for k < 0.
    const auto bound = [&] { return offset(axpy(k, offset(static_cast<LinId>(atom.arg), k > 0 ? 1 - atom.m : 0), scale(p, axpy(-s.coef, atom_form(s.atom), l))), p - 1); };
    if (implied(formed(bound, none), facts, depth - 1)) return count(LemmaId::QuotientFact), true;
  }
  for (const TermId f : facts) {
    const bool equality = (*this)[f].kind == Kind::Eq;
    const LinId m = bounded_by(*this, f);
    if (m == LinId::Zero) continue;
    const std::vector<LinTerm> given = term_list(m);
    std::vector<std::pair<std::int64_t, std::int64_t>> tried;
    for (const LinTerm& s : goal) {
      for (const LinTerm& t : given) {
        if (s.atom != t.atom) continue;
        std::int64_t p = std::abs(t.coef), k = t.coef < 0 ? -s.coef : s.coef;
        const std::int64_t g = std::gcd(p, std::abs(k));
        p /= g;
        k /= g;
        if (k < 0 && !equality) continue;
        if (std::find(tried.begin(), tried.end(), std::pair{p, k}) != tried.end()) continue;
        tried.emplace_back(p, k);
        // p*L - k*M >= -(p-1) and M >= 0 (or M = 0) give L >= 0.
        if (goal.size() == 1 && given.size() == 1 && std::max(p, std::abs(k)) == 1) {  // two numbers
          if (n.c0 - k * (*this)[m].c0 >= 0) return count(LemmaId::SumOfFacts), true;
          continue;
        }
        const LinId rest = formed([&] { return offset(axpy(-k, m, scale(p, l)), p - 1); }, none);
        if (implied(rest, facts, depth - 1)) return count(p > 1 ? LemmaId::RoundedFact : LemmaId::SumOfFacts), true;
      }
    }
  }
  return false;
}

}  // namespace gg::prover
