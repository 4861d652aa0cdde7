// Reads and writes at positions that are data. torch raises where an index is out of range (raises.cpp); what follows here holds where
// it does not (negative ones are wrapped where torch wraps them).
#include "models/fx/indexing.h"

#include <algorithm>

#include "models/fx/known_mask.h"

namespace gg::fx {
namespace {

/// Is `x` = t - a where the condition, if false, says that t >= a? So masks of vocabulary shards are made.
bool at_least_else(const Emitter& e, NodeId condition, NodeId x) {
  if (e.op(condition) == Op::Or) return at_least_else(e, e.operands(condition)[0], x) || at_least_else(e, e.operands(condition)[1], x);
  if (e.op(condition) != Op::Compare || e.attributes(condition).text(Attr::Direction) != "LT" || e.op(x) != Op::Subtract) return false;
  return e.equal(e.operands(condition)[0], e.operands(x)[0]) && e.equal(e.operands(condition)[1], e.operands(x)[1]);
}

/// Are all elements known to be at least 0?
bool non_negative(const Emitter& e, NodeId x) {
  switch (e.op(x)) {
    case Op::Iota:
      return true;
    case Op::Reshape:
    case Op::Broadcast:
    case Op::Transpose:
    case Op::Slice:
    case Op::Copy:
      return non_negative(e, e.operands(x)[0]);
    case Op::Convert:
      return is_integral(e.element(e.operands(x)[0])) && non_negative(e, e.operands(x)[0]);
    case Op::Select: {
      const auto& parts = e.operands(x);
      return non_negative(e, parts[1]) && (non_negative(e, parts[2]) || at_least_else(e, parts[0], parts[2]));
    }
    case Op::Constant: {
      const auto& values = e.attributes(x).literal().values;
      return std::all_of(values.begin(), values.end(), [](const Scalar& v) { return v.integer >= 0; });
    }
    default:
      return false;
  }
}

/// A gather whose indices [batch...] or [batch..., 1] are the result's dimensions from `position` on. Where the index is a choice between a number and
/// something else, as masks of shards make it, the result is that choice: what is masked is then seen to hang on no index.
NodeId gather_at(Emitter& e, NodeId x, NodeId index, const Attributes& attributes, std::int64_t position, std::vector<std::int64_t> batch) {
  const auto take = [&](NodeId where) { return e.add(Op::Gather, {x, where}, attributes); };
  const auto choice = e.choice_of(index);
  if (!choice) return take(index);
  const NodeId first = take(choice->first), second = take(choice->second);
  const auto rank = static_cast<std::int64_t>(batch.size());
  const NodeId condition = e.reshape(choice->condition, std::move(batch));
  return e.select(e.broadcast(condition, e.dims(first), ascending(position, position + rank)), first, second);
}

}  // namespace

/// Are the elements of a vector known to differ from one another?
bool distinct(const Emitter& e, NodeId x) {
  if (e.type(x).count() <= 1) return true;
  if (e.op(x) == Op::Iota) return e.type(x).rank() == 1;
  if (e.op(x) == Op::Reshape) return distinct(e, e.operands(x)[0]);
  return false;
}

/// Indices that torch counts from the end where they are negative.
NodeId wrapped(Operation& call, NodeId index, std::int64_t extent) {
  Emitter& e = call.e;
  e.raises_outside(index, {-extent, extent - 1});
  if (non_negative(e, index)) return index;
  const ElementType type = e.element(index);
  return e.select(e.compare("LT", index, e.integer(type, 0)), e.binary(Op::Add, index, e.integer(type, extent)), index);
}

Indices indices(Operation& call, NodeId x, std::size_t k, bool clamped) {
  Emitter& e = call.e;
  Indices result;
  std::vector<NodeId> parts;
  const auto given = call.optional_tensors(k);
  if (given.size() > e.dims(x).size()) call.refuse("more indices than dimensions");
  for (std::size_t d = 0; d < given.size(); ++d) {
    if (!given[d]) continue;
    if (!is_integral(e.element(*given[d])) || e.element(*given[d]) == ElementType::Pred) call.refuse("a mask as an index: how many elements it takes is data");
    const auto& shape = e.dims(*given[d]);
    if (shape.size() > result.batch.size()) result.batch.insert(result.batch.begin(), shape.size() - result.batch.size(), 1);
    const std::size_t lead = result.batch.size() - shape.size();
    for (std::size_t j = 0; j < shape.size(); ++j) {
      if (result.batch[lead + j] == 1) result.batch[lead + j] = shape[j];
    }
    result.dims.push_back(static_cast<std::int64_t>(d));
    parts.push_back(*given[d]);
  }
  if (parts.empty()) call.refuse("no index");
  const bool adjacent = result.dims.back() - result.dims.front() + 1 == static_cast<std::int64_t>(result.dims.size());
  result.position = adjacent ? result.dims.front() : 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : result.batch) count *= extent;
  std::vector<std::int64_t> column = result.batch;
  column.push_back(1);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    result.distinct = result.distinct || (e.type(parts[p]).count() == count && distinct(e, parts[p]));
    const std::int64_t extent = e.dims(x)[at(result.dims[p])];
    if (clamped) {
      const ElementType type = e.element(parts[p]);
      parts[p] = e.binary(Op::Minimum, e.binary(Op::Maximum, parts[p], e.integer(type, -extent)), e.integer(type, extent - 1));
    }
    const NodeId index = e.convert(wrapped(call, parts[p], extent), ElementType::S64);
    parts[p] = e.reshape(e.expand(index, result.batch), column);
  }
  result.vectors = e.concatenate(parts, static_cast<std::int64_t>(result.batch.size()));
  return result;
}

/// Dimensions of the result that come from the operand: all but the batch.
std::vector<std::int64_t> window_dims(const Indices& which, std::size_t rank) {
  const auto batch = static_cast<std::int64_t>(which.batch.size());
  std::vector<std::int64_t> list;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(rank - which.dims.size()); ++d) list.push_back(d < which.position ? d : d + batch);
  return list;
}

/// Index tensors of gather and scatter go along one dimension, element by element in the others.
void need_whole(Operation& call, NodeId x, NodeId index, std::int64_t dim) {
  for (std::size_t d = 0; d < call.e.dims(x).size(); ++d) {
    if (d != at(dim) && call.e.dims(x)[d] != call.e.dims(index)[d]) call.refuse("an index that is smaller than the tensor in another dimension");
  }
}

NodeId gathered(Operation& call, NodeId x, std::int64_t dim, NodeId index) {
  Emitter& e = call.e;
  if (e.dims(x).empty()) call.refuse("of a scalar");
  if (e.dims(x).size() != e.dims(index).size()) call.refuse("the index has another number of dimensions");
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(e.dims(x).size()); ++d) {
    if (d != dim) x = e.slice(x, d, 0, std::min(e.dims(index)[at(d)], e.dims(x)[at(d)]));
  }
  need_whole(call, x, index, dim);
  const auto rank = static_cast<std::int64_t>(e.dims(x).size());
  const std::vector<std::int64_t> others = others_than(dim, at(rank));
  Attributes attributes(Attr::OffsetDims, IntList{});
  attributes.set(Attr::CollapsedSliceDims, IntList{dim});
  attributes.set(Attr::StartIndexMap, IntList{dim});
  attributes.set(Attr::OperandBatchingDims, others);
  attributes.set(Attr::StartBatchingDims, others);
  attributes.set(Attr::IndexVectorDim, rank);
  attributes.set(Attr::SliceSizes, std::vector<std::int64_t>(at(rank), 1));
  return gather_at(e, x, index, attributes, 0, e.dims(index));
}

NodeId at_indices(Operation& call, NodeId x, const Indices& which) {
  std::vector<std::int64_t> sizes = call.e.dims(x);
  for (const std::int64_t d : which.dims) sizes[at(d)] = 1;
  Attributes attributes(Attr::OffsetDims, window_dims(which, sizes.size()));
  attributes.set(Attr::CollapsedSliceDims, which.dims);
  attributes.set(Attr::StartIndexMap, which.dims);
  attributes.set(Attr::IndexVectorDim, static_cast<std::int64_t>(which.batch.size()));
  attributes.set(Attr::SliceSizes, sizes);
  return gather_at(call.e, x, which.vectors, attributes, which.position, which.batch);
}

NodeId taken(Operation& call, NodeId x, std::int64_t dim, NodeId index) {
  Emitter& e = call.e;
  if (e.dims(x).empty() || e.dims(index).size() != 1) call.refuse("of a scalar, or by anything but a vector");
  std::vector<std::int64_t> sizes = e.dims(x);
  sizes[at(dim)] = 1;
  Attributes attributes(Attr::OffsetDims, others_than(dim, sizes.size()));
  attributes.set(Attr::CollapsedSliceDims, IntList{dim});
  attributes.set(Attr::StartIndexMap, IntList{dim});
  attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  attributes.set(Attr::SliceSizes, sizes);
  return gather_at(e, x, index, attributes, dim, e.dims(index));
}

/// Indices [arange(n), index] of a matrix of n rows: one element a row. The second index, wrapped.
std::optional<NodeId> one_a_row(Operation& call, NodeId x, std::size_t k) {
  Emitter& e = call.e;
  const auto given = call.optional_tensors(k);
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.size() != 2 || given.size() != 2 || !given[0] || !given[1] || e.op(*given[0]) != Op::Iota) return std::nullopt;
  if (e.dims(*given[0]) != std::vector<std::int64_t>{dims[0]} || e.dims(*given[1]) != e.dims(*given[0])) return std::nullopt;
  if (!is_integral(e.element(*given[1])) || e.element(*given[1]) == ElementType::Pred) return std::nullopt;
  return wrapped(call, *given[1], dims[1]);
}

/// One element of each row of a matrix.
NodeId of_each_row(Operation& call, NodeId x, NodeId index) {
  const std::int64_t n = call.e.dims(x)[0];
  return call.e.reshape(gathered(call, x, 1, call.e.reshape(index, {n, 1})), {n});
}

namespace {

NodeId rows_of(Operation& call, NodeId table, NodeId index) {
  Emitter& e = call.e;
  if (e.dims(table).size() != 2) call.refuse("of a table that is no matrix");
  const auto rank = static_cast<std::int64_t>(e.dims(index).size());
  Attributes attributes(Attr::OffsetDims, IntList{rank});
  attributes.set(Attr::CollapsedSliceDims, IntList{0});
  attributes.set(Attr::StartIndexMap, IntList{0});
  attributes.set(Attr::IndexVectorDim, rank);
  attributes.set(Attr::SliceSizes, IntList{1, e.dims(table)[1]});
  return gather_at(e, table, index, attributes, 0, e.dims(index));
}

Value embedding(Operation& call) {
  if (call.flag(3) || call.flag(4)) call.refuse("scale_grad_by_freq and sparse");
  const NodeId rows = rows_of(call, call.tensor(0), call.tensor(1));
  call.e.raises_outside(call.tensor(1), {0, call.e.dims(call.tensor(0))[0] - 1});
  return done(rows);
}

Value index(Operation& call) {
  const NodeId x = call.tensor(0);
  if (const auto rows = one_a_row(call, x, 1)) return done(of_each_row(call, x, *rows));
  if (const auto mask = lone_mask(call, 1)) {
    if (const auto found = taken_by_mask(call, x, *mask)) return done(*found);
  }
  return done(at_indices(call, x, indices(call, x, 1)));
}

/// The fill where the mask is false.
Value masked_index(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), found = at_indices(call, x, indices(call, x, 2, true));
  const std::vector<std::int64_t> dims = e.dims(found);
  return done(e.select(e.expand(call.tensor(1), dims), found, e.full(dims, call.stored(3, e.element(x)))));
}

/// By the index that torch does not count from the end.
template <NodeId (*kRead)(Operation&, NodeId, std::int64_t, NodeId)>
Value along(Operation& call) {
  const NodeId x = call.tensor(0), index = call.tensor(2);
  const std::int64_t dim = call.dim(1, call.e.dims(x).size());
  const NodeId found = kRead(call, x, dim, index);
  call.e.raises_outside(index, {0, call.e.dims(x)[at(dim)] - 1});
  return done(found);
}

/// Elements in row-major order.
Value take(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), index = call.tensor(1);
  const std::int64_t n = e.type(x).count();
  const NodeId flat = e.reshape(wrapped(call, index, n), {e.type(index).count()});
  return done(e.reshape(taken(call, e.reshape(x, {n}), 0, flat), e.dims(index)));
}

/// How many of `bounds` [.., n] lie before each element of x (by `right` also those that equal it); of no number: all.
NodeId bucket(Operation& call, NodeId bounds, NodeId x, bool right) {
  Emitter& e = call.e;
  const auto rank = static_cast<std::int64_t>(e.dims(x).size());
  std::vector<std::int64_t> dims = e.dims(x), lead = ascending(0, rank - 1);
  const std::vector<std::int64_t> sequence = e.dims(bounds);
  if (sequence.size() > 1 && (sequence.size() != dims.size() || !std::equal(sequence.begin(), sequence.end() - 1, dims.begin()))) call.refuse("sequences of other dimensions than the values");
  if (sequence.empty()) call.refuse("a scalar as the sequence");
  dims.push_back(sequence.back());
  std::vector<std::int64_t> map = sequence.size() > 1 ? lead : std::vector<std::int64_t>{};
  map.push_back(rank);
  const NodeId beyond = e.compare(right ? "GT" : "GE", e.broadcast(bounds, dims, map), e.broadcast(x, dims, ascending(0, rank)));
  return e.reduce(Op::Add, e.convert(e.unary(Op::Not, beyond), call.element()), {rank});
}

Value bucketize(Operation& call) { return done(bucket(call, call.tensor(1), call.tensor(0), call.flag(3))); }

Value searchsorted(Operation& call) {
  if (!call.none(5)) call.refuse("with a sorter");
  const bool right = call.flag(3) || (!call.none(4) && call.text(4) == "right");
  return done(bucket(call, call.tensor(0), call.tensor(1), right));
}

/// The k-th masked element is the k-th of the source.
Value masked_scatter(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), source = call.tensor(2), mask = e.expand(call.tensor(1), e.dims(x));
  const std::int64_t n = e.type(x).count();
  if (n == 0) return done(x);
  if (e.type(source).count() == 0) call.refuse("from nothing");
  const NodeId counted = e.running(Op::Add, e.convert(e.reshape(mask, {n}), ElementType::S64), 0);
  const NodeId place = e.binary(Op::Maximum, e.binary(Op::Subtract, counted, e.integer(ElementType::S64, 1)), e.integer(ElementType::S64, 0));
  const NodeId given = taken(call, e.reshape(source, {e.type(source).count()}), 0, place);
  return done(e.select(mask, e.reshape(given, e.dims(x)), x));
}

constexpr Overload kIndexingRows[] = {
    {"aten._unsafe_index.Tensor", "self, indices", index},
    {"aten._unsafe_masked_index.default", "self, mask, indices, fill", masked_index},
    {"aten.bucketize.Tensor", "self, boundaries, *, out_int32=False, right=False", bucketize},
    {"aten.embedding.default", "weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False", embedding},
    {"aten.gather.default", "self, dim, index, *, sparse_grad=False", along<gathered>},
    {"aten.index.Tensor", "self, indices", index},
    {"aten.index_select.default", "self, dim, index", along<taken>},
    {"aten.masked_scatter.default", "self, mask, source", masked_scatter},
    {"aten.searchsorted.Tensor", "sorted_sequence, self, *, out_int32=False, right=False, side=None, sorter=None", searchsorted},
    {"aten.take.default", "self, index", take},
};

}  // namespace

std::span<const Overload> indexing_rows() { return kIndexingRows; }

}  // namespace gg::fx
