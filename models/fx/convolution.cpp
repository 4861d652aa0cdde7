// Convolutions and their gradients. torch's cross-correlation is HLO's convolution; a transposed one is the gradient of the input of
// a plain one (Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", 2016, section 4).
#include <algorithm>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

using Dims = std::vector<std::int64_t>;

/// Of the spatial dimensions, one entry each.
struct Geometry {
  Dims stride, padding, dilation;
  std::int64_t groups = 1;
  std::size_t spatial() const { return stride.size(); }
};

/// Arguments `first`, .. are stride, padding, dilation, transposed, output_padding, groups.
Geometry geometry(Operation& call, NodeId x, std::initializer_list<NodeId> others, std::size_t first) {
  const std::size_t rank = call.e.dims(x).size();
  const bool alike = std::all_of(others.begin(), others.end(), [&](NodeId other) { return call.e.dims(other).size() == rank; });
  if (!alike) call.refuse("of tensors of different ranks");
  if (rank < 3) call.refuse("of an input without batch, channels and a spatial dimension");
  Geometry g{each_dimension(call, first, rank - 2, {}), each_dimension(call, first + 1, rank - 2, {}), each_dimension(call, first + 2, rank - 2, {}), call.integer(first + 5)};
  for (std::size_t d = 0; d < g.spatial(); ++d) {
    if (g.stride[d] < 1 || g.dilation[d] < 1) call.refuse("a stride or dilation below 1");
  }
  if (g.groups < 1 || g.groups > kMaxElements) call.refuse("in " + std::to_string(g.groups) + " groups");
  return g;
}

/// Spatial dimensions 2, 3, ... everywhere; batch and features of both operands and the result as given.
DimLabels labels(std::size_t spatial, int lhs_batch, int rhs_input, int out_batch) {
  DimLabels l{lhs_batch, 1 - lhs_batch, rhs_input, 1 - rhs_input, out_batch, 1 - out_batch, {}, {}, {}};
  for (int d = 0; d < static_cast<int>(spatial); ++d) {
    for (auto* list : {&l.lhs_spatial, &l.rhs_spatial, &l.out_spatial}) list->push_back(2 + d);
  }
  return l;
}

NodeId convolve(Emitter& e, NodeId x, NodeId w, std::vector<WindowDim> window, DimLabels dims, Attr grouped, std::int64_t groups) {
  Attributes attributes(Attr::Window, std::move(window));
  attributes.set(Attr::DimLabels, std::move(dims));
  if (groups != 1) attributes.set(grouped, groups);
  return e.add(Op::Convolution, {x, w}, std::move(attributes), Type::array(e.element(x), {}));
}

/// y[n, o, p] = sum x[n, c, p stride - padding + k dilation] w[o, c, k], at `places`.
NodeId plain(Emitter& e, NodeId x, NodeId w, const Geometry& g, const Dims& places) {
  std::vector<WindowDim> window(g.spatial());
  for (std::size_t d = 0; d < g.spatial(); ++d) {
    const std::int64_t size = e.dims(w)[d + 2], reach = g.dilation[d] * (size - 1);
    const std::int64_t high = (places[d] - 1) * g.stride[d] + reach + 1 - e.dims(x)[d + 2] - g.padding[d];
    window[d] = {size, g.stride[d], g.padding[d], high, 1, g.dilation[d], false};
  }
  return convolve(e, x, w, std::move(window), labels(g.spatial(), 0, 1, 0), Attr::FeatureGroupCount, g.groups);
}

/// The same read the other way: from y [n, o, ..] and w [o, c / groups, ..] an x of the given spatial extents.
NodeId transposed(Emitter& e, NodeId y, NodeId w, const Geometry& g, const Dims& extents) {
  Dims dims = e.dims(w);
  if (g.groups != 1) {  // [groups, o / groups, c / groups, ..] to [o / groups, c, ..]
    Dims split = dims, order = {1, 0}, merged = dims;
    split[0] /= g.groups;
    split.insert(split.begin(), g.groups);
    for (std::size_t d = 2; d < split.size(); ++d) order.push_back(static_cast<std::int64_t>(d));
    merged[0] /= g.groups;
    merged[1] *= g.groups;
    w = e.reshape(e.transpose(e.reshape(w, split), order), merged);
  }
  std::vector<WindowDim> window(g.spatial());
  for (std::size_t d = 0; d < g.spatial(); ++d) {
    const std::int64_t size = dims[d + 2], reach = g.dilation[d] * (size - 1), low = reach - g.padding[d];
    const std::int64_t dilated = (e.dims(y)[d + 2] - 1) * g.stride[d] + 1;
    window[d] = {size, 1, low, extents[d] + reach - dilated - low, g.stride[d], g.dilation[d], true};
  }
  return convolve(e, y, w, std::move(window), labels(g.spatial(), 0, 0, 0), Attr::FeatureGroupCount, g.groups);
}

/// w[o, c, k] = sum x[n, c, p stride - padding + k dilation] y[n, o, p], with the given spatial extents.
NodeId kernel_gradient(Emitter& e, NodeId x, NodeId y, const Geometry& g, const Dims& kernel) {
  std::vector<WindowDim> window(g.spatial());
  for (std::size_t d = 0; d < g.spatial(); ++d) {
    const std::int64_t places = e.dims(y)[d + 2], dilated = (places - 1) * g.stride[d] + 1;
    const std::int64_t high = (kernel[d] - 1) * g.dilation[d] + dilated - e.dims(x)[d + 2] - g.padding[d];
    window[d] = {places, g.dilation[d], g.padding[d], high, 1, g.stride[d], false};
  }
  return convolve(e, x, y, std::move(window), labels(g.spatial(), 1, 0, 1), Attr::BatchGroupCount, g.groups);
}

Dims spatial_of(const Dims& dims) { return {dims.begin() + 2, dims.end()}; }

/// (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups).
Value convolution(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), w = call.tensor(1);
  const Geometry g = geometry(call, x, {w}, 3);
  const bool back = call.flag(6);
  const Dims more = back ? each_dimension(call, 7, g.spatial(), {}) : Dims(g.spatial(), 0);
  Dims extents = spatial_of(e.dims(x));
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const std::int64_t reach = g.dilation[d] * (e.dims(w)[d + 2] - 1), room = extents[d] + 2 * g.padding[d] - reach - 1;
    if (!back && room < 0) call.refuse("a kernel that is larger than its input");
    extents[d] = back ? (extents[d] - 1) * g.stride[d] - 2 * g.padding[d] + reach + 1 + more[d] : room / g.stride[d] + 1;
  }
  NodeId y = back ? transposed(e, x, w, g, extents) : plain(e, x, w, g, extents);
  if (!call.none(2)) y = e.binary(Op::Add, y, e.broadcast(call.tensor(2), e.dims(y), {1}));
  return done(y);
}

/// (grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask).
Value convolution_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId grad = call.tensor(0), x = call.tensor(1), w = call.tensor(2);
  const Geometry g = geometry(call, x, {w, grad}, 4);
  const bool back = call.flag(7);
  const auto wanted = call.mask(10, 3);
  Value result = Value::tuple({{}, {}, {}});
  if (wanted[0]) result.items[0] = done(back ? plain(e, grad, w, g, spatial_of(e.dims(x))) : transposed(e, grad, w, g, spatial_of(e.dims(x))));
  if (wanted[1]) {
    const Dims kernel = spatial_of(e.dims(w));
    result.items[1] = done(back ? kernel_gradient(e, grad, x, g, kernel) : kernel_gradient(e, x, grad, g, kernel));
  }
  if (wanted[2]) {
    Dims over = {0};
    for (std::size_t d = 2; d < e.dims(grad).size(); ++d) over.push_back(static_cast<std::int64_t>(d));
    result.items[2] = done(e.reduce(Op::Add, grad, over));
  }
  return result;
}

constexpr Overload kConvolutionRows[] = {
    {"aten.convolution.default", "input, weight, bias, stride, padding, dilation, transposed, output_padding, groups", convolution},
    {"aten.convolution_backward.default", "grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask", convolution_backward},
};

}  // namespace

std::span<const Overload> convolution_rows() { return kConvolutionRows; }

}  // namespace gg::fx
