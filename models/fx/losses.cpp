// Losses, with ignored labels.

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

enum LossReduction : std::int64_t { kNone,
                                    kMean,
                                    kSum };

LossReduction reduction(Operation& call, std::size_t k) {
  const std::int64_t value = call.integer(k);
  if (value < kNone || value > kSum) call.refuse("reduction " + std::to_string(value));
  return static_cast<LossReduction>(value);
}

/// Rows [n, c] and labels [n] of a loss over classes; which rows count, and each row's weight where it does.
struct Rows {
  NodeId classes = 0;  ///< [n, c] pred: is c the label of row n?
  NodeId counted = 0;  ///< [n] pred: the label is not ignored
  NodeId weights = 0;  ///< [n]: 1 or the label's weight, 0 where ignored
};

Rows rows_of(Operation& call, NodeId x, NodeId labels, std::size_t weight, std::size_t ignore) {
  Emitter& e = call.e;
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.size() != 2) call.refuse("only of a matrix [rows, classes]");
  const ElementType type = e.element(x);
  Rows r;
  r.counted = e.compare("NE", labels, e.integer(e.element(labels), call.integer(ignore)));
  e.raises_outside(e.select(r.counted, labels, e.integer(e.element(labels), 0)), {0, dims[1] - 1});
  const NodeId hit = e.compare("EQ", e.iota(e.element(labels), dims, 1), e.broadcast(labels, dims, {0}));
  r.classes = e.binary(Op::And, hit, e.broadcast(r.counted, dims, {0}));
  NodeId own = e.integer(type, 1);
  if (!call.none(weight)) own = e.reduce(Op::Add, e.select(r.classes, e.broadcast(call.tensor(weight), dims, {1}), e.integer(type, 0)), {1});
  r.weights = e.select(r.counted, own, e.integer(type, 0));
  return r;
}

/// (loss of each row or of all, total weight): the weighted mean of -x[n, label], ignored rows left out.
std::pair<NodeId, NodeId> nll_of(Operation& call, NodeId x, NodeId labels) {
  Emitter& e = call.e;
  const ElementType type = e.element(x);
  const Rows r = rows_of(call, x, labels, 2, 4);
  const NodeId zero = e.integer(type, 0);
  const NodeId picked = e.reduce(Op::Add, e.select(r.classes, x, zero), {1});
  const NodeId losses = e.unary(Op::Negate, call.none(2) ? picked : e.binary(Op::Multiply, picked, r.weights));
  const NodeId total = e.reduce(Op::Add, r.weights, {0});
  const LossReduction how = reduction(call, 3);
  if (how == kNone) return {losses, zero};
  const NodeId sum = e.reduce(Op::Add, losses, {0});
  return {how == kMean ? e.binary(Op::Divide, sum, total) : sum, total};
}

Value nll_loss_forward(Operation& call) {
  const auto [loss, total] = nll_of(call, call.tensor(0), call.tensor(1));
  return Value::tuple({done(loss), done(total)});
}

/// [n, c, ..] as rows [n .., c].
struct Pixels {
  std::vector<std::int64_t> to_rows, split;
  std::int64_t rows = 1, classes = 0;
};

Pixels pixels_of(Operation& call, const std::vector<std::int64_t>& dims) {
  if (dims.size() < 3) call.refuse("of fewer than three dimensions");
  Pixels p{{0}, {dims[0]}, dims[0], dims[1]};
  for (std::size_t d = 2; d < dims.size(); ++d) {
    p.to_rows.push_back(static_cast<std::int64_t>(d));
    p.split.push_back(dims[d]);
    p.rows *= dims[d];
  }
  p.to_rows.push_back(1);
  p.split.push_back(p.classes);
  return p;
}

Value nll_loss2d_forward(Operation& call) {
  Emitter& e = call.e;
  const Pixels p = pixels_of(call, e.dims(call.tensor(0)));
  const NodeId x = e.reshape(e.transpose(call.tensor(0), p.to_rows), {p.rows, p.classes});
  const auto [loss, total] = nll_of(call, x, e.reshape(call.tensor(1), {p.rows}));
  return Value::tuple({done(e.dims(loss).empty() ? loss : e.reshape(loss, e.dims(call.tensor(1)))), done(total)});
}

Value nll_loss_any(Operation& call) { return call.e.dims(call.tensor(0)).size() == 2 ? nll_loss_forward(call) : nll_loss2d_forward(call); }

/// -g weight at the label, divided by the total weight for a mean.
NodeId nll_gradient(Operation& call, NodeId x, NodeId labels, NodeId g) {
  Emitter& e = call.e;
  const ElementType type = e.element(x);
  const std::vector<std::int64_t> dims = e.dims(x);
  const Rows r = rows_of(call, x, labels, 3, 5);
  g = e.unary(Op::Negate, g);
  if (reduction(call, 4) == kMean) g = e.binary(Op::Divide, g, call.tensor(6));
  NodeId row = e.expand(g, {dims[0]});
  if (!call.none(3)) row = e.binary(Op::Multiply, row, r.weights);
  return e.select(r.classes, e.broadcast(row, dims, {0}), e.integer(type, 0));
}

Value nll_loss_backward(Operation& call) { return done(nll_gradient(call, call.tensor(1), call.tensor(2), call.tensor(0))); }

Value nll_loss2d_backward(Operation& call) {
  Emitter& e = call.e;
  const Pixels p = pixels_of(call, e.dims(call.tensor(1)));
  const NodeId x = e.reshape(e.transpose(call.tensor(1), p.to_rows), {p.rows, p.classes});
  const NodeId g = e.dims(call.tensor(0)).empty() ? call.tensor(0) : e.reshape(call.tensor(0), {p.rows});
  const NodeId rows = nll_gradient(call, x, e.reshape(call.tensor(2), {p.rows}), g);
  return done(e.transpose(e.reshape(rows, p.split), inverse(p.to_rows)));
}

NodeId reduced(Operation& call, NodeId each, std::size_t k) {
  Emitter& e = call.e;
  const LossReduction how = reduction(call, k);
  if (how == kNone) return each;
  const auto count = static_cast<double>(e.type(each).count());
  std::vector<std::int64_t> all;
  for (std::size_t d = 0; d < e.dims(each).size(); ++d) all.push_back(static_cast<std::int64_t>(d));
  const NodeId sum = e.reduce(Op::Add, each, all);
  return how == kSum ? sum : e.binary(Op::Divide, sum, e.number(e.element(each), count));
}

/// Of the logarithms of probabilities: [c], [n, c] or [n, c, ..].
Value nll_loss_nd(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), labels = call.tensor(1);
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.size() == 1) {
    const auto [loss, total] = nll_of(call, e.reshape(x, {1, dims[0]}), e.reshape(labels, {1}));
    return done(e.reshape(loss, call.out().dims));
  }
  return first<nll_loss_any>(call);
}

/// nll_loss of log_softmax; with smoothing by s, (1 - s) of it and s / classes of the sum over classes.
Value cross_entropy(Operation& call) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), labels = call.tensor(1);
  if (is_float(e.element(labels))) call.refuse("of probabilities of classes");
  const std::vector<std::int64_t> dims = e.dims(x);
  if (dims.empty()) call.refuse("of a scalar");
  const std::int64_t along = dims.size() == 1 ? 0 : 1;
  const NodeId logs = call.as("aten.log_softmax.int", {call.node(x), call.whole(along), {}}, e.type(x)).node;
  const NodeId hit = call.as("aten.nll_loss_nd.default", {call.node(logs), call.raw(1), call.raw(2), call.raw(3), call.raw(4)}).node;
  const double smoothing = call.number(5);
  if (smoothing == 0) return done(hit);
  const Formula f(call);
  const NodeId counted = e.compare("NE", labels, e.integer(e.element(labels), call.integer(4)));
  NodeId each = logs;
  if (!call.none(2)) each = e.binary(Op::Multiply, logs, e.broadcast(call.tensor(2), dims, {along}));
  const NodeId row = e.select(counted, e.unary(Op::Negate, e.reduce(Op::Add, each, {along})), e.integer(e.element(x), 0));
  NodeId smooth = row;
  const LossReduction how = reduction(call, 3);
  if (how != kNone) {
    std::vector<std::int64_t> all;
    for (std::size_t d = 0; d < e.dims(row).size(); ++d) all.push_back(static_cast<std::int64_t>(d));
    smooth = e.reduce(Op::Add, row, all);
    NodeId weights = e.convert(counted, e.element(x));
    if (!call.none(2)) {
      std::vector<std::int64_t> own = e.dims(labels);
      own.insert(own.begin() + along, dims[at(along)]);
      std::vector<std::int64_t> map;
      for (std::int64_t d = 0; d < static_cast<std::int64_t>(own.size()); ++d) {
        if (d != along) map.push_back(d);
      }
      const NodeId is = e.compare("EQ", e.iota(e.element(labels), own, along), e.broadcast(labels, own, map));
      const NodeId mine = e.reduce(Op::Add, e.select(is, e.broadcast(call.tensor(2), own, {along}), e.integer(e.element(x), 0)), {along});
      weights = e.select(counted, mine, e.integer(e.element(x), 0));
    }
    if (how == kMean) smooth = e.binary(Op::Divide, smooth, e.reduce(Op::Add, weights, all));
  }
  const double share = smoothing / static_cast<double>(dims[at(along)]);
  return done(f.add(f.mul(hit, f.n(1 - smoothing)), f.mul(smooth, f.n(share))));
}

/// A loss of two tensors of one shape: f(x, y) element by element, reduced as argument `k` says.
template <typename Each>
Value pairwise(Operation& call, std::size_t k, Each each) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(0), y = call.tensor(1);
  if (e.dims(x) != e.dims(y)) call.refuse("of tensors of different shapes");
  return done(reduced(call, each(Formula(call), x, y), k));
}

/// Its derivative by x, times the gradient of the result; arguments are (grad, x, y, ..).
template <typename Each>
Value pairwise_backward(Operation& call, std::size_t k, Each each) {
  Emitter& e = call.e;
  const NodeId x = call.tensor(1), y = call.tensor(2);
  if (e.dims(x) != e.dims(y)) call.refuse("of tensors of different shapes");
  const Formula f(call);
  const NodeId own = each(f, x, y);
  const NodeId mean = reduction(call, k) == kMean ? f.div(own, f.n(static_cast<double>(e.type(x).count()))) : own;
  return done(f.mul(mean, e.expand(call.tensor(0), e.dims(x))));
}

Value l1_loss(Operation& call) {
  return pairwise(call, 2, [](const Formula& f, NodeId x, NodeId y) { return f.abs(f.sub(x, y)); });
}

/// y (log y - x), 0 where y is 0; y is a logarithm itself where argument 3 says so.
Value kl_div(Operation& call) {
  const bool logarithm = call.flag(3);
  return pairwise(call, 2, [&](const Formula& f, NodeId x, NodeId y) {
    if (logarithm) return f.mul(f.exp(y), f.sub(y, x));
    const NodeId own = f.select(f.nan(y), y, f.select(f.equal(y, f.n(0)), f.n(0), f.mul(y, f.log(y))));
    return f.sub(own, f.mul(y, x));
  });
}

Value mse_loss(Operation& call) {
  return pairwise(call, 2, [](const Formula& f, NodeId x, NodeId y) { return f.mul(f.sub(x, y), f.sub(x, y)); });
}

Value mse_loss_backward(Operation& call) {
  return pairwise_backward(call, 3, [](const Formula& f, NodeId x, NodeId y) { return f.mul(f.n(2), f.sub(x, y)); });
}

/// Quadratic up to a bound, then linear: x^2 / (2 beta), or times delta for Huber's.
template <bool kHuber>
Value smooth_l1(Operation& call) {
  if (!kHuber && !(call.number(3) > 0)) call.refuse("beta = 0");
  return pairwise(call, 2, [&](const Formula& f, NodeId x, NodeId y) {
    const NodeId z = f.abs(f.sub(x, y)), bound = f.arg(3), square = f.mul(f.n(0.5), f.mul(z, z)), line = f.sub(z, f.mul(f.n(0.5), bound));
    return f.select(f.less(z, bound), kHuber ? square : f.div(square, bound), kHuber ? f.mul(bound, line) : line);
  });
}

template <bool kHuber>
Value smooth_l1_backward(Operation& call) {
  if (!kHuber && !(call.number(4) > 0)) call.refuse("beta = 0");
  return pairwise_backward(call, 3, [&](const Formula& f, NodeId x, NodeId y) {
    const NodeId z = f.sub(x, y), bound = f.arg(4), cut = f.max(f.min(z, bound), f.neg(bound));
    return kHuber ? cut : f.div(cut, bound);
  });
}

/// -(y log x + (1 - y) log(1 - x)), logarithms at least -100.
Value binary_cross_entropy(Operation& call) {
  return pairwise(call, 3, [&](const Formula& f, NodeId x, NodeId y) {
    const NodeId low = f.n(-100), yes = f.max(f.log(x), low), no = f.max(f.log1p(f.neg(x)), low);
    const NodeId loss = f.sub(f.mul(f.sub(y, f.n(1)), no), f.mul(y, yes));
    return call.none(2) ? loss : f.mul(loss, f.e.expand(call.tensor(2), f.e.dims(x)));
  });
}

Value binary_cross_entropy_backward(Operation& call) {
  return pairwise_backward(call, 4, [&](const Formula& f, NodeId x, NodeId y) {
    const NodeId own = f.div(f.sub(x, y), f.max(f.mul(f.sub(f.n(1), x), x), f.n(1e-12)));
    return call.none(3) ? own : f.mul(own, f.e.expand(call.tensor(3), f.e.dims(x)));
  });
}

/// (1 - y) x + w (log(1 + exp(-|x|)) + max(-x, 0)), w = 1 + (pos_weight - 1) y.
Value binary_cross_entropy_of_logits(Operation& call) {
  return pairwise(call, 4, [&](const Formula& f, NodeId x, NodeId y) {
    NodeId positive = f.add(f.log1p(f.exp(f.neg(f.abs(x)))), f.max(f.neg(x), f.n(0)));
    if (!call.none(3)) positive = f.mul(f.add(f.n(1), f.mul(f.e.expand(f.sub(call.tensor(3), f.n(1)), f.e.dims(x)), y)), positive);
    const NodeId loss = f.add(f.mul(f.sub(f.n(1), y), x), positive);
    return call.none(2) ? loss : f.mul(loss, f.e.expand(call.tensor(2), f.e.dims(x)));
  });
}

/// log(1 + exp(-x y)).
Value soft_margin(Operation& call) {
  return pairwise(call, 2, [](const Formula& f, NodeId x, NodeId y) { return f.log1p(f.exp(f.neg(f.mul(x, y)))); });
}

Value soft_margin_backward(Operation& call) {
  return pairwise_backward(call, 3, [](const Formula& f, NodeId x, NodeId y) {
    const NodeId z = f.exp(f.neg(f.mul(x, y)));
    return f.neg(f.div(f.mul(y, z), f.add(z, f.n(1))));
  });
}

constexpr Overload kLossRows[] = {
    {"aten.binary_cross_entropy.default", "self, target, weight=None, reduction=1", binary_cross_entropy},
    {"aten.binary_cross_entropy_backward.default", "grad_output, self, target, weight=None, reduction=1", binary_cross_entropy_backward},
    {"aten.binary_cross_entropy_with_logits.default", "self, target, weight=None, pos_weight=None, reduction=1", binary_cross_entropy_of_logits},
    {"aten.cross_entropy_loss.default", "self, target, weight=None, reduction=1, ignore_index=-100, label_smoothing=0.0", cross_entropy},
    {"aten.huber_loss.default", "self, target, reduction=1, delta=1.0", smooth_l1<true>},
    {"aten.huber_loss_backward.default", "grad_output, self, target, reduction, delta", smooth_l1_backward<true>},
    {"aten.kl_div.default", "self, target, reduction=1, *, log_target=False", kl_div},
    {"aten.l1_loss.default", "self, target, reduction=1", l1_loss},
    {"aten.mse_loss.default", "self, target, reduction=1", mse_loss},
    {"aten.mse_loss_backward.default", "grad_output, self, target, reduction", mse_loss_backward},
    {"aten.nll_loss2d_backward.default", "grad_output, self, target, weight, reduction, ignore_index, total_weight", nll_loss2d_backward},
    {"aten.nll_loss2d_forward.default", "self, target, weight, reduction, ignore_index", nll_loss2d_forward},
    {"aten.nll_loss_backward.default", "grad_output, self, target, weight, reduction, ignore_index, total_weight", nll_loss_backward},
    {"aten.nll_loss_forward.default", "self, target, weight, reduction, ignore_index", nll_loss_forward},
    {"aten.nll_loss_nd.default", "self, target, weight=None, reduction=1, ignore_index=-100", nll_loss_nd},
    {"aten.smooth_l1_loss.default", "self, target, reduction=1, beta=1.0", smooth_l1<false>},
    {"aten.smooth_l1_loss_backward.default", "grad_output, self, target, reduction, beta", smooth_l1_backward<false>},
    {"aten.soft_margin_loss.default", "self, target, reduction=1", soft_margin},
    {"aten.soft_margin_loss_backward.default", "grad_output, self, target, reduction", soft_margin_backward},
};

}  // namespace

std::span<const Overload> loss_rows() { return kLossRows; }

}  // namespace gg::fx
