// Operators that torch.export leaves whole: other rows with arguments in other places, and changes of shape by another name.
#include <algorithm>
#include <numeric>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

using Dims = std::vector<std::int64_t>;

std::int64_t product(const Dims& dims, std::size_t from, std::size_t to) {
  return std::accumulate(dims.begin() + static_cast<std::ptrdiff_t>(from), dims.begin() + static_cast<std::ptrdiff_t>(to), std::int64_t{1}, std::multiplies<>());
}

Argument given(bool value) {
  Argument result;
  result.kind = Argument::Kind::Bool;
  result.integer = value ? 1 : 0;
  return result;
}

// --- norms

/// native_group_norm on [n, c, ..], in `groups`.
Value in_groups(Operation& call, const Argument& groups, std::size_t weight, const Argument& eps) {
  const NodeId x = call.tensor(0);
  const Dims dims = call.e.dims(x);
  if (dims.size() < 2) call.refuse("of fewer than two dimensions");
  const std::int64_t inner = product(dims, 2, dims.size());
  return call.as("aten.native_group_norm.default", {call.node(x), call.raw(weight), call.raw(weight + 1), call.whole(dims[0]), call.whole(dims[1]), call.whole(inner), groups, eps}).items[0];
}

Value group_norm(Operation& call) { return in_groups(call, call.raw(1), 2, call.raw(4)); }

/// A group norm whose groups are the channels.
Value instance_norm(Operation& call) {
  if (!call.flag(5) || !call.none(3)) call.refuse("with running statistics");
  const Dims dims = call.e.dims(call.tensor(0));
  if (dims.size() < 3) call.refuse("of fewer than three dimensions");
  return in_groups(call, call.whole(dims[1]), 1, call.raw(7));
}

// --- convolutions

/// (input, weight, bias, stride, padding, dilation, groups) of so many spatial dimensions; without a batch it gets one.
template <std::size_t kSpatial>
Value convolved(Operation& call, Dims padding, bool back, const Argument& more, std::size_t dilation, std::size_t groups) {
  Emitter& e = call.e;
  NodeId x = call.tensor(0);
  Dims dims = e.dims(x);
  const bool batch = dims.size() == kSpatial + 2;
  if (!batch && dims.size() != kSpatial + 1) call.refuse("of " + std::to_string(dims.size()) + " dimensions");
  if (!batch) dims.insert(dims.begin(), 1);
  x = e.reshape(x, dims);
  const Value y = call.as("aten.convolution.default", {call.node(x), call.raw(1), call.raw(2), call.raw(3), call.whole(padding), call.raw(dilation), given(back), more, call.raw(groups)});
  return batch ? y : done(e.reshape(y.node, call.out().dims));
}

template <std::size_t kSpatial>
Value convolution(Operation& call) {
  return convolved<kSpatial>(call, call.integers(4), false, call.whole(Dims(kSpatial, 0)), 5, 6);
}

/// Padding by name: none, or as much as keeps the extents where the stride is 1.
template <std::size_t kSpatial>
Value convolution_padded(Operation& call) {
  const std::string how = call.text(4);
  if (how == "valid") return convolved<kSpatial>(call, Dims(kSpatial, 0), false, call.whole(Dims(kSpatial, 0)), 5, 6);
  if (how != "same") call.refuse("padding '" + how + "'");
  const Dims dilation = each_dimension(call, 5, kSpatial, {}), kernel = call.e.dims(call.tensor(1));
  if (kernel.size() != kSpatial + 2) call.refuse("a weight of other dimensions");
  Dims padding(kSpatial);
  for (std::size_t d = 0; d < kSpatial; ++d) {
    const std::int64_t both = dilation[d] * (kernel[d + 2] - 1);
    if (both % 2 != 0) call.refuse("padding 'same' of a kernel that reaches an odd number of places");
    padding[d] = both / 2;
  }
  return convolved<kSpatial>(call, padding, false, call.whole(Dims(kSpatial, 0)), 5, 6);
}

template <std::size_t kSpatial>
Value convolution_transposed(Operation& call) {
  return convolved<kSpatial>(call, call.integers(4), true, call.raw(5), 7, 6);
}

// --- pooling and padding

/// One spatial dimension as two, the first of extent one.
Value in_a_row(Operation& call, std::string_view overload, std::size_t arguments, bool several) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  Dims dims = e.dims(x);
  if (dims.size() < 2) call.refuse("of fewer than two dimensions");
  dims.insert(dims.end() - 1, 1);
  std::vector<Argument> list{call.node(e.reshape(x, dims))};
  const std::int64_t neutral[] = {0, 1, 1, 0, 1};  // self, kernel, stride, padding, dilation: of the dimension that is new
  for (std::size_t k = 1; k < arguments; ++k) {
    Argument own = call.raw(k);
    const bool sizes = own.kind == Argument::Kind::List || (own.kind == Argument::Kind::Integer && k < 5);
    if (!sizes || (own.kind == Argument::Kind::List && own.items.empty())) {
      list.push_back(own);
      continue;
    }
    Dims two = call.integers(k);
    two.insert(two.begin(), neutral[std::min<std::size_t>(k, 4)]);
    list.push_back(call.whole(two));
  }
  Type type = call.out();
  type.dims.insert(type.dims.end() - 1, 1);
  const Value y = call.as(overload, std::move(list), type);
  return done(e.reshape(several ? y.items[0].node : y.node, call.out().dims));
}

Value max_pool1d(Operation& call) { return in_a_row(call, "aten.max_pool2d_with_indices.default", 6, true); }
Value avg_pool1d(Operation& call) { return in_a_row(call, "aten.avg_pool2d.default", 6, false); }
Value adaptive_avg_pool1d(Operation& call) { return in_a_row(call, "aten._adaptive_avg_pool2d.default", 2, false); }

std::vector<Argument> all_of(Operation& call, std::size_t count) {
  std::vector<Argument> list;
  for (std::size_t k = 0; k < count; ++k) list.push_back(call.raw(k));
  return list;
}

Value max_pool2d(Operation& call) { return call.as("aten.max_pool2d_with_indices.default", all_of(call, 6)).items[0]; }
Value max_pool3d(Operation& call) { return call.as("aten.max_pool3d_with_indices.default", all_of(call, 6)).items[0]; }
Value adaptive_avg_pool2d(Operation& call) { return call.as("aten._adaptive_avg_pool2d.default", all_of(call, 2)); }

Value pad(Operation& call) {
  const std::string how = call.text(2);
  const std::size_t pairs = call.integers(1).size() / 2;
  if (how == "constant") return call.as("aten.constant_pad_nd.default", {call.raw(0), call.raw(1), call.none(3) ? call.whole(0) : call.raw(3)});
  if ((how != "reflect" && how != "replicate") || pairs > 2 || !call.none(3)) call.refuse("padding '" + how + "' of " + std::to_string(pairs) + " dimensions");
  const std::string name = how == "reflect" ? "reflection" : "replication";
  return call.as("aten." + name + "_pad" + (pairs == 1 ? "1d" : "2d") + ".default", all_of(call, 2));
}

// --- products

Value outer(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), y = call.tensor(1);
  if (e.dims(x).size() != 1 || e.dims(y).size() != 1) call.refuse("expected vectors");
  const NodeId a = e.convert(e.broadcast(x, call.out().dims, {0}), call.element());
  return done(e.binary(Op::Multiply, a, e.convert(e.broadcast(y, call.out().dims, {1}), call.element())));
}

/// Three tensors, each with new dimensions of extent one (arguments 3 to 5), multiplied and summed over dimensions (argument 6).
Value trilinear(Operation& call) {
  Emitter& e = call.e;
  std::vector<NodeId> factors;
  Dims whole;
  for (std::size_t k = 0; k < 3; ++k) {
    Dims dims = e.dims(call.tensor(k));
    for (const std::int64_t d : call.integers(3 + k)) {
      if (d < 0 || d > static_cast<std::int64_t>(dims.size())) call.refuse("a new dimension in no place");
      dims.insert(dims.begin() + d, 1);
    }
    whole.resize(std::max(whole.size(), dims.size()), 1);
    if (dims.size() != whole.size()) call.refuse("of tensors of different numbers of dimensions");
    for (std::size_t d = 0; d < dims.size(); ++d) whole[d] = std::max(whole[d], dims[d]);
    factors.push_back(e.reshape(call.tensor(k), dims));
  }
  const NodeId two = e.binary(Op::Multiply, e.expand(factors[0], whole), e.expand(factors[1], whole));
  return done(e.reduce(Op::Add, e.binary(Op::Multiply, two, e.expand(factors[2], whole)), call.dim_list(6, whole.size())));
}

// --- shapes

NodeId reshaped(Operation& call, const Dims& dims) { return call.e.reshape(call.tensor(0), dims); }

Value flatten(Operation& call) {
  const Dims dims = call.e.dims(call.tensor(0));
  if (dims.empty()) return done(reshaped(call, {1}));
  const std::size_t from = at(call.dim(1, dims.size())), to = at(call.dim(2, dims.size()));
  if (from > to) call.refuse("a first dimension behind the last");
  Dims result(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(from));
  result.push_back(product(dims, from, to + 1));
  result.insert(result.end(), dims.begin() + static_cast<std::ptrdiff_t>(to) + 1, dims.end());
  return done(reshaped(call, result));
}

Value ravel(Operation& call) { return done(reshaped(call, {call.e.type(call.tensor(0)).count()})); }

Value unflatten(Operation& call) {
  Dims dims = call.e.dims(call.tensor(0)), sizes = call.integers(2);
  if (dims.empty()) call.refuse("of a scalar");
  const std::size_t d = at(call.dim(1, dims.size()));
  const auto open = std::find(sizes.begin(), sizes.end(), -1);
  std::int64_t known = 1;
  for (const std::int64_t size : sizes) {
    if (size < -1 || __builtin_mul_overflow(known, size == -1 ? 1 : size, &known) || known > kMaxElements) call.refuse("sizes that are no shape");
  }
  if (open != sizes.end()) *open = known == 0 ? 0 : dims[d] / known;
  if (known * (open == sizes.end() ? 1 : *open) != dims[d] || std::count(sizes.begin(), sizes.end(), -1) != 0) call.refuse("sizes whose product is not the dimension");
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(d));
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(d), sizes.begin(), sizes.end());
  return done(reshaped(call, dims));
}

Value view_as(Operation& call) {
  if (call.e.type(call.tensor(0)).count() != call.e.type(call.tensor(1)).count()) call.refuse("another number of elements");
  return done(reshaped(call, call.e.dims(call.tensor(1))));
}

Value expand_as(Operation& call) { return done(call.e.expand(call.tensor(0), call.e.dims(call.tensor(1)))); }

Value broadcast_to(Operation& call) { return call.as("aten.expand.default", {call.raw(0), call.raw(1)}); }

Value type_as(Operation& call) { return done(call.e.convert(call.tensor(0), call.e.element(call.tensor(1)))); }

template <std::size_t kType>
Value to_type(Operation& call) {
  return done(call.e.convert(call.tensor(0), call.dtype(kType).value_or(call.e.element(call.tensor(0)))));
}

Value unchanged(Operation& call) { return done(call.tensor(0)); }

/// Checks of torch's own: they give nothing.
Value nothing(Operation&) { return {}; }

/// The last two dimensions exchanged.
Value last_two(Operation& call) {
  if (call.e.dims(call.tensor(0)).size() < 2) call.refuse("of fewer than two dimensions");
  return call.as("aten.transpose.int", {call.raw(0), call.whole(-2), call.whole(-1)});
}

Value all_reversed(Operation& call) {
  Dims order(call.e.dims(call.tensor(0)).size());
  std::iota(order.rbegin(), order.rend(), 0);
  return done(call.e.transpose(call.tensor(0), order));
}

Value movedim(Operation& call) {
  const std::size_t rank = call.e.dims(call.tensor(0)).size();
  if (rank == 0) return unchanged(call);
  const std::int64_t from = call.dim(1, rank), to = call.dim(2, rank);
  Dims order(rank);
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, from);
  return done(call.e.transpose(call.tensor(0), order));
}

Value narrow(Operation& call) {
  const Dims dims = call.e.dims(call.tensor(0));
  if (dims.empty()) call.refuse("of a scalar");
  const std::int64_t extent = dims[at(call.dim(1, dims.size()))], start = call.integer(2), length = call.integer(3);
  if (start < -extent || start > extent || length < 0 || length > extent - (start < 0 ? start + extent : start)) call.refuse("a piece that its dimension does not have");
  const std::int64_t from = start < 0 ? start + extent : start;
  return call.as("aten.slice.Tensor", {call.raw(0), call.raw(1), call.whole(from), call.whole(from + length), call.whole(1)});
}

/// Pieces of equal size, the last one smaller; fewer where that needs fewer.
Value chunk(Operation& call) {
  const Dims dims = call.e.dims(call.tensor(0));
  const std::int64_t count = call.integer(1);
  if (dims.empty() || count < 1 || count > kMaxElements) call.refuse("into " + std::to_string(count) + " pieces");
  const std::int64_t extent = dims[at(call.dim(2, dims.size()))];
  if (extent == 0) call.refuse("of an empty dimension");
  return call.as("aten.split.Tensor", {call.raw(0), call.whole((extent + count - 1) / count), call.raw(2)});
}

/// Pieces whose sizes differ by at most one, the larger first.
Value tensor_split(Operation& call) {
  const Dims dims = call.e.dims(call.tensor(0));
  const std::int64_t count = call.integer(1);
  if (dims.empty() || count < 1 || count > 1 << 16) call.refuse("into " + std::to_string(count) + " pieces");
  const std::int64_t extent = dims[at(call.dim(2, dims.size()))];
  Dims sizes(at(count), extent / count);
  for (std::int64_t k = 0; k < extent % count; ++k) ++sizes[at(k)];
  return call.as("aten.split_with_sizes.default", {call.raw(0), call.whole(sizes), call.raw(2)});
}

Value one_hot(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  Dims dims = e.dims(x), map(dims.size());
  if (call.integer(1) < 1) call.refuse("without a number of classes");
  std::iota(map.begin(), map.end(), 0);
  dims.push_back(call.integer(1));
  const NodeId place = e.iota(e.element(x), dims, static_cast<std::int64_t>(map.size()));
  e.raises_outside(x, {0, call.integer(1) - 1});
  return done(e.convert(e.compare("EQ", place, e.broadcast(x, dims, map)), call.element()));
}

/// As gather, both broadcast but along `dim`; without one, flattened.
Value take_along_dim(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), index = call.tensor(1);
  if (call.none(2)) return call.as("aten.take.default", {call.raw(0), call.raw(1)});
  Dims own = e.dims(x), places = e.dims(index);
  if (own.size() != places.size() || own.empty()) call.refuse("of tensors of different numbers of dimensions");
  const std::size_t along = at(call.dim(2, own.size()));
  for (std::size_t d = 0; d < own.size(); ++d) {
    if (d != along) own[d] = places[d] = own[d] == 1 ? places[d] : own[d];
  }
  return call.as("aten.gather.default", {call.node(e.expand(x, own)), call.raw(2), call.node(e.expand(index, places))});
}

constexpr Overload kExportedRows[] = {
    {"aten._assert_tensor_metadata.default", "a, size=None, stride=None, dtype=None", nothing},
    {"aten._trilinear.default", "i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim=1", trilinear},
    {"aten.adaptive_avg_pool1d.default", "self, output_size", adaptive_avg_pool1d},
    {"aten.adaptive_avg_pool2d.default", "self, output_size", adaptive_avg_pool2d},
    {"aten.avg_pool1d.default", "self, kernel_size, stride=[], padding=[0], ceil_mode=False, count_include_pad=True", avg_pool1d},
    {"aten.broadcast_to.default", "self, size", broadcast_to},
    {"aten.chunk.default", "self, chunks, dim=0", chunk},
    {"aten.conv1d.default", "input, weight, bias=None, stride=[1], padding=[0], dilation=[1], groups=1", convolution<1>},
    {"aten.conv1d.padding", "input, weight, bias=None, stride=[1], padding='valid', dilation=[1], groups=1", convolution_padded<1>},
    {"aten.conv2d.default", "input, weight, bias=None, stride=[1, 1], padding=[0, 0], dilation=[1, 1], groups=1", convolution<2>},
    {"aten.conv2d.padding", "input, weight, bias=None, stride=[1, 1], padding='valid', dilation=[1, 1], groups=1", convolution_padded<2>},
    {"aten.conv3d.default", "input, weight, bias=None, stride=[1, 1, 1], padding=[0, 0, 0], dilation=[1, 1, 1], groups=1", convolution<3>},
    {"aten.conv_transpose1d.default", "input, weight, bias=None, stride=[1], padding=[0], output_padding=[0], groups=1, dilation=[1]", convolution_transposed<1>},
    {"aten.conv_transpose2d.input", "input, weight, bias=None, stride=[1, 1], padding=[0, 0], output_padding=[0, 0], groups=1, dilation=[1, 1]", convolution_transposed<2>},
    {"aten.expand_as.default", "self, other", expand_as},
    {"aten.flatten.using_ints", "self, start_dim=0, end_dim=-1", flatten},
    {"aten.group_norm.default", "input, num_groups, weight=None, bias=None, eps=1e-05, cudnn_enabled=True", group_norm},
    {"aten.instance_norm.default", "input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled", instance_norm},
    {"aten.mT.default", "self", last_two},
    {"aten.max_pool1d.default", "self, kernel_size, stride=[], padding=[0], dilation=[1], ceil_mode=False", max_pool1d},
    {"aten.max_pool2d.default", "self, kernel_size, stride=[], padding=[0, 0], dilation=[1, 1], ceil_mode=False", max_pool2d},
    {"aten.max_pool3d.default", "self, kernel_size, stride=[], padding=[0, 0, 0], dilation=[1, 1, 1], ceil_mode=False", max_pool3d},
    {"aten.movedim.int", "self, source, destination", movedim},
    {"aten.narrow.default", "self, dim, start, length", narrow},
    {"aten.numpy_T.default", "self", all_reversed},
    {"aten.one_hot.default", "self, num_classes=-1", one_hot},
    {"aten.outer.default", "self, vec2", outer},
    {"aten.pad.default", "self, pad, mode='constant', value=None", pad},
    {"aten.ravel.default", "self", ravel},
    {"aten.take_along_dim.default", "self, indices, dim=None", take_along_dim},
    {"aten.tensor_split.sections", "self, sections, dim=0", tensor_split},
    {"aten.to.dtype", "self, dtype, copy=False", to_type<1>},
    {"aten.to.dtype_layout", "self, *, dtype=None, copy=False", to_type<1>},
    {"aten.type_as.default", "self, other", type_as},
    {"aten.unflatten.int", "self, dim, sizes", unflatten},
    {"aten.view_as.default", "self, other", view_as},
};

}  // namespace

std::span<const Overload> exported_rows() { return kExportedRows; }

}  // namespace gg::fx
