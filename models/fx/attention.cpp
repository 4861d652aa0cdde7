// Fused attention: softmax(scale q k^T + mask) v and the logarithm of the softmax's sums; the backward from what it is given, sums included,
// as the kernels compute it.
#include <cmath>
#include <limits>

#include "models/fx/formula.h"

namespace gg::fx {
namespace {

/// Positions of arguments; kNowhere: the form does not have it.
constexpr std::size_t kNowhere = 99;
struct Places {
  std::size_t query, mask, dropout, causal, scale;
};

class Attention {
 public:
  Attention(Operation& call, Places places) : call_(call), e_(call.e), places_(places) {
    q_ = call.tensor(places.query), k_ = call.tensor(places.query + 1), v_ = call.tensor(places.query + 2);
    if (call.number(places.dropout) != 0) call.refuse("dropout_p other than 0: which elements are dropped is no function of what the graph shows");
    const auto rank = e_.dims(q_).size();
    if (!is_float(e_.element(q_)) || rank < 3 || e_.dims(k_).size() != rank || e_.dims(v_).size() != rank) call.refuse("query, key and value need equal numbers of dimensions, at least three");
    dims_ = e_.dims(q_);
    dims_.back() = e_.dims(k_)[rank - 2];
    rows_.assign(dims_.begin(), dims_.end() - 1);
    scale_ = call.none(places.scale) ? 1 / std::sqrt(static_cast<double>(e_.dims(q_).back())) : call.number(places.scale);
  }

  /// scale q k^T + mask, [..., queries, keys].
  NodeId scores() {
    NodeId s = times(e_.matmul(q_, flipped(k_)), scale_);
    if (places_.mask != kNowhere && !call_.none(places_.mask)) {
      const NodeId mask = e_.expand(call_.tensor(places_.mask), dims_);
      s = e_.element(mask) == ElementType::Pred ? e_.select(mask, s, least()) : e_.binary(Op::Add, s, e_.convert(mask, e_.element(s)));
    }
    if (!call_.flag(places_.causal)) return s;
    const auto rank = static_cast<std::int64_t>(dims_.size());
    return e_.select(e_.compare("LE", e_.iota(ElementType::S64, dims_, rank - 1), e_.iota(ElementType::S64, dims_, rank - 2)), s, least());
  }

  /// The largest score and the sum of exponentials, by row.
  struct Softmax {
    NodeId exponentials, most, sum;
  };
  Softmax softmax() {
    const NodeId s = scores();
    const std::vector<std::int64_t> last{static_cast<std::int64_t>(dims_.size()) - 1};
    const NodeId most = e_.reduce(Op::Maximum, s, last);
    const NodeId exponentials = e_.unary(Op::Exponential, e_.binary(Op::Subtract, s, by_row(most)));
    return {exponentials, most, e_.reduce(Op::Add, exponentials, last)};
  }

  NodeId weights(const Softmax& m) { return e_.binary(Op::Divide, m.exponentials, by_row(m.sum)); }
  NodeId output(const Softmax& m) { return e_.matmul(weights(m), v_); }
  NodeId logarithm(const Softmax& m) { return wide(e_.binary(Op::Add, m.most, e_.unary(Op::Log, m.sum))); }

  /// Gradients of query, key, value, and of the scores: p = exp(s - logsumexp), ds = p (g v^T - rowsum(g out)).
  struct Gradients {
    NodeId query, key, value, scores;
  };
  Gradients gradients(NodeId g, NodeId out, NodeId logsumexp) {
    std::vector<std::int64_t> rows = rows_;
    NodeId sums = e_.convert(logsumexp, e_.element(q_));  // some kernels pad the rows
    if (e_.dims(sums).size() != rows.size() || e_.dims(sums).back() < rows.back()) call_.refuse("logsumexp has another shape than the scores' rows");
    sums = e_.slice(sums, static_cast<std::int64_t>(rows.size()) - 1, 0, rows.back());
    const NodeId p = e_.unary(Op::Exponential, e_.binary(Op::Subtract, scores(), by_row(sums)));
    const NodeId along = e_.reduce(Op::Add, e_.binary(Op::Multiply, g, out), {static_cast<std::int64_t>(rows.size())});
    const NodeId ds = e_.binary(Op::Multiply, p, e_.binary(Op::Subtract, e_.matmul(g, flipped(v_)), by_row(along)));
    return {times(e_.matmul(ds, k_), scale_), times(e_.matmul(flipped(ds), q_), scale_), e_.matmul(flipped(p), g), ds};
  }

 private:
  NodeId least() { return e_.number(e_.element(q_), -std::numeric_limits<double>::infinity()); }
  NodeId times(NodeId x, double factor) { return e_.binary(Op::Multiply, x, e_.number(e_.element(x), factor)); }
  NodeId wide(NodeId x) { return info(e_.element(x)).bits < 32 ? e_.convert(x, ElementType::F32) : x; }
  NodeId by_row(NodeId x) {
    std::vector<std::int64_t> map;
    for (std::size_t d = 0; d + 1 < dims_.size(); ++d) map.push_back(static_cast<std::int64_t>(d));
    return e_.broadcast(x, dims_, map);
  }
  NodeId flipped(NodeId x) {
    std::vector<std::int64_t> order;
    for (std::size_t d = 0; d < e_.dims(x).size(); ++d) order.push_back(static_cast<std::int64_t>(d));
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return e_.transpose(x, order);
  }

  Operation& call_;
  Emitter& e_;
  Places places_;
  NodeId q_ = 0, k_ = 0, v_ = 0;
  std::vector<std::int64_t> dims_, rows_;
  double scale_ = 1;
};

/// (output, logsumexp, and `kRest` values that no number hangs on: seeds, lengths).
template <std::size_t kMask, std::size_t kDropout, std::size_t kScale, std::size_t kRest>
Value forward(Operation& call) {
  Attention a(call, {0, kMask, kDropout, kDropout + 1, kScale});
  const auto m = a.softmax();
  std::vector<Value> items{done(a.output(m)), done(a.logarithm(m))};
  items.resize(2 + kRest);
  return Value::tuple(std::move(items));
}

/// (output, weights).
Value math(Operation& call) {
  if (!call.none(6)) call.refuse("a dropout mask");
  if (call.flag(8)) call.refuse("enable_gqa");
  if (!call.none(3) && call.e.element(call.tensor(3)) == ElementType::Pred) call.refuse("a Boolean mask, which this form adds as a number");
  Attention a(call, {0, 3, 4, 5, 7});
  const auto m = a.softmax();
  return Value::tuple({done(a.output(m)), done(a.weights(m))});
}

Value composite(Operation& call) {
  if (call.flag(7)) call.refuse("enable_gqa");
  Attention a(call, {0, 3, 4, 5, 6});
  return done(a.output(a.softmax()));
}

template <std::size_t kOut, std::size_t kMask, std::size_t kDropout, std::size_t kCausal, std::size_t kScale>
Value backward(Operation& call) {
  Attention a(call, {1, kMask, kDropout, kCausal, kScale});
  const auto g = a.gradients(call.tensor(0), call.tensor(kOut), call.tensor(kOut + 1));
  return Value::tuple({done(g.query), done(g.key), done(g.value)});
}

/// The same, with the gradient of the bias where the mask of wanted gradients has it.
Value efficient_backward(Operation& call) {
  Value result = backward<5, 4, 9, 11, 12>(call);
  const auto& wanted = call.raw(10).items;
  if (wanted.size() != 4) call.refuse("grad_input_mask needs four entries");
  if (wanted[3].integer != 0 && !call.none(4)) call.refuse("a gradient of attn_bias");
  result.items.emplace_back();
  return result;
}

constexpr Overload kAttentionRows[] = {
    {"aten._scaled_dot_product_attention_math.default", "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, dropout_mask=None, *, scale=None, enable_gqa=False", math},
    {"aten._scaled_dot_product_cudnn_attention.default", "query, key, value, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None", forward<3, 5, 8, 7>},
    {"aten._scaled_dot_product_cudnn_attention_backward.default", "grad_out, query, key, value, out, logsumexp, philox_seed, philox_offset, attn_bias, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal, *, scale=None", backward<4, 8, 13, 14, 15>},
    {"aten._scaled_dot_product_efficient_attention.default", "query, key, value, attn_bias, compute_log_sumexp, dropout_p=0.0, is_causal=False, *, scale=None", forward<3, 5, 7, 2>},
    {"aten._scaled_dot_product_efficient_attention_backward.default", "grad_out_, query, key, value, attn_bias, out, logsumexp, philox_seed, philox_offset, dropout_p, grad_input_mask, is_causal=False, *, scale=None", efficient_backward},
    {"aten._scaled_dot_product_flash_attention.default", "query, key, value, dropout_p=0.0, is_causal=False, return_debug_mask=False, *, scale=None", forward<kNowhere, 3, 6, 7>},
    {"aten._scaled_dot_product_flash_attention_backward.default", "grad_out, query, key, value, out, logsumexp, cum_seq_q, cum_seq_k, max_q, max_k, dropout_p, is_causal, philox_seed, philox_offset, *, scale=None", backward<4, kNowhere, 10, 11, 14>},
    {"aten._scaled_dot_product_flash_attention_for_cpu.default", "query, key, value, dropout_p=0.0, is_causal=False, *, attn_mask=None, scale=None", forward<5, 3, 6, 0>},
    {"aten._scaled_dot_product_flash_attention_for_cpu_backward.default", "grad_out, query, key, value, out, logsumexp, dropout_p, is_causal, *, attn_mask=None, scale=None", backward<4, 8, 6, 7, 9>},
    {"aten.scaled_dot_product_attention.default", "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False", composite},
};

}  // namespace

std::span<const Overload> attention_rows() { return kAttentionRows; }

}  // namespace gg::fx
