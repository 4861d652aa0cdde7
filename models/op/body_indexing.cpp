// Bodies of dynamic-slice, dynamic-update-slice and gather: reads at data-dependent indices, clamped as HLO clamps
// them.
#include "models/op/body_support.h"
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// The start indices from operand `first` on (scalars or one vector), each clamped so that a slice of `sizes` fits.
std::vector<LinId> clamped_starts(Lift& lift, int first, const Type& operand, std::span<const std::int64_t> sizes) {
  const auto given = static_cast<int>(lift.call.operands.size()) - first;
  const bool vector = given == 1 && lift.call.operands[at(first)]->rank() == 1;
  std::vector<LinId> starts;
  for (int d = 0; d < operand.rank(); ++d) {
    const LinId component[] = {lift.arena.constant(d)};
    const ExprId value = vector ? lift.read(first, component) : lift.scalar(first + d);
    starts.push_back(data_index(lift.arena, value, 0, operand.dims[at(d)] - sizes[at(d)]));
  }
  return starts;
}

}  // namespace

Body dynamic_slice_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  std::vector<LinId> position = clamped_starts(lift, 1, *call.operands[0], lift.type.dims);
  for (std::size_t d = 0; d < position.size(); ++d) position[d] = arena.add(position[d], lift.index[d]);
  return lift.finish(lift.read(0, position));
}

Body dynamic_update_slice_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& update = *call.operands[1];
  std::vector<LinId> position = clamped_starts(lift, 2, *call.operands[0], update.dims);
  std::vector<GuardId> inside;
  for (std::size_t d = 0; d < position.size(); ++d) {
    position[d] = arena.sub(lift.index[d], position[d]);
    inside.push_back(arena.between(0, position[d], update.dims[d]));
  }
  return lift.finish(arena.select(arena.all(inside), lift.read(1, position), lift.read(0, lift.index)));
}

Body gather_body(Arena& arena, const Call& call, int leaf) {
  Lift lift(arena, call, leaf);
  const Type& operand = *call.operands[0];
  const Type& indices = *call.operands[1];
  const Attributes& attributes = *call.attributes;
  const IntList& offset = attributes.ints(Attr::OffsetDims);
  const IntList& collapsed = attributes.ints(Attr::CollapsedSliceDims);
  const IntList& batching = attributes.ints(Attr::OperandBatchingDims);
  const IntList& index_batching = attributes.ints(Attr::StartBatchingDims);
  const IntList& map = attributes.ints(Attr::StartIndexMap);
  const IntList& sizes = attributes.ints(Attr::SliceSizes);
  const std::int64_t vector_dim = attributes.integer(Attr::IndexVectorDim);

  // Where the index vector of this element stands; its own dimension is set below.
  std::vector<LinId> index_position(indices.dims.size());
  std::size_t batch = 0;
  for (int d = 0; d < lift.type.rank(); ++d) {
    if (contains(offset, d)) continue;
    if (static_cast<std::int64_t>(batch) == vector_dim && vector_dim < indices.rank()) ++batch;
    index_position[batch++] = lift.at(d);
  }
  std::vector<LinId> position(operand.dims.size(), arena.constant(0));
  std::size_t window = 0;
  for (int d = 0; d < operand.rank(); ++d) {
    if (!contains(collapsed, d) && !contains(batching, d)) position[at(d)] = lift.at(offset[window++]);
  }
  for (std::size_t k = 0; k < batching.size(); ++k) {
    position[at(batching[k])] = index_position[at(index_batching[k])];
  }
  for (std::size_t k = 0; k < map.size(); ++k) {
    if (vector_dim < indices.rank()) index_position[at(vector_dim)] = arena.constant(static_cast<std::int64_t>(k));
    const std::int64_t last = operand.dims[at(map[k])] - sizes[at(map[k])];
    const LinId start = data_index(arena, lift.read(1, index_position), 0, last);
    position[at(map[k])] = arena.add(start, position[at(map[k])]);
  }
  return lift.finish(lift.read(0, position));
}

}  // namespace gg
