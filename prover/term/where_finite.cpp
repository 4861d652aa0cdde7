// What is known where a sum is finite (certificate.md, section 1, Outputs): no summand has an infinite factor.
#include "prover/term/store.h"

namespace gg::prover {
namespace {

/// Is it made of reals that are none of integers? The checker's terms have one form of a number for both.
bool has_reals(const Terms& t, TermId id, int depth = 8) {
  const TermNode& n = t[id];
  const auto any = [&](std::size_t first, std::size_t step) {
    for (std::size_t k = first; k < n.n; k += step)
      if (depth > 0 && has_reals(t, t.kid(id, k), n.kind == Kind::Mono ? depth : depth - 1)) return true;
    return false;
  };
  switch (n.kind) {
    case Kind::Read: return n.sort == Sort::Real;
    case Kind::Poly: return any(1, 2);
    case Kind::Mono: return any(0, 2);
    case Kind::Case: return any(1, 1);
    case Kind::Fn: return n.sort == Sort::Real && any(0, 1);
    case Kind::Fold: return n.sort == Sort::Real && depth > 0 && has_reals(t, t.fold_parts(id).body, depth - 1);
    default: return false;
  }
}

Attributes base_of_finite(Attributes a, int sign, bool integer) {
  a.ordered = true;
  if (sign > 0) a.finite = a.below_inf = true;
  else a.nonzero = true;
  if (!integer) a.nonnegative = true;  // of negative ones it is NaN
  a.positive = a.positive || (a.nonnegative && a.nonzero);
  return a;
}

/// A fresh name for a term of which more is known.
TermId name(Terms& t, TermId base, Anchor a, std::span<const std::int64_t> extents) {
  a.kind = AnchorKind::Opaque;
  std::vector<LinId> index;
  for (VarId v = 0; v < kFreeVars; ++v)
    if (v < extents.size() && (t[base].free & bit(v)) != 0) {
      a.extents.push_back(extents[v]);
      index.push_back(t.var(v, extents[v]));
    }
  const AnchorId anchor = t.add_anchor(std::move(a));
  return t.read(anchor, index);
}

/// The highest value of a count of ones (or of another literal), a sum over a box.
std::optional<std::int64_t> highest_count(Terms& t, TermId number) {
  if (t[number].kind != Kind::Fold || t.fold_parts(number).op != ScalarFn::Add) return std::nullopt;
  const FoldParts p = t.fold_parts(number);
  const auto one = t.is_lit(p.body) ? t.q.integer(t.rat(p.body)) : std::nullopt;
  if (!one || *one < 0) return std::nullopt;
  std::int64_t highest = *one;
  for (const std::int64_t n : p.extents) highest = saturate_mul(highest, n);
  return highest;
}

/// Names of factors of the sum of which more is known where it is finite; `all`: of those whose power is above zero too.
SmallMap<TermId> names_in(Terms& t, TermId sum, std::span<const std::int64_t> extents, bool all) {
  SmallMap<TermId> names;
  for (const Summand& s : t.summands(sum)) {
    for (const Factor& f : t.factors(s.mono)) {
      const Attributes before = t.attributes(f.term), now = base_of_finite(before, t.q.sign(f.exp), t.q.is_integer(f.exp));
      if (now.finite == before.finite && now.nonzero == before.nonzero && now.nonnegative == before.nonnegative) continue;
      if (names.find(raw(f.term)) != nullptr || (!all && t.q.sign(f.exp) > 0)) continue;
      Anchor named;
      named.attributes = now;
      const bool reals = has_reals(t, f.term), number = t[f.term].kind == Kind::FromInt || t[f.term].kind == Kind::Fold;
      if (!reals && !(number && t.q.sign(f.exp) < 0)) continue;
      const auto highest = reals ? std::nullopt : highest_count(t, f.term);
      if (highest) {  // from 0 on: then from 1 on
        named.sort = Sort::Int;
        named.lo = 1;
        named.hi = *highest;
      }
      const TermId fresh = name(t, f.term, std::move(named), extents);
      names.add(raw(f.term), highest ? t.from_int(t.as_lin(fresh)) : fresh);
    }
  }
  return names;
}

}  // namespace

std::optional<std::pair<TermId, TermId>> Terms::where_finite(TermId sum, TermId a, TermId b, std::span<const std::int64_t> extents) {
  if ((*this)[sum].kind != Kind::Poly) return std::nullopt;
  std::optional<std::pair<TermId, TermId>> result;
  for (const bool all : {false, true}) {
    const SmallMap<TermId> names = names_in(*this, sum, extents, all);
    if (names.empty()) continue;
    const auto named = [&](TermId t) { return exchange(exchange(t, names), names); };  // again where a sum has become one by itself
    result = {named(a), named(b)};
    if (result->first == result->second) break;
  }
  return result;
}

}  // namespace gg::prover
