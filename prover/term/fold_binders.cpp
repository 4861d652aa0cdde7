// Binders of a fold: solved by guards, cut at the digits used, merged, dropped, named (certificate.md, F3 and F4).
#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "prover/term/fold_builder.h"

namespace gg::prover {
namespace {

/// Visits every index form (nested ones included) of a term that has one of the variables.
class LinVisitor {
 public:
  LinVisitor(const Terms& terms, VarSet set) : t_(terms), set_(set) {}
  void term(TermId id) {
    const TermNode& n = t_[id];
    if ((n.free & set_) == 0 || !seen_terms_.insert(raw(id)).second) return;
    switch (n.kind) {
      case Kind::Int:
      case Kind::FromInt:
      case Kind::Ge:
      case Kind::Eq:
      case Kind::Wrap: lin(t_.lin(id)); return;
      case Kind::Read:
        for (const LinId l : t_.index_of(id)) lin(l);
        return;
      case Kind::Mono:
        for (const Factor& f : t_.factors(id)) term(f.term);
        return;
      case Kind::Poly:
        for (const Summand& s : t_.summands(id)) term(s.mono);
        return;
      case Kind::Fold: {
        const Terms::FoldParts p = t_.fold_parts(id);
        term(p.guard);
        term(p.body);
        return;
      }
      case Kind::Row: {
        const Terms::RowParts p = t_.row_parts(id);
        for (const LinId l : p.index) lin(l);
        for (const TermId b : p.bodies) term(b);
        return;
      }
      default:
        for (const std::uint32_t k : t_.kids(id)) term(static_cast<TermId>(k));
    }
  }
  void lin(LinId id) {
    if ((t_[id].free & set_) == 0 || !seen_lins_.insert(raw(id)).second) return;
    lins.push_back(id);
    for (const LinTerm& s : t_.terms(id)) {
      const AtomNode& a = t_[s.atom];
      if (a.kind == AtomKind::Var) continue;
      if (a.kind == AtomKind::Data) {
        term(static_cast<TermId>(a.arg));
      } else {
        lin(static_cast<LinId>(a.arg));
        if (a.kind == AtomKind::Mul) lin(static_cast<LinId>(a.arg2));
      }
    }
  }
  std::vector<LinId> lins;

 private:
  const Terms& t_;
  VarSet set_;
  std::unordered_set<std::uint32_t> seen_terms_, seen_lins_;
};

/// Positions of the entries in ascending order, if they are evenly spaced then (and are not so already).
std::optional<std::vector<std::int64_t>> ascending(std::span<const std::int64_t> values) {
  std::vector<std::int64_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  const auto value = [&](std::int64_t k) { return values[static_cast<std::size_t>(k)]; };
  std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return value(a) < value(b); });
  if (order.size() < 2 || std::is_sorted(order.begin(), order.end())) return std::nullopt;
  const std::int64_t step = value(order[1]) - value(order[0]);
  for (std::size_t k = 1; k < order.size(); ++k)
    if (step == 0 || value(order[k]) - value(order[k - 1]) != step) return std::nullopt;
  return order;
}

}  // namespace

std::vector<std::int64_t> Terms::cuts_of(TermId id, VarId v) const {
  LinVisitor visit(*this, bit(v));
  visit.term(id);
  std::vector<std::int64_t> cuts;
  for (const LinId l : visit.lins)
    for (const LinTerm& s : terms(l)) {
      const AtomNode& a = (*this)[s.atom];
      if (a.kind == AtomKind::Var && a.var == v && a.m > 1) cuts.push_back(a.m);
    }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  return cuts;
}

TermId FoldBuilder::replace(std::size_t k, LinId value, std::span<const LinId> fresh, TermId more, TermId without) {
  Terms::Map map;
  map.set(ids_[k], value);
  std::vector<LinId> vars = vars_;
  vars.erase(vars.begin() + static_cast<std::ptrdiff_t>(k));
  vars.insert(vars.end(), fresh.begin(), fresh.end());
  std::vector<TermId> guards{more};
  for (const TermId g : t_.conjuncts(guard_))
    if (g != without) guards.push_back(t_.substitute(g, map));
  const TermId guard = t_.conj(guards);
  return t_.fold(op_, vars, guard, guard == TermId::False ? body_ : t_.substitute(body_, map));
}

std::optional<TermId> FoldBuilder::cut() {
  LinVisitor visit(t_, set_);
  visit.term(guard_);
  visit.term(body_);
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    std::vector<std::int64_t> cuts;
    for (const LinId l : visit.lins)
      for (const LinTerm& s : t_.terms(l)) {
        const AtomNode& a = t_[s.atom];
        if (a.kind == AtomKind::Var && a.var == ids_[k] && a.m > 1) cuts.push_back(a.m);
      }
    if (cuts.empty()) continue;
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    bool chain = extents_[k] % cuts.back() == 0;
    for (std::size_t i = 1; i < cuts.size(); ++i) chain = chain && cuts[i] % cuts[i - 1] == 0;
    if (!chain) continue;
    cuts.insert(cuts.begin(), 1);
    cuts.push_back(extents_[k]);
    std::vector<std::int64_t> extents;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) extents.push_back(cuts[i + 1] / cuts[i]);
    t_.count(LemmaId::BindersCut);
    const std::vector<LinId> fresh = t_.push_vars(extents);
    LinId value = LinId::Zero;
    for (std::size_t i = 0; i < fresh.size(); ++i) value = t_.axpy(cuts[i], fresh[i], value);
    const TermId result = replace(k, value, fresh, TermId::True, TermId::Unknown);
    t_.pop_vars(fresh.size());
    return result;
  }
  return std::nullopt;
}

/// A binder that is only looked up in tables is renumbered, so that a table of evenly spaced entries ascends: tab(3,0,6;b)
/// becomes 3*b.
std::optional<TermId> FoldBuilder::sort_table() {
  LinVisitor visit(t_, set_);
  visit.term(guard_);
  visit.term(body_);
  const auto table_of = [&](const LinVisitor& all, LinId binder) -> const AtomNode* {
    for (const LinId l : all.lins)
      for (const LinTerm& s : t_.terms(l))
        if (t_[s.atom].kind == AtomKind::Table && static_cast<LinId>(t_[s.atom].arg) == binder) return &t_[s.atom];
    return nullptr;
  };
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const AtomNode* atom = table_of(visit, vars_[k]);
    if (atom == nullptr) continue;
    const auto order = ascending(t_.table_values(atom->arg2));
    if (!order || static_cast<std::int64_t>(order->size()) != extents_[k]) continue;
    const std::int64_t extent[1] = {extents_[k]};
    const std::vector<LinId> fresh = t_.push_vars(extent);
    const LinId value = t_.table(*order, fresh[0]);
    Terms::Map map;
    map.set(ids_[k], value);
    LinVisitor after(t_, t_[fresh[0]].free);
    after.term(t_.substitute(guard_, map));
    after.term(t_.substitute(body_, map));
    std::optional<TermId> result;
    if (table_of(after, fresh[0]) == nullptr) result = replace(k, value, fresh, TermId::True, TermId::Unknown);
    t_.pop_vars(1);
    if (result) return result;
  }
  return std::nullopt;
}

std::optional<TermId> FoldBuilder::solve() {
  const std::vector<TermId> list = t_.conjuncts(guard_);
  for (const TermId g : list)
    if (t_[g].kind == Kind::Eq)
      if (const auto s = solve_equality(g)) return s;
  for (const TermId g : list)
    if (t_[g].kind == Kind::Ge)
      for (const TermId h : list)
        if (h != g && t_[h].kind == Kind::Ge)
          if (const auto s = solve_interval(g, h)) return s;
  for (const TermId g : list)
    if (t_[g].kind == Kind::Ge)
      if (const auto s = solve_bound(g)) return s;
  for (const TermId g : list)
    if (t_[g].kind == Kind::Ge)
      if (const auto s = solve_range(g)) return s;
  for (const TermId g : list)
    if (t_[g].kind == Kind::Not && t_[t_.kid(g, 0)].kind == Kind::Eq)
      if (const auto s = solve_edge(g)) return s;
  return std::nullopt;
}

std::optional<TermId> FoldBuilder::solve_equality(TermId equality) {
  const auto pin = t_.pinned(t_.lin(equality), set_);
  if (!pin) return std::nullopt;
  t_.count(LemmaId::Pinned);
  const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), pin->first) - ids_.begin());
  return replace(k, pin->second, {}, t_.in_range(pin->second, extents_[k]), equality);
}

/// 0 <= X - c*b <= c-1 gives b = X div c.
std::optional<TermId> FoldBuilder::solve_interval(TermId low, TermId high) {
  const LinId l = t_.lin(low);
  const LinId total = t_.add(l, t_.lin(high));
  if (!t_.is_num(total)) return std::nullopt;
  const std::int64_t c = t_[total].c0 + 1;
  if (c < 2) return std::nullopt;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    const LinId x = t_.axpy(c, vars_[k], l);
    if ((t_[x].free & bit(ids_[k])) != 0) continue;
    t_.count(LemmaId::Interval);
    const LinId value = t_.div(x, c);
    return replace(k, value, {}, t_.in_range(value, extents_[k]), TermId::Unknown);
  }
  return std::nullopt;
}

/// The only variable of a form, if it is a binder with coefficient 1 or -1.
std::optional<std::pair<std::size_t, std::int64_t>> FoldBuilder::single(LinId form) {
  if (t_[form].n != 1) return std::nullopt;
  const LinTerm s = t_.terms(form)[0];
  const AtomNode a = t_[s.atom];
  if (a.kind != AtomKind::Var || a.m != 1 || std::abs(s.coef) != 1) return std::nullopt;
  const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), a.var) - ids_.begin());
  if (k == ids_.size()) return std::nullopt;
  return std::pair{k, s.coef};
}

/// A constant bound of one binder shortens and shifts it.
std::optional<TermId> FoldBuilder::solve_bound(TermId bound) {
  const auto at = single(t_.lin(bound));
  if (!at) return std::nullopt;
  const std::int64_t c0 = t_[t_.lin(bound)].c0;
  return shorten(at->first, at->second == 1 ? -c0 : 0, at->second == 1 ? extents_[at->first] - 1 : c0, bound);
}

/// So does a bound by a form that stays below the box's end: b <= L with L < n - 1 always. The guard stays.
std::optional<TermId> FoldBuilder::solve_range(TermId bound) {
  const LinId form = t_.lin(bound);
  const std::vector<LinTerm> terms = t_.term_list(form);
  for (const LinTerm& s : terms) {
    const AtomNode a = t_[s.atom];
    if (a.kind != AtomKind::Var || a.m != 1 || std::abs(s.coef) != 1) continue;
    const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), a.var) - ids_.begin());
    if (k == ids_.size()) continue;
    const LinId rest = t_.axpy(-s.coef, vars_[k], form);
    if ((t_[rest].free & bit(a.var)) != 0) continue;
    const std::int64_t low = s.coef == 1 ? std::max<std::int64_t>(0, -t_[rest].hi) : 0;
    const std::int64_t high = s.coef == 1 ? extents_[k] - 1 : std::min(extents_[k] - 1, t_[rest].hi);
    if (low == 0 && high == extents_[k] - 1) continue;
    if (high < low) return t_.unit(op_, t_[body_].sort);
    return shorten(k, low, high, TermId::Unknown);
  }
  return std::nullopt;
}

/// So does the exclusion of its first or last value.
std::optional<TermId> FoldBuilder::solve_edge(TermId other) {
  const LinId form = t_.lin(t_.kid(other, 0));
  const auto at = single(form);
  if (!at) return std::nullopt;
  const std::int64_t value = -at->second * t_[form].c0, last = extents_[at->first] - 1;
  if (value != 0 && value != last) return std::nullopt;
  return shorten(at->first, value == 0 ? 1 : 0, value == 0 ? last : last - 1, other);
}

std::optional<TermId> FoldBuilder::shorten(std::size_t k, std::int64_t low, std::int64_t high, TermId guard) {
  t_.count(t_[guard].kind == Kind::Not ? LemmaId::EdgeExcluded : low > 0 ? LemmaId::LowerBound : LemmaId::UpperBound);
  const std::int64_t extent[1] = {high - low + 1};
  const std::vector<LinId> fresh = t_.push_vars(extent);
  const TermId result = replace(k, t_.offset(fresh[0], low), fresh, TermId::True, guard);
  t_.pop_vars(1);
  return result;
}

/// The fold over k = n_b*a + b, for k from `first` to `last`, in place of binders a and b.
TermId FoldBuilder::as_one(std::size_t a, std::size_t b, std::span<const TermId> guards, std::int64_t first, std::int64_t last) {
  t_.count(op_ == ScalarFn::Add ? LemmaId::BindersMerge : LemmaId::ExtremaMerge);
  const std::int64_t extent[1] = {checked_mul(extents_[a], extents_[b])};
  const std::vector<LinId> fresh = t_.push_vars(extent);
  Terms::Map map;
  map.set(ids_[a], t_.div(fresh[0], extents_[b]));
  map.set(ids_[b], t_.mod(fresh[0], extents_[b]));
  std::vector<TermId> all{t_.ge(t_.offset(fresh[0], -first)), t_.ge(t_.offset(t_.scale(-1, fresh[0]), last))};
  for (const TermId g : guards) all.push_back(t_.substitute(g, map));
  std::vector<LinId> vars;
  for (std::size_t k = 0; k < vars_.size(); ++k)
    if (k != a && k != b) vars.push_back(vars_[k]);
  vars.push_back(fresh[0]);
  const TermId result = t_.fold(op_, vars, t_.conj(all), t_.substitute(body_, map));
  t_.pop_vars(1);
  return result;
}

std::optional<TermId> FoldBuilder::merge() {
  LinVisitor visit(t_, set_);
  visit.term(guard_);
  visit.term(body_);
  std::vector<std::vector<std::int64_t>> weight(ids_.size(), std::vector<std::int64_t>(visit.lins.size(), 0));
  std::vector<bool> blocked(ids_.size(), false), used(ids_.size(), false);
  for (std::size_t i = 0; i < visit.lins.size(); ++i) {
    for (const LinTerm& s : t_.terms(visit.lins[i])) {
      const AtomNode& a = t_[s.atom];
      if (a.kind != AtomKind::Var) continue;
      const auto k = static_cast<std::size_t>(std::find(ids_.begin(), ids_.end(), a.var) - ids_.begin());
      if (k == ids_.size()) continue;
      if (a.m > 1) blocked[k] = true;
      weight[k][i] += s.coef;
      used[k] = true;
    }
  }
  for (std::size_t a = 0; a < ids_.size(); ++a) {
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      if (a == b || blocked[a] || blocked[b] || !used[a] || !used[b]) continue;
      bool fits = true;
      for (std::size_t i = 0; i < visit.lins.size() && fits; ++i) fits = weight[a][i] == extents_[b] * weight[b][i];
      if (!fits) continue;
      return as_one(a, b, t_.conjuncts(guard_), 0, extents_[a] * extents_[b] - 1);
    }
  }
  return merge_interval();
}

/// Guards over two binders alone that hold for an interval of n_b*a + b: its bounds. Comparisons of small digits lose the radix:
/// 2*a + b <= 4 is a + b <= 2 for b < 2, a < 3.
std::optional<std::pair<std::int64_t, std::int64_t>> FoldBuilder::interval(const std::vector<TermId>& guards, std::size_t a, std::size_t b) {
  constexpr std::int64_t kMaxPoints = 256;  // as many as the checker looks at
  const std::int64_t n = extents_[b];
  if (extents_[a] > kMaxPoints || n > kMaxPoints || extents_[a] * n > kMaxPoints) return std::nullopt;
  std::array<std::int64_t, kVars> at{};
  std::int64_t first = -1, last = -1;
  for (std::int64_t k = 0; k < extents_[a] * n; ++k) {
    at[ids_[a]] = k / n;
    at[ids_[b]] = k % n;
    bool holds = true;
    for (const TermId g : guards) {
      const auto value = t_.evaluate(t_.lin(g), at);
      if (!value) return std::nullopt;
      holds = holds && (t_[g].kind == Kind::Ge ? *value >= 0 : *value == 0);
    }
    if (!holds) continue;
    if (first >= 0 && last != k - 1) return std::nullopt;
    if (first < 0) first = k;
    last = k;
  }
  if (first < 0) return std::nullopt;
  return std::pair{first, last};
}

/// Two binders that occur as n_b*a + b but for such guards.
std::optional<TermId> FoldBuilder::merge_interval() {
  for (std::size_t a = 0; a < ids_.size(); ++a) {
    for (std::size_t b = 0; b < ids_.size(); ++b) {
      const VarSet both = bit(ids_[a]) | bit(ids_[b]);
      std::vector<TermId> own, others;
      for (const TermId g : t_.conjuncts(guard_)) {
        const bool compares = t_[g].kind == Kind::Ge || t_[g].kind == Kind::Eq;
        (compares && t_[g].free == both ? own : others).push_back(g);
      }
      if (a == b || own.empty()) continue;
      const auto bounds = interval(own, a, b);
      if (!bounds) continue;
      LinVisitor visit(t_, both);
      for (const TermId g : others) visit.term(g);
      visit.term(body_);
      bool fits = !visit.lins.empty();
      for (const LinId l : visit.lins) {
        std::int64_t high = 0, low = 0;
        for (const LinTerm& s : t_.terms(l)) {
          const AtomNode& atom = t_[s.atom];
          if (atom.kind != AtomKind::Var || (bit(atom.var) & both) == 0) continue;
          fits = fits && atom.m == 1;
          (atom.var == ids_[a] ? high : low) += s.coef;
        }
        fits = fits && high == extents_[b] * low;
      }
      if (!fits) continue;
      return as_one(a, b, others, bounds->first, bounds->second);
    }
  }
  return std::nullopt;
}

std::optional<TermId> FoldBuilder::drop_unused() {
  const VarSet used = t_[guard_].free | t_[body_].free;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    if ((used & bit(ids_[k])) != 0) continue;
    const std::int64_t extent = extents_[k];
    std::vector<LinId> vars = vars_;
    vars.erase(vars.begin() + static_cast<std::ptrdiff_t>(k));
    t_.count(op_ == ScalarFn::Add ? LemmaId::UnusedBinder : op_ == ScalarFn::Multiply ? LemmaId::UnusedBinderOfProduct : LemmaId::UnusedBinderOfMax);
    const TermId rest = t_.fold(op_, vars, guard_, body_);
    if (t_[rest].sort == Sort::Int) {
      if (op_ == ScalarFn::Add) return t_.integer(t_.scale(extent, t_.as_lin(rest)));
      if (op_ == ScalarFn::Multiply) throw TermLimit("power of an integer fold");
      return rest;
    }
    if (op_ == ScalarFn::Add) return t_.scale(t_.q.of(extent), rest);
    return op_ == ScalarFn::Multiply ? t_.pow(rest, t_.q.of(extent)) : rest;
  }
  return std::nullopt;
}

/// A hash of a term in which one variable is marked and the other binders are anonymous: a colour that does not depend on
/// how binders are named.
struct FoldNaming {
  Terms& t;
  VarSet set;
  VarId marked;
  std::unordered_map<std::uint32_t, std::uint64_t> memo;

  std::uint64_t variable(const AtomNode& a, AtomId id) const {
    if (a.var == marked && (set & bit(a.var)) != 0) return mix(11, static_cast<std::uint64_t>(a.m));
    if ((set & bit(a.var)) != 0 || (a.var >= kFirstBound && a.var < kFirstTemp))
      return mix(mix(13, static_cast<std::uint64_t>(a.extent)), static_cast<std::uint64_t>(a.m));
    return mix(17, raw(id));
  }
  std::uint64_t lin(LinId id) {
    const LinNode& n = t[id];
    std::uint64_t h = static_cast<std::uint64_t>(n.c0) * 31;
    for (const LinTerm& s : t.terms(id)) {
      const AtomNode& a = t[s.atom];
      std::uint64_t x = 0;
      switch (a.kind) {
        case AtomKind::Var: x = variable(a, s.atom); break;
        case AtomKind::Data: x = mix(19, term(static_cast<TermId>(a.arg))); break;
        case AtomKind::Mul: x = mix(23, lin(static_cast<LinId>(a.arg)) * lin(static_cast<LinId>(a.arg2))); break;
        case AtomKind::Div: x = mix(mix(29, static_cast<std::uint64_t>(a.m)), lin(static_cast<LinId>(a.arg))); break;
        case AtomKind::Clamp:
        case AtomKind::Table:
          x = mix(mix(31, a.arg2 + static_cast<std::uint64_t>(a.lo) * 7 + static_cast<std::uint64_t>(a.hi)),
                  lin(static_cast<LinId>(a.arg)));
          break;
      }
      h += mix(mix(37, static_cast<std::uint64_t>(s.coef)), x);
    }
    return mix(41, h);
  }
  std::uint64_t term(TermId id) {
    const TermNode n = t[id];
    // Terms without any variable in play are what they are.
    const VarSet bound = ((VarSet{1} << kFirstTemp) - 1) & ~((VarSet{1} << kFirstBound) - 1);
    if ((n.free & (set | bound)) == 0) return mix(43, raw(id));
    if (const auto it = memo.find(raw(id)); it != memo.end()) return it->second;
    std::uint64_t h = mix(static_cast<std::uint64_t>(n.kind), n.op);
    switch (n.kind) {
      case Kind::Int:
      case Kind::FromInt:
      case Kind::Ge:
      case Kind::Wrap: h = mix(h, lin(t.lin(id))); break;
      case Kind::Eq: h = mix(h, lin(t.lin(id)) + lin(t.scale(-1, t.lin(id)))); break;
      case Kind::Read:
        h = mix(h, t.anchor_of(id));
        for (const LinId l : t.index_of(id)) h = mix(h, lin(l));
        break;
      case Kind::Mono:
        for (const Factor& f : t.factors(id)) h += mix(mix(47, raw(f.exp)), term(f.term));
        break;
      case Kind::Poly:
        for (const Summand& s : t.summands(id)) h += mix(mix(53, raw(s.coef)), term(s.mono));
        break;
      case Kind::Case: {
        const TermId g = t.kid(id, 0), other = t.negate(g);
        h = mix(h, term(g) + term(other) + mix(59, term(t.kid(id, 1))) + mix(59, term(t.kid(id, 2))));
        break;
      }
      case Kind::Fold: {
        const Terms::FoldParts p = t.fold_parts(id);
        for (const std::int64_t e : p.extents) h += mix(61, static_cast<std::uint64_t>(e));
        h = mix(mix(h, term(p.guard)), term(p.body));
        break;
      }
      case Kind::Row: {
        const Terms::RowParts p = t.row_parts(id);
        h = mix(h, p.signature * 31 + p.leaf);
        for (const LinId l : p.index) h = mix(h, lin(l));
        for (const TermId b : p.bodies) h = mix(h, term(b));
        break;
      }
      default: {
        const bool commutes = n.kind == Kind::And || n.kind == Kind::Or ||
                              (n.kind == Kind::Fn && (n.op == static_cast<std::uint8_t>(ScalarFn::Max) ||
                                                      n.op == static_cast<std::uint8_t>(ScalarFn::Min) ||
                                                      n.op == static_cast<std::uint8_t>(ScalarFn::Add) ||
                                                      n.op == static_cast<std::uint8_t>(ScalarFn::CompareEq)));
        for (std::size_t k = 0; k < n.n; ++k) h = commutes ? h + mix(67, term(t.kid(id, k))) : mix(h, term(t.kid(id, k)));
      }
    }
    memo[raw(id)] = h;
    return h;
  }
};

TermId FoldBuilder::build(std::span<const std::size_t> order) {
  const int height = std::max(t_[guard_].height, t_[body_].height);
  if (kFirstBound + height + static_cast<int>(order.size()) >= kFirstTemp) throw TermLimit("folds nested too deeply");
  const auto first = static_cast<VarId>(kFirstBound + height);
  Terms::Map map;
  std::vector<std::uint32_t> kids{first, static_cast<std::uint32_t>(order.size())};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::int64_t extent = extents_[order[k]];
    map.set(ids_[order[k]], t_.var(static_cast<VarId>(first + k), extent));
    kids.push_back(static_cast<std::uint32_t>(extent));
    kids.push_back(static_cast<std::uint32_t>(extent >> 32));
  }
  const TermId guard = t_.rename(guard_, map);
  TermId body = t_.rename(body_, map);
  // The first coefficient of a sum that is a factor hangs on the names: what goes out of it goes out of the fold.
  RatId out = RatId::One;
  if (op_ == ScalarFn::Add && t_[body].sort == Sort::Real) std::tie(out, body) = t_.content(body);
  kids.push_back(raw(guard));
  kids.push_back(raw(body));
  TermNode node{.kind = Kind::Fold, .sort = t_[body].sort, .op = static_cast<std::uint8_t>(op_)};
  t_.absorb(node, guard);
  t_.absorb(node, body);
  for (std::size_t k = 0; k < order.size(); ++k) node.free &= ~bit(static_cast<VarId>(first + k));
  node.height = static_cast<std::uint16_t>(height + static_cast<int>(order.size()));
  return t_.scale(out, t_.make(node, kids));
}

TermId FoldBuilder::name() {
  std::vector<std::pair<std::uint64_t, std::size_t>> colours;
  for (std::size_t k = 0; k < ids_.size(); ++k) {
    FoldNaming naming{t_, set_, ids_[k], {}};
    colours.emplace_back(mix(mix(naming.term(guard_), naming.term(body_)), static_cast<std::uint64_t>(extents_[k])), k);
  }
  std::stable_sort(colours.begin(), colours.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::size_t> order;
  for (const auto& c : colours) order.push_back(c.second);
  TermId best = build(order);
  // Equal colours: the order with the smallest id, of at most 24.
  for (int tries = 1; tries < 24; ++tries) {
    std::size_t at = 0;
    bool more = false;
    while (at < order.size() && !more) {  // next permutation inside each group of equal colours, odometer over the groups
      std::size_t end = at + 1;
      while (end < order.size() && colours[end].first == colours[at].first) ++end;
      more = std::next_permutation(order.begin() + static_cast<std::ptrdiff_t>(at),
                                   order.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    }
    if (!more) break;
    const TermId other = build(order);
    if (t_.content(other).second < t_.content(best).second) best = other;
  }
  return best;
}

}  // namespace gg::prover
