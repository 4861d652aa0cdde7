// Padding by what is at hand: a constant, the mirrored neighbours, the edge; and the derivatives of these.
#include "models/fx/formula.h"

namespace gg::fx {
namespace {

enum class Fill { Mirror,
                  Edge };

struct Side {
  std::int64_t dim = 0, low = 0, high = 0;
};

/// Pairs of padding, from the last dimension on.
std::vector<Side> sides(Operation& call, std::size_t k, std::size_t rank) {
  const auto pads = call.integers(k);
  if (pads.size() % 2 != 0 || pads.size() / 2 > rank) call.refuse("paddings that are no pairs, or of more dimensions than there are");
  std::vector<Side> result;
  for (std::size_t p = 0; p < pads.size(); p += 2) result.push_back({static_cast<std::int64_t>(rank - 1 - p / 2), pads[p], pads[p + 1]});
  return result;
}

/// Negative ones cut.
Value constant_pad(Operation& call) {
  NodeId x = call.tensor(0);
  for (const Side& s : sides(call, 1, call.e.dims(x).size())) {
    if (s.low != 0 || s.high != 0) x = call.e.pad(x, call.stored(2, call.e.element(x)), s.dim, s.low, s.high);
  }
  return done(x);
}

void need_neighbours(Operation& call, Fill fill, const Side& s, std::int64_t n) {
  const std::int64_t most = fill == Fill::Mirror ? n - 1 : kMaxElements;
  if (n < 1 || s.low < 0 || s.high < 0 || s.low > most || s.high > most) call.refuse("padding by " + std::to_string(s.low) + " and " + std::to_string(s.high) + " of a dimension of " + std::to_string(n));
}

template <Fill kFill>
Value pad(Operation& call) {
  Emitter& e = call.e;
  NodeId x = call.tensor(0);
  for (const Side& s : sides(call, 1, e.dims(x).size())) {
    const std::int64_t n = e.dims(x)[at(s.dim)];
    need_neighbours(call, kFill, s, n);
    const auto part = [&](std::int64_t start, std::int64_t count) {
      if (kFill == Fill::Mirror) return e.reverse(e.slice(x, s.dim, start, start + count), {s.dim});
      std::vector<std::int64_t> dims = e.dims(x);
      dims[at(s.dim)] = count;
      return e.expand(e.slice(x, s.dim, start, start + 1), dims);
    };
    std::vector<NodeId> parts;
    if (s.low > 0) parts.push_back(part(kFill == Fill::Mirror ? 1 : 0, s.low));
    parts.push_back(x);
    if (s.high > 0) parts.push_back(part(kFill == Fill::Mirror ? n - 1 - s.high : n - 1, s.high));
    x = e.concatenate(parts, s.dim);
  }
  return done(x);
}

/// The gradient of what was padded: the middle, and the pads where they came from.
template <Fill kFill>
Value pad_backward(Operation& call) {
  Emitter& e = call.e;
  NodeId g = call.tensor(0);
  const NodeId zero = e.integer(e.element(g), 0);
  const std::vector<std::int64_t> dims = e.dims(call.tensor(1));
  for (const Side& s : sides(call, 2, dims.size())) {
    const std::int64_t n = dims[at(s.dim)];
    need_neighbours(call, kFill, s, n);
    NodeId sum = e.slice(g, s.dim, s.low, s.low + n);
    const auto back = [&](std::int64_t start, std::int64_t count, std::int64_t place) {
      NodeId part = e.slice(g, s.dim, start, start + count);
      if (kFill == Fill::Mirror) {
        part = e.reverse(part, {s.dim});
      } else {
        std::vector<std::int64_t> one = e.dims(part);
        one[at(s.dim)] = 1;
        part = e.reshape(e.reduce(Op::Add, part, {s.dim}), one);
      }
      const std::int64_t size = kFill == Fill::Mirror ? count : 1;
      sum = e.binary(Op::Add, sum, e.pad(part, zero, s.dim, place, n - place - size));
    };
    if (s.low > 0) back(0, s.low, kFill == Fill::Mirror ? 1 : 0);
    if (s.high > 0) back(s.low + n, s.high, kFill == Fill::Mirror ? n - 1 - s.high : n - 1);
    g = sum;
  }
  return done(g);
}

constexpr Overload kPaddingRows[] = {
    {"aten.constant_pad_nd.default", "self, pad, value=0", constant_pad},
    {"aten.reflection_pad1d.default", "self, padding", pad<Fill::Mirror>},
    {"aten.reflection_pad1d_backward.default", "grad_output, self, padding", pad_backward<Fill::Mirror>},
    {"aten.reflection_pad2d.default", "self, padding", pad<Fill::Mirror>},
    {"aten.reflection_pad2d_backward.default", "grad_output, self, padding", pad_backward<Fill::Mirror>},
    {"aten.replication_pad1d.default", "self, padding", pad<Fill::Edge>},
    {"aten.replication_pad1d_backward.default", "grad_output, self, padding", pad_backward<Fill::Edge>},
    {"aten.replication_pad2d.default", "self, padding", pad<Fill::Edge>},
    {"aten.replication_pad2d_backward.default", "grad_output, self, padding", pad_backward<Fill::Edge>},
};

}  // namespace

std::span<const Overload> padding_rows() { return kPaddingRows; }

}  // namespace gg::fx
