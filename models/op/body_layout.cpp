// Bodies of sources and layout operators: one read at other indices, a literal, or an index as a value.
#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

Body copy_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  return lift.finish(lift.read(0, lift.index));
}

Body constant_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  if (!call.attributes->has(Attr::Literal)) refuse_form("constant: its values are not in the text");
  return lift.finish(arena.constant_at(arena.make_array(call.attributes->literal()), lift.index));
}

Body iota_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  return lift.finish(arena.index(lift.at(call.attributes->integer(Attr::IotaDimension)), lift.type.element));
}

Body partition_id_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const LinId rank = lift.digits.rank_form(arena);
  return lift.finish(arena.index(arena.mod(rank, call.layout.partitions), lift.type.element));
}

Body replica_id_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const LinId rank = lift.digits.rank_form(arena);
  return lift.finish(arena.index(arena.div(rank, call.layout.partitions), lift.type.element));
}

Body broadcast_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  std::vector<LinId> position;
  for (const std::int64_t d : call.attributes->ints(Attr::BroadcastDims)) position.push_back(lift.at(d));
  return lift.finish(lift.read(0, position));
}

Body concatenate_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const std::int64_t d = call.attributes->ints(Attr::BroadcastDims)[0];
  std::vector<int> pieces;
  for (int k = 0; k < static_cast<int>(call.operands.size()); ++k) {
    if (call.operands[at(k)]->dims[at(d)] > 0) pieces.push_back(k);
  }
  std::vector<std::int64_t> starts;
  std::int64_t end = 0;
  for (const int k : pieces) {
    starts.push_back(end);
    end += call.operands[at(k)]->dims[at(d)];
  }
  const auto piece = [&](std::size_t p) {
    return lift.read(pieces[p], with(lift.index, d, arena.offset(lift.at(d), -starts[p])));
  };
  // Halves of halves: a place goes through as many conditions as the number of pieces has digits.
  const auto among = [&](const auto& self, std::size_t first, std::size_t last) -> ExprId {
    if (last - first == 1) return piece(first);
    const std::size_t middle = first + (last - first) / 2;
    const ExprId before = self(self, first, middle);
    return arena.select(arena.lt(lift.at(d), arena.constant(starts[middle])), before, self(self, middle, last));
  };
  return lift.finish(among(among, 0, pieces.size()));
}

Body pad_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& operand = *call.operands[0];
  std::vector<LinId> position;
  std::vector<GuardId> inside;
  for (std::size_t d = 0; d < operand.dims.size(); ++d) {
    const PadDim& pad = call.attributes->padding()[d];
    const std::int64_t step = pad.interior + 1;
    const LinId from_first = arena.offset(lift.index[d], -pad.low);
    inside.push_back(arena.between(0, from_first, dilated(call, operand.dims[d], step)));
    inside.push_back(arena.eq0(arena.mod(from_first, step)));
    position.push_back(arena.div(from_first, step));
  }
  return lift.finish(arena.select(arena.all(inside), lift.read(0, position), lift.scalar(1)));
}

Body reshape_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const LinId flat = arena.flatten(lift.index, lift.type.dims);
  return lift.finish(lift.read(0, arena.unflatten(flat, call.operands[0]->dims)));
}

namespace {

/// The dimensions from the slowest to the fastest in memory.
std::vector<std::size_t> memory_order(const Type& type) {
  std::vector<std::size_t> order(type.dims.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    order[k] = type.layout.empty() ? k : at(type.layout[order.size() - 1 - k]);
  }
  return order;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& values, const std::vector<std::size_t>& order) {
  std::vector<T> result;
  for (const std::size_t k : order) result.push_back(values[k]);
  return result;
}

}  // namespace

/// The elements in the order in which they lie in memory, under another shape and layout.
Body bitcast_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& operand = *call.operands[0];
  const std::vector<std::size_t> to = memory_order(*call.result), from = memory_order(operand);
  const LinId flat = arena.flatten(in_order(lift.index, to), in_order(lift.type.dims, to));
  const std::vector<LinId> place = arena.unflatten(flat, in_order(operand.dims, from));
  std::vector<LinId> position(place.size());
  for (std::size_t k = 0; k < place.size(); ++k) position[from[k]] = place[k];
  return lift.finish(lift.read(0, position));
}

Body reverse_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  std::vector<LinId> position = lift.index;
  for (const std::int64_t d : call.attributes->ints(Attr::BroadcastDims)) {
    position[at(d)] = arena.sub(arena.constant(lift.type.dims[at(d)] - 1), lift.at(d));
  }
  return lift.finish(lift.read(0, position));
}

Body slice_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  std::vector<LinId> position;
  for (std::size_t d = 0; d < lift.index.size(); ++d) {
    const SliceDim& range = call.attributes->slice()[d];
    position.push_back(arena.axpy(range.stride, lift.index[d], arena.constant(range.start)));
  }
  return lift.finish(lift.read(0, position));
}

Body transpose_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const IntList& dims = call.attributes->ints(Attr::BroadcastDims);
  std::vector<LinId> position(dims.size());
  for (std::size_t k = 0; k < dims.size(); ++k) position[at(dims[k])] = lift.index[k];
  return lift.finish(lift.read(0, position));
}

}  // namespace gg
