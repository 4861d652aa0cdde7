// What moves elements in ways that are no view of torch's: flips, tiles, diagonals, sliding windows; and the constants that do.
#include <algorithm>
#include <numeric>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

using Dims = std::vector<std::int64_t>;

constexpr std::int64_t kMostSlices = 1 << 12;
/// Repetitions; an extent has at most 2^48 elements.
constexpr std::int64_t kMostTimes = kMostStep;

Value flip(Operation& call) {
  const NodeId x = call.tensor(0);
  IntList over;
  for (const std::int64_t d : call.integers(1)) over.push_back(call.wrap(d, call.e.dims(x).size()));
  return done(over.empty() || call.e.dims(x).empty() ? x : call.e.reverse(x, over));
}

/// All of x again and again, `times[d]` times along d; new dimensions stand in front.
NodeId tiled(Operation& call, NodeId x, Dims times) {
  Emitter& e = call.e;
  Dims dims = e.dims(x);
  if (times.size() < dims.size()) times.insert(times.begin(), dims.size() - times.size(), 1);
  dims.insert(dims.begin(), times.size() - dims.size(), 1);
  Dims spread, map, result;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (times[d] < 0 || times[d] > kMostTimes) call.refuse(std::to_string(times[d]) + " repetitions");
    spread.push_back(times[d]);
    map.push_back(static_cast<std::int64_t>(spread.size()));
    spread.push_back(dims[d]);
    result.push_back(times[d] * dims[d]);
  }
  return e.reshape(e.broadcast(e.reshape(x, dims), spread, map), result);
}

Value repeat(Operation& call) {
  if (call.integers(1).size() < call.e.dims(call.tensor(0)).size()) call.refuse("fewer repetitions than dimensions");
  return done(tiled(call, call.tensor(0), call.integers(1)));
}

Value tile(Operation& call) { return done(tiled(call, call.tensor(0), call.integers(1))); }

/// Every element `n` times after itself.
Value repeat_interleave(Operation& call) {
  Emitter& e = call.e;
  NodeId x = call.tensor(0);
  if (call.none(2)) x = e.reshape(x, {e.type(x).count()});
  if (e.dims(x).empty() || call.integer(1) < 0 || call.integer(1) > kMostTimes) call.refuse("of a scalar, or " + std::to_string(call.integer(1)) + " repetitions");
  const std::int64_t dim = call.none(2) ? 0 : call.dim(2, e.dims(x).size());
  Dims spread = e.dims(x), result = e.dims(x), map(spread.size());
  spread.insert(spread.begin() + dim + 1, call.integer(1));
  result[at(dim)] *= call.integer(1);
  for (std::size_t d = 0; d < map.size(); ++d) map[d] = static_cast<std::int64_t>(d) + (static_cast<std::int64_t>(d) > dim ? 1 : 0);
  return done(e.reshape(e.broadcast(x, spread, map), result));
}

NodeId rolled(Operation& call, NodeId x, std::int64_t dim, std::int64_t shift) {
  const std::int64_t n = call.e.dims(x)[at(dim)];
  if (n == 0) return x;
  const std::int64_t cut = (n - shift % n) % n;
  if (cut == 0) return x;
  return call.e.concatenate({call.e.slice(x, dim, cut, n), call.e.slice(x, dim, 0, cut)}, dim);
}

Value roll(Operation& call) {
  Emitter& e = call.e;
  NodeId x = call.tensor(0);
  const auto shifts = call.integers(1), over = call.integers(2);
  if (over.empty()) {
    if (shifts.size() != 1) call.refuse("several shifts without dimensions");
    return done(e.reshape(rolled(call, e.reshape(x, {e.type(x).count()}), 0, shifts[0]), e.dims(x)));
  }
  if (shifts.size() != over.size()) call.refuse("not one shift for each dimension");
  for (std::size_t k = 0; k < over.size(); ++k) x = rolled(call, x, call.wrap(over[k], e.dims(x).size()), shifts[k]);
  return done(x);
}

/// Two dimensions brought to the end, their extents, and where diagonal `offset` of them begins.
struct Diagonal {
  Dims permutation;  ///< of the whole tensor: the others, then d1, d2
  std::int64_t rows = 0, columns = 0, row = 0, column = 0, length = 0;
};

Diagonal diagonal_of(Operation& call, const Dims& dims, std::size_t offset_at) {
  Diagonal result;
  const std::int64_t offset = call.integer(offset_at), d1 = call.dim(offset_at + 1, dims.size()), d2 = call.dim(offset_at + 2, dims.size());
  if (dims.size() < 2 || d1 == d2) call.refuse("a diagonal needs two dimensions");
  if (offset < -kMaxElements || offset > kMaxElements) call.refuse("diagonal " + std::to_string(offset));
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(dims.size()); ++d) {
    if (d != d1 && d != d2) result.permutation.push_back(d);
  }
  result.permutation.insert(result.permutation.end(), {d1, d2});
  result.rows = dims[at(d1)];
  result.columns = dims[at(d2)];
  result.row = offset < 0 ? -offset : 0;
  result.column = offset > 0 ? offset : 0;
  result.length = std::max<std::int64_t>(0, std::min(result.rows - result.row, result.columns - result.column));
  return result;
}

/// [.., rows, columns]: does the element lie on the diagonal?
NodeId on_diagonal(Emitter& e, Dims dims, std::int64_t offset) {
  const auto last = static_cast<std::int64_t>(dims.size()) - 1;
  const NodeId row = e.iota(ElementType::S64, dims, last - 1), column = e.iota(ElementType::S64, dims, last);
  return e.compare("EQ", column, offset == 0 ? row : e.binary(Op::Add, row, e.integer(ElementType::S64, offset)));
}

Value diagonal(Operation& call) {
  Emitter& e = call.e;
  NodeId x = call.tensor(0);
  const Diagonal d = diagonal_of(call, e.dims(x), 1);
  x = e.transpose(x, d.permutation);
  const auto last = static_cast<std::int64_t>(e.dims(x).size()) - 1;
  const std::int64_t row = std::min(d.row, d.rows), column = std::min(d.column, d.columns);
  x = e.slice(e.slice(x, last - 1, row, row + d.length), last, column, column + d.length);
  const bool truth = e.element(x) == ElementType::Pred;
  const NodeId kept = e.select(on_diagonal(e, e.dims(x), 0), x, e.integer(e.element(x), 0));
  return done(e.reduce(truth ? Op::Or : Op::Add, kept, {last}));
}

/// `x` with `source` [.., length] on its diagonal.
NodeId with_diagonal(Operation& call, NodeId x, NodeId source, const Diagonal& d) {
  Emitter& e = call.e;
  x = e.transpose(x, d.permutation);
  const Dims dims = e.dims(x);
  const auto last = static_cast<std::int64_t>(dims.size()) - 1;
  if (d.length == 0) return e.transpose(x, inverse(d.permutation));
  Dims line = dims, map;
  line.pop_back();
  for (std::int64_t k = 0; k < last; ++k) map.push_back(k);
  source = e.pad(source, e.integer(e.element(x), 0), last - 1, d.row, d.rows - d.row - d.length);  // by row
  return e.transpose(e.select(on_diagonal(e, dims, d.column - d.row), e.broadcast(source, dims, map), x), inverse(d.permutation));
}

Value diagonal_scatter(Operation& call) {
  return done(with_diagonal(call, call.tensor(0), call.tensor(1), diagonal_of(call, call.e.dims(call.tensor(0)), 2)));
}

NodeId zeros(Operation& call, Dims dims, NodeId like) { return call.e.full(dims, call.e.integer(call.e.element(like), 0)); }

Value diagonal_backward(Operation& call) {
  return done(with_diagonal(call, zeros(call, call.integers(1), call.tensor(0)), call.tensor(0), diagonal_of(call, call.integers(1), 2)));
}

Value diag_embed(Operation& call) {
  const NodeId x = call.tensor(0);
  Dims dims = call.e.dims(x);
  if (dims.empty() || call.integer(1) < -kMaxElements || call.integer(1) > kMaxElements) call.refuse("of a scalar, or as diagonal " + std::to_string(call.integer(1)));
  const std::int64_t n = dims.back() + std::abs(call.integer(1));
  const std::size_t rank = dims.size() + 1;
  const std::int64_t d1 = call.dim(2, rank), d2 = call.dim(3, rank);
  dims.pop_back();
  for (const std::int64_t d : {std::min(d1, d2), std::max(d1, d2)}) dims.insert(dims.begin() + std::min(d, static_cast<std::int64_t>(dims.size())), n);
  return done(with_diagonal(call, zeros(call, dims, x), x, diagonal_of(call, dims, 1)));
}

/// Windows of `size` elements, `step` apart, along a dimension of n.
struct Sliding {
  std::int64_t dim = 0, size = 1, step = 1, count = 0, extent = 0;
  std::int64_t end(std::int64_t k) const { return k + (count - 1) * step + 1; }
};

Sliding sliding(Operation& call, const Dims& dims, std::size_t first) {
  Sliding s;
  s.dim = call.dim(first, dims.size());
  s.extent = dims.empty() ? 1 : dims[at(s.dim)];
  s.size = call.integer(first + 1);
  s.step = call.integer(first + 2);
  if (dims.empty() || s.size < 1 || s.size > s.extent || s.step < 1 || s.size > kMostSlices) call.refuse("windows of " + std::to_string(s.size) + " elements, " + std::to_string(s.step) + " apart");
  s.count = (s.extent - s.size) / s.step + 1;
  return s;
}

/// out[.., w, .., k] = x[.., w step + k, ..].
Value unfold(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const Sliding s = sliding(call, e.dims(x), 1);
  std::vector<NodeId> parts;
  for (std::int64_t k = 0; k < s.size; ++k) {
    const NodeId part = e.slice(x, s.dim, k, s.end(k), s.step);
    Dims column = e.dims(part);
    column.push_back(1);
    parts.push_back(e.reshape(part, column));
  }
  return done(e.concatenate(parts, static_cast<std::int64_t>(e.dims(x).size())));
}

/// Each element gets the sum over the windows that have it.
Value unfold_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId g = call.tensor(0), zero = e.integer(e.element(g), 0);
  const Sliding s = sliding(call, call.integers(1), 2);
  const auto last = static_cast<std::int64_t>(e.dims(g).size()) - 1;
  Dims dims = e.dims(g);
  dims.pop_back();
  NodeId sum = zeros(call, call.integers(1), g);
  for (std::int64_t k = 0; k < s.size; ++k) {
    const NodeId part = e.reshape(e.slice(g, last, k, k + 1), dims);
    const NodeId spread = e.pad(part, zero, s.dim, k, s.extent - s.end(k), s.step - 1);
    sum = k == 0 ? spread : e.binary(Op::Add, sum, spread);
  }
  return done(sum);
}

/// [.., c r r, h, w] and [.., c, h r, w r].
template <bool kBack>
Value pixels(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const Dims dims = e.dims(x);
  const std::int64_t r = call.integer(1);
  if (dims.size() < 3 || e.type(x).count() == 0 || r < 1 || r > kMostStep) call.refuse("of fewer than three dimensions, of nothing, or by a factor of " + std::to_string(r));
  Dims lead(dims.begin(), dims.end() - 3);
  const std::int64_t c = dims[dims.size() - 3], h = dims[dims.size() - 2], w = dims[dims.size() - 1];
  if (kBack ? h % r != 0 || w % r != 0 : c % (r * r) != 0) call.refuse("extents that the factor does not divide");
  Dims six = lead, result = lead, permutation(lead.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  const Dims inner = kBack ? Dims{c, h / r, r, w / r, r} : Dims{c / (r * r), r, r, h, w}, order = kBack ? Dims{0, 2, 4, 1, 3} : Dims{0, 3, 1, 4, 2};
  six.insert(six.end(), inner.begin(), inner.end());
  for (const std::int64_t k : order) permutation.push_back(static_cast<std::int64_t>(lead.size()) + k);
  const Dims end = kBack ? Dims{c * r * r, h / r, w / r} : Dims{c / (r * r), h * r, w * r};
  result.insert(result.end(), end.begin(), end.end());
  return done(e.reshape(e.transpose(e.reshape(x, six), permutation), result));
}

Value channel_shuffle(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const Dims dims = e.dims(x);
  const std::int64_t groups = call.integer(1);
  if (dims.size() < 3 || groups < 1 || dims[1] % groups != 0) call.refuse("channels that the groups do not divide");
  Dims split = dims;
  split[1] = groups;
  split.insert(split.begin() + 2, dims[1] / groups);
  Dims permutation(split.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation[1], permutation[2]);
  return done(e.reshape(e.transpose(e.reshape(x, split), permutation), dims));
}

Value eye(Operation& call) {
  if (call.out().rank() != 2) call.refuse("that is no matrix");
  return done(call.e.convert(on_diagonal(call.e, call.out().dims, 0), call.element()));
}

/// start + i (end - start) / (steps - 1).
Value linspace(Operation& call) {
  const Formula f(call);
  const std::int64_t steps = call.integer(2);
  if (call.out().dims != Dims{steps}) call.refuse("torch printed another length than " + std::to_string(steps));
  if (steps <= 1) return done(shaped(call, f.arg(0)));
  const double step = (call.number(1) - call.number(0)) / static_cast<double>(steps - 1);
  return done(f.add(shaped(call, f.arg(0)), f.mul(call.e.iota(call.element(), {steps}, 0), f.n(step))));
}

constexpr Overload kRearrangeRows[] = {
    {"aten.channel_shuffle.default", "self, groups", channel_shuffle},
    {"aten.diag_embed.default", "self, offset=0, dim1=-2, dim2=-1", diag_embed},
    {"aten.diagonal.default", "self, offset=0, dim1=0, dim2=1", diagonal},
    {"aten.diagonal_backward.default", "grad_output, input_sizes, offset, dim1, dim2", diagonal_backward},
    {"aten.diagonal_scatter.default", "self, src, offset=0, dim1=0, dim2=1", diagonal_scatter},
    {"aten.eye.default", "n, *, dtype=None", eye},
    {"aten.eye.m", "n, m, *, dtype=None", eye},
    {"aten.flip.default", "self, dims", flip},
    {"aten.linspace.default", "start, end, steps, *, dtype=None", linspace},
    {"aten.pixel_shuffle.default", "self, upscale_factor", pixels<false>},
    {"aten.pixel_unshuffle.default", "self, downscale_factor", pixels<true>},
    {"aten.repeat.default", "self, repeats", repeat},
    {"aten.repeat_interleave.self_int", "self, repeats, dim=None, *, output_size=None", repeat_interleave},
    {"aten.roll.default", "self, shifts, dims=[]", roll},
    {"aten.tile.default", "self, dims", tile},
    {"aten.unfold.default", "self, dimension, size, step", unfold},
    {"prims.rev.default", "a, dims", flip},
    {"aten.unfold_backward.default", "grad_in, input_sizes, dim, size, step", unfold_backward},
};

}  // namespace

std::span<const Overload> rearrange_rows() { return kRearrangeRows; }

}  // namespace gg::fx
