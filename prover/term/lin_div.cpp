// Floor division of index forms, clamps, products, data atoms, tables, and refitting of forms over small boxes.
#include <algorithm>
#include <numeric>

#include "prover/term/floored.h"
#include "prover/term/form_walk.h"
#include "prover/term/last_hit.h"
#include "prover/term/permuted.h"
#include "prover/term/store.h"

namespace gg::prover {
namespace {

/// The balanced remainder of b modulo d, in (-d/2, d/2].
std::int64_t balanced(std::int64_t b, std::int64_t d) {
  const std::int64_t r = floor_mod(b, d);
  return 2 * r > d ? r - d : r;
}

/// Points of the box of a form that is enumerated at most.
constexpr std::int64_t kMaxPoints = 65536;
/// As many as cases that are compared one by one: with more, what only adds to a form stays outside of its points.
constexpr std::int64_t kMaxPlain = 4096;
/// Points of it whose values are a step: each is a few divisions.
constexpr std::uint64_t kPointsOfStep = 8;

}  // namespace

LinId Terms::div(LinId a, std::int64_t m) {
  GG_CHECK(m >= 1, "division of an index by a number below 1");
  if (m == 1) return a;
  const LinNode n = (*this)[a];
  if (floor_div(n.lo, m) == floor_div(n.hi, m)) return num(floor_div(n.lo, m));
  const PairKey key{raw(a), static_cast<std::uint64_t>(m)};
  if (const LinId* known = store_->div_memo.find(key)) return *known;
  step();
  std::vector<LinTerm> multiples, others;  // as they stand: 208 of v - 208 (v div 202) is in no digit of v
  for (const LinTerm& t : term_list(a)) (t.coef % m == 0 ? multiples : others).push_back(t);
  if (!multiples.empty()) {
    const LinId result = add(divided(0, multiples, m), div(make_lin(n.c0, others), m));
    count(LemmaId::MultipleOut);
    store_->div_memo.set(key, result);
    return result;
  }
  const DigitView v = view(a);
  if (floor_div(v.c0, m) != 0) count(LemmaId::MultipleOut);
  LinId out = num(floor_div(v.c0, m));
  LinId rest = num(floor_mod(v.c0, m));
  for (const VariableDigit& d : v.digits) {
    const std::int64_t r = balanced(d.coef, m);
    const std::int64_t quotient = (d.coef - r) / m;
    const LinId whole = digit(d);
    out = axpy(quotient, whole, out);
    if (r == 0) continue;
    const std::int64_t g = m / std::gcd(std::abs(r), m);
    const bool top = d.m * d.n >= d.extent;
    if (g < d.n && (top || d.n % g == 0)) {
      const LinId high = digit({d.var, d.extent, d.m * g, top ? (d.n + g - 1) / g : d.n / g, 1});
      const LinId low = axpy(-g, high, whole);
      count(LemmaId::DigitOut);
      out = axpy(r * g / m, high, out);
      rest = axpy(r, low, rest);
    } else {
      rest = axpy(r, whole, rest);
    }
  }
  for (const LinTerm& t : v.others) {
    const std::int64_t r = balanced(t.coef, m);
    out = axpy((t.coef - r) / m, atom_form(t.atom), out);
    rest = axpy(r, atom_form(t.atom), rest);
  }
  const LinId result = add(out, [&] {
    const LinNode rn = (*this)[rest];
    if (floor_div(rn.lo, m) == floor_div(rn.hi, m)) return count(LemmaId::WithinOneMultiple), num(floor_div(rn.lo, m));
    // A divisor g of m: what is not divisible by g stays in [0, g).
    DigitView w = view(rest);
    std::vector<std::int64_t> coefs;
    for (const VariableDigit& d : w.digits) coefs.push_back(std::abs(d.coef));
    for (const LinTerm& t : w.others) coefs.push_back(std::abs(t.coef));
    std::sort(coefs.rbegin(), coefs.rend());
    std::int64_t g = m;
    for (const std::int64_t c : coefs) {
      g = std::gcd(g, c);
      if (g == 1) break;
      const auto [high, low] = apart(w, g, floor_mod(w.c0, g));
      if ((*this)[low].lo < 0 || (*this)[low].hi >= g) continue;
      count(LemmaId::CommonDivisor);
      return div(divided((*this)[high].c0 / g, terms(high), g), m / g);
    }
    if (w.c0 == 0 && w.digits.empty() && w.others.size() == 1 && w.others[0].coef == 1) {
      const AtomNode atom = (*this)[w.others[0].atom];
      if (atom.kind == AtomKind::Div) return count(LemmaId::NestedQuotients), div(static_cast<LinId>(atom.arg), checked_mul(atom.m, m));
    }
    if (const auto turned = quotient_of_negative(*this, rest, m)) return *turned;
    const LinNode r = (*this)[rest];
    return atom_form(make_atom({.kind = AtomKind::Div, .height = r.height, .guards = true, .data = r.data, .m = m, .arg = raw(rest), .lo = floor_div(r.lo, m), .hi = floor_div(r.hi, m), .free = r.free}));
  }());
  store_->div_memo.set(key, result);
  return result;
}

LinId Terms::clamp(LinId a, std::int64_t lo, std::int64_t hi) {
  GG_CHECK(lo <= hi, "empty clamp");
  const LinNode n = (*this)[a];
  if (n.lo >= lo && n.hi <= hi) return count(LemmaId::ClampInRange), a;
  if (n.hi <= lo || n.lo >= hi) return count(LemmaId::ClampDecided), num(n.hi <= lo ? lo : hi);
  if (n.c0 != 0) return count(LemmaId::ClampOffset), offset(clamp(offset(a, -n.c0), checked_add(lo, -n.c0), checked_add(hi, -n.c0)), n.c0);
  if (const auto last = last_hit(*this, a, lo, hi)) return *last;
  // A side that the range decides is written as the range, so that equal functions have equal clamps.
  const std::int64_t low = std::max(lo, n.lo), high = std::min(hi, n.hi);
  if (const LinTerm only = terms(a)[0]; n.n == 1 && only.coef == 1 && (*this)[only.atom].kind == AtomKind::Clamp)
    return count(LemmaId::NestedClamps), clamp(static_cast<LinId>((*this)[only.atom].arg), low, high);
  const LinId r = atom_form(make_atom({.kind = AtomKind::Clamp, .height = n.height, .guards = true, .data = n.data, .arg = raw(a), .lo = low, .hi = high, .free = n.free}));
  return r;
}

/// A case of two numbers (one of a one-hot row) times another integer, as a case.
std::optional<LinId> Terms::times_case(AtomId x, AtomId y) {
  for (const auto& [numbers, other] : {std::pair(x, y), std::pair(y, x)}) {
    const auto t = static_cast<TermId>((*this)[numbers].arg);
    if ((*this)[numbers].kind != AtomKind::Data || (*this)[t].kind != Kind::Case) continue;
    const LinId first = as_lin(kid(t, 1)), second = as_lin(kid(t, 2));
    if (!is_num(first) || !is_num(second)) continue;
    const LinId a = atom_form(other);
    return as_lin(choose(kid(t, 0), integer(scale((*this)[first].c0, a)), integer(scale((*this)[second].c0, a))));
  }
  return std::nullopt;
}

LinId Terms::mul(LinId a, LinId b) {
  if (is_num(a)) return scale((*this)[a].c0, b);
  if (is_num(b)) return scale((*this)[b].c0, a);
  // (c + sum coef*atom) * (..) multiplied out, so that products of forms are sums of products of atoms.
  const LinNode x = (*this)[a], y = (*this)[b];
  LinId out = num(checked_mul(x.c0, y.c0));
  const std::vector<LinTerm> s(terms(a).begin(), terms(a).end()), t(terms(b).begin(), terms(b).end());
  for (const LinTerm& p : s) out = axpy(checked_mul(p.coef, y.c0), atom_form(p.atom), out);
  for (const LinTerm& p : t) out = axpy(checked_mul(p.coef, x.c0), atom_form(p.atom), out);
  for (const LinTerm& p : s) {
    for (const LinTerm& r : t) {
      if (const auto chosen = times_case(p.atom, r.atom)) {
        out = axpy(checked_mul(p.coef, r.coef), *chosen, out);
        continue;
      }
      const LinId u = atom_form(std::min(p.atom, r.atom)), w = atom_form(std::max(p.atom, r.atom));
      const LinNode un = (*this)[u], wn = (*this)[w];
      const std::int64_t corner[4] = {saturate_mul(un.lo, wn.lo), saturate_mul(un.lo, wn.hi), saturate_mul(un.hi, wn.lo),
                                      saturate_mul(un.hi, wn.hi)};
      const AtomId atom = make_atom({.kind = AtomKind::Mul, .height = std::max(un.height, wn.height), .guards = un.guards || wn.guards, .data = un.data || wn.data, .arg = raw(u), .arg2 = raw(w), .lo = *std::min_element(corner, corner + 4), .hi = *std::max_element(corner, corner + 4), .free = un.free | wn.free});
      out = axpy(checked_mul(p.coef, r.coef), atom_form(atom), out);
    }
  }
  return out;
}

LinId Terms::data(TermId term) {
  const TermNode n = (*this)[term];
  if (n.kind == Kind::Int) return lin(term);
  const auto [lo, hi] = int_range(term);
  if (lo == hi) return num(lo);
  return refit(atom_form(make_atom({.kind = AtomKind::Data, .height = n.height, .guards = (n.flags & kHasGuards) != 0, .data = (n.flags & (kHasReads | kHasInputs | kHasUnknown)) != 0, .arg = raw(term), .lo = lo, .hi = hi, .free = n.free})));
}

LinId Terms::table(std::vector<std::int64_t> values, LinId index) {
  index = clamp(index, 0, static_cast<std::int64_t>(values.size()) - 1);
  const LinNode n = (*this)[index];
  if (n.n == 0) return num(values[static_cast<std::size_t>(n.c0)]);
  const auto [low, high] = std::minmax_element(values.begin() + n.lo, values.begin() + n.hi + 1);
  const std::int64_t lo = *low, hi = *high;
  if (lo == hi) return num(lo);
  if (const auto one = table_of_variable(*this, values, index)) return *one;
  std::uint32_t number = 0;
  while (number < store_->tables.size() && store_->tables[number] != values) ++number;
  if (number == store_->tables.size()) store_->tables.push_back(std::move(values));
  return refit(atom_form(make_atom({.kind = AtomKind::Table, .height = n.height, .guards = n.guards, .data = n.data, .arg = raw(index), .arg2 = number, .lo = lo, .hi = hi, .free = n.free})));
}

/// An integer function of variables by its values (the first variable counts fastest): the digits of those that only add
/// to it, and a table of the others.
LinId Terms::as_table(std::span<const VarId> vars, std::span<const std::int64_t> extent, std::span<const std::int64_t> values,
                      std::int64_t base) {
  LinId outside = num(base);
  std::vector<VarId> inside;
  std::int64_t stride = 1;
  for (const VarId v : vars) {
    bool adds = true;  // what it adds is the same wherever the others are, and a multiple of it
    for (std::size_t k = 0; k < values.size() && adds; ++k) {
      const std::int64_t at = static_cast<std::int64_t>(k) / stride % extent[v];
      adds = values[k] == values[k - static_cast<std::size_t>(at * stride)] + at * values[static_cast<std::size_t>(stride)];
    }
    if (adds) outside = axpy(values[static_cast<std::size_t>(stride)], var(v, extent[v]), outside);
    else inside.push_back(v);
    stride *= extent[v];
  }
  std::vector<std::int64_t> entries;
  LinId index = LinId::Zero;
  std::int64_t count = 1;
  for (const VarId v : inside) {
    index = axpy(count, var(v, extent[v]), index);
    count *= extent[v];
  }
  for (std::int64_t k = 0; k < count; ++k) {
    std::int64_t rest = k, at = 0, place = 1;
    for (const VarId v : vars) {
      if (std::find(inside.begin(), inside.end(), v) != inside.end()) {
        at += place * (rest % extent[v]);
        rest /= extent[v];
      }
      place *= extent[v];
    }
    entries.push_back(values[static_cast<std::size_t>(at)]);
  }
  return add(outside, table(std::move(entries), index));
}

LinId Terms::refit(LinId a) {
  const LinNode n = (*this)[a];
  if (n.data || n.free == 0) return a;
  const auto mixed_in = [&](LinId form) {  // variables of which more than a multiple is added
    VarSet all = 0;
    for (const LinTerm& t : terms(form)) all |= (*this)[t.atom].kind == AtomKind::Var ? 0 : (*this)[t.atom].free;
    return all;
  };
  const VarSet mixed = mixed_in(a);
  if (mixed == 0) return a;
  const std::vector<LinTerm> parts(terms(a).begin(), terms(a).end());
  const auto has = [&](AtomKind kind) {
    return std::any_of(terms(a).begin(), terms(a).end(), [&](const LinTerm& t) { return (*this)[t.atom].kind == kind; });
  };
  const bool pieces = has(AtomKind::Data), tables = has(AtomKind::Table);
  const auto other = [&](LinId fit) {
    const auto fitted = terms(fit);
    const bool digits = std::all_of(fitted.begin(), fitted.end(), [&](const LinTerm& t) { return (*this)[t.atom].kind == AtomKind::Var; });
    if ((pieces || !digits) && fit != a) respelled_ |= mixed | mixed_in(fit);
    if (tables && fit != a) respelled_tables_ |= mixed | mixed_in(fit);
    return fit;
  };
  if (const LinId known = store_->refit_memo.get(raw(a)); raw(known) != IdSet::kNoId) return other(known);
  store_->refit_memo.set(raw(a), a);
  // Extents of the variables, cut into prime digits: each digit's weight is read off at its unit point.
  std::array<std::int64_t, kVars> extent{};
  LinVisitor visitor(*this, n.free);
  visitor.lin(a);
  for (const LinId part : visitor.lins) {
    for (const LinTerm& t : terms(part))
      if ((*this)[t.atom].kind == AtomKind::Var) extent[(*this)[t.atom].var] = (*this)[t.atom].extent;
  }
  std::int64_t points = 1;
  std::vector<VarId> vars;
  for (VarId v = 0; v < kVars; ++v) {
    if (extent[v] < 2) continue;
    vars.push_back(v);
    points = saturate_mul(points, extent[v]);
  }
  if (points > kMaxPlain && (n.free & ~mixed) != 0) {  // too many: what only adds to the rest needs none
    LinId outer = LinId::Zero;
    for (const LinTerm& t : parts)
      if (((*this)[t.atom].free & ~mixed) != 0) outer = axpy(t.coef, atom_form(t.atom), outer);
    const LinId whole = add(refit(axpy(-1, outer, a)), outer);
    store_->refit_memo.set(raw(a), whole);
    return whole;
  }
  if (points > kMaxPoints || vars.empty()) return a;
  step(static_cast<std::uint64_t>(points) / kPointsOfStep);
  std::array<std::int64_t, kVars> at{};
  const auto base = evaluate(a, at);
  if (!base) return a;
  LinId fit = num(*base);
  for (const VarId v : vars) {
    std::int64_t m = 1, left = extent[v];
    while (left > 1) {
      std::int64_t p = 2;
      while (left % p != 0) ++p;
      at[v] = m;
      const auto there = evaluate(a, at);
      at[v] = 0;
      if (!there) return a;
      fit = axpy(*there - *base, digit({v, extent[v], m, p, 1}), fit);
      m *= p;
      left /= p;
    }
  }
  std::vector<std::int64_t> values;  // above the first
  bool fits = true;
  for (std::int64_t k = 0; k < points; ++k) {
    std::int64_t r = k;
    for (const VarId v : vars) {
      at[v] = r % extent[v];
      r /= extent[v];
    }
    const auto here = evaluate(a, at);
    if (!here) return a;
    fits = fits && here == evaluate(fit, at);
    if (!fits && points > (pieces ? kMaxTable : kMaxFunction)) return a;
    values.push_back(*here - *base);
  }
  if (!fits) {
    const auto [least, most] = std::ranges::minmax(values);
    if (pieces) {
      fit = as_table(vars, extent, values, *base);
    } else {  // equal functions have one spelling: the first that occurred
      for (const VarId v : vars) values.insert(values.end(), {v, extent[v]});
      const auto [known, fresh] = store_->functions.try_emplace(std::move(values), offset(a, -*base));
      fit = fresh ? a : offset(known->second, *base);
    }
    store_->refit_memo.set(raw(a), fit);
    LinNode& whole = store_->lins[raw(fit)];  // its range is that of its values, however many quotients it is made of
    whole.lo = std::max(whole.lo, *base + least);
    whole.hi = std::min(whole.hi, *base + most);
    return other(fit);
  }
  store_->refit_memo.set(raw(a), fit);
  count(LemmaId::TableAffine);
  return other(fit);
}

}  // namespace gg::prover
