// Reads and writes at positions that are data. torch raises where an index is out of range; what follows here holds for those inputs on
// which it does not (negative ones are wrapped where torch wraps them).
#include <algorithm>

#include "models/fx/types.h"

namespace gg::fx {
namespace {

Value done(NodeId node) { return Value::tensor(node); }

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

std::vector<std::int64_t> ascending(std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> list;
  for (std::int64_t k = from; k < to; ++k) list.push_back(k);
  return list;
}

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
  if (non_negative(e, index)) return index;
  const ElementType type = e.element(index);
  return e.select(e.compare("LT", index, e.integer(type, 0)), e.binary(Op::Add, index, e.integer(type, extent)), index);
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

NodeId rows_of(Operation& call, NodeId table, NodeId index) {
  Emitter& e = call.e;
  if (e.dims(table).size() != 2) call.refuse("of a table that is no matrix");
  const auto rank = static_cast<std::int64_t>(e.dims(index).size());
  Attributes attributes;
  attributes.set(Attr::OffsetDims, IntList{rank});
  attributes.set(Attr::CollapsedSliceDims, IntList{0});
  attributes.set(Attr::StartIndexMap, IntList{0});
  attributes.set(Attr::IndexVectorDim, rank);
  attributes.set(Attr::SliceSizes, IntList{1, e.dims(table)[1]});
  return gather_at(e, table, index, attributes, 0, e.dims(index));
}

Value embedding(Operation& call) {
  if (call.flag(3) || call.flag(4)) call.refuse("scale_grad_by_freq and sparse");
  return done(rows_of(call, call.tensor(0), call.tensor(1)));
}

/// In a tensor, one element of each line along `dim` is replaced: at `index` (the shape without dim) by the value (likewise). Where the index is a choice
/// between a number and something else, as masks make it, the result is that choice.
NodeId put_one(Operation& call, NodeId x, std::int64_t dim, NodeId index, NodeId value, bool add) {
  Emitter& e = call.e;
  const std::vector<std::int64_t> dims = e.dims(x);
  std::vector<std::int64_t> others = ascending(0, static_cast<std::int64_t>(dims.size()));
  others.erase(others.begin() + dim);
  const NodeId place = e.iota(e.element(index), dims, dim);
  const NodeId given = e.broadcast(value, dims, others);
  const NodeId changed = add ? e.binary(Op::Add, x, given) : given;
  const auto put = [&](NodeId where) { return e.select(e.compare("EQ", place, e.broadcast(where, dims, others)), changed, x); };
  const auto choice = e.choice_of(index);
  if (!choice) return put(index);
  const NodeId first = put(choice->first);
  return e.select(e.broadcast(choice->condition, dims, others), first, put(choice->second));
}

/// `updates` added to rows of `x` at `index` ([..] to [.., width]).
NodeId add_rows(Operation& call, NodeId x, NodeId index, NodeId updates) {
  Emitter& e = call.e;
  const auto rank = static_cast<std::int64_t>(e.dims(index).size());
  Attributes attributes;
  attributes.set(Attr::UpdateWindowDims, IntList{rank});
  attributes.set(Attr::InsertedWindowDims, IntList{0});
  attributes.set(Attr::ScatterDims, IntList{0});
  attributes.set(Attr::IndexVectorDim, rank);
  e.apply(attributes, Op::Add, e.element(x));
  return e.add(Op::Scatter, {x, index, updates}, std::move(attributes));
}

/// Rows of g added at their indices; rows whose index is padding_idx are left out.
Value embedding_backward(Operation& call) {
  Emitter& e = call.e;
  if (call.flag(4)) call.refuse("scale_grad_by_freq");
  NodeId g = call.tensor(0);
  const NodeId index = call.tensor(1);
  const ElementType type = e.element(g);
  const auto rank = static_cast<std::int64_t>(e.dims(index).size());
  if (e.dims(g).size() != e.dims(index).size() + 1) call.refuse("the gradient has no row for each index");
  if (call.integer(3) >= 0) {
    const NodeId padding = e.compare("EQ", index, e.integer(e.element(index), call.integer(3)));
    const NodeId rows = e.broadcast(padding, e.dims(g), ascending(0, rank));
    g = e.select(rows, e.integer(type, 0), g);
  }
  NodeId rows = e.full({call.integer(2), e.dims(g).back()}, e.integer(type, 0));
  const auto choice = e.choice_of(index);
  if (!choice) return done(add_rows(call, rows, index, g));
  // Added where the condition holds at one index, elsewhere at the other: sums are the same, and masked rows are seen to be zero.
  const NodeId condition = e.broadcast(choice->condition, e.dims(g), ascending(0, rank)), zero = e.integer(type, 0);
  rows = add_rows(call, rows, choice->first, e.select(condition, g, zero));
  return done(add_rows(call, rows, choice->second, e.select(condition, zero, g)));
}

/// The index tensors of index.Tensor and index_put, broadcast together.
/// Are the elements of each line along `dim` places that one top-k found? They differ.
bool found_places(const Emitter& e, NodeId x, std::int64_t dim) {
  while (e.op(x) == Op::Convert || e.op(x) == Op::Transpose) {
    if (e.op(x) == Op::Transpose) dim = e.attributes(x).ints(Attr::BroadcastDims)[at(dim)];
    x = e.operands(x)[0];
  }
  return e.op(x) == Op::GetTupleElement && e.op(e.operands(x)[0]) == Op::TopK && dim + 1 == static_cast<std::int64_t>(e.dims(x).size());
}

struct Indices {
  std::vector<std::int64_t> dims;   ///< of the operand, those that are indexed
  std::vector<std::int64_t> batch;  ///< the shape of the indices
  NodeId vectors = 0;               ///< [batch..., number of indexed dimensions]
  std::int64_t position = 0;        ///< where the batch stands among the result's dimensions
  bool distinct = false;
};

Indices indices(Operation& call, NodeId x, std::size_t k) {
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
    const NodeId index = e.convert(wrapped(call, parts[p], e.dims(x)[at(result.dims[p])]), ElementType::S64);
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

NodeId gathered(Operation& call, NodeId x, NodeId index, std::int64_t dim) {
  Emitter& e = call.e;
  if (e.dims(x).empty()) call.refuse("of a scalar");
  if (e.dims(x).size() != e.dims(index).size()) call.refuse("the index has another number of dimensions");
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(e.dims(x).size()); ++d) {
    if (d != dim) x = e.slice(x, d, 0, std::min(e.dims(index)[at(d)], e.dims(x)[at(d)]));
  }
  need_whole(call, x, index, dim);
  const auto rank = static_cast<std::int64_t>(e.dims(x).size());
  std::vector<std::int64_t> others = ascending(0, rank);
  others.erase(others.begin() + dim);
  Attributes attributes;
  attributes.set(Attr::OffsetDims, IntList{});
  attributes.set(Attr::CollapsedSliceDims, IntList{dim});
  attributes.set(Attr::StartIndexMap, IntList{dim});
  attributes.set(Attr::OperandBatchingDims, others);
  attributes.set(Attr::StartBatchingDims, others);
  attributes.set(Attr::IndexVectorDim, rank);
  attributes.set(Attr::SliceSizes, std::vector<std::int64_t>(at(rank), 1));
  return gather_at(e, x, index, attributes, 0, e.dims(index));
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
  return call.e.reshape(gathered(call, x, call.e.reshape(index, {n, 1}), 1), {n});
}

Value index(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  if (const auto rows = one_a_row(call, x, 1)) return done(of_each_row(call, x, *rows));
  const Indices which = indices(call, x, 1);
  std::vector<std::int64_t> sizes = e.dims(x);
  for (const std::int64_t d : which.dims) sizes[at(d)] = 1;
  Attributes attributes;
  attributes.set(Attr::OffsetDims, window_dims(which, sizes.size()));
  attributes.set(Attr::CollapsedSliceDims, which.dims);
  attributes.set(Attr::StartIndexMap, which.dims);
  attributes.set(Attr::IndexVectorDim, static_cast<std::int64_t>(which.batch.size()));
  attributes.set(Attr::SliceSizes, sizes);
  return done(gather_at(e, x, which.vectors, attributes, which.position, which.batch));
}

/// x[mask] = value: a mask over the first dimensions and a single value.
std::optional<Value> masked(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const auto given = call.optional_tensors(1);
  if (given.size() != 1 || !given[0] || e.element(*given[0]) != ElementType::Pred) return std::nullopt;
  const auto shape = e.dims(*given[0]);
  if (call.flag(3) || e.type(call.tensor(2)).count() != 1 || shape.size() > e.dims(x).size()) call.refuse("a mask as an index: how many elements it takes is data");
  const NodeId mask = e.broadcast(*given[0], e.dims(x), ascending(0, static_cast<std::int64_t>(shape.size())));
  return done(e.select(mask, e.reshape(call.tensor(2), {}), x));
}

Value index_put(Operation& call) {
  Emitter& e = call.e;
  if (const auto filled = masked(call)) return *filled;
  const NodeId x = call.tensor(0);
  if (const auto rows = one_a_row(call, x, 1)) {
    const NodeId value = e.expand(call.tensor(2), {e.dims(x)[0]});
    const bool sum = e.op(value) == Op::Add || e.op(value) == Op::Subtract;
    if (sum && !call.flag(3) && e.equal(e.operands(value)[0], of_each_row(call, x, *rows), 12)) {  // x[arange, index] -= y: x less y there and 0 elsewhere
      const NodeId zeros = e.full(e.dims(x), e.integer(e.element(x), 0));
      return done(e.binary(e.op(value), x, put_one(call, zeros, 1, *rows, e.operands(value)[1], false)));
    }
    return done(put_one(call, x, 1, *rows, value, call.flag(3)));
  }
  const Indices which = indices(call, x, 1);
  const bool accumulate = call.flag(3);
  if (!accumulate && !which.distinct) call.refuse("without accumulate: which of several equal indices wins is not specified, and these are not known to differ");
  std::vector<std::int64_t> shape;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(e.dims(x).size()); ++d) {
    if (std::find(which.dims.begin(), which.dims.end(), d) == which.dims.end()) shape.push_back(e.dims(x)[at(d)]);
  }
  shape.insert(shape.begin() + which.position, which.batch.begin(), which.batch.end());
  Attributes attributes;
  attributes.set(Attr::UpdateWindowDims, window_dims(which, e.dims(x).size()));
  attributes.set(Attr::InsertedWindowDims, which.dims);
  attributes.set(Attr::ScatterDims, which.dims);
  attributes.set(Attr::IndexVectorDim, static_cast<std::int64_t>(which.batch.size()));
  if (!accumulate) attributes.set(Attr::UniqueIndices, true);
  e.apply(attributes, accumulate ? Op::Add : Op::Parameter, e.element(x));
  return done(e.add(Op::Scatter, {x, which.vectors, e.expand(call.tensor(2), shape)}, std::move(attributes)));
}

Value gather(Operation& call) {
  return done(gathered(call, call.tensor(0), call.tensor(2), call.dim(1, call.e.dims(call.tensor(0)).size())));
}

NodeId scattered(Operation& call, NodeId source, Op monoid) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), index = call.tensor(2);
  if (e.dims(x).empty() || e.dims(x).size() != e.dims(index).size()) call.refuse("the index has another number of dimensions");
  const std::int64_t dim = call.dim(1, e.dims(x).size());
  need_whole(call, x, index, dim);
  const std::int64_t count = e.dims(index)[at(dim)];
  if (count == 1 || found_places(e, index, dim)) {  // one element a line after the other: the others keep their values
    std::vector<std::int64_t> line = e.dims(index);
    line.erase(line.begin() + dim);
    NodeId result = x;
    for (std::int64_t k = 0; k < count; ++k) {
      const auto one = [&](NodeId whole) { return e.reshape(e.slice(whole, dim, k, k + 1), line); };
      result = put_one(call, result, dim, one(index), one(source), monoid == Op::Add);
    }
    return result;
  }
  if (monoid == Op::Parameter) call.refuse("which of several equal indices wins is not specified, and these are not known to differ");
  const auto rank = static_cast<std::int64_t>(e.dims(x).size());
  std::vector<std::int64_t> others = ascending(0, rank);
  others.erase(others.begin() + dim);
  Attributes attributes;
  attributes.set(Attr::UpdateWindowDims, IntList{});
  attributes.set(Attr::InsertedWindowDims, IntList{dim});
  attributes.set(Attr::ScatterDims, IntList{dim});
  attributes.set(Attr::InputBatchingDims, others);
  attributes.set(Attr::ScatterBatchingDims, others);
  attributes.set(Attr::IndexVectorDim, rank);
  e.apply(attributes, monoid, e.element(x));
  return e.add(Op::Scatter, {x, index, source}, std::move(attributes));
}

/// The part of `src` that the index has.
NodeId fitting(Operation& call, NodeId source, NodeId index) {
  if (call.e.dims(source).size() != call.e.dims(index).size()) call.refuse("the source has another number of dimensions");
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(call.e.dims(index).size()); ++d) source = call.e.slice(source, d, 0, call.e.dims(index)[at(d)]);
  return source;
}

template <Op kMonoid>
Value scatter(Operation& call) { return done(scattered(call, fitting(call, call.tensor(3), call.tensor(2)), kMonoid)); }

Value scatter_value(Operation& call) {
  return done(scattered(call, call.e.full(call.e.dims(call.tensor(2)), call.operand(3, call.element())), Op::Parameter));
}

Value index_select(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), index = call.tensor(2);
  if (e.dims(x).empty() || e.dims(index).size() != 1) call.refuse("of a scalar, or by anything but a vector");
  const std::int64_t dim = call.dim(1, e.dims(x).size());
  std::vector<std::int64_t> sizes = e.dims(x), offset = ascending(0, static_cast<std::int64_t>(sizes.size()));
  sizes[at(dim)] = 1;
  offset.erase(offset.begin() + dim);
  Attributes attributes;
  attributes.set(Attr::OffsetDims, offset);
  attributes.set(Attr::CollapsedSliceDims, IntList{dim});
  attributes.set(Attr::StartIndexMap, IntList{dim});
  attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  attributes.set(Attr::SliceSizes, sizes);
  return done(gather_at(e, x, index, attributes, dim, e.dims(index)));
}

constexpr Overload kRows[] = {
    {"aten.embedding.default", "weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False", embedding},
    {"aten.embedding_dense_backward.default", "grad_output, indices, num_weights, padding_idx, scale_grad_by_freq", embedding_backward},
    {"aten.gather.default", "self, dim, index, *, sparse_grad=False", gather},
    {"aten.index.Tensor", "self, indices", index},
    {"aten.index_put.default", "self, indices, values, accumulate=False", index_put},
    {"aten.index_select.default", "self, dim, index", index_select},
    {"aten.scatter.src", "self, dim, index, src", scatter<Op::Parameter>},
    {"aten.scatter.value", "self, dim, index, value", scatter_value},
    {"aten.scatter_add.default", "self, dim, index, src", scatter<Op::Add>},
};

}  // namespace

std::span<const Overload> indexing_rows() { return kRows; }

}  // namespace gg::fx
