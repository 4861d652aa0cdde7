// The first of the largest elements of a row (certificate.md, R): what argmax returns, whether it is reduced with the values or found by them.
#include "prover/term/first.h"

#include "prover/term/wide.h"

namespace gg::prover {
namespace {

constexpr std::int64_t kFar = std::int64_t{1} << 60;  ///< ranges beyond are not followed

struct Compared {
  TermId key, named;
  bool upper, equal;
};

/// What a condition compares that binders move and what they do not: key = named, or key >= named (`upper`), or key <= named.
std::vector<Compared> compared_keys(Terms& t, TermId g, VarSet bound) {
  const bool turned = t[g].kind == Kind::Not;  // not a < b: b <= a
  const TermId fn = turned ? t.kid(g, 0) : g;
  const TermNode n = t[fn];
  std::vector<Compared> out;
  const auto compares = [&](ScalarFn f) { return n.kind == Kind::Fn && static_cast<ScalarFn>(n.op) == f; };
  const bool form = n.kind == Kind::Eq || n.kind == Kind::Ge, equal = n.kind == Kind::Eq || compares(ScalarFn::CompareEq);
  if (turned ? !compares(ScalarFn::CompareLt) : !form && !equal) return out;
  if (form) {
    LinId moved = LinId::Zero, rest = t.num(t[t.lin(g)].c0);
    for (const LinTerm& s : t.term_list(t.lin(g))) {
      LinId& part = (t[s.atom].free & bound) != 0 ? moved : rest;
      part = t.axpy(s.coef, t.atom_form(s.atom), part);
    }
    out.push_back({t.integer(moved), t.integer(t.scale(-1, rest)), true, equal});
    out.push_back({t.integer(t.scale(-1, moved)), t.integer(rest), false, equal});
    return out;
  }
  out.push_back({t.kid(fn, 0), t.kid(fn, 1), turned, equal});
  out.push_back({t.kid(fn, 1), t.kid(fn, 0), !turned, equal});
  if (t[t.kid(fn, 0)].sort != Sort::Real || !t.attributes(t.kid(fn, 0)).finite || !t.attributes(t.kid(fn, 1)).finite) return out;
  TermId moved = TermId::Zero, rest = TermId::Zero;  // moved + rest is 0, or at most 0
  for (const Summand& s : t.summands(t.add(t.kid(fn, 1), t.negative(t.kid(fn, 0))))) {
    TermId& part = (t[s.mono].free & bound) != 0 ? moved : rest;
    part = t.add(part, t.monomial(s.coef, s.mono));
  }
  out.push_back({moved, t.negative(rest), !turned, equal});
  out.push_back({t.negative(moved), rest, turned, equal});
  return out;
}

}  // namespace

TermId Terms::negative(TermId a) { return (*this)[a].sort == Sort::Int ? integer(scale(-1, as_lin(a))) : scale(q.of(-1), a); }

/// f at the first largest element of the key's row, if f grows with the place: then it is the least f of all largest ones.
std::optional<LinId> Terms::at_first_largest(LinId var, TermId key, LinId f) {
  if (is_num(var)) return f;
  const LinTerm own = terms(var)[0];
  const VarId v = (*this)[own.atom].var;
  std::int64_t step = 0;
  LinId rest = LinId::Zero;  // what else moves with the place
  for (const LinTerm& s : term_list(f)) {
    if (s.atom == own.atom) step = s.coef;
    else if (((*this)[s.atom].free & bit(v)) != 0) rest = axpy(s.coef, atom_form(s.atom), rest);
  }
  const LinNode r = (*this)[rest];
  if (step < 1 || r.lo < -kFar || r.hi > kFar || r.hi - r.lo >= step) return std::nullopt;
  Map there;
  there.set(v, as_lin(row(kOrder | kNanFirst, kPlace, Sort::Int, std::array{var}, std::array{LinId::Zero}, std::array{key})));
  return substitute(f, there);
}

/// A place of the largest of the tuples (e(b), f(b)): the largest e, and f at the first of these. An initial tuple is no more than the
/// first element if its value is no more, and nothing has that value or its f is as large.
std::optional<TermId> Terms::place_of_join(std::uint32_t signature, std::uint32_t leaf, TermId join) {
  const bool largest = (signature & kLargest) != 0;
  const TermNode n = (*this)[join];
  std::optional<RowParts> seed;
  std::optional<TermId> elements;
  if (n.kind != Kind::Fold && (n.kind != Kind::Fn || n.n != 2)) return std::nullopt;
  for (std::size_t k = 0; k < (n.kind == Kind::Fold ? 1 : n.n); ++k) {
    const TermId part = n.kind == Kind::Fold ? join : kid(join, k);
    if ((*this)[part].kind == Kind::Fold) elements = part;
    if ((*this)[part].kind == Kind::Row) seed = row_parts(part);
  }
  if (!elements || (n.kind == Kind::Fn && (!seed || seed->bodies.size() != 2))) return std::nullopt;
  const FoldParts p = fold_parts(*elements);
  if (p.guard != TermId::True || (*this)[p.body].kind != Kind::Row || row_parts(p.body).bodies.size() != 2) return std::nullopt;
  const Opened open = this->open(*elements);
  const std::vector<TermId> tuple = row_parts(open.bodies[0]).bodies;
  const TermId e = tuple[0];
  if ((*this)[tuple[1]].sort != Sort::Int) return std::nullopt;
  if (const auto rest = without_padding(*this, signature, open, tuple)) {
    const std::array parts{*rest, seed ? row(signature, 2, n.sort, {}, {}, seed->bodies) : *rest};
    return place_of_join(signature, leaf, extremum(ScalarFn::Max, parts));
  }
  if (p.extents.size() != 1) return std::nullopt;
  const LinId f = as_lin(tuple[1]);
  if (seed) {
    Map first;
    first.set((*this)[terms(open.vars[0])[0].atom].var, LinId::Zero);
    const bool later = (*this)[seed->bodies[1]].sort == Sort::Int && (*this)[sub(as_lin(seed->bodies[1]), substitute(f, first))].lo >= 0;
    const bool below = (*this)[e].sort == Sort::Real ? seed->bodies[0] == special(largest ? Special::NegInf : Special::PosInf)
                                                     : beyond_all(*this, as_lin(seed->bodies[0]), as_lin(e), largest);
    if (!below || (!later && ((*this)[e].sort != Sort::Real || !attributes(e).finite))) return std::nullopt;
  }
  const auto at = at_first_largest(open.vars[0], largest ? e : negative(e), f);
  if (!at) return std::nullopt;
  return leaf == 1 ? integer(*at) : fold(largest ? ScalarFn::Max : ScalarFn::Min, open.vars, TermId::True, e);
}

/// The least f(b) of those b at which the key is the largest (smallest) of all, others standing for no less: f at the first of these.
std::optional<TermId> Terms::first_of_largest(LinId var, TermId body) {
  if ((*this)[body].kind != Kind::Case) return std::nullopt;
  const VarSet bound = (*this)[var].free;
  const auto chosen = [&](TermId g, LinId yes, LinId no) -> std::optional<TermId> {
    if ((*this)[sub(no, yes)].lo < 0) return std::nullopt;
    for (const Compared& c : compared_keys(*this, g, bound)) {
      const auto meant = (*this)[c.named].kind == Kind::Read ? definition(c.named, TermId::True) : std::nullopt;
      const TermId all = meant.value_or(c.named);
      const bool ordered = (*this)[c.key].sort == Sort::Int || ((*this)[c.key].sort == Sort::Real && attributes(c.key).ordered);
      if (((*this)[all].free & bound) != 0 || ((*this)[c.key].free & bound) == 0 || !ordered) continue;
      for (const bool largest : {true, false}) {
        if (!c.equal && largest != c.upper) continue;
        if (fold(largest ? ScalarFn::Max : ScalarFn::Min, std::array{var}, TermId::True, c.key) != all) continue;
        const auto at = at_first_largest(var, largest ? c.key : negative(c.key), yes);
        if (at) return count(LemmaId::LeastOfLargest), integer(*at);
      }
    }
    return std::nullopt;
  };
  const TermId g = kid(body, 0);
  const LinId a = as_lin(kid(body, 1)), b = as_lin(kid(body, 2));
  if (const auto s = chosen(g, a, b)) return s;
  return (*this)[g].kind == Kind::Ge || (*this)[g].kind == Kind::Fn ? chosen(negate(g), b, a) : std::nullopt;
}

/// The first largest of the maxima of the parts of a row stands for the part with the first largest of the row.
std::optional<TermId> Terms::part_of_largest(std::uint32_t signature, LinId var, TermId body) {
  TermId others = TermId::Zero, part = TermId::Unknown;
  RatId times = RatId::One;
  if ((*this)[body].sort == Sort::Int) {
    const std::vector<LinTerm> list = term_list(as_lin(body));
    if (list.size() != 1 || std::abs(list[0].coef) != 1 || (*this)[list[0].atom].kind != AtomKind::Data) return std::nullopt;
    part = static_cast<TermId>((*this)[list[0].atom].arg);
    times = q.of(list[0].coef);
  } else {
    for (const Summand& s : summands(body)) {
      const std::vector<Factor> factors = this->factors(s.mono);
      const bool fold = factors.size() == 1 && factors[0].exp == RatId::One && (*this)[factors[0].term].kind == Kind::Fold;
      if (fold && part == TermId::Unknown) {
        part = factors[0].term;
        times = s.coef;
      } else {
        others = add(others, monomial(s.coef, s.mono));
      }
    }
    if (!attributes(others).finite) return std::nullopt;
  }
  if (part == TermId::Unknown || (*this)[part].kind != Kind::Fold) return std::nullopt;
  const FoldParts p = fold_parts(part);
  if (p.op != (q.sign(times) > 0 ? ScalarFn::Max : ScalarFn::Min) || p.guard != TermId::True || p.extents.size() != 1) return std::nullopt;
  const Opened open = this->open(part);
  const std::int64_t size = open.extents[0];
  const Fresh all = fresh((*this)[terms(var)[0].atom].extent * size);
  const TermId inner = open.bodies[0];
  const TermId element = (*this)[inner].sort == Sort::Int ? (times == RatId::One ? inner : negative(inner)) : add(others, scale(times, inner));
  Map map;
  map.set((*this)[terms(var)[0].atom].var, div(all[0], size));
  map.set((*this)[terms(open.vars[0])[0].atom].var, mod(all[0], size));
  const TermId best = row(signature, kPlace, Sort::Int, all, std::array{LinId::Zero}, std::array{substitute(element, map)});
  count(LemmaId::PartOfLargest);
  return integer(div(as_lin(best), size));
}

}  // namespace gg::prover
