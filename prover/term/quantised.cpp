// Numbers that are rounded to integers of a type that holds them (certificate.md, P7 and section 5): x over the largest |x| does not pass 1.
#include "prover/term/quantised.h"

#include "prover/term/store.h"

namespace gg::prover {
namespace {

constexpr int kShareLevels = 4;  ///< definitions opened one inside the other

bool is_function(const Terms& t, TermId id, ScalarFn f) { return t[id].kind == Kind::Fn && static_cast<ScalarFn>(t[id].op) == f; }

bool gives_whole(ScalarFn f) { return f == ScalarFn::RoundEven || f == ScalarFn::RoundAfz || f == ScalarFn::Floor || f == ScalarFn::Ceil; }

TermId inside_of(Terms& t, TermId x) { return t[x].kind == Kind::Read ? t.definition(x, TermId::True).value_or(x) : x; }

/// c > 0 for which c |x|, x a read, is no more than the root of `squares`, a sum over a box of multiples of squares.
std::optional<RatId> share_in_root(Terms& t, TermId squares, TermId x, int levels) {
  const auto [coef, whole] = t.content(squares);
  if (t.q.sign(coef) <= 0 || levels == 0) return std::nullopt;
  const auto least = [&](RatId c) { return t.q.compare(c, RatId::One) < 0 ? c : RatId::One; };  // of the root of c
  const auto times = [&, coef = coef](std::optional<RatId> c) { return c ? std::optional(t.q.mul(least(coef), *c)) : std::nullopt; };
  if (t[whole].kind == Kind::Read) {
    const TermId inside = inside_of(t, whole);
    return inside == whole ? std::nullopt : times(share_in_root(t, inside, x, levels - 1));
  }
  if (t[whole].kind != Kind::Fold || t.fold_parts(whole).op != ScalarFn::Add || t.fold_parts(whole).guard != TermId::True) return std::nullopt;
  const Opened box = t.open(whole);
  const std::vector<Summand> element = t.summands(inside_of(t, box.bodies[0]));
  const std::vector<Factor> square = element.size() == 1 ? t.factors(element[0].mono) : std::vector<Factor>();
  if (square.size() != 1 || square[0].exp != t.q.of(2) || t.q.sign(element[0].coef) <= 0 || !point_of(t, box, square[0].term, x)) return std::nullopt;
  return times(least(element[0].coef));
}

/// c > 0 for which c |x|, x a read, is no more than `all`, which is a maximum (also over a box) of multiples of absolute values.
std::optional<RatId> share_in(Terms& t, TermId all, TermId x, int levels) {
  const auto [coef, whole] = t.content(all);
  if (t.q.sign(coef) <= 0 || levels == 0) return std::nullopt;
  const auto times = [&, coef = coef](std::optional<RatId> c) { return c ? std::optional(t.q.mul(coef, *c)) : std::nullopt; };
  if (t[whole].kind == Kind::Read) {
    const TermId inside = inside_of(t, whole);
    return inside == whole ? std::nullopt : times(share_in(t, inside, x, levels - 1));
  }
  if (is_function(t, whole, ScalarFn::Max)) {
    for (std::size_t k = 0; k < t[whole].n; ++k)
      if (const auto c = share_in(t, t.kid(whole, k), x, levels)) return times(c);
    return std::nullopt;
  }
  if (const std::vector<Factor> root = t[whole].kind == Kind::Poly ? t.factors(t.summands(whole)[0].mono) : std::vector<Factor>(); root.size() == 1 && root[0].exp == t.q.of(1, 2) && t.summands(whole).size() == 1)
    return times(share_in_root(t, root[0].term, x, levels));
  if (t[whole].kind != Kind::Fold || t.fold_parts(whole).op != ScalarFn::Max || t.fold_parts(whole).guard != TermId::True) return std::nullopt;
  const Opened box = t.open(whole);
  const auto [inner, element] = t.content(inside_of(t, box.bodies[0]));
  const bool absolute = is_function(t, element, ScalarFn::Abs);
  if (t.q.sign(inner) <= 0 || (!absolute && !t.attributes(element).nonnegative)) return std::nullopt;
  const auto [size, read] = t.content(absolute ? t.kid(element, 0) : element);
  if (!point_of(t, box, read, x)) return std::nullopt;
  return times(t.q.mul(inner, t.q.sign(size) < 0 ? t.q.neg(size) : size));
}

/// Is it a whole number, or not finite?
bool whole_or_infinite(Terms& t, TermId x, int levels = 2) {
  if (t.is_lit(x)) return t.q.integer(t.rat(x)).has_value();
  if (t[x].kind == Kind::Read) {
    const TermId inside = inside_of(t, x);
    return inside != x && levels > 0 && whole_or_infinite(t, inside, levels - 1);
  }
  if (t[x].kind != Kind::Fn || t[x].sort != Sort::Real) return false;
  const auto f = static_cast<ScalarFn>(t[x].op);
  if (f != ScalarFn::Max && f != ScalarFn::Min) return gives_whole(f);
  for (std::size_t k = 0; k < t[x].n; ++k)
    if (!whole_or_infinite(t, t.kid(x, k), levels)) return false;
  return true;
}

}  // namespace

std::optional<Terms::Map> point_of(Terms& t, const Opened& box, TermId element, TermId x) {
  if (t[element].kind != Kind::Read || t[x].kind != Kind::Read || t.anchor_of(element) != t.anchor_of(x)) return std::nullopt;
  const std::vector<LinId> from = t.index_of(element), to = t.index_of(x);
  Terms::Map map;
  for (std::size_t k = 0; k < from.size(); ++k) {
    if ((t[from[k]].free & box.set) == 0) {
      if (from[k] != to[k]) return std::nullopt;
      continue;
    }
    bool found = false;
    for (std::size_t b = 0; b < box.vars.size() && !found; ++b) {
      const VarSet own = t[box.vars[b]].free;
      const LinId rest = t.sub(from[k], box.vars[b]), at = t.sub(to[k], rest);
      found = own != 0 && (t[rest].free & box.set) == 0 && (map.domain & own) == 0 && t[at].lo >= 0 && t[at].hi < box.extents[b];
      if (found) map.set(t[t.terms(box.vars[b])[0].atom].var, at);
    }
    if (!found) return std::nullopt;
  }
  return map;
}

bool passed(Terms& t, RatId constant, TermId x, bool upwards) {
  const Bounds b = t.bounds(x);
  const auto& end = upwards ? b.lo : b.hi;
  return end && (upwards ? t.q.compare(*end, constant) >= 0 : t.q.compare(*end, constant) <= 0);
}

Bounds bounds_of_share(Terms& t, std::span<const Factor> list) {
  if (list.size() != 2) return {};
  const Factor &x = list[list[0].exp == RatId::One ? 0 : 1], &all = list[list[0].exp == RatId::One ? 1 : 0];
  const bool root = all.exp == t.q.of(-1, 2);
  if (x.exp != RatId::One || (!root && all.exp != t.q.of(-1))) return {};
  const auto c = root ? share_in_root(t, all.term, x.term, kShareLevels) : share_in(t, all.term, x.term, kShareLevels);
  return c ? Bounds{t.q.neg(t.q.inv(*c)), t.q.inv(*c)} : Bounds{};
}

Bounds bounds_of_rounded(Terms& t, ScalarFn f, TermId id) {
  Bounds b = t.bounds(t.kid(id, 0));
  if (f == ScalarFn::Min) {
    for (std::size_t k = 1; k < t[id].n; ++k) {
      const Bounds next = t.bounds(t.kid(id, k));
      if (!b.hi || (next.hi && t.q.compare(*next.hi, *b.hi) < 0)) b.hi = next.hi;
      if (!next.lo || (b.lo && t.q.compare(*next.lo, *b.lo) < 0)) b.lo = next.lo;
    }
    return b;
  }
  if (!gives_whole(f)) return {};
  for (std::optional<RatId>* end : {&b.lo, &b.hi})
    if (*end && !t.q.integer(**end)) end->reset();
  return b;
}

std::optional<TermId> unrounded(Terms& t, AtomId atom) {
  const AtomNode n = t[atom];
  const auto id = static_cast<TermId>(n.arg);
  if (n.kind != AtomKind::Data || !is_function(t, id, ScalarFn::Convert)) return std::nullopt;
  const TermId r = t.kid(id, 0);
  const auto type = static_cast<ElementType>(t[id].type);
  if (t[r].sort != Sort::Real || !whole_or_infinite(t, r)) return std::nullopt;
  const Bounds b = t.bounds(r);
  const auto [lo, hi] = Terms::integer_bounds(type);
  const auto least = b.lo ? t.q.integer(*b.lo) : std::nullopt, most = b.hi ? t.q.integer(*b.hi) : std::nullopt;
  if (!least || !most || *least < std::max(lo, -t.exact_integers) || *most > std::min(hi, t.exact_integers)) return std::nullopt;
  const TermId none = t.opaque_fn(ScalarFn::Convert, Sort::Int, t[id].type, std::array{t.special(Special::NaN)});
  return t.choose(t.fn(ScalarFn::CompareEq, ElementType::Pred, std::array{r, r}), r, t.from_int(t.as_lin(none)));
}

}  // namespace gg::prover
