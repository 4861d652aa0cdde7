// Reals that are integers (certificate.md, P7 and P8), digits that equalities tell (C2).
#include "prover/term/whole.h"

#include <algorithm>
#include <cmath>

#include "prover/term/store.h"

namespace gg::prover {
namespace {
constexpr std::int64_t kMostMultiple = std::int64_t{1} << 40;
}

/// The form L of a sum of integers and of f(L), and of sums over boxes.
std::optional<LinId> Terms::whole(TermId id, bool counts) {
  const Kind kind = (*this)[id].kind;
  if (kind != Kind::Lit && kind != Kind::FromInt && kind != Kind::Poly && !(counts && kind == Kind::Fold)) return std::nullopt;
  LinId total = LinId::Zero;
  for (const Summand& s : summands(id)) {
    const std::vector<Factor> f = factors(s.mono);
    const auto coef = q.integer(s.coef);
    if (!coef || std::abs(*coef) > kMostMultiple || f.size() > 1 || (!f.empty() && f[0].exp != RatId::One)) return std::nullopt;
    const TermNode n = f.empty() ? TermNode{} : (*this)[f[0].term];
    std::optional<LinId> form = f.empty() ? std::optional(num(1)) : n.kind == Kind::FromInt ? std::optional(lin(f[0].term))
                                                                                            : std::nullopt;
    if (!form && counts && n.kind == Kind::Fold && n.sort == Sort::Real && fold_parts(f[0].term).op == ScalarFn::Add) {
      const Opened o = open(f[0].term);
      if (const auto body = whole(o.bodies[0], true)) form = as_lin(fold(ScalarFn::Add, o.vars, o.guard, integer(*body)));
    }
    if (!form) return std::nullopt;
    total = axpy(*coef, *form, total);
  }
  return total;
}

std::optional<LinId> Terms::whole_sum(TermId id, bool counts) {
  if ((*this)[id].kind != Kind::Fold || (*this)[id].sort != Sort::Real || fold_parts(id).op != ScalarFn::Add) return whole(id);
  const Opened o = open(id);
  const auto element = is_lit(o.bodies[0]) && !counts ? std::nullopt : whole(o.bodies[0]);
  return element ? std::optional(as_lin(fold(ScalarFn::Add, o.vars, o.guard, integer(*element)))) : std::nullopt;
}

LinId joined_sums(Terms& t, LinId form) {
  const auto is_sum = [&](const LinTerm& s) {
    const AtomNode& a = t[s.atom];
    const auto term = static_cast<TermId>(a.arg);
    return a.kind == AtomKind::Data && t[term].kind == Kind::Fold && static_cast<ScalarFn>(t[term].op) == ScalarFn::Add;
  };
  const std::vector<LinTerm> list = t.term_list(form);
  if (std::count_if(list.begin(), list.end(), is_sum) < 2) return form;
  const auto joined = t.whole(t.from_int(form), true);
  return joined && t[*joined].n < list.size() ? *joined : form;
}

TermId chosen_number(Terms& t, TermId a) {
  if (t[a].kind != Kind::FromInt) return a;
  const TermId whole = t.integer(t.lin(a));
  if (t[whole].kind != Kind::Case) return a;
  const LinId yes = t.as_lin(t.kid(whole, 1)), no = t.as_lin(t.kid(whole, 2));
  if (yes != LinId::Zero && no != LinId::Zero) return a;
  return t.choose(t.kid(whole, 0), t.from_int(yes), t.from_int(no));
}

std::optional<std::pair<VarId, LinId>> pinned_digit(Terms& t, LinId zero) {
  const std::vector<LinTerm> list = t.term_list(zero);
  for (const LinTerm& s : list) {
    const AtomNode low = t[s.atom];
    if (low.kind != AtomKind::Var || std::abs(s.coef) != 1) continue;
    LinId digit = t.atom_form(s.atom);
    std::int64_t k = 0;
    for (const LinTerm& other : list) {
      const AtomNode high = t[other.atom];
      if (high.kind != AtomKind::Var || high.var != low.var || high.m <= low.m || other.coef != -s.coef * (high.m / low.m)) continue;
      k = high.m / low.m;
      digit = t.axpy(-k, t.atom_form(other.atom), digit);
    }
    const LinId value = t.scale(-s.coef, t.axpy(-s.coef, digit, zero));
    const LinNode n = t[value];
    const bool inside = k > 0 ? n.lo >= 0 && n.hi < k : low.m > 1;
    if (!inside || (n.free & bit(low.var)) != 0 || (!t.is_num(value) && (t[zero].free >> kFirstBound) != 0) || (low.m > 1 && t.is_num(value))) continue;
    return std::pair{low.var, t.axpy(low.m, t.sub(value, digit), t.var(low.var, low.extent))};
  }
  return std::nullopt;
}

}  // namespace gg::prover
