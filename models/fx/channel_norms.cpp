// Normalisation by channel (batch norm) and by group of channels, with their gradients.
#include "models/fx/formula.h"

namespace gg::fx {
namespace {

using Dims = std::vector<std::int64_t>;

/// x [n, c, ..] with one number a channel.
struct Channels {
  Emitter& e;
  NodeId x;
  ElementType type;
  Dims dims, over;
  double count = 1;  ///< elements a channel

  Channels(Operation& call, NodeId input) : e(call.e), x(input), type(e.element(input)), dims(e.dims(input)) {
    if (dims.size() < 2 || !is_float(type)) call.refuse("of integers, or of a tensor without channels");
    for (std::size_t d = 0; d < dims.size(); ++d) {
      if (d == 1) continue;
      over.push_back(static_cast<std::int64_t>(d));
      count *= static_cast<double>(dims[d]);
    }
  }
  NodeId n(double value) const { return e.number(type, value); }
  NodeId all(NodeId by_channel) const { return e.broadcast(e.convert(by_channel, type), dims, {1}); }
  NodeId sum(NodeId value) const { return e.reduce(Op::Add, value, over); }
  NodeId mean(NodeId value) const { return e.binary(Op::Divide, sum(value), n(count)); }
  NodeId op(Op which, NodeId value, NodeId by_channel) const { return e.binary(which, value, all(by_channel)); }
};

/// Positions of arguments; kAbsent where there is none.
constexpr std::size_t kAbsent = 99;
struct BatchNorm {
  std::size_t running_mean = 3, running_var = 4, training = kAbsent, momentum = 5, eps = 6;
  bool trains = false, functional = false, reserve = false;
};

/// (y, mean, 1/std), then a reserve that nobody reads, then the running statistics that follow.
Value batch_norm_of(Operation& call, const BatchNorm& at_place) {
  Emitter& e = call.e;
  const ElementType stored = e.element(call.tensor(0));
  const Channels c(call, e.convert(call.tensor(0), computed_in(stored)));
  const bool trains = at_place.training == kAbsent ? at_place.trains : call.flag(at_place.training);
  const bool running = at_place.running_mean != kAbsent && !call.none(at_place.running_mean);
  if (!trains && !running) call.refuse("in evaluation, without running statistics");
  if (trains && running && !at_place.functional) call.refuse("that writes its running statistics, in a place that is not read");
  const NodeId eps = c.n(call.number(at_place.eps));
  const NodeId mean = trains ? c.mean(c.x) : e.convert(call.tensor(at_place.running_mean), c.type);
  const NodeId apart = c.op(Op::Subtract, c.x, mean);
  const NodeId squares = c.sum(e.binary(Op::Multiply, apart, apart));
  const NodeId variance = trains ? e.binary(Op::Divide, squares, c.n(c.count)) : e.convert(call.tensor(at_place.running_var), c.type);
  const NodeId rstd = e.unary(Op::Rsqrt, e.binary(Op::Add, variance, eps));
  NodeId y = c.op(Op::Multiply, apart, rstd);
  if (!call.none(1)) y = c.op(Op::Multiply, y, call.tensor(1));
  if (!call.none(2)) y = c.op(Op::Add, y, call.tensor(2));
  const NodeId nothing = e.full({0}, c.n(0));
  Value result = Value::tuple({done(e.convert(y, stored)), done(e.convert(trains ? mean : nothing, stored)), done(e.convert(trains ? rstd : nothing, stored))});
  if (at_place.reserve) result.items.emplace_back();
  if (!at_place.functional) return result;
  const auto follow = [&](std::size_t k, NodeId now) {
    const NodeId before = call.tensor(k), step = e.number(e.element(before), call.number(at_place.momentum));
    if (!trains) return done(before);
    const NodeId kept = e.binary(Op::Multiply, before, e.number(e.element(before), 1 - call.number(at_place.momentum)));
    return done(e.binary(Op::Add, kept, e.binary(Op::Multiply, e.convert(now, e.element(before)), step)));
  };
  result.items.push_back(follow(at_place.running_mean, mean));
  result.items.push_back(follow(at_place.running_var, e.binary(Op::Divide, squares, c.n(c.count - 1))));
  return result;
}

Value batch_norm(Operation& call) { return batch_norm_of(call, {.training = 5, .momentum = 6, .eps = 7}); }
Value batch_norm_functional(Operation& call) { return batch_norm_of(call, {.training = 5, .momentum = 6, .eps = 7, .functional = true}); }
Value batch_norm_without_statistics(Operation& call) { return batch_norm_of(call, {.running_mean = kAbsent, .training = 3, .momentum = 4, .eps = 5}); }
Value batch_norm_evaluated(Operation& call) { return batch_norm_of(call, {}); }
Value batch_norm_updated(Operation& call) { return batch_norm_of(call, {.trains = true, .functional = true, .reserve = true}); }

/// (grad, input, weight, running_mean, running_var, mean, rstd, train, eps, mask, ..): gradients of x, weight and bias.
Value batch_norm_backward(Operation& call) {
  Emitter& e = call.e;
  const Channels c(call, call.tensor(1));
  const bool trained = call.flag(7);
  const NodeId g = e.convert(call.tensor(0), c.type), mean = e.convert(call.tensor(trained ? 5 : 3), c.type);
  const NodeId rstd = trained ? e.convert(call.tensor(6), c.type) : e.unary(Op::Rsqrt, e.binary(Op::Add, e.convert(call.tensor(4), c.type), c.n(call.number(8))));
  const auto wanted = call.mask(9, 3);
  const NodeId hat = c.op(Op::Multiply, c.op(Op::Subtract, c.x, mean), rstd);
  const NodeId along = c.sum(e.binary(Op::Multiply, g, hat)), sum = c.sum(g);
  Value result = Value::tuple({{}, {}, {}});
  if (wanted[0]) {  // w rstd (g - mean(g) - hat mean(g hat))
    NodeId inner = g;
    if (trained) {
      inner = c.op(Op::Subtract, inner, e.binary(Op::Divide, sum, c.n(c.count)));
      inner = e.binary(Op::Subtract, inner, c.op(Op::Multiply, hat, e.binary(Op::Divide, along, c.n(c.count))));
    }
    inner = c.op(Op::Multiply, inner, rstd);
    result.items[0] = done(call.none(2) ? inner : c.op(Op::Multiply, inner, call.tensor(2)));
  }
  if (wanted[1]) result.items[1] = done(along);
  if (wanted[2]) result.items[2] = done(sum);
  return result;
}

/// x [n, c, ..] as [n, groups, elements of a group], with one number a row and group.
struct GroupsOf {
  Emitter& e;
  ElementType type;
  Dims dims, rows;
  std::int64_t channels = 0;

  GroupsOf(Operation& call, NodeId x, std::size_t first) : e(call.e), type(e.element(x)), dims(e.dims(x)) {
    const std::int64_t n = call.integer(first), c = call.integer(first + 1), inner = call.integer(first + 2), groups = call.integer(first + 3);
    if (!is_float(type) || dims.size() < 2 || dims[0] != n || dims[1] != c || groups < 1 || c % groups != 0) call.refuse("of integers, or in groups that are not those of its channels");
    const std::int64_t lines = n * c;
    if (lines == 0 || e.type(x).count() % lines != 0 || e.type(x).count() / lines != inner) call.refuse("of nothing, or of another number of elements");
    rows = {n, groups, c / groups * inner};
    channels = c;
  }
  NodeId split(NodeId value) const { return e.reshape(value, rows); }
  NodeId all(NodeId by_group) const { return e.broadcast(e.reshape(e.convert(by_group, type), {rows[0], rows[1]}), rows, {0, 1}); }
  NodeId mean(NodeId value) const { return e.binary(Op::Divide, e.reduce(Op::Add, value, {2}), e.number(type, static_cast<double>(rows[2]))); }
  NodeId by_channel(NodeId value) const { return e.broadcast(e.convert(value, type), dims, {1}); }
  NodeId sum_channels(NodeId value) const {
    Dims over = {0};
    for (std::size_t d = 2; d < dims.size(); ++d) over.push_back(static_cast<std::int64_t>(d));
    return e.reduce(Op::Add, value, over);
  }
};

/// (input, weight, bias, n, c, elements, groups, eps) to (y, mean, 1/std).
Value native_group_norm(Operation& call) {
  Emitter& e = call.e;
  const ElementType stored = e.element(call.tensor(0));
  const NodeId input = e.convert(call.tensor(0), computed_in(stored));
  const GroupsOf s(call, input, 3);
  const NodeId x = s.split(input), mean = s.mean(x);
  const NodeId apart = e.binary(Op::Subtract, x, s.all(mean));
  const NodeId variance = s.mean(e.binary(Op::Multiply, apart, apart));
  const NodeId rstd = e.unary(Op::Rsqrt, e.binary(Op::Add, variance, e.number(s.type, call.number(7))));
  NodeId y = e.reshape(e.binary(Op::Multiply, apart, s.all(rstd)), s.dims);
  if (!call.none(1)) y = e.binary(Op::Multiply, y, s.by_channel(call.tensor(1)));
  if (!call.none(2)) y = e.binary(Op::Add, y, s.by_channel(call.tensor(2)));
  return Value::tuple({done(e.convert(y, stored)), done(e.convert(mean, stored)), done(e.convert(rstd, stored))});
}

/// (grad, input, mean, rstd, weight, n, c, elements, groups, mask).
Value group_norm_backward(Operation& call) {
  Emitter& e = call.e;
  const GroupsOf s(call, call.tensor(1), 5);
  const auto wanted = call.mask(9, 3);
  const NodeId g = e.convert(call.tensor(0), s.type), rstd = s.all(call.tensor(3));
  const NodeId hat = e.binary(Op::Multiply, e.binary(Op::Subtract, s.split(call.tensor(1)), s.all(call.tensor(2))), rstd);
  Value result = Value::tuple({{}, {}, {}});
  if (wanted[0]) {  // rstd (gw - mean(gw) - hat mean(gw hat))
    const NodeId scaled = s.split(call.none(4) ? g : e.binary(Op::Multiply, g, s.by_channel(call.tensor(4))));
    const NodeId first = e.binary(Op::Subtract, scaled, s.all(s.mean(scaled)));
    const NodeId along = e.binary(Op::Multiply, hat, s.all(s.mean(e.binary(Op::Multiply, scaled, hat))));
    result.items[0] = done(e.reshape(e.binary(Op::Multiply, e.binary(Op::Subtract, first, along), rstd), s.dims));
  }
  if (wanted[1]) result.items[1] = done(s.sum_channels(e.binary(Op::Multiply, g, e.reshape(hat, s.dims))));
  if (wanted[2]) result.items[2] = done(s.sum_channels(g));
  return result;
}

constexpr Overload kChannelNormRows[] = {
    {"aten._batch_norm_with_update_functional.default", "input, weight, bias, running_mean, running_var, momentum, eps", batch_norm_updated},
    {"aten._native_batch_norm_legit.default", "input, weight, bias, running_mean, running_var, training, momentum, eps", batch_norm},
    {"aten._native_batch_norm_legit.no_stats", "input, weight, bias, training, momentum, eps", batch_norm_without_statistics},
    {"aten._native_batch_norm_legit_functional.default", "input, weight, bias, running_mean, running_var, training, momentum, eps", batch_norm_functional},
    {"aten._native_batch_norm_legit_no_training.default", "input, weight, bias, running_mean, running_var, momentum, eps", batch_norm_evaluated},
    {"aten.batch_norm.default", "input, weight, bias, running_mean, running_var, training, momentum, eps, cudnn_enabled", first<batch_norm>},
    {"aten.batch_norm_backward.default", "grad_out, input, weight, running_mean, running_var, save_mean, save_var, update, eps, output_mask, reserve", batch_norm_backward},
    {"aten.native_batch_norm.default", "input, weight, bias, running_mean, running_var, training, momentum, eps", batch_norm},
    {"aten.native_batch_norm_backward.default", "grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, output_mask", batch_norm_backward},
    {"aten.native_group_norm.default", "input, weight, bias, N, C, HxW, group, eps", native_group_norm},
    {"aten.native_group_norm_backward.default", "grad_out, input, mean, rstd, weight, N, C, HxW, group, output_mask", group_norm_backward},
};

}  // namespace

std::span<const Overload> channel_norm_rows() { return kChannelNormRows; }

}  // namespace gg::fx
