// Selections by a comparison of what is selected (certificate.md, C9), comparisons of extrema with literals (B4).
#include "prover/term/chosen.h"

#include <array>
#include <vector>

namespace gg::prover {

namespace {

TermId meant(Terms& t, TermId x) { return t[x].kind == Kind::Read ? t.definition(x, TermId::True).value_or(x) : x; }

/// Is it this comparison of a with b, or of what one of them is, or both are?
bool says_less(Terms& t, TermId guard, TermId a, TermId b) {
  for (const TermId x : {a, meant(t, a)}) {
    for (const TermId y : {b, meant(t, b)})
      if (t.fn(ScalarFn::CompareLt, ElementType::Token, std::array{x, y}) == guard) return true;
  }
  return false;
}

}  // namespace

std::optional<TermId> chosen(Terms& t, TermId guard, TermId a, TermId b) {
  if (t[guard].kind == Kind::Not) return chosen(t, t.kid(guard, 0), b, a);
  if (const TermId said = meant(t, guard); said != guard) return chosen(t, said, a, b);
  const TermNode n = t[guard];
  if (n.kind != Kind::Fn || static_cast<ScalarFn>(n.op) != ScalarFn::CompareLt || t[t.kid(guard, 0)].sort != Sort::Real || is_special(t[a]) || is_special(t[b])) return std::nullopt;
  const TermId p = t.kid(guard, 0), q = t.kid(guard, 1);
  for (const bool larger : {true, false}) {
    const TermId own = larger ? q : p, other = larger ? p : q;
    const bool zero = own == TermId::Zero;
    if (zero != (a == TermId::Zero)) continue;
    const auto [times, rest] = t.content(zero ? b : a);
    const auto [of, same] = t.content(zero ? other : own);
    const RatId k = t.q.mul(times, t.q.inv(of));  // a is k times its side
    if (rest != same || t.scale(k, own) != a) continue;
    if (t.scale(k, other) == b && t.attributes(own).ordered) {  // where the other one is NaN, so is the selection
      t.count(larger ? LemmaId::SelectedLarger : LemmaId::SelectedSmaller);
      return t.scale(k, t.extremum(larger ? ScalarFn::Max : ScalarFn::Min, std::array{p, q}));
    }
    if (other == TermId::Zero && t.scale(t.q.neg(k), own) == b) {
      t.count(LemmaId::SelectedMagnitude);
      return t.scale(larger ? k : t.q.neg(k), t.fn(ScalarFn::Abs, ElementType::Token, std::array{own}));
    }
  }
  if (!t.attributes(a).ordered || !t.attributes(b).ordered) return std::nullopt;
  for (const bool larger : {true, false}) {  // the same comparison of what is selected
    if (!says_less(t, guard, larger ? b : a, larger ? a : b)) continue;
    t.count(larger ? LemmaId::SelectedLarger : LemmaId::SelectedSmaller);
    return t.extremum(larger ? ScalarFn::Max : ScalarFn::Min, std::array{a, b});
  }
  return std::nullopt;
}

std::optional<TermId> less_than_extremum(Terms& t, TermId a, TermId b) {
  if (t.is_lit(a) == t.is_lit(b)) return std::nullopt;
  const auto [coef, extremum] = t.content(t.is_lit(a) ? b : a);
  const TermNode n = t[extremum];
  const auto f = static_cast<ScalarFn>(n.op);
  if (n.kind != Kind::Fn || (f != ScalarFn::Max && f != ScalarFn::Min)) return std::nullopt;
  const TermId number = t.scale(t.q.inv(coef), t.is_lit(a) ? a : b);
  const bool below = t.is_lit(a) == (t.q.sign(coef) > 0);  // is the number less?
  std::vector<TermId> each;
  std::size_t open = 0;
  for (std::size_t k = 0; k < n.n; ++k) {
    const TermId x = t.kid(extremum, k);
    each.push_back(t.fn(ScalarFn::CompareLt, ElementType::Token, below ? std::array{number, x} : std::array{x, number}));
    open += each.back() != TermId::True && each.back() != TermId::False ? 1 : 0;
  }
  if (open > 1) return std::nullopt;
  const TermId result = (f == ScalarFn::Max) == below ? t.disj(each) : t.conj(each);
  if (result == TermId::True && !t.attributes(extremum).ordered) return std::nullopt;  // of NaN nothing is true
  return t.count(LemmaId::ExtremumCompared), result;
}

}  // namespace gg::prover
