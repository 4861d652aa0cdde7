// What is known where a sum is finite (certificate.md, section 1, Outputs): no summand has an infinite factor.
#include <bit>
#include <tuple>

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

bool is_fn(const Terms& t, TermId id, ScalarFn f) { return t[id].kind == Kind::Fn && static_cast<ScalarFn>(t[id].op) == f; }

/// Names of the argument of a logarithm, and if it is the sum of products with an exponential over a box, of the largest exponent: one is
/// above minus infinity where the sum is above zero, all are below infinity where it is finite.
void name_logarithm(Terms& t, TermId log, std::span<const std::int64_t> extents, SmallMap<TermId>& names) {
  const auto finite = [&](TermId term, bool positive) {
    Anchor named;
    named.attributes = t.attributes(term);
    named.attributes.finite = named.attributes.below_inf = named.attributes.ordered = true;
    if (positive) named.attributes.positive = named.attributes.nonnegative = named.attributes.nonzero = true;
    if (names.find(raw(term)) == nullptr) names.add(raw(term), name(t, term, std::move(named), extents));
  };
  const TermId x = t.kid(log, 0);
  finite(x, true);
  if (t[x].kind != Kind::Fold || t.fold_parts(x).op != ScalarFn::Add) return;
  const Opened open = t.open(x);
  const std::vector<Summand> element = t.summands(open.bodies[0]);
  if (element.size() != 1) return;
  for (const Factor& f : t.factors(element[0].mono))
    if (f.exp == RatId::One && is_fn(t, f.term, ScalarFn::Exp)) finite(t.fold(ScalarFn::Max, open.vars, open.guard, t.kid(f.term, 0)), false);
}

/// Which factors get names: what is below the line alone, all but logarithms, or these.
enum class Named : std::uint8_t { Below,
                                  Factors,
                                  Logarithms };

/// Names of factors of the sum of which more is known where it is finite.
SmallMap<TermId> names_in(Terms& t, TermId sum, std::span<const std::int64_t> extents, Named which) {
  SmallMap<TermId> names;
  for (const Summand& s : t.summands(sum)) {
    for (const Factor& f : t.factors(s.mono)) {
      const bool above = t.q.sign(f.exp) > 0, log = above && is_fn(t, f.term, ScalarFn::Log);
      if (log && which == Named::Logarithms) name_logarithm(t, f.term, extents, names);
      if (log || which == Named::Logarithms || (above && which == Named::Below)) continue;
      const Attributes before = t.attributes(f.term), now = base_of_finite(before, t.q.sign(f.exp), t.q.is_integer(f.exp));
      if (now.finite == before.finite && now.nonzero == before.nonzero && now.nonnegative == before.nonnegative) continue;
      if (names.find(raw(f.term)) != nullptr) continue;
      Anchor named;
      named.attributes = now;
      const bool reals = has_reals(t, f.term), number = t[f.term].kind == Kind::FromInt || t[f.term].kind == Kind::Fold;
      if (!reals && (!number || above)) continue;
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

/// What is known of the elements of an anchor at these indices, whatever the others are.
struct KnownElements {
  AnchorId anchor;
  std::vector<std::optional<LinId>> at;
  Attributes now;
};

/// Elements of anchors that are factors of the summands of a sum, of those of a sum over a box without guard, and so on.
class Elements {
 public:
  explicit Elements(Terms& t) : t_(t) {}
  std::vector<KnownElements> found;

  void in(TermId sum) {
    for (const Summand& s : t_.summands(sum))
      for (const Factor& f : t_.factors(s.mono)) factor(f);
  }

 private:
  void factor(const Factor& f) {
    const Kind kind = t_[f.term].kind;
    if (kind == Kind::Read && t_[f.term].sort == Sort::Real) return read(f);
    if (t_.q.sign(f.exp) < 0) return;
    if (kind == Kind::Poly) return in(f.term);
    if (kind != Kind::Fold) return;
    const FoldParts p = t_.fold_parts(f.term);
    if (p.op == ScalarFn::Add && p.guard == TermId::True) in(p.body);
  }

  /// Each index is free of binders, or a binder of its own that takes all values.
  void read(const Factor& f) {
    KnownElements known{t_.anchor_of(f.term), {}, t_.attributes(f.term)};
    const Attributes before = known.now;
    known.now = base_of_finite(before, t_.q.sign(f.exp), t_.q.is_integer(f.exp));
    if (known.now.finite == before.finite && known.now.nonzero == before.nonzero && known.now.nonnegative == before.nonnegative) return;
    VarSet binders = 0;
    for (const LinId l : t_.index_of(f.term)) {
      const VarSet bound = t_[l].free >> kFirstBound << kFirstBound;
      if (bound == 0) {
        known.at.emplace_back(l);
        continue;
      }
      const std::int64_t extent = t_.anchor(known.anchor).extents[known.at.size()];
      const auto v = static_cast<VarId>(std::countr_zero(bound));
      if ((binders & bound) != 0 || l != t_.var(v, extent)) return;
      binders |= bound;
      known.at.emplace_back();
    }
    found.push_back(std::move(known));
  }

  Terms& t_;
};

}  // namespace

/// The terms with names for elements of which more is known where the first of them is finite; false if there are none.
bool Terms::name_elements(std::span<TermId> terms) {
  Elements elements(*this);
  elements.in(terms[0]);
  for (const KnownElements& known : elements.found) {
    Anchor named = anchor(known.anchor);
    named.kind = AnchorKind::Opaque;
    named.attributes = known.now;
    const AnchorId name = add_anchor(std::move(named));
    for (TermId& term : terms)
      term = replace_reads(
          term, [&](TermId read, TermId) -> std::optional<TermId> {
            if (anchor_of(read) != known.anchor) return std::nullopt;
            const std::vector<LinId> index = index_of(read);
            for (std::size_t k = 0; k < index.size(); ++k)
              if (known.at[k] && *known.at[k] != index[k]) return std::nullopt;
            return plain_read(name, index);
          },
          true);
  }
  return !elements.found.empty();
}

std::optional<std::pair<TermId, TermId>> Terms::where_finite(TermId sum, TermId a, TermId b, std::span<const std::int64_t> extents) {
  std::array terms{sum, a, b};
  bool any = false;
  while (terms[1] != terms[2] && name_elements(terms)) any = true;
  for (const Named which : {Named::Below, Named::Factors, Named::Logarithms}) {
    if (terms[1] == terms[2]) break;
    const SmallMap<TermId> names = names_in(*this, terms[0], extents, which);
    if (names.empty()) continue;
    any = true;
    for (TermId& t : terms) t = exchange(exchange(t, names), names);  // again where a sum has become one by itself
  }
  return any ? std::optional(std::pair{terms[1], terms[2]}) : std::nullopt;
}

}  // namespace gg::prover
