// Losses, with ignored labels.
#include "models/fx/types.h"

namespace gg::fx {
namespace {

Value done(NodeId node) { return Value::tensor(node); }

enum Reduction : std::int64_t { kNone, kMean, kSum };

Reduction reduction(Operation& call, std::size_t k) {
  const std::int64_t value = call.integer(k);
  if (value < kNone || value > kSum) call.refuse("reduction " + std::to_string(value));
  return static_cast<Reduction>(value);
}

/// Rows [n, c] and labels [n] of a loss over classes; which rows count, and each row's weight where it does.
struct Rows {
  NodeId classes = 0;   ///< [n, c] pred: is c the label of row n?
  NodeId counted = 0;   ///< [n] pred: the label is not ignored
  NodeId weights = 0;   ///< [n]: 1 or the label's weight, 0 where ignored
};

Rows rows_of(Operation& call, NodeId x, std::size_t target, std::size_t weight, std::size_t ignore) {
  Emitter& e = call.e;
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.size() != 2) call.refuse("only of a matrix [rows, classes]");
  const ElementType type = e.element(x);
  const NodeId labels = call.tensor(target);
  Rows r;
  r.counted = e.compare("NE", labels, e.integer(e.element(labels), call.integer(ignore)));
  const NodeId hit = e.compare("EQ", e.iota(e.element(labels), dims, 1), e.broadcast(labels, dims, {0}));
  r.classes = e.binary(Op::And, hit, e.broadcast(r.counted, dims, {0}));
  NodeId own = e.integer(type, 1);
  if (!call.none(weight)) own = e.reduce(Op::Add, e.select(r.classes, e.broadcast(call.tensor(weight), dims, {1}), e.integer(type, 0)), {1});
  r.weights = e.select(r.counted, own, e.integer(type, 0));
  return r;
}

/// (loss, total weight): the weighted mean of -x[n, label], ignored rows left out.
Value nll_loss_forward(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0);
  const ElementType type = e.element(x);
  const Rows r = rows_of(call, x, 1, 2, 4);
  const NodeId zero = e.integer(type, 0);
  const NodeId picked = e.reduce(Op::Add, e.select(r.classes, x, zero), {1});
  const NodeId losses = e.unary(Op::Negate, call.none(2) ? picked : e.binary(Op::Multiply, picked, r.weights));
  const NodeId total = e.reduce(Op::Add, r.weights, {0});
  const Reduction how = reduction(call, 3);
  if (how == kNone) return Value::tuple({done(losses), done(zero)});
  const NodeId sum = e.reduce(Op::Add, losses, {0});
  return Value::tuple({done(how == kMean ? e.binary(Op::Divide, sum, total) : sum), done(total)});
}

/// -g weight at the label, divided by the total weight for a mean.
Value nll_loss_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(1);
  const ElementType type = e.element(x);
  const std::vector<std::int64_t> dims = e.dims(x);
  const Rows r = rows_of(call, x, 2, 3, 5);
  const Reduction how = reduction(call, 4);
  NodeId g = e.unary(Op::Negate, call.tensor(0));
  if (how == kMean) g = e.binary(Op::Divide, g, call.tensor(6));
  NodeId row = e.expand(g, {dims[0]});
  if (!call.none(3)) row = e.binary(Op::Multiply, row, r.weights);
  return done(e.select(r.classes, e.broadcast(row, dims, {0}), e.integer(type, 0)));
}

NodeId reduced(Operation& call, NodeId each, std::size_t k) {
  Emitter& e = call.e;
  const Reduction how = reduction(call, k);
  if (how == kNone) return each;
  const auto count = static_cast<double>(e.type(each).count());
  std::vector<std::int64_t> all;
  for (std::size_t d = 0; d < e.dims(each).size(); ++d) all.push_back(static_cast<std::int64_t>(d));
  const NodeId sum = e.reduce(Op::Add, each, all);
  return how == kSum ? sum : e.binary(Op::Divide, sum, e.number(e.element(each), count));
}

Value mse_loss(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), y = call.tensor(1);
  if (e.dims(x) != e.dims(y)) call.refuse("of tensors of different shapes");
  const NodeId apart = e.binary(Op::Subtract, x, y);
  return done(reduced(call, e.binary(Op::Multiply, apart, apart), 2));
}

/// 2 (x - y) g, divided by the number of elements for a mean.
Value mse_loss_backward(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(1), y = call.tensor(2);
  if (e.dims(x) != e.dims(y)) call.refuse("of tensors of different shapes");
  const auto count = static_cast<double>(e.type(x).count());
  const double factor = reduction(call, 3) == kMean ? 2 / count : 2;
  const NodeId apart = e.binary(Op::Multiply, e.number(e.element(x), factor), e.binary(Op::Subtract, x, y));
  return done(e.binary(Op::Multiply, apart, e.expand(call.tensor(0), e.dims(x))));
}

constexpr Overload kRows[] = {
    {"aten.mse_loss.default", "self, target, reduction=1", mse_loss},
    {"aten.mse_loss_backward.default", "grad_output, self, target, reduction", mse_loss_backward},
    {"aten.nll_loss_backward.default", "grad_output, self, target, weight, reduction, ignore_index, total_weight", nll_loss_backward},
    {"aten.nll_loss_forward.default", "self, target, weight, reduction, ignore_index", nll_loss_forward},
};

}  // namespace

std::span<const Overload> loss_rows() { return kRows; }

}  // namespace gg::fx
