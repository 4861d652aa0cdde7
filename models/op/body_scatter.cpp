// Body of scatter. Dimensions of the updates that the result index determines are solved for (window and batching
// dimensions); the fold runs over the others, with an equality guard. An update whose window is not wholly inside is
// dropped, as XLA does.
#include <algorithm>

#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// One update hits the result element at `index` iff `hits`; `position` is then the element of the updates.
struct Target {
  std::vector<std::int64_t> extents;  ///< of the fold variables
  std::vector<LinId> position;
  GuardId hits;
};

Target target_of(Lift& lift, int indices_operand) {
  Arena& arena = lift.arena;
  const Attributes& attributes = *lift.call.attributes;
  const Type& operand = *lift.call.operands[0];
  const Type& indices = *lift.call.operands[at(indices_operand)];
  const Type& updates = *lift.call.operands[at(indices_operand) + 1];
  const IntList& window = attributes.ints(Attr::UpdateWindowDims);
  const IntList& inserted = attributes.ints(Attr::InsertedWindowDims);
  const IntList& batching = attributes.ints(Attr::InputBatchingDims);
  const IntList& index_batching = attributes.ints(Attr::ScatterBatchingDims);
  const IntList& map = attributes.ints(Attr::ScatterDims);
  const std::int64_t vector_dim = attributes.integer(Attr::IndexVectorDim);

  Target target;
  target.position.resize(updates.dims.size());
  std::vector<LinId> index_position(indices.dims.size());
  std::size_t batch = 0;
  for (int d = 0; d < updates.rank(); ++d) {
    if (contains(window, d)) continue;
    if (static_cast<std::int64_t>(batch) == vector_dim && vector_dim < indices.rank()) ++batch;
    const auto* solved = std::find(index_batching.data(), index_batching.data() + index_batching.size(),
                                   static_cast<std::int64_t>(batch));
    LinId value{};
    if (solved != index_batching.data() + index_batching.size()) {
      value = lift.at(batching[static_cast<std::size_t>(solved - index_batching.data())]);
    } else {
      value = lift.fold_var(static_cast<int>(target.extents.size()), updates.dims[at(d)]);
      target.extents.push_back(updates.dims[at(d)]);
    }
    target.position[at(d)] = value;
    index_position[batch++] = value;
  }
  std::vector<LinId> offset = lift.index;  // of the element in the window, once the starts are subtracted
  std::vector<std::int64_t> extent(operand.dims.size(), 1);
  std::size_t w = 0;
  for (int d = 0; d < operand.rank(); ++d) {
    if (!contains(inserted, d) && !contains(batching, d)) extent[at(d)] = updates.dims[at(window[w++])];
  }
  std::vector<GuardId> hits;
  for (std::size_t k = 0; k < map.size(); ++k) {
    if (vector_dim < indices.rank()) index_position[at(vector_dim)] = arena.constant(static_cast<std::int64_t>(k));
    const std::int64_t last = operand.dims[at(map[k])] - extent[at(map[k])];
    const LinId start = unclamped_index(arena, lift.read(indices_operand, index_position), last);
    // A window of one element that is hit lies inside; a wider one must lie inside as a whole.
    if (extent[at(map[k])] != 1) hits.push_back(arena.between(0, start, last + 1));
    offset[at(map[k])] = arena.sub(lift.at(map[k]), start);
  }
  w = 0;
  for (int d = 0; d < operand.rank(); ++d) {
    if (contains(batching, d)) continue;
    hits.push_back(arena.between(0, offset[at(d)], extent[at(d)]));
    if (!contains(inserted, d)) target.position[at(window[w++])] = offset[at(d)];
  }
  target.hits = arena.all(hits);
  return target;
}

/// Does the region give the new value whatever the old one is?
bool overwrites(const Arena& arena, const Region& region, int leaf) {
  const Expr& e = arena[region.results[at(leaf)]];
  return e.kind == ExprKind::Read && e.arg == region.results.size() + at(leaf);
}

/// Updates are applied in their order, so what overwrites is the last one that hits.
ExprId last_update(Lift& lift, const Target& target, int operand, ExprId old) {
  Arena& arena = lift.arena;
  std::vector<LinId> place;
  for (std::size_t k = 0; k < target.extents.size(); ++k) place.push_back(lift.fold_var(static_cast<int>(k), target.extents[k]));
  const ExprId number = arena.index(arena.flatten(place, target.extents), ElementType::S64);
  const ExprId none = arena.lit(Scalar::of_int(ElementType::S64, -1));
  const ExprId last = arena.fold(ScalarFn::Max, none, lift.depth(), target.extents, target.hits, number);
  std::int64_t count = 1;
  for (const std::int64_t n : target.extents) count *= n;
  if (count == 0) return old;
  const LinId at_last = arena.data(last, -1, count - 1);
  Arena::Substitution there{lift.rank, {}, lift.depth()};
  there.vars.insert(there.vars.end(), lift.index.begin(), lift.index.end());
  for (const LinId digit : arena.unflatten(at_last, target.extents)) there.vars.push_back(digit);
  std::vector<LinId> position;
  for (const LinId l : target.position) position.push_back(arena.substitute(l, there));
  return arena.select(arena.le0(arena.scale(-1, at_last)), lift.read(operand, position), old);
}

bool single(const Target& target) {
  for (const std::int64_t n : target.extents) {
    if (n != 1) return false;
  }
  return true;
}

}  // namespace

Body scatter_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const auto n = static_cast<int>(call.operands.size() / 2);
  const Region& region = region_of(call);
  const Target target = target_of(lift, n);
  const ExprId old = lift.read(leaf, lift.index);
  const ExprId update = lift.read(n + 1 + leaf, target.position);
  const auto combined = [&](const std::vector<ExprId>& updates) {
    std::vector<ExprId> arguments;
    for (int k = 0; k < n; ++k) arguments.push_back(lift.read(k, lift.index));
    arguments.insert(arguments.end(), updates.begin(), updates.end());
    return apply_region(arena, region, static_cast<std::size_t>(leaf), arguments, lift.depth());
  };
  const auto update_at = [&](int k) { return lift.read(n + 1 + k, target.position); };
  if (region.parameters.size() != 2 * static_cast<std::size_t>(n) ||
      region.results.size() != static_cast<std::size_t>(n)) {
    refuse(DiagCode::BadComputation, "scatter: its computation does not take the elements of arrays and updates");
  }
  if (single(target)) {
    std::vector<ExprId> updates;
    for (int k = 0; k < n; ++k) updates.push_back(update_at(k));
    return lift.finish(arena.select(target.hits, combined(updates), old));
  }
  const bool monoid_region = find_monoid(arena, region, leaf, lift.type.element).has_value();
  if (call.attributes->flag(Attr::UniqueIndices) && !monoid_region) {
    // At most one update hits: a sum over the hits is that update, and a disjunction says whether there is one.
    const ExprId no = unit_of(arena, ScalarFn::Or, ElementType::Pred);
    const ExprId yes = arena.lit(Scalar::of_int(ElementType::Pred, 1));
    const ExprId any = arena.fold(ScalarFn::Or, no, lift.depth(), target.extents, target.hits, yes);
    std::vector<ExprId> updates;
    for (int k = 0; k < n; ++k) {
      const ExprId zero = unit_of(arena, ScalarFn::Add, call.operands[at(k)]->element);
      updates.push_back(arena.fold(ScalarFn::Add, zero, lift.depth(), target.extents, target.hits, update_at(k)));
    }
    const ExprId choice[] = {any, combined(updates), old};
    return lift.finish(arena.fn(ScalarFn::Select, lift.type.element, choice));
  }
  if (overwrites(arena, region, leaf)) return lift.finish(last_update(lift, target, n + 1 + leaf, old));
  const ScalarFn monoid = monoid_of(arena, call, leaf, lift.type.element);
  const ExprId unit = unit_of(arena, monoid, lift.type.element);
  const ExprId hits = arena.fold(monoid, unit, lift.depth(), target.extents, target.hits, update);
  return lift.finish(lift.fn(monoid, {old, hits}));
}

}  // namespace gg
