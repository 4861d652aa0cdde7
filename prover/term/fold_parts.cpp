// What folds and rows are made of: their parts as stored, opening and closing, rows and their places.
#include "prover/term/wide.h"

namespace gg::prover {

TermId Terms::unit(ScalarFn op, Sort sort) {
  if (sort == Sort::Bool) return op == ScalarFn::And ? TermId::True : TermId::False;
  const bool whole = sort == Sort::Int;
  switch (op) {
    case ScalarFn::Add: return whole ? integer(num(0)) : TermId::Zero;
    case ScalarFn::Multiply: return whole ? integer(num(1)) : TermId::One;
    case ScalarFn::Max: return whole ? integer(num(INT64_MIN)) : special(Special::NegInf);
    case ScalarFn::Min: return whole ? integer(num(INT64_MAX)) : special(Special::PosInf);
    case ScalarFn::Or:
    case ScalarFn::Xor:
    case ScalarFn::And:
      if (whole) return integer(num(op == ScalarFn::And ? -1 : 0));  // all bits, whatever their number: an initial value of the type is beside it
      [[fallthrough]];
    default: throw TermLimit("fold of an operation without unit");
  }
}

TermId Terms::together(ScalarFn op, std::span<const TermId> parts) {
  const Sort sort = (*this)[parts[0]].sort;
  if (op == ScalarFn::Add && sort == Sort::Real) return add(parts);
  if (sort == Sort::Bool) return op == ScalarFn::And ? conj(parts) : disj(parts);
  if (sort == Sort::Real && (op == ScalarFn::Max || op == ScalarFn::Min)) return extremum(op, parts);
  if (sort == Sort::Real && op == ScalarFn::Multiply) {
    TermId product = TermId::One;
    for (const TermId p : parts) product = mul(product, p);
    return product;
  }
  if (op == ScalarFn::Add) {
    LinId l = LinId::Zero;
    for (const TermId p : parts) l = add(l, as_lin(p));
    return integer(l);
  }
  throw TermLimit("join of integer folds");
}

FoldParts Terms::fold_parts(TermId id) const {
  const TermNode& n = (*this)[id];
  const auto k = kids(id);
  FoldParts p{static_cast<ScalarFn>(n.op), {}, static_cast<VarId>(k[0]), TermId::True, TermId::Unknown};
  const std::size_t count = k[1];
  for (std::size_t i = 0; i < count; ++i)
    p.extents.push_back(static_cast<std::int64_t>(k[2 + 2 * i] | (std::uint64_t{k[3 + 2 * i]} << 32)));
  p.guard = static_cast<TermId>(k[2 + 2 * count]);
  p.body = static_cast<TermId>(k[3 + 2 * count]);
  return p;
}

RowParts Terms::row_parts(TermId id) const {
  const auto k = kids(id);
  RowParts p{k[0], k[1], {}, static_cast<VarId>(k[2]), {}, {}};
  std::size_t at = 4;
  for (std::size_t i = 0; i < k[3]; ++i, at += 2)
    p.extents.push_back(static_cast<std::int64_t>(k[at] | (std::uint64_t{k[at + 1]} << 32)));
  const std::size_t count = k[at++];
  for (std::size_t i = 0; i < count; ++i) p.index.push_back(static_cast<LinId>(k[at++]));
  for (; at < k.size(); ++at) p.bodies.push_back(static_cast<TermId>(k[at]));
  return p;
}

Opened Terms::open(TermId id) {
  if ((*this)[id].kind == Kind::Fold) {
    const FoldParts p = fold_parts(id);
    return open(p.first, p.extents, p.guard, {p.body});
  }
  const RowParts p = row_parts(id);
  return open(p.first, p.extents, TermId::True, p.bodies);
}

Opened Terms::open(VarId first, const std::vector<std::int64_t>& extents, TermId guard, std::vector<TermId> bodies) {
  Opened o{fresh(extents), extents, guard, std::move(bodies)};
  const Map map(first, o.vars);
  for (const LinId v : o.vars) o.set |= (*this)[v].free;
  o.guard = rename(o.guard, map);
  for (TermId& b : o.bodies) b = rename(b, map);
  return o;
}

/// The tuple of all places of one join is that join; a place of a tuple is what stands there.
std::optional<TermId> Terms::joined(std::uint32_t signature, std::uint32_t leaf, std::span<const TermId> bodies) const {
  if ((signature & kJoin) == 0) return std::nullopt;
  const auto is = [&](TermId t, std::size_t k, std::size_t count) {
    return (*this)[t].kind == Kind::Row && kids(t)[0] == signature && kids(t)[1] == k && row_parts(t).bodies.size() == count;
  };
  if (bodies.size() == 1) {
    const std::size_t places = (*this)[bodies[0]].kind == Kind::Row ? row_parts(bodies[0]).bodies.size() : 0;
    return places > 1 && is(bodies[0], places, places) ? std::optional(row_parts(bodies[0]).bodies[leaf]) : std::nullopt;
  }
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (!is(bodies[k], k, 1) || row_parts(bodies[k]).bodies != row_parts(bodies[0]).bodies) return std::nullopt;
  return row_parts(bodies[0]).bodies[0];
}

/// What can stand at a place of a join: that of its tuples; `?` where a tuple is not seen.
void Terms::places_of(TermId join, std::uint32_t leaf, std::vector<TermId>& out) const {
  const TermNode n = (*this)[join];
  if (n.kind == Kind::Row && row_parts(join).bodies.size() > 1) return out.push_back(row_parts(join).bodies[leaf]);
  if (n.kind == Kind::Fold) return places_of(fold_parts(join).body, leaf, out);
  if (n.kind != Kind::Case && n.kind != Kind::Fn) return out.push_back(TermId::Unknown);
  for (std::size_t k = n.kind == Kind::Case ? 1 : 0; k < n.n; ++k) places_of(kid(join, k), leaf, out);
}

TermId Terms::row(std::uint32_t signature, std::uint32_t leaf, Sort sort, std::span<const LinId> vars,
                  std::span<const LinId> index, std::span<const TermId> bodies) {
  if (const auto simple = joined(signature, leaf, bodies)) return *simple;
  if ((signature & (kLargest | kSmallest)) != 0 && bodies.size() == 1) {
    const auto simple = formed([&] { return place_of_join(signature, leaf, bodies[0]); }, [] { return std::optional<TermId>(); });
    if (simple) return *simple;
  }
  TermNode node{.kind = Kind::Row, .sort = sort};
  for (const TermId b : bodies)
    if (b == TermId::Unknown || ((*this)[b].flags & kHasUnknown) != 0) return TermId::Unknown;
  std::array<TermId, 1> key;
  if ((signature & kOrder) != 0) {
    VarSet binders = 0;
    for (const LinId v : vars) binders |= (*this)[v].free;
    if ((*this)[bodies[0]].sort != Sort::Real || attributes(bodies[0]).ordered) signature |= kNanFirst;  // there is no NaN
    key[0] = order_key(bodies[0], binders);
    bodies = key;
    if (const auto simple = place(signature, leaf, vars, index[0], key[0])) return *simple;
  }
  for (const TermId b : bodies) absorb(node, b);
  const auto first = static_cast<VarId>(kFirstBound + node.height);
  if (first + vars.size() >= kFirstTemp) throw TermLimit("folds nested too deeply");
  Map map;
  VarSet bound = 0;
  std::vector<std::uint32_t> raws{signature, leaf, first, static_cast<std::uint32_t>(vars.size())};
  for (std::size_t k = 0; k < vars.size(); ++k) {
    std::int64_t extent = 1;
    if (!is_num(vars[k])) {
      const AtomNode a = (*this)[terms(vars[k])[0].atom];
      extent = a.extent;
      map.set(a.var, var(static_cast<VarId>(first + k), extent));
      bound |= bit(a.var);
    }
    raws.push_back(static_cast<std::uint32_t>(extent));
    raws.push_back(static_cast<std::uint32_t>(extent >> 32));
  }
  node.free &= ~bound;
  raws.push_back(static_cast<std::uint32_t>(index.size()));
  for (const LinId l : index) {
    absorb(node, l);
    raws.push_back(raw(l));
  }
  for (const TermId b : bodies) raws.push_back(raw(rename(b, map)));
  node.height = static_cast<std::uint16_t>(node.height + vars.size());
  return make(node, raws);
}

}  // namespace gg::prover
