// What is known where a sum is finite (certificate.md, section 1, Outputs): no summand has an infinite factor.
#include <algorithm>
#include <array>
#include <bit>

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

bool same(const Attributes& a, const Attributes& b) { return a.finite == b.finite && a.nonzero == b.nonzero && a.nonnegative == b.nonnegative; }

/// What is known of the base of a power that is finite.
Attributes base_of_finite(Attributes a, int sign, bool integer) {
  a.ordered = true;
  if (sign > 0) a.finite = a.below_inf = true;
  else a.nonzero = true;
  if (!integer) a.nonnegative = true;  // of negative ones it is NaN
  a.positive = a.positive || (a.nonnegative && a.nonzero);
  return a;
}

/// The integer that a number is, a term of the data that is 0 at least.
std::optional<TermId> counted(Terms& t, TermId number) {
  const auto form = t.whole(number, true);
  if (!form || t[*form].lo != 0 || t[t.integer(*form)].kind == Kind::Int) return std::nullopt;
  return t.integer(*form);
}

bool is_fn(const Terms& t, TermId id, ScalarFn f) { return t[id].kind == Kind::Fn && static_cast<ScalarFn>(t[id].op) == f; }

/// Are two reals the same where the first is finite? What is known there of its factors, of those of factors that are sums themselves, also
/// over a box without guard, is given to fresh values in their places, the smallest first.
class WhereFinite {
 public:
  WhereFinite(Terms& t, TermId real, TermId other, std::span<const std::int64_t> extents) : t_(t), terms_{real, other}, extents_(extents) {}

  bool same() {
    do {
      if (terms_[0] == terms_[1]) return true;
      factors_.clear();
      collect(terms_[0]);
    } while (name_elements() || name_factor(true) || name_factor(false) || name_logarithms());
    return false;
  }

 private:
  /// The factors of what is one product, also of one that is multiplied by 0.
  std::vector<Factor> factors_of(TermId id) {
    if (is_fn(t_, id, ScalarFn::Multiply) && t_.kid(id, 0) == TermId::Zero) return factors_of(t_.kid(id, 1));
    const std::vector<Summand> list = t_.summands(id);
    return list.size() == 1 ? t_.factors(list[0].mono) : std::vector<Factor>();
  }

  /// Of two sums over one box, one where a condition holds and one where it does not, one has an element: what all elements of both have as a factor.
  void collect_either(TermId one, TermId two) {
    const std::vector<Factor> a = t_.factors(one), b = t_.factors(two);
    if (a.size() != 1 || b.size() != 1 || a[0].exp != RatId::One || b[0].exp != RatId::One || t_[a[0].term].kind != Kind::Fold || t_[b[0].term].kind != Kind::Fold) return;
    const FoldParts other = t_.fold_parts(b[0].term);
    if (t_.fold_parts(a[0].term).op != ScalarFn::Add || other.op != ScalarFn::Add || other.guard == TermId::True || t_.fold_parts(a[0].term).extents != other.extents) return;
    const Opened open = t_.open(a[0].term);
    const Terms::Map there(other.first, std::span(open.vars.begin(), open.vars.end()));
    if (t_.substitute(other.guard, there) != t_.negate(open.guard)) return;
    const std::vector<Factor> all = factors_of(t_.substitute(other.body, there));
    for (const Factor& f : factors_of(open.bodies[0]))
      if (bound(t_[f.term].free) == 0 && std::ranges::find(all, f) != all.end() && std::ranges::find(factors_, f) == factors_.end()) factors_.push_back(f);
  }

  void collect(TermId sum) {
    const std::vector<Summand> all = t_.summands(sum);
    for (std::size_t k = 0; k < all.size(); ++k)
      for (std::size_t n = k + 1; n < all.size(); ++n) collect_either(all[k].mono, all[n].mono);
    for (const Summand& s : all) {
      for (const Factor& f : t_.factors(s.mono)) {
        if (std::find(factors_.begin(), factors_.end(), f) != factors_.end()) continue;
        factors_.push_back(f);
        if (t_.q.sign(f.exp) < 0) continue;
        if (t_[f.term].kind == Kind::Poly) collect(f.term);
        if (t_[f.term].kind != Kind::Fold) continue;
        const FoldParts p = t_.fold_parts(f.term);
        if (p.op == ScalarFn::Add && p.guard == TermId::True) collect(p.body);
      }
    }
  }

  static VarSet bound(VarSet free) { return free >> kFirstBound << kFirstBound; }
  Attributes known(const Factor& f) { return base_of_finite(t_.attributes(f.term), t_.q.sign(f.exp), t_.q.is_integer(f.exp)); }

  /// The indices of a read that say which element it is, those free of binders; nothing for a binder of its own that takes all values. No
  /// result: some elements are not met.
  std::optional<std::vector<std::optional<LinId>>> met(TermId read) {
    std::vector<std::optional<LinId>> at;
    VarSet binders = 0;
    for (const LinId l : t_.index_of(read)) {
      const VarSet inside = bound(t_[l].free);
      if (inside != 0) {
        const std::int64_t extent = t_.anchor(t_.anchor_of(read)).extents[at.size()];
        if ((binders & inside) != 0 || l != t_.var(static_cast<VarId>(std::countr_zero(inside)), extent)) return std::nullopt;
        binders |= inside;
      }
      at.push_back(inside != 0 ? std::nullopt : std::optional(l));
    }
    return at;
  }

  bool name_elements() {
    const auto before = terms_;
    for (const Factor& f : factors_) {
      if (t_[f.term].kind != Kind::Read || t_[f.term].sort != Sort::Real || prover::same(known(f), t_.attributes(f.term))) continue;
      const auto at = met(f.term);
      if (!at) continue;
      const AnchorId anchor = t_.anchor_of(f.term);
      Anchor named = t_.anchor(anchor);
      named.kind = AnchorKind::Opaque;
      named.attributes = known(f);
      const AnchorId name = t_.add_anchor(std::move(named));
      const Terms::ReadsBy by = [&](TermId read, TermId) -> std::optional<TermId> {
        if (t_.anchor_of(read) != anchor) return std::nullopt;
        const std::vector<LinId> index = t_.index_of(read);
        for (std::size_t k = 0; k < index.size(); ++k)
          if ((*at)[k] && *(*at)[k] != index[k]) return std::nullopt;
        return t_.plain_read(name, index);
      };
      for (TermId& term : terms_) term = t_.replace_reads(term, by, true);
    }
    return terms_ != before;
  }

  /// A fresh value over the variables of a term.
  TermId fresh(TermId base, Anchor a) {
    a.kind = AnchorKind::Opaque;
    std::vector<LinId> index;
    for (VarId v = 0; v < extents_.size(); ++v)
      if ((t_[base].free & bit(v)) != 0) {
        a.extents.push_back(extents_[v]);
        index.push_back(t_.var(v, extents_[v]));
      }
    return t_.read(t_.add_anchor(std::move(a)), index);
  }

  bool replace(const SmallMap<TermId>& names) {
    const auto before = terms_;
    for (TermId& term : terms_) term = t_.exchange(t_.exchange(term, names), names);  // again where a sum has become one by itself
    return terms_ != before;
  }

  /// The smallest factor of which more is known, below the line or above.
  bool name_factor(bool below) {
    const Factor* smallest = nullptr;
    for (const Factor& f : factors_) {
      const bool above = t_.q.sign(f.exp) > 0, whole = t_.q.is_integer(f.exp), reals = has_reals(t_, f.term);
      const bool number = t_[f.term].kind == Kind::FromInt || t_[f.term].kind == Kind::Fold;
      if (above == below || bound(t_[f.term].free) != 0 || (!reals && (above || !number))) continue;
      if (above && (is_fn(t_, f.term, ScalarFn::Log) || (whole && t_[f.term].kind == Kind::Poly))) continue;
      if (prover::same(known(f), t_.attributes(f.term))) continue;
      if (smallest == nullptr || t_[f.term].size < t_[smallest->term].size) smallest = &f;
    }
    if (smallest == nullptr) return false;
    Anchor named;
    named.attributes = known(*smallest);
    const auto count = has_reals(t_, smallest->term) ? std::nullopt : counted(t_, smallest->term);
    if (count) {  // from 0 on: then from 1 on
      named.sort = Sort::Int;
      named.lo = 1;
      named.hi = t_[t_.as_lin(*count)].hi;
    }
    const TermId name = fresh(smallest->term, std::move(named));
    SmallMap<TermId> names;
    if (count) names.add(raw(*count), name);
    if (t_[smallest->term].kind != Kind::FromInt) names.add(raw(smallest->term), count ? t_.from_int(t_.as_lin(name)) : name);
    return replace(names);
  }

  /// The arguments of logarithms, and of one that is the sum of products with an exponential over a box, the largest exponent: one is above
  /// minus infinity where the sum is above zero, all are below infinity where it is finite.
  bool name_logarithms() {
    SmallMap<TermId> names;
    for (const Factor& f : factors_) {
      if (t_.q.sign(f.exp) < 0 || !is_fn(t_, f.term, ScalarFn::Log) || bound(t_[f.term].free) != 0) continue;
      const TermId x = t_.kid(f.term, 0);
      name_finite(x, true, names);
      if (t_[x].kind != Kind::Fold || t_.fold_parts(x).op != ScalarFn::Add) continue;
      const Opened open = t_.open(x);
      const std::vector<Summand> element = t_.summands(open.bodies[0]);
      if (element.size() != 1) continue;
      for (const Factor& e : t_.factors(element[0].mono))
        if (e.exp == RatId::One && is_fn(t_, e.term, ScalarFn::Exp)) name_finite(t_.fold(ScalarFn::Max, open.vars, open.guard, t_.kid(e.term, 0)), false, names);
    }
    return !names.empty() && replace(names);
  }

  void name_finite(TermId term, bool positive, SmallMap<TermId>& names) {
    Anchor named;
    named.attributes = base_of_finite(t_.attributes(term), 1, true);
    if (positive) named.attributes.positive = named.attributes.nonnegative = named.attributes.nonzero = true;
    if (!prover::same(named.attributes, t_.attributes(term)) && names.find(raw(term)) == nullptr) names.add(raw(term), fresh(term, std::move(named)));
  }

  Terms& t_;
  std::array<TermId, 2> terms_;
  std::span<const std::int64_t> extents_;
  std::vector<Factor> factors_;
};

/// The condition of a case that it is, or that is a factor of a summand.
std::optional<TermId> test_in(const Terms& t, TermId real) {
  if (t[real].kind == Kind::Case) return t.kid(real, 0);
  if (t[real].kind != Kind::Poly && t[real].kind != Kind::Mono) return std::nullopt;
  for (const Summand& s : t.summands(real))
    for (const Factor& f : t.factors(s.mono))
      if (t[f.term].kind == Kind::Case) return t.kid(f.term, 0);
  return std::nullopt;
}

}  // namespace

bool Terms::same_where_finite(TermId real, TermId other, std::span<const std::int64_t> extents, int depth) {
  if (WhereFinite(*this, real, other, extents).same()) return true;
  const auto test = depth > 0 ? test_in(*this, real) : std::nullopt;
  if (!test) return false;
  for (const TermId g : {*test, negate(*test)}) {  // each branch by itself
    const TermId a = assume(real, g), b = assume(other, g);
    if (a == real || (a != b && !same_where_finite(a, b, extents, depth - 1))) return false;
  }
  return true;
}

}  // namespace gg::prover
