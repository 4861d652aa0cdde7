// Names of a fold's binders: an order that does not depend on how they were named (certificate.md, F4).
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "prover/term/fold_builder.h"

namespace gg::prover {

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
        const FoldParts p = t.fold_parts(id);
        for (const std::int64_t e : p.extents) h += mix(61, static_cast<std::uint64_t>(e));
        h = mix(mix(h, term(p.guard)), term(p.body));
        break;
      }
      case Kind::Row: {
        const RowParts p = t.row_parts(id);
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
  if (node.sort == Sort::Int) t_.counts_ = true;
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
