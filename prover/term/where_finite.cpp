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
TermId name(Terms& t, TermId base, const Attributes& known, std::span<const std::int64_t> extents) {
  Anchor a;
  a.kind = AnchorKind::Opaque;
  a.attributes = known;
  std::vector<LinId> index;
  for (VarId v = 0; v < kFreeVars; ++v)
    if (v < extents.size() && (t[base].free & bit(v)) != 0) {
      a.extents.push_back(extents[v]);
      index.push_back(t.var(v, extents[v]));
    }
  const AnchorId anchor = t.add_anchor(std::move(a));
  return t.read(anchor, index);
}

}  // namespace

std::optional<std::pair<TermId, TermId>> Terms::where_finite(TermId sum, TermId a, TermId b, std::span<const std::int64_t> extents) {
  if ((*this)[sum].kind != Kind::Poly) return std::nullopt;
  SmallMap<TermId> names;
  bool some = false;
  for (const Summand& s : summands(sum)) {
    for (const Factor& f : factors(s.mono)) {
      const Attributes before = attributes(f.term), now = base_of_finite(before, q.sign(f.exp), q.is_integer(f.exp));
      if (now.finite == before.finite && now.nonzero == before.nonzero && now.nonnegative == before.nonnegative) continue;
      const bool number = (*this)[f.term].kind == Kind::FromInt || (*this)[f.term].kind == Kind::Fold;
      if (!has_reals(*this, f.term) && !(number && q.sign(f.exp) < 0)) continue;
      if (names.find(raw(f.term)) == nullptr) names.add(raw(f.term), name(*this, f.term, now, extents));
      some = true;
    }
  }
  if (!some) return std::nullopt;
  const TermId x = exchange(a, names);
  return std::pair{x, exchange(b, names)};
}

}  // namespace gg::prover
