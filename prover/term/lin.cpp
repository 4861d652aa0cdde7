// Index forms: linear combinations of atoms, their ranges, and their view as digits of variables.
#include <algorithm>
#include <array>

#include "prover/term/store.h"
#include "prover/term/terms.h"
#include "prover/term/wide.h"

namespace gg::prover {

LinId Terms::num(std::int64_t c) { return make_lin(c, {}); }

LinId Terms::atom_form(AtomId atom) { return make_lin(0, std::array{LinTerm{1, atom}}); }

LinId Terms::divided(std::int64_t c0, std::span<const LinTerm> list, std::int64_t by) {
  std::vector<LinTerm> scaled;
  for (const LinTerm& t : list) scaled.push_back({t.coef / by, t.atom});
  return make_lin(c0, scaled);
}

std::vector<LinId> Terms::variables(std::span<const std::int64_t> extents) {
  std::vector<LinId> all;
  for (const std::int64_t extent : extents) all.push_back(var(static_cast<VarId>(all.size()), extent));
  return all;
}

LinId Terms::var_div(VarId v, std::int64_t extent, std::int64_t m) {
  if (m >= extent) return count(LemmaId::VariableBelowDivisor), LinId::Zero;
  return atom_form(make_atom({.kind = AtomKind::Var, .var = v, .extent = extent, .m = m, .lo = 0, .hi = (extent - 1) / m, .free = bit(v)}));
}

LinId Terms::offset(LinId a, std::int64_t c) { return combine(c, std::array{std::pair<std::int64_t, LinId>(1, a)}); }

LinId Terms::axpy(std::int64_t factor, LinId x, LinId y) {
  if (factor == 0 || x == LinId::Zero) return y;
  return combine(0, std::array{std::pair<std::int64_t, LinId>(1, y), std::pair(factor, x)});
}

LinId Terms::combine(std::int64_t c0, std::span<const std::pair<std::int64_t, LinId>> parts) {
  if (c0 == 0 && parts.size() == 1 && parts[0].first == 1) return parts[0].second;
  std::vector<LinTerm> all;
  all.reserve(2 * parts.size());
  for (const auto& [factor, form] : parts) {
    c0 = checked_add(c0, checked_mul(factor, (*this)[form].c0));
    for (const LinTerm& t : terms(form)) all.push_back({checked_mul(factor, t.coef), t.atom});
  }
  std::sort(all.begin(), all.end(), [](const LinTerm& a, const LinTerm& b) { return a.atom < b.atom; });
  std::size_t distinct = 0;
  for (const LinTerm& t : all) {
    if (distinct != 0 && all[distinct - 1].atom == t.atom) all[distinct - 1].coef = checked_add(all[distinct - 1].coef, t.coef);
    else all[distinct++] = t;
  }
  all.resize(distinct);
  std::erase_if(all, [](const LinTerm& t) { return t.coef == 0; });
  return make_lin(c0, all);
}

namespace {

/// Adds coef * [lo, hi] to a range. An end beyond kFarEnd says nothing, and the sum has none there.
void widen(std::int64_t coef, std::int64_t lo, std::int64_t hi, std::int64_t& low, std::int64_t& high) {
  const auto times = [coef](std::int64_t end) {
    if (end > -kFarEnd && end < kFarEnd) return saturate_mul(end, coef);
    return (end < 0) == (coef < 0) ? INT64_MAX : INT64_MIN;
  };
  const std::int64_t least = std::min(times(lo), times(hi)), most = std::max(times(lo), times(hi));
  low = low == INT64_MIN || least == INT64_MIN ? INT64_MIN : saturate_add(low, least);
  high = high == INT64_MAX || most == INT64_MAX ? INT64_MAX : saturate_add(high, most);
}

}  // namespace

DigitView Terms::view(LinId id) const {
  DigitView v;
  v.c0 = (*this)[id].c0;
  std::vector<LinTerm> vars;
  for (const LinTerm& t : terms(id)) ((*this)[t.atom].kind == AtomKind::Var ? vars : v.others).push_back(t);
  std::sort(vars.begin(), vars.end(), [&](const LinTerm& a, const LinTerm& b) {
    const AtomNode &x = (*this)[a.atom], &y = (*this)[b.atom];
    return x.var != y.var ? x.var < y.var : x.m < y.m;
  });
  for (std::size_t i = 0; i < vars.size();) {
    const AtomNode& first = (*this)[vars[i].atom];
    std::size_t end = i + 1;
    bool chain = true;
    for (; end < vars.size() && (*this)[vars[end].atom].var == first.var; ++end)
      chain = chain && (*this)[vars[end].atom].m % (*this)[vars[end - 1].atom].m == 0;
    std::int64_t coef = 0;
    for (std::size_t k = i; k < end; ++k) {
      const AtomNode& a = (*this)[vars[k].atom];
      if (!chain) {  // cuts that do not nest: each quotient on its own
        v.others.push_back(vars[k]);
        continue;
      }
      const std::int64_t before = k > i ? a.m / (*this)[vars[k - 1].atom].m : 1;
      coef = checked_add(checked_mul(coef, before), vars[k].coef);
      const std::int64_t n =
          k + 1 < end ? (*this)[vars[k + 1].atom].m / a.m : (a.extent + a.m - 1) / a.m;
      if (coef != 0) v.digits.push_back({a.var, a.extent, a.m, n, coef});
    }
    i = end;
  }
  return v;
}

LinId Terms::digit(const VariableDigit& d) {
  const LinId low = var_div(d.var, d.extent, d.m);
  if (d.m * d.n >= d.extent) return low;
  return axpy(-d.n, var_div(d.var, d.extent, d.m * d.n), low);
}

/// What of a form is a multiple of m, and what is not, with `rest` of its constant.
std::pair<LinId, LinId> Terms::apart(const DigitView& v, std::int64_t m, std::int64_t rest) {
  LinId low = num(rest), high = num(v.c0 - rest);
  const auto put = [&](std::int64_t coef, LinId part) {
    LinId& side = coef % m == 0 ? high : low;
    side = axpy(coef, part, side);
  };
  for (const VariableDigit& d : v.digits) put(d.coef, digit(d));
  for (const LinTerm& t : v.others) put(t.coef, atom_form(t.atom));
  return {high, low};
}

LinId Terms::make_lin(std::int64_t c0, std::span<const LinTerm> list) {
  std::uint64_t h = mix(7, static_cast<std::uint64_t>(c0));
  for (const LinTerm& t : list) h = mix(mix(h, raw(t.atom)), static_cast<std::uint64_t>(t.coef));
  const std::uint32_t found = store_->lin_set.find(h, [&](std::uint32_t id) {
    const LinNode& n = store_->lins[id];
    return n.c0 == c0 && n.n == list.size() && std::equal(list.begin(), list.end(), store_->lin_terms.begin() + n.first);
  });
  if (found != IdSet::kNoId) return static_cast<LinId>(found);
  LinNode n;
  n.c0 = c0;
  n.first = static_cast<std::uint32_t>(store_->lin_terms.size());
  n.n = static_cast<std::uint16_t>(list.size());
  if (list.size() > 4096) throw TermLimit("index form too long");
  for (const LinTerm& t : list) {
    const AtomNode& a = (*this)[t.atom];
    n.free |= a.free;
    n.height = std::max(n.height, a.height);
    n.guards = n.guards || a.guards;
    n.data = n.data || a.data;
  }
  const auto id = static_cast<std::uint32_t>(store_->lins.size());
  store_->lin_terms.insert(store_->lin_terms.end(), list.begin(), list.end());
  store_->lins.push_back(n);
  store_->lin_set.insert(h, id);
  const auto lin = static_cast<LinId>(id);
  // Range: digits exactly; f*X - f*d*(X div d) as f*(X mod d); other atoms by their own bounds.
  DigitView v = view(lin);
  std::int64_t low = v.c0, high = v.c0;
  bool settled = false;
  for (std::size_t k = 0; k < v.others.size() && !settled; ++k) {
    const AtomNode a = (*this)[v.others[k].atom];
    if (a.kind != AtomKind::Div) continue;
    settled = widened_by_digit(*this, lin, v.others[k], widen, low, high);
    if (settled || v.others[k].coef % a.m != 0) continue;
    const std::int64_t f = -v.others[k].coef / a.m;
    const auto arg = static_cast<LinId>(a.arg);
    bool covered = (*this)[arg].n > 0;
    for (const LinTerm& t : terms(arg)) {
      bool here = false;
      for (const LinTerm& s : terms(lin)) here = here || (s.atom == t.atom && s.coef == f * t.coef);
      covered = covered && here;
    }
    if (!covered) continue;
    LinId rest = axpy(-f, arg, lin);
    rest = axpy(checked_mul(f, a.m), atom_form(v.others[k].atom), rest);
    low = (*this)[rest].lo;
    high = (*this)[rest].hi;
    widen(f, 0, a.m - 1, low, high);
    settled = true;
  }
  if (!settled) {
    for (const VariableDigit& d : v.digits) widen(d.coef, 0, d.n - 1, low, high);
    for (const LinTerm& t : v.others) widen(t.coef, (*this)[t.atom].lo, (*this)[t.atom].hi, low, high);
  }
  store_->lins[id].lo = low;
  store_->lins[id].hi = high;
  return lin;
}

std::optional<std::int64_t> Terms::evaluate(LinId id, std::span<const std::int64_t> values) const {
  std::int64_t sum = (*this)[id].c0;
  for (const LinTerm& t : terms(id)) {
    const AtomNode& a = (*this)[t.atom];
    const std::optional<std::int64_t> inner = a.kind == AtomKind::Var    ? values[a.var]
                                              : a.kind == AtomKind::Data ? evaluate(static_cast<TermId>(a.arg), values)
                                                                         : evaluate(static_cast<LinId>(a.arg), values);
    if (!inner) return std::nullopt;
    std::int64_t x = *inner;
    if (a.kind == AtomKind::Var || a.kind == AtomKind::Div) x = floor_div(x, a.m);
    if (a.kind == AtomKind::Clamp) x = std::clamp(x, a.lo, a.hi);
    if (a.kind == AtomKind::Table) {
      const std::vector<std::int64_t>& table = table_values(a.arg2);
      if (x < 0 || x >= static_cast<std::int64_t>(table.size())) return std::nullopt;
      x = table[static_cast<std::size_t>(x)];
    }
    if (a.kind == AtomKind::Mul) {
      const auto y = evaluate(static_cast<LinId>(a.arg2), values);
      if (!y) return std::nullopt;
      x = checked_mul(x, *y);
    }
    sum = checked_add(sum, checked_mul(t.coef, x));
  }
  return sum;
}

std::optional<std::int64_t> Terms::evaluate(TermId id, std::span<const std::int64_t> values) const {
  const TermNode& n = (*this)[id];
  switch (n.kind) {
    case Kind::True: return 1;
    case Kind::False: return 0;
    case Kind::Int: return evaluate(lin(id), values);
    case Kind::Ge:
    case Kind::Eq: {
      const auto x = evaluate(lin(id), values);
      if (!x) return std::nullopt;
      return (n.kind == Kind::Ge ? *x >= 0 : *x == 0) ? 1 : 0;
    }
    case Kind::Not: {
      const auto x = evaluate(kid(id, 0), values);
      return x ? std::optional<std::int64_t>(1 - *x) : std::nullopt;
    }
    case Kind::And:
    case Kind::Or:
      for (std::size_t k = 0; k < n.n; ++k) {
        const auto x = evaluate(kid(id, k), values);
        if (!x) return std::nullopt;
        if ((*x != 0) == (n.kind == Kind::Or)) return n.kind == Kind::Or ? 1 : 0;
      }
      return n.kind == Kind::Or ? 0 : 1;
    case Kind::Case: {
      const auto x = evaluate(kid(id, 0), values);
      return x ? evaluate(kid(id, *x != 0 ? 1 : 2), values) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

}  // namespace gg::prover
