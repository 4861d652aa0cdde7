// Views, joins and cuts: what moves elements and computes nothing.
#include <algorithm>
#include <numeric>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

Value same(Operation& call) { return Value::tensor(call.tensor(0)); }

constexpr std::size_t kMostPieces = 1 << 16;

/// Number of elements; -1 where that is negative or too large.
std::int64_t count(const std::vector<std::int64_t>& dims) {
  std::int64_t product = 1;
  for (const std::int64_t extent : dims) {
    if (extent < 0 || __builtin_mul_overflow(product, extent, &product)) return -1;
  }
  return product;
}

void need_dimensions(Operation& call, NodeId x) {
  if (call.e.dims(x).empty()) call.refuse("of a scalar");
}

/// A shape in which one extent may be -1.
std::vector<std::int64_t> completed(Operation& call, std::vector<std::int64_t> dims, std::int64_t elements) {
  const auto open = std::find(dims.begin(), dims.end(), -1);
  if (open != dims.end()) {
    *open = 1;
    const std::int64_t known = count(dims);
    *open = known < 1 ? 0 : elements / known;
  }
  if (count(dims) != elements) call.refuse("the new shape has another number of elements");
  return dims;
}

/// Of what nobody has written: the same.
Value view(Operation& call) {
  if (!call.is_tensor(0)) return {};
  const NodeId x = call.tensor(0);
  return Value::tensor(call.e.reshape(x, completed(call, call.integers(1), count(call.e.dims(x)))));
}

Value transposed(Operation& call, NodeId x, std::int64_t a, std::int64_t b) {
  std::vector<std::int64_t> permutation(call.e.dims(x).size());
  std::iota(permutation.begin(), permutation.end(), 0);
  if (!permutation.empty()) std::swap(permutation[at(a)], permutation[at(b)]);
  return Value::tensor(call.e.transpose(x, permutation));
}

Value t(Operation& call) {
  const NodeId x = call.tensor(0);
  const std::size_t rank = call.e.dims(x).size();
  if (rank > 2) call.refuse("t of more than two dimensions");
  return rank < 2 ? Value::tensor(x) : transposed(call, x, 0, 1);
}

Value transpose(Operation& call) {
  const std::size_t rank = call.e.dims(call.tensor(0)).size();
  return transposed(call, call.tensor(0), call.dim(1, rank), call.dim(2, rank));
}

Value permute(Operation& call) {
  const NodeId x = call.tensor(0);
  std::vector<std::int64_t> permutation;
  for (const std::int64_t d : call.integers(1)) permutation.push_back(call.wrap(d, call.e.dims(x).size()));
  return Value::tensor(call.e.transpose(x, permutation));
}

Value expand(Operation& call) {
  const NodeId x = call.tensor(0);
  std::vector<std::int64_t> wanted = call.integers(1);
  const auto& have = call.e.dims(x);
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    if (wanted[d] != -1) continue;
    if (d + have.size() < wanted.size()) call.refuse("-1 in a dimension that is new");
    wanted[d] = have[d + have.size() - wanted.size()];
  }
  return Value::tensor(call.e.expand(x, wanted));
}

Value unsqueeze(Operation& call) {
  const NodeId x = call.tensor(0);
  std::vector<std::int64_t> dims = call.e.dims(x);
  dims.insert(dims.begin() + call.dim(1, dims.size() + 1), 1);
  return Value::tensor(call.e.reshape(x, dims));
}

Value squeezed(Operation& call, const std::vector<std::int64_t>& over) {
  const NodeId x = call.tensor(0);
  std::vector<std::int64_t> dims;
  for (std::size_t d = 0; d < call.e.dims(x).size(); ++d) {
    const bool drop = call.e.dims(x)[d] == 1 && std::find(over.begin(), over.end(), static_cast<std::int64_t>(d)) != over.end();
    if (!drop) dims.push_back(call.e.dims(x)[d]);
  }
  return Value::tensor(call.e.reshape(x, dims));
}

Value squeeze(Operation& call) {
  std::vector<std::int64_t> all(call.e.dims(call.tensor(0)).size());
  std::iota(all.begin(), all.end(), 0);
  return squeezed(call, all);
}

Value squeeze_dims(Operation& call) {
  std::vector<std::int64_t> over;
  for (const std::int64_t d : call.integers(1)) over.push_back(call.wrap(d, call.e.dims(call.tensor(0)).size()));
  return squeezed(call, over);
}

/// A bound of a slice as torch reads it: negative from the end, then clamped to [low, extent].
std::int64_t bound(std::int64_t value, std::int64_t low, std::int64_t extent) {
  return std::clamp(value < 0 ? value + extent : value, low, extent);
}

/// Start of every rank and the common length; where a bound is None, it is the tensor's.
struct Range {
  std::vector<std::int64_t> starts;
  std::int64_t length = 0, step = 1;
  bool same() const { return std::adjacent_find(starts.begin(), starts.end(), std::not_equal_to<>()) == starts.end(); }
};

Range range(Operation& call, std::size_t first, std::int64_t extent) {
  Range result;
  result.step = call.integer(first + 2);
  if (result.step < 1) call.refuse("a step of " + std::to_string(result.step));
  result.step = std::min(result.step, std::max<std::int64_t>(extent, 1));
  const auto ranks = at(call.groups.ranks);
  const auto starts = call.none(first) ? std::vector<std::int64_t>(ranks, 0) : call.by_rank(first);
  const auto ends = call.none(first + 1) ? std::vector<std::int64_t>(ranks, extent) : call.by_rank(first + 1);
  for (std::size_t r = 0; r < ranks; ++r) {
    const std::int64_t start = bound(starts[r], 0, extent);
    const std::int64_t length = (bound(ends[r], start, extent) - start + result.step - 1) / result.step;
    if (r > 0 && length != result.length) call.refuse("the ranks take slices of different lengths");
    result.length = length;
    result.starts.push_back(start);
  }
  if (!result.same() && result.step != 1) call.refuse("the ranks take slices with a step at different places");
  return result;
}

NodeId start_of(Operation& call, const std::vector<std::int64_t>& starts) {
  return call.e.by_rank(ElementType::S64, std::vector<double>(starts.begin(), starts.end()));
}

Value slice(Operation& call) {
  const NodeId x = call.tensor(0);
  const std::int64_t dim = call.dim(1, call.e.dims(x).size());
  if (call.e.dims(x).empty()) call.refuse("a slice of a scalar");
  const Range r = range(call, 2, call.e.dims(x)[at(dim)]);
  if (!r.same()) return Value::tensor(call.e.dynamic_slice(x, dim, start_of(call, r.starts), r.length));
  const std::int64_t limit = r.length == 0 ? r.starts[0] : r.starts[0] + (r.length - 1) * r.step + 1;
  return Value::tensor(call.e.slice(x, dim, r.starts[0], limit, r.step));
}

/// `source` in place of the slice.
NodeId put_slice(Operation& call, NodeId x, NodeId source, std::int64_t dim, const Range& r) {
  Emitter& e = call.e;
  const std::int64_t extent = e.dims(x)[at(dim)];
  std::vector<std::int64_t> part = e.dims(x);
  part[at(dim)] = r.length;
  source = e.convert(e.expand(source, part), e.element(x));
  if (r.length == 0) return x;
  if (!r.same()) return e.dynamic_update(x, source, dim, start_of(call, r.starts));
  if (r.length == extent) return source;
  const std::int64_t start = r.starts[0], end = start + (r.length - 1) * r.step + 1;
  if (r.step == 1) {
    std::vector<NodeId> parts;
    if (start > 0) parts.push_back(e.slice(x, dim, 0, start));
    parts.push_back(source);
    if (end < extent) parts.push_back(e.slice(x, dim, end, extent));
    return e.concatenate(parts, dim);
  }
  const NodeId spread = e.pad(source, e.integer(e.element(x), 0), dim, start, extent - end, r.step - 1);
  const NodeId hit = e.pad(e.full(part, e.integer(ElementType::Pred, 1)), e.integer(ElementType::Pred, 0), dim, start, extent - end, r.step - 1);
  return e.select(hit, spread, x);
}

Value slice_scatter(Operation& call) {
  const NodeId x = call.tensor(0);
  need_dimensions(call, x);
  const std::int64_t dim = call.dim(2, call.e.dims(x).size());
  return Value::tensor(put_slice(call, x, call.tensor(1), dim, range(call, 3, call.e.dims(x)[at(dim)])));
}

Value slice_backward(Operation& call) {
  std::vector<std::int64_t> sizes = call.integers(1);
  const NodeId zeros = call.e.full(sizes, call.e.integer(call.e.element(call.tensor(0)), 0));
  need_dimensions(call, zeros);
  const std::int64_t dim = call.dim(2, sizes.size());
  return Value::tensor(put_slice(call, zeros, call.tensor(0), dim, range(call, 3, sizes[at(dim)])));
}

/// The one index of select on every rank.
Range index_range(Operation& call, std::size_t k, std::int64_t extent) {
  Range r;
  r.length = 1;
  for (const std::int64_t index : call.by_rank(k)) {
    if (index < -extent || index >= extent) call.refuse("index " + std::to_string(index) + " of a dimension of " + std::to_string(extent));
    r.starts.push_back(index < 0 ? index + extent : index);
  }
  return r;
}

Value select(Operation& call) {
  const NodeId x = call.tensor(0);
  const std::int64_t dim = call.dim(1, call.e.dims(x).size());
  if (call.e.dims(x).empty()) call.refuse("select of a scalar");
  const Range r = index_range(call, 2, call.e.dims(x)[at(dim)]);
  const NodeId part = r.same() ? call.e.slice(x, dim, r.starts[0], r.starts[0] + 1) : call.e.dynamic_slice(x, dim, start_of(call, r.starts), 1);
  std::vector<std::int64_t> dims = call.e.dims(x);
  dims.erase(dims.begin() + dim);
  return Value::tensor(call.e.reshape(part, dims));
}

NodeId put_index(Operation& call, NodeId x, NodeId source, std::size_t k) {
  need_dimensions(call, x);
  const std::int64_t dim = call.dim(k, call.e.dims(x).size());
  std::vector<std::int64_t> part = call.e.dims(x);
  part[at(dim)] = 1;
  return put_slice(call, x, call.e.reshape(source, part), dim, index_range(call, k + 1, call.e.dims(x)[at(dim)]));
}

Value select_scatter(Operation& call) { return Value::tensor(put_index(call, call.tensor(0), call.tensor(1), 2)); }

Value select_backward(Operation& call) {
  const NodeId zeros = call.e.full(call.integers(1), call.e.integer(call.e.element(call.tensor(0)), 0));
  return Value::tensor(put_index(call, zeros, call.tensor(0), 2));
}

Value pieces(Operation& call, const std::vector<std::int64_t>& sizes, std::int64_t dim) {
  const NodeId x = call.tensor(0);
  std::vector<Value> items;
  std::int64_t start = 0;
  for (const std::int64_t size : sizes) {
    if (size < 0 || size > call.e.dims(x)[at(dim)] - start) call.refuse("pieces that are not those of its dimension");
    items.push_back(Value::tensor(call.e.slice(x, dim, start, start + size)));
    start += size;
  }
  if (start != call.e.dims(x)[at(dim)]) call.refuse("the pieces have " + std::to_string(start) + " elements, the dimension " + std::to_string(call.e.dims(x)[at(dim)]));
  return Value::tuple(std::move(items));
}

Value split(Operation& call) {
  const std::vector<std::int64_t> dims = call.e.dims(call.tensor(0));
  need_dimensions(call, call.tensor(0));
  const std::int64_t dim = call.dim(2, dims.size()), size = call.integer(1);
  if (size < 1) call.refuse("pieces of " + std::to_string(size));
  std::vector<std::int64_t> sizes;
  if (static_cast<std::size_t>(dims[at(dim)] / size) > kMostPieces) call.refuse("too many pieces");
  for (std::int64_t left = dims[at(dim)]; left > 0; left -= size) sizes.push_back(std::min(left, size));
  return pieces(call, sizes, dim);
}

Value split_with_sizes(Operation& call) {
  need_dimensions(call, call.tensor(0));
  return pieces(call, call.integers(1), call.dim(2, call.e.dims(call.tensor(0)).size()));
}

Value unbind(Operation& call) {
  const NodeId x = call.tensor(0);
  need_dimensions(call, x);
  const std::int64_t dim = call.dim(1, call.e.dims(x).size());
  std::vector<std::int64_t> dims = call.e.dims(x);
  if (static_cast<std::size_t>(dims[at(dim)]) > kMostPieces) call.refuse("too many pieces");
  dims.erase(dims.begin() + dim);
  Value all = pieces(call, std::vector<std::int64_t>(at(call.e.dims(x)[at(dim)]), 1), dim);
  for (Value& item : all.items) item.node = call.e.reshape(item.node, dims);
  return all;
}

Value cat(Operation& call) {
  std::vector<NodeId> parts;
  for (const NodeId part : call.tensors(0)) {  // torch leaves out empty vectors
    if (call.e.dims(part) != std::vector<std::int64_t>{0}) parts.push_back(call.e.convert(part, call.element()));
  }
  if (parts.empty()) call.refuse("cat of nothing");
  return Value::tensor(call.e.concatenate(parts, call.dim(1, call.e.dims(parts[0]).size())));
}

Value stack(Operation& call) {
  std::vector<NodeId> parts = call.tensors(0);
  if (parts.empty()) call.refuse("stack of nothing");
  std::vector<std::int64_t> dims = call.e.dims(parts[0]);
  const std::int64_t dim = call.dim(1, dims.size() + 1);
  dims.insert(dims.begin() + dim, 1);
  for (NodeId& part : parts) part = call.e.reshape(call.e.convert(part, call.element()), dims);
  return Value::tensor(call.e.concatenate(parts, dim));
}

/// y, broadcast and converted to the shape and type of x, which is not read.
Value copy(Operation& call) {
  const Type type = call.is_tensor(0) ? call.e.type(call.tensor(0)) : call.out();  // what nobody has written has no value
  return Value::tensor(call.e.convert(call.e.expand(call.tensor(1), type.dims), type.element));
}

Value to_copy(Operation& call) { return Value::tensor(call.e.convert(call.tensor(0), call.dtype(1).value_or(call.e.element(call.tensor(0))))); }

/// Every tensor padded to n equal chunks, part r of all of them side by side: [n, sum].
Value chunk_cat(Operation& call) {
  Emitter& e = call.e;
  const std::int64_t n = call.integer(2);
  if (call.integer(1) != 0 || n < 1 || n > kMaxElements) call.refuse("only along dimension 0, in chunks");
  std::vector<NodeId> parts;
  for (NodeId x : call.tensors(0)) {
    if (e.dims(x).empty()) call.refuse("of a scalar");
    const std::int64_t chunk = (e.dims(x)[0] + n - 1) / n;
    if (chunk * n != e.dims(x)[0]) x = e.pad(x, e.integer(e.element(x), 0), 0, 0, chunk * n - e.dims(x)[0]);
    parts.push_back(e.reshape(x, {n, count(e.dims(x)) / n}));
  }
  return Value::tensor(e.concatenate(parts, 1));
}

/// Addresses the storage: a row-major piece of the operand, where that is known to be all of its storage in row-major order.
Value as_strided(Operation& call) {
  const NodeId x = call.tensor(0);
  if (!call.dense.first) call.refuse("of a tensor that is not known to be all of its storage, in row-major order");
  const auto sizes = call.integers(1), strides = call.integers(2);
  std::int64_t dense = 1;
  bool contiguous = sizes.size() == strides.size() && count(sizes) >= 0;
  for (std::size_t d = sizes.size(); contiguous && d-- > 0;) {
    contiguous = sizes[d] == 1 || strides[d] == dense;
    dense *= sizes[d];
  }
  const std::int64_t all = count(call.e.dims(x)), start = call.none(3) ? 0 : call.integer(3);
  if (!contiguous || start < 0 || start > all - count(sizes)) call.refuse("with strides that are not those of a row-major piece");
  return Value::tensor(call.e.reshape(call.e.slice(call.e.reshape(x, {all}), 0, start, start + count(sizes)), sizes));
}

constexpr Overload kViewRows[] = {
    {"aten._chunk_cat.default", "tensors, dim, num_chunks", chunk_cat},
    {"aten._reshape_alias.default", "self, size, stride", view},
    {"aten._to_copy.default", "self, *, dtype=None", to_copy},
    {"aten._unsafe_view.default", "self, size", view},
    {"aten.alias.default", "self", same},
    {"aten.as_strided.default", "self, size, stride, storage_offset=None", as_strided},
    {"aten.cat.default", "tensors, dim=0", cat},
    {"aten.clone.default", "self", same},
    {"aten.contiguous.default", "self", same},
    {"aten.copy.default", "self, src, non_blocking=False", copy},
    {"aten.detach.default", "self", same},
    {"aten.expand.default", "self, size, *, implicit=False", expand},
    {"aten.lift_fresh_copy.default", "self", same},
    {"aten.permute.default", "self, dims", permute},
    {"aten.reshape.default", "self, shape", view},
    {"aten.select.int", "self, dim, index", select},
    {"aten.select_backward.default", "grad_output, input_sizes, dim, index", select_backward},
    {"aten.select_scatter.default", "self, src, dim, index", select_scatter},
    {"aten.slice.Tensor", "self, dim=0, start=None, end=None, step=1", slice},
    {"aten.slice_backward.default", "grad_output, input_sizes, dim, start, end, step", slice_backward},
    {"aten.slice_scatter.default", "self, src, dim=0, start=None, end=None, step=1", slice_scatter},
    {"aten.split.Tensor", "self, split_size, dim=0", split},
    {"aten.split_copy.Tensor", "self, split_size, dim=0", split},
    {"aten.split_with_sizes.default", "self, split_sizes, dim=0", split_with_sizes},
    {"aten.split_with_sizes_copy.default", "self, split_sizes, dim=0", split_with_sizes},
    {"aten.squeeze.default", "self", squeeze},
    {"aten.squeeze.dim", "self, dim", squeeze_dims},
    {"aten.squeeze.dims", "self, dim", squeeze_dims},
    {"aten.stack.default", "tensors, dim=0", stack},
    {"aten.t.default", "self", t},
    {"aten.transpose.int", "self, dim0, dim1", transpose},
    {"aten.unbind.int", "self, dim=0", unbind},
    {"aten.unsafe_split.Tensor", "self, split_size, dim=0", split},
    {"aten.unsafe_split_with_sizes.default", "self, split_sizes, dim=0", split_with_sizes},
    {"aten.unsqueeze.default", "self, dim", unsqueeze},
    {"aten.view.default", "self, size", view},
    {"prims.convert_element_type.default", "a, dtype", to_copy},
};

}  // namespace

std::span<const Overload> view_rows() { return kViewRows; }

}  // namespace gg::fx
