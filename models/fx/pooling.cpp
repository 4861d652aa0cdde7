// Pooling over the last dimensions.
#include <limits>
#include <utility>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

using Dims = std::vector<std::int64_t>;

/// Windows over the last dimensions of a tensor, one entry each; how many places they have.
struct Windows {
  Dims kernel, stride, padding, dilation, extents, places;
  std::size_t lead = 0;  ///< dimensions before them
};

/// Arguments `first`, .. are kernel, stride, padding; `dilation` and `ceil_mode` stand at their places (0: there is none).
Windows windows(Operation& call, const Dims& dims, std::size_t first, std::size_t count, std::size_t dilation, std::size_t ceil_mode) {
  if (call.flag(ceil_mode)) call.refuse("windows that go beyond the end (ceil_mode)");
  if (dims.size() < count) call.refuse("of fewer dimensions than its windows");
  Windows w;
  w.lead = dims.size() - count;
  w.extents.assign(dims.begin() + static_cast<std::ptrdiff_t>(w.lead), dims.end());
  w.kernel = each_dimension(call, first, count, {});
  w.stride = each_dimension(call, first + 1, count, w.kernel);
  w.padding = each_dimension(call, first + 2, count, Dims(count, 0));
  w.dilation = dilation == 0 ? Dims(count, 1) : each_dimension(call, dilation, count, {});
  for (std::size_t d = 0; d < count; ++d) {
    const std::int64_t reach = w.dilation[d] * (w.kernel[d] - 1) + 1, room = w.extents[d] + 2 * w.padding[d];
    if (w.kernel[d] < 1 || w.stride[d] < 1 || w.dilation[d] < 1 || 2 * w.padding[d] > w.kernel[d] || reach > room) call.refuse("windows that do not fit");
    w.places.push_back((room - reach) / w.stride[d] + 1);
  }
  return w;
}

/// As the operator table has them, for reductions forward.
std::vector<WindowDim> forward(const Windows& w) {
  std::vector<WindowDim> list(w.lead + w.kernel.size());
  for (std::size_t d = 0; d < w.kernel.size(); ++d) list[w.lead + d] = {w.kernel[d], w.stride[d], w.padding[d], w.padding[d], 1, w.dilation[d], false};
  return list;
}

/// The windows of the result that have an element: sums over them give the gradient of a sum.
std::vector<WindowDim> backward(const Windows& w) {
  std::vector<WindowDim> list(w.lead + w.kernel.size());
  for (std::size_t d = 0; d < w.kernel.size(); ++d) {
    const std::int64_t low = w.kernel[d] - 1 - w.padding[d], dilated = (w.places[d] - 1) * w.stride[d] + 1;
    list[w.lead + d] = {w.kernel[d], 1, low, w.extents[d] + w.kernel[d] - 1 - dilated - low, w.stride[d], 1, false};
  }
  return list;
}

NodeId reduced(Emitter& e, Op monoid, NodeId x, std::vector<WindowDim> window) {
  Attributes attributes(Attr::Window, std::move(window));
  e.apply(attributes, monoid, e.element(x));
  return e.add(Op::ReduceWindow, {x, e.unit(monoid, e.element(x))}, std::move(attributes));
}

constexpr std::int64_t kMostWindow = 1 << 10;

/// One element of every window.
struct Element {
  NodeId value = 0;      ///< what stands outside where there is none
  NodeId place = 0;      ///< in the plane, row-major
  NodeId inside = 0;     ///< where `partial`
  bool partial = false;  ///< some windows have it outside
};

/// Element number k (row-major) of the windows of x, which is padded.
Element element(Emitter& e, NodeId padded, const Windows& w, std::int64_t k) {
  Dims steps(w.kernel.size());
  for (std::size_t d = w.kernel.size(); d-- > 0; k /= w.kernel[d]) steps[d] = k % w.kernel[d] * w.dilation[d];
  Element result{padded};
  for (std::size_t d = 0; d < steps.size(); ++d) {
    result.value = e.slice(result.value, static_cast<std::int64_t>(w.lead + d), steps[d], steps[d] + (w.places[d] - 1) * w.stride[d] + 1, w.stride[d]);
  }
  const auto number = [&](std::int64_t value) { return e.integer(ElementType::S64, value); };
  const Dims dims = e.dims(result.value);
  result.place = e.full(dims, number(0));
  for (std::size_t d = 0; d < steps.size(); ++d) {
    const NodeId at = e.binary(Op::Add, e.binary(Op::Multiply, e.iota(ElementType::S64, dims, static_cast<std::int64_t>(w.lead + d)), number(w.stride[d])), number(steps[d] - w.padding[d]));
    result.place = e.binary(Op::Add, e.binary(Op::Multiply, result.place, number(w.extents[d])), at);
    const auto also = [&](NodeId condition) {
      result.inside = result.partial ? e.binary(Op::And, result.inside, condition) : condition;
      result.partial = true;
    };
    if (steps[d] < w.padding[d]) also(e.compare("GE", at, number(0)));
    if (steps[d] - w.padding[d] + (w.places[d] - 1) * w.stride[d] >= w.extents[d]) also(e.compare("LT", at, number(w.extents[d])));
  }
  return result;
}

/// (largest of each window, its place in the plane): the first of equal ones, the last NaN.
template <std::size_t kCount>
Value max_pool(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  if (!is_float(e.element(x))) call.refuse("of integers");
  const Windows w = windows(call, e.dims(x), 1, kCount, 4, 5);
  std::int64_t size = 1;
  for (const std::int64_t k : w.kernel) size *= k;
  if (size > kMostWindow) call.refuse("windows of " + std::to_string(size) + " elements");
  NodeId padded = x;
  for (std::size_t d = 0; d < w.kernel.size(); ++d) {
    const NodeId outside = e.number(e.element(x), -std::numeric_limits<double>::infinity());
    if (w.padding[d] != 0) padded = e.pad(padded, outside, static_cast<std::int64_t>(w.lead + d), w.padding[d], w.padding[d]);
  }
  Element best = element(e, padded, w, 0);
  for (std::int64_t k = 1; k < size; ++k) {
    const Element next = element(e, padded, w, k);
    NodeId wins = e.binary(Op::Or, e.compare("GT", next.value, best.value), e.compare("NE", next.value, next.value));
    if (best.partial) wins = e.binary(Op::Or, wins, e.unary(Op::Not, best.inside));
    if (next.partial) wins = e.binary(Op::And, wins, next.inside);
    best.place = e.select(wins, next.place, best.place);
    best.value = e.select(wins, next.value, best.value);
    best.partial = best.partial && next.partial;
    if (best.partial) best.inside = e.binary(Op::Or, best.inside, next.inside);
  }
  return Value::tuple({done(reduced(e, Op::Maximum, x, forward(w))), done(best.place)});
}

/// Each gradient goes to the place that its window's largest had.
template <std::size_t kCount>
Value max_pool_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId g = call.tensor(0), x = call.tensor(1), index = call.tensor(7);
  const Dims dims = e.dims(x);
  const Windows w = windows(call, dims, 2, kCount, 5, 6);
  std::int64_t lead = 1, plane = 1, places = 1;
  for (std::size_t d = 0; d < w.lead; ++d) lead *= dims[d];
  for (const std::int64_t extent : w.extents) plane *= extent;
  for (const std::int64_t count : w.places) places *= count;
  Attributes attributes(Attr::UpdateWindowDims, IntList{});
  attributes.set(Attr::InsertedWindowDims, IntList{1});
  attributes.set(Attr::ScatterDims, IntList{1});
  attributes.set(Attr::InputBatchingDims, IntList{0});
  attributes.set(Attr::ScatterBatchingDims, IntList{0});
  attributes.set(Attr::IndexVectorDim, std::int64_t{2});
  e.apply(attributes, Op::Add, e.element(g));
  const NodeId zeros = e.full({lead, plane}, e.number(e.element(g), 0));
  const NodeId sum = e.add(Op::Scatter, {zeros, e.reshape(index, {lead, places}), e.reshape(g, {lead, places})}, std::move(attributes));
  return done(e.reshape(sum, dims));
}

/// How many elements each mean is of.
NodeId divisor(Operation& call, Dims result, const Windows& w, const Dims& dims, std::size_t include_pad, ElementType type) {
  Emitter& e = call.e;
  if (!call.none(include_pad + 1)) {
    if (call.integer(include_pad + 1) == 0) call.refuse("divisor_override = 0");
    return e.full(std::move(result), e.integer(type, call.integer(include_pad + 1)));
  }
  std::int64_t size = 1;
  bool padded = false;
  for (std::size_t d = 0; d < w.kernel.size(); ++d) {
    size *= w.kernel[d];
    padded = padded || w.padding[d] != 0;
  }
  if (call.flag(include_pad) || !padded) return e.full(std::move(result), e.integer(type, size));
  return reduced(e, Op::Add, e.full(dims, e.integer(type, 1)), forward(w));
}

/// (self, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override).
template <std::size_t kCount>
Value avg_pool(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const Dims dims = e.dims(x);
  const Windows w = windows(call, dims, 1, kCount, 0, 4);
  const NodeId sum = reduced(e, Op::Add, x, forward(w));
  return done(e.binary(Op::Divide, sum, divisor(call, e.dims(sum), w, dims, 5, e.element(x))));
}

template <std::size_t kCount>
Value avg_pool_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId g = call.tensor(0);
  const Dims dims = e.dims(call.tensor(1));
  const Windows w = windows(call, dims, 2, kCount, 0, 5);
  const NodeId each = e.binary(Op::Divide, g, divisor(call, e.dims(g), w, dims, 6, e.element(g)));
  return done(reduced(e, Op::Add, each, backward(w)));
}

/// Means over equal blocks.
struct Blocks {
  Dims split;              ///< lead, o0, k0, o1, k1
  Dims over;               ///< where the k are
  std::int64_t count = 1;  ///< elements of a block
};

Blocks blocks(Operation& call, const Dims& dims, const Dims& sizes) {
  if (dims.size() < sizes.size()) call.refuse("of fewer dimensions than it gives");
  const std::size_t lead = dims.size() - sizes.size();
  Blocks b;
  b.split.assign(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(lead));
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::int64_t extent = dims[lead + d];
    if (sizes[d] < 1 || extent % sizes[d] != 0) call.refuse("blocks of different sizes: " + std::to_string(extent) + " in " + std::to_string(sizes[d]));
    b.split.push_back(sizes[d]);
    b.over.push_back(static_cast<std::int64_t>(b.split.size()));
    b.split.push_back(extent / sizes[d]);
    b.count *= extent / sizes[d];
  }
  return b;
}

Value adaptive_avg_pool(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const Blocks b = blocks(call, e.dims(x), call.integers(1));
  const NodeId sum = e.reduce(Op::Add, e.reshape(x, b.split), b.over);
  return done(e.binary(Op::Divide, sum, e.integer(e.element(x), b.count)));
}

Value adaptive_avg_pool_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId g = call.tensor(0);
  const Dims dims = e.dims(call.tensor(1)), result = e.dims(g);
  const Blocks b = blocks(call, dims, {result.end() - 2, result.end()});
  Dims map;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(b.split.size()); ++d) {
    if (d != b.over[0] && d != b.over[1]) map.push_back(d);
  }
  const NodeId each = e.binary(Op::Divide, g, e.integer(e.element(g), b.count));
  return done(e.reshape(e.broadcast(each, b.split, map), dims));
}

/// Blocks of a nearest-neighbour upsampling by whole factors: dimensions 2 and 3 split into (extent, factor).
Dims magnified(Operation& call, const Dims& small, const Dims& large) {
  if (small.size() != 4 || large.size() != 4) call.refuse("that is no image");
  Dims split = {small[0], small[1]};
  for (std::size_t d = 2; d < 4; ++d) {
    if (small[d] < 1 || large[d] % small[d] != 0) call.refuse("by no whole factor");
    split.insert(split.end(), {small[d], large[d] / small[d]});
  }
  return split;
}

Value upsample_nearest(Operation& call) {
  const NodeId x = call.tensor(0);
  const Dims large = call.out().dims;
  return done(call.e.reshape(call.e.broadcast(x, magnified(call, call.e.dims(x), large), {0, 1, 2, 4}), large));
}

Value upsample_nearest_backward(Operation& call) {
  const NodeId g = call.tensor(0);
  return done(call.e.reduce(Op::Add, call.e.reshape(g, magnified(call, call.out().dims, call.e.dims(g))), {3, 5}));
}

constexpr Overload kPoolingRows[] = {
    {"aten._adaptive_avg_pool2d.default", "self, output_size", adaptive_avg_pool},
    {"aten._adaptive_avg_pool2d_backward.default", "grad_output, self", adaptive_avg_pool_backward},
    {"aten._adaptive_avg_pool3d.default", "self, output_size", adaptive_avg_pool},
    {"aten.avg_pool2d.default", "self, kernel_size, stride=[], padding=[0, 0], ceil_mode=False, count_include_pad=True, divisor_override=None", avg_pool<2>},
    {"aten.avg_pool2d_backward.default", "grad_output, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override", avg_pool_backward<2>},
    {"aten.avg_pool3d.default", "self, kernel_size, stride=[], padding=[0, 0, 0], ceil_mode=False, count_include_pad=True, divisor_override=None", avg_pool<3>},
    {"aten.max_pool2d_with_indices.default", "self, kernel_size, stride=[], padding=[0, 0], dilation=[1, 1], ceil_mode=False", max_pool<2>},
    {"aten.max_pool2d_with_indices_backward.default", "grad_output, self, kernel_size, stride, padding, dilation, ceil_mode, indices", max_pool_backward<2>},
    {"aten.max_pool3d_with_indices.default", "self, kernel_size, stride=[], padding=[0, 0, 0], dilation=[1, 1, 1], ceil_mode=False", max_pool<3>},
    {"aten.upsample_nearest2d.default", "self, output_size, scales_h=None, scales_w=None", upsample_nearest},
    {"aten.upsample_nearest2d.vec", "input, output_size, scale_factors", upsample_nearest},
    {"aten.upsample_nearest2d_backward.default", "grad_output, output_size, input_size, scales_h=None, scales_w=None", upsample_nearest_backward},
};

}  // namespace

std::span<const Overload> pooling_rows() { return kPoolingRows; }

}  // namespace gg::fx
