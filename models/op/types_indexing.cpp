// Type rules of operators with data-dependent indices, as StableHLO's specification constrains them.
#include "models/op/rule_support.h"
#include "models/op/rules.h"

namespace gg {

namespace {

/// The start indices of dynamic-slice and dynamic-update-slice: one scalar a dimension, or one vector with all of them.
void need_starts(const Call& call, std::size_t first, int rank) {
  const std::size_t given = call.operands.size() - first;
  if (given == 1 && array_operand(call, first).rank() == 1) {
    const Type& vector = index_operand(call, first);
    if (vector.dims[0] != rank) {
      refuse_operand(name_of(call) + ": " + std::to_string(vector.dims[0]) + " start indices for " +
                     std::to_string(rank) + " dimensions");
    }
    return;
  }
  if (given != static_cast<std::size_t>(rank)) {
    refuse_operand(name_of(call) + ": " + std::to_string(given) + " start indices for " + std::to_string(rank) +
                   " dimensions");
  }
  for (std::size_t k = first; k < call.operands.size(); ++k) {
    if (index_operand(call, k).rank() != 0) {
      refuse_operand(name_of(call) + ": the start index " + to_string(*call.operands[k]) + " is no scalar");
    }
  }
  if (given > 0) need_same(call, first, call.operands.size() - 1, true);
}

/// Extents of the dimensions of the start indices other than index_vector_dim, and the length of the index vectors.
struct IndexShape {
  std::vector<std::int64_t> batch;
  std::int64_t vector = 1;
};

IndexShape index_shape(const Call& call, const Type& indices) {
  const std::int64_t d = call.attributes->integer(Attr::IndexVectorDim);
  if (d < 0 || d > indices.rank()) {
    refuse_attribute(name_of(call) + ": index_vector_dim=" + std::to_string(d) + " for the indices " +
                     to_string(indices));
  }
  const std::int64_t drop[] = {d};
  return {without(indices.dims, drop), d < indices.rank() ? indices.dims[static_cast<std::size_t>(d)] : 1};
}

/// Batching dimensions of the operand and of the indices: same number, same extents, disjoint from the others.
void need_batching(const Call& call, const Type& operand, const Type& indices, const IntList& operand_batching,
                   const IntList& index_batching, std::string_view operand_name, std::string_view index_name) {
  need_dimensions(call, operand_batching, operand.rank(), operand_name, true);
  need_dimensions(call, index_batching, indices.rank(), index_name);
  if (operand_batching.size() != index_batching.size()) {
    refuse_attribute(name_of(call) + ": " + std::string(operand_name) + "=" + list(operand_batching) + " and " +
                     std::string(index_name) + "=" + list(index_batching) + " differ in number");
  }
  if (contains(index_batching, call.attributes->integer(Attr::IndexVectorDim))) {
    refuse_attribute(name_of(call) + ": index_vector_dim is in " + std::string(index_name) + "=" +
                     list(index_batching));
  }
  for (std::size_t k = 0; k < operand_batching.size(); ++k) {
    const std::int64_t a = operand.dims[static_cast<std::size_t>(operand_batching[k])];
    const std::int64_t b = indices.dims[static_cast<std::size_t>(index_batching[k])];
    if (a != b) {
      refuse_operand(name_of(call) + ": batching dimension " + std::to_string(operand_batching[k]) + " of " +
                     to_string(operand) + " does not match dimension " + std::to_string(index_batching[k]) + " of " +
                     to_string(indices));
    }
  }
}

/// The map from components of an index vector to dimensions of the operand.
void need_index_map(const Call& call, const IntList& map, std::int64_t vector, const Type& operand,
                    const IntList& batching, std::string_view name) {
  if (static_cast<std::int64_t>(map.size()) != vector) {
    refuse_attribute(name_of(call) + ": " + std::string(name) + "=" + list(map) + " for index vectors of length " +
                     std::to_string(vector));
  }
  need_dimensions(call, map, operand.rank(), name);
  need_disjoint(call, map, batching, name, "the batching dimensions");
}

}  // namespace

Type dynamic_slice_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  need_starts(call, 1, operand.rank());
  const IntList& sizes = call.attributes->ints(Attr::DynamicSliceSizes);
  if (sizes.size() != operand.dims.size()) {
    refuse_attribute("dynamic-slice: dynamic_slice_sizes=" + list(sizes) + " for the operand " + to_string(operand));
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (sizes[k] < 0 || sizes[k] > operand.dims[k]) {
      refuse_attribute("dynamic-slice: a slice of " + std::to_string(sizes[k]) + " elements of dimension " +
                       std::to_string(k) + " of " + to_string(operand));
    }
  }
  return array_type(call, operand.element, sizes);
}

Type dynamic_update_slice_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& update = array_operand(call, 1);
  need_starts(call, 2, operand.rank());
  bool fits = update.element == operand.element && update.rank() == operand.rank();
  for (std::size_t k = 0; fits && k < update.dims.size(); ++k) fits = update.dims[k] <= operand.dims[k];
  if (!fits) {
    refuse_operand("dynamic-update-slice: the update " + to_string(update) + " does not fit into " +
                   to_string(operand));
  }
  return Type::array(operand.element, operand.dims);
}

Type gather_type(const Call& call) {
  const Type& operand = array_operand(call, 0);
  const Type& indices = index_operand(call, 1);
  const Attributes& attributes = *call.attributes;
  const IntList& offset = attributes.ints(Attr::OffsetDims);
  const IntList& collapsed = attributes.ints(Attr::CollapsedSliceDims);
  const IntList& batching = attributes.ints(Attr::OperandBatchingDims);
  const IntList& sizes = attributes.ints(Attr::SliceSizes);
  const IndexShape shape = index_shape(call, indices);
  need_dimensions(call, collapsed, operand.rank(), "collapsed_slice_dims", true);
  need_batching(call, operand, indices, batching, attributes.ints(Attr::StartBatchingDims), "operand_batching_dims",
                "start_indices_batching_dims");
  need_disjoint(call, collapsed, batching, "collapsed_slice_dims", "operand_batching_dims");
  need_index_map(call, attributes.ints(Attr::StartIndexMap), shape.vector, operand, batching, "start_index_map");
  if (sizes.size() != operand.dims.size()) {
    refuse_attribute("gather: slice_sizes=" + list(sizes) + " for the operand " + to_string(operand));
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto d = static_cast<std::int64_t>(k);
    if (sizes[k] < 0 || sizes[k] > operand.dims[k]) {
      refuse_attribute("gather: a slice of " + std::to_string(sizes[k]) + " elements of dimension " +
                       std::to_string(k) + " of " + to_string(operand));
    }
    if ((contains(collapsed, d) || contains(batching, d)) && sizes[k] != 1) {
      refuse_attribute("gather: dimension " + std::to_string(k) + " is collapsed or batching, but has slice size " +
                       std::to_string(sizes[k]));
    }
  }
  if (offset.size() + collapsed.size() + batching.size() != operand.dims.size()) {
    refuse_attribute("gather: offset_dims=" + list(offset) + ", collapsed_slice_dims=" + list(collapsed) +
                     " and operand_batching_dims=" + list(batching) + " do not make up the dimensions of " +
                     to_string(operand));
  }
  const std::size_t rank = shape.batch.size() + offset.size();
  need_dimensions(call, offset, static_cast<int>(rank), "offset_dims", true);
  IntList dropped = collapsed;
  dropped.insert(dropped.end(), batching.begin(), batching.end());
  const std::vector<std::int64_t> window = without(sizes, dropped);
  std::vector<std::int64_t> dims;
  for (std::size_t k = 0, w = 0, b = 0; k < rank; ++k) {
    dims.push_back(contains(offset, static_cast<std::int64_t>(k)) ? window[w++] : shape.batch[b++]);
  }
  return array_type(call, operand.element, std::move(dims));
}

Type scatter_type(const Call& call) {
  if (call.operands.size() % 2 == 0) {
    refuse_operand("scatter takes n arrays, the indices and n updates, not " + std::to_string(call.operands.size()) +
                   " operands");
  }
  const std::size_t n = call.operands.size() / 2;
  need_same(call, 0, n - 1, false);
  need_same(call, n + 1, 2 * n, false);
  const Type& operand = array_operand(call, 0);
  const Type& indices = index_operand(call, n);
  const Type& updates = array_operand(call, n + 1);
  for (std::size_t k = 0; k < n; ++k) {
    if (call.operands[k]->element != call.operands[n + 1 + k]->element) {
      refuse_operand("scatter: updates of type " + to_string(*call.operands[n + 1 + k]) + " for the array " +
                     to_string(*call.operands[k]));
    }
  }
  const Attributes& attributes = *call.attributes;
  const IntList& window = attributes.ints(Attr::UpdateWindowDims);
  const IntList& inserted = attributes.ints(Attr::InsertedWindowDims);
  const IntList& batching = attributes.ints(Attr::InputBatchingDims);
  const IndexShape shape = index_shape(call, indices);
  need_dimensions(call, window, updates.rank(), "update_window_dims", true);
  need_dimensions(call, inserted, operand.rank(), "inserted_window_dims", true);
  need_batching(call, operand, indices, batching, attributes.ints(Attr::ScatterBatchingDims), "input_batching_dims",
                "scatter_indices_batching_dims");
  need_disjoint(call, inserted, batching, "inserted_window_dims", "input_batching_dims");
  need_index_map(call, attributes.ints(Attr::ScatterDims), shape.vector, operand, batching,
                 "scatter_dims_to_operand_dims");
  if (window.size() + inserted.size() + batching.size() != operand.dims.size()) {
    refuse_attribute("scatter: update_window_dims=" + list(window) + ", inserted_window_dims=" + list(inserted) +
                     " and input_batching_dims=" + list(batching) + " do not make up the dimensions of " +
                     to_string(operand));
  }
  IntList dropped = inserted;
  dropped.insert(dropped.end(), batching.begin(), batching.end());
  const std::vector<std::int64_t> bounds = without(operand.dims, dropped);
  for (std::size_t k = 0; k < window.size(); ++k) {
    const std::int64_t extent = updates.dims[static_cast<std::size_t>(window[k])];
    if (extent > bounds[k]) {
      refuse_operand("scatter: a window of " + std::to_string(extent) + " elements in " + to_string(updates) +
                     " exceeds the array " + to_string(operand));
    }
  }
  if (without(updates.dims, window) != shape.batch) {
    refuse_operand("scatter: the updates " + to_string(updates) + " without their window do not have the shape " +
                   list(shape.batch) + " of the indices");
  }
  std::vector<Type> types;
  for (std::size_t k = 0; k < n; ++k) types.push_back(Type::array(call.operands[k]->element, operand.dims));
  return one_or_tuple(std::move(types));
}

}  // namespace gg
