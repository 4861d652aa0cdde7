// Fused optimizer steps: lists of tensors, one step each.
#include "models/fx/formula.h"

namespace gg::fx {
namespace {

Value list_of(const std::vector<NodeId>& nodes) {
  std::vector<Value> items;
  for (const NodeId node : nodes) items.push_back(done(node));
  return Value::tuple(std::move(items));
}

/// Arithmetic on nodes of one type with numbers.
struct Numbers {
  Emitter& e;
  ElementType type;
  NodeId n(double value) const { return e.number(type, value); }
  NodeId add(NodeId a, NodeId b) const { return e.binary(Op::Add, a, b); }
  NodeId sub(NodeId a, NodeId b) const { return e.binary(Op::Subtract, a, b); }
  NodeId mul(NodeId a, NodeId b) const { return e.binary(Op::Multiply, a, b); }
  NodeId div(NodeId a, NodeId b) const { return e.binary(Op::Divide, a, b); }
};

enum Place : std::size_t { kSelf,
                           kGrads,
                           kFirst,
                           kSecond,
                           kMost,
                           kSteps,
                           kRate,
                           kBeta1,
                           kBeta2,
                           kDecay,
                           kEps,
                           kAmsgrad,
                           kMaximize,
                           kScale,
                           kFound };

/// (parameters, gradients, first and second moments, largest second moments) after a step whose number `state_steps` already counts.
/// kApart: the weights decay by themselves (AdamW), else by the gradient (Adam).
template <bool kApart>
Value adam(Operation& call) {
  if (!call.none(kScale) || !call.none(kFound)) call.refuse("grad_scale and found_inf");
  Emitter& e = call.e;
  const auto xs = call.tensors(kSelf), gs = call.tensors(kGrads), ms = call.tensors(kFirst), vs = call.tensors(kSecond), most = call.tensors(kMost), steps = call.tensors(kSteps);
  const bool amsgrad = call.flag(kAmsgrad);
  for (const std::size_t size : {gs.size(), ms.size(), vs.size(), steps.size(), amsgrad ? most.size() : xs.size()}) {
    if (size != xs.size()) call.refuse("lists of " + std::to_string(xs.size()) + " and of " + std::to_string(size));
  }
  const double rate = call.number(kRate), beta1 = call.number(kBeta1), beta2 = call.number(kBeta2), decay = call.number(kDecay);
  std::vector<NodeId> x_out, g_out, m_out, v_out, most_out;
  for (std::size_t k = 0; k < xs.size(); ++k) {
    const Numbers o{e, e.element(xs[k])};
    if (!is_float(o.type) || e.element(gs[k]) != o.type || e.element(ms[k]) != o.type || e.element(vs[k]) != o.type) call.refuse("tensors of different types");
    const NodeId step = e.convert(e.reshape(steps[k], {}), o.type);
    NodeId x = xs[k], g = call.flag(kMaximize) ? e.unary(Op::Negate, gs[k]) : gs[k];
    if (decay != 0 && kApart) x = o.sub(x, o.mul(o.n(rate * decay), x));
    if (decay != 0 && !kApart) g = o.add(g, o.mul(o.n(decay), x));
    const NodeId m = o.add(ms[k], o.mul(o.n(1 - beta1), o.sub(g, ms[k])));
    const NodeId v = o.add(o.mul(o.n(beta2), vs[k]), o.mul(o.mul(o.n(1 - beta2), g), g));
    const NodeId first = o.sub(o.n(1), e.binary(Op::Power, o.n(beta1), step)), second = o.sub(o.n(1), e.binary(Op::Power, o.n(beta2), step));
    NodeId scale = v;
    if (amsgrad) most_out.push_back(scale = e.binary(Op::Maximum, most[k], v));
    const NodeId root = o.add(o.div(e.unary(Op::Sqrt, scale), e.unary(Op::Sqrt, second)), o.n(call.number(kEps)));
    x_out.push_back(o.sub(x, o.div(o.mul(o.div(o.n(rate), first), m), root)));
    g_out.push_back(gs[k]);
    m_out.push_back(m);
    v_out.push_back(v);
  }
  return Value::tuple({list_of(x_out), list_of(g_out), list_of(m_out), list_of(v_out), list_of(most_out)});
}

constexpr std::string_view kSchema = "self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, *, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize, grad_scale=None, found_inf=None";

constexpr Overload kOptimizerRows[] = {
    {"aten._fused_adam.default", kSchema, adam<false>},
    {"aten._fused_adamw.default", kSchema, adam<true>},
};

}  // namespace

std::span<const Overload> optimizer_rows() { return kOptimizerRows; }

}  // namespace gg::fx
