// Positions that are data: what reads (indexing.cpp) and writes (scatter.cpp) have in common.
#pragma once

#include <optional>
#include <vector>

#include "models/fx/formula.h"

namespace gg::fx {

inline std::vector<std::int64_t> ascending(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> list;
  for (std::int64_t k = from; k < to; ++k) list.push_back(k);
  return list;
}

/// All dimensions but one.
inline std::vector<std::int64_t> others_than(std::int64_t dim, std::size_t rank) {
  std::vector<std::int64_t> list = ascending(0, static_cast<std::int64_t>(rank));
  list.erase(list.begin() + dim);
  return list;
}

/// Are the elements of a vector known to differ from one another?
bool distinct(const Emitter& e, NodeId x);
/// Indices that torch counts from the end where they are negative.
NodeId wrapped(Operation& call, NodeId index, std::int64_t extent);

/// The index tensors of index.Tensor and index_put, broadcast together.
struct Indices {
  std::vector<std::int64_t> dims;   ///< of the operand, those that are indexed
  std::vector<std::int64_t> batch;  ///< the shape of the indices
  NodeId vectors = 0;               ///< [batch..., number of indexed dimensions]
  std::int64_t position = 0;        ///< where the batch stands among the result's dimensions
  bool distinct = false;
};
/// `clamped`: what is out of range is the nearest in range (torch's unsafe forms, of an index whose mask is false).
Indices indices(Operation& call, NodeId x, std::size_t k, bool clamped = false);
/// x at them.
NodeId at_indices(Operation& call, NodeId x, const Indices& which);
/// Dimensions of the result that come from the operand: all but the batch.
std::vector<std::int64_t> window_dims(const Indices& which, std::size_t rank);
/// Index tensors of gather and scatter go along one dimension, element by element in the others.
void need_whole(Operation& call, NodeId x, NodeId index, std::int64_t dim);
/// torch.gather.
NodeId gathered(Operation& call, NodeId x, std::int64_t dim, NodeId index);
/// The elements of `x` along `dim` at the places of a vector.
NodeId taken(Operation& call, NodeId x, std::int64_t dim, NodeId index);
/// Indices [arange(n), index] of a matrix of n rows: one element a row. The second index, wrapped.
std::optional<NodeId> one_a_row(Operation& call, NodeId x, std::size_t k);
/// One element of each row of a matrix.
NodeId of_each_row(Operation& call, NodeId x, NodeId index);

}  // namespace gg::fx
