// Writes at positions that are data. Which of several equal positions wins torch does not say: they are known to differ, or are refused.
#include <algorithm>

#include "models/fx/indexing.h"
#include "models/fx/known_mask.h"

namespace gg::fx {
namespace {

/// In a tensor, one element of each line along `dim` is replaced: at `index` (the shape without dim) by the value (likewise). Where the index is a choice
/// between a number and something else, as masks make it, the result is that choice.
NodeId put_one(Operation& call, NodeId x, std::int64_t dim, NodeId index, NodeId value, bool add) {
  Emitter& e = call.e;
  const std::vector<std::int64_t> dims = e.dims(x);
  const std::vector<std::int64_t> others = others_than(dim, dims.size());
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
  Attributes attributes(Attr::UpdateWindowDims, IntList{rank});
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
  e.raises_outside(index, {0, call.integer(2) - 1});
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

/// Are the elements of each line along `dim` places that one top-k or one sort found? They differ.
bool found_places(const Emitter& e, NodeId x, std::int64_t dim) {
  while (e.op(x) == Op::Convert || e.op(x) == Op::Transpose) {
    if (e.op(x) == Op::Transpose) dim = e.attributes(x).ints(Attr::BroadcastDims)[at(dim)];
    x = e.operands(x)[0];
  }
  if (e.op(x) != Op::GetTupleElement) return false;
  const NodeId whole = e.operands(x)[0];
  if (e.op(whole) == Op::TopK) return dim + 1 == static_cast<std::int64_t>(e.dims(x).size());
  return e.op(whole) == Op::Sort && e.attributes(x).integer(Attr::Index) == 1 && e.attributes(whole).ints(Attr::BroadcastDims) == IntList{dim} && e.op(e.operands(whole)[1]) == Op::Iota &&
         e.attributes(e.operands(whole)[1]).integer(Attr::IotaDimension) == dim;
}

/// x[mask] = value: a mask over the first dimensions, and a single value or a mask that is known.
std::optional<Value> masked(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), value = call.tensor(2);
  const auto given = lone_mask(call, 1);
  if (!given) return std::nullopt;
  const auto shape = e.dims(*given);
  if (call.flag(3) || e.type(value).count() != 1 || shape.size() > e.dims(x).size()) {
    if (const auto put = put_by_mask(call, x, *given, value, call.flag(3))) return done(*put);
    call.refuse("a mask as an index: how many elements it takes is data");
  }
  const NodeId mask = e.broadcast(*given, e.dims(x), ascending(0, static_cast<std::int64_t>(shape.size())));
  return done(e.select(mask, e.reshape(value, {}), x));
}

/// The shape of what stands at these positions.
std::vector<std::int64_t> shape_at(const std::vector<std::int64_t>& dims, const Indices& which) {
  std::vector<std::int64_t> shape;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(dims.size()); ++d) {
    if (std::find(which.dims.begin(), which.dims.end(), d) == which.dims.end()) shape.push_back(dims[at(d)]);
  }
  shape.insert(shape.begin() + which.position, which.batch.begin(), which.batch.end());
  return shape;
}

/// Values added or (at positions that differ) put.
NodeId put_at(Operation& call, NodeId x, const Indices& which, NodeId values, Op monoid) {
  Emitter& e = call.e;
  Attributes attributes(Attr::UpdateWindowDims, window_dims(which, e.dims(x).size()));
  attributes.set(Attr::InsertedWindowDims, which.dims);
  attributes.set(Attr::ScatterDims, which.dims);
  attributes.set(Attr::IndexVectorDim, static_cast<std::int64_t>(which.batch.size()));
  if (monoid == Op::Parameter) attributes.set(Attr::UniqueIndices, true);
  e.apply(attributes, monoid, e.element(x));
  return e.add(Op::Scatter, {x, which.vectors, values}, std::move(attributes));
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
  return done(put_at(call, x, which, e.expand(call.tensor(2), shape_at(e.dims(x), which)), accumulate ? Op::Add : Op::Parameter));
}

/// Values whose mask is false add nothing.
Value masked_put(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const Indices which = indices(call, x, 2, true);
  const std::vector<std::int64_t> shape = shape_at(e.dims(x), which);
  const NodeId values = e.select(e.expand(call.tensor(1), shape), e.expand(call.tensor(3), shape), e.full(shape, e.integer(e.element(x), 0)));
  return done(put_at(call, x, which, values, Op::Add));
}

NodeId scattered(Operation& call, NodeId source, Op monoid) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), index = call.tensor(2);
  if (e.dims(x).empty() || e.dims(x).size() != e.dims(index).size()) call.refuse("the index has another number of dimensions");
  const std::int64_t dim = call.dim(1, e.dims(x).size());
  need_whole(call, x, index, dim);
  e.raises_outside(index, {0, e.dims(x)[at(dim)] - 1});
  const std::int64_t count = e.dims(index)[at(dim)];
  const bool simple = monoid == Op::Add || monoid == Op::Parameter;
  if (simple && (count == 1 || found_places(e, index, dim))) {  // one element a line after the other: the others keep their values
    std::vector<std::int64_t> line = e.dims(index);
    line.erase(line.begin() + dim);
    NodeId result = x;
    for (std::int64_t k = 0; k < count; ++k) {
      const auto piece = [&](NodeId whole) { return e.reshape(e.slice(whole, dim, k, k + 1), line); };
      result = put_one(call, result, dim, piece(index), piece(source), monoid == Op::Add);
    }
    return result;
  }
  if (monoid == Op::Parameter) call.refuse("which of several equal indices wins is not specified, and these are not known to differ");
  const std::vector<std::int64_t> others = others_than(dim, e.dims(x).size());
  Attributes attributes(Attr::UpdateWindowDims, IntList{});
  attributes.set(Attr::InsertedWindowDims, IntList{dim});
  attributes.set(Attr::ScatterDims, IntList{dim});
  attributes.set(Attr::InputBatchingDims, others);
  attributes.set(Attr::ScatterBatchingDims, others);
  attributes.set(Attr::IndexVectorDim, static_cast<std::int64_t>(e.dims(x).size()));
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
  return done(scattered(call, call.e.full(call.e.dims(call.tensor(2)), call.stored(3, call.element())), Op::Parameter));
}

/// Slices of `source` along `dim`, put or added at the places of a vector.
NodeId put_slices(Operation& call, std::size_t first, NodeId source, Op monoid) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), index = call.tensor(first + 1);
  if (e.dims(x).empty() || e.dims(index).size() != 1 || e.dims(source).size() != e.dims(x).size()) call.refuse("of a scalar, by anything but a vector, or from a source of another rank");
  const std::int64_t dim = call.dim(first, e.dims(x).size());
  e.raises_outside(index, {0, e.dims(x)[at(dim)] - 1});
  const bool unique = distinct(e, index);
  if (monoid == Op::Parameter && !unique) call.refuse("which of several equal indices wins is not specified, and these are not known to differ");
  Attributes attributes(Attr::UpdateWindowDims, others_than(dim, e.dims(x).size()));
  attributes.set(Attr::InsertedWindowDims, IntList{dim});
  attributes.set(Attr::ScatterDims, IntList{dim});
  attributes.set(Attr::IndexVectorDim, std::int64_t{1});
  if (monoid == Op::Parameter) attributes.set(Attr::UniqueIndices, true);
  e.apply(attributes, monoid, e.element(x));
  return e.add(Op::Scatter, {x, index, source}, std::move(attributes));
}

Value index_add(Operation& call) {
  NodeId source = call.tensor(3);
  if (call.number(4) != 1) source = call.e.binary(Op::Multiply, source, call.operand(4, call.element()));
  return done(put_slices(call, 1, source, Op::Add));
}

Value index_copy(Operation& call) { return done(put_slices(call, 1, call.tensor(3), Op::Parameter)); }

/// One value at the places of a vector: equal ones get the same.
Value index_fill(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.empty() || e.dims(call.tensor(2)).size() > 1) call.refuse("of a scalar, or by anything but a vector");
  const std::int64_t dim = call.dim(1, dims.size()), n = dims[at(dim)];
  const NodeId index = wrapped(call, e.reshape(call.tensor(2), {e.type(call.tensor(2)).count()}), n);
  const std::vector<std::int64_t> pairs = {n, e.dims(index)[0]};
  const NodeId hit = e.reduce(Op::Or, e.compare("EQ", e.iota(e.element(index), pairs, 0), e.broadcast(index, pairs, {1})), {1});
  return done(e.select(e.broadcast(hit, dims, {dim}), e.full(dims, call.stored(3, e.element(x))), x));
}

Value scatter_reduce(Operation& call) {
  constexpr std::pair<std::string_view, Op> kMonoids[] = {{"sum", Op::Add}, {"prod", Op::Multiply}, {"amax", Op::Maximum}, {"amin", Op::Minimum}};
  if (!call.flag(5)) call.refuse("without the elements themselves (include_self=False)");
  const std::string name = call.text(4);
  for (const auto& [known, monoid] : kMonoids) {
    if (known == name) return done(scattered(call, fitting(call, call.tensor(3), call.tensor(2)), monoid));
  }
  call.refuse("reduce = '" + name + "'");
}

constexpr Overload kScatterRows[] = {
    {"aten._unsafe_index_put.default", "self, indices, values, accumulate=False", index_put},
    {"aten._unsafe_masked_index_put_accumulate.default", "self, mask, indices, values", masked_put},
    {"aten.embedding_dense_backward.default", "grad_output, indices, num_weights, padding_idx, scale_grad_by_freq", embedding_backward},
    {"aten.index_add.default", "self, dim, index, source, *, alpha=1", index_add},
    {"aten.index_copy.default", "self, dim, index, source", index_copy},
    {"aten.index_fill.int_Scalar", "self, dim, index, value", index_fill},
    {"aten.index_fill.int_Tensor", "self, dim, index, value", index_fill},
    {"aten.index_put.default", "self, indices, values, accumulate=False", index_put},
    {"aten.scatter.src", "self, dim, index, src", scatter<Op::Parameter>},
    {"aten.scatter.value", "self, dim, index, value", scatter_value},
    {"aten.scatter_add.default", "self, dim, index, src", scatter<Op::Add>},
    {"aten.scatter_reduce.two", "self, dim, index, src, reduce, *, include_self=True", scatter_reduce},
};

}  // namespace

std::span<const Overload> scatter_rows() { return kScatterRows; }

}  // namespace gg::fx
