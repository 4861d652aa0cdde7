"""Random instances, as those of instances.py, of fused operators: attention, root mean square norms, steps of Adam; those of CUDA by what runs on a CPU."""
import torch
from instances import A, layer_norm, lists


def attention(d, mask=True):
    b, h, n, m, e = d.n(1, 3), d.n(1, 3), d.n(1, 5), d.n(1, 5), d.n(1, 4)
    q, k, v = d.f(b, h, n, e), d.f(b, h, m, e), d.f(b, h, m, e)
    causal = bool(d.n(0, 2))
    given = {"scale": d.pick([None, 0.3])}
    if mask and not causal and d.n(0, 2):
        given["attn_mask"] = d.f(n, m)
    return q, k, v, causal, given


def attention_forward(d):
    q, k, v, causal, given = attention(d)
    return (q, k, v, 0.0, causal), given


def attention_backward(d):
    q, k, v, causal, given = attention(d)
    out, sums = A._scaled_dot_product_flash_attention_for_cpu.default(q, k, v, 0.0, causal, **given)
    return (d.f(*out.shape), q, k, v, out, sums, 0.0, causal), given


def attention_whole(d, truth=True):
    q, k, v, causal, given = attention(d)
    mask = given.pop("attn_mask", None)
    if truth and mask is not None and d.n(0, 2):  # no row is masked throughout
        mask = d.b(*mask.shape) | (torch.arange(k.shape[2]) == 0)
    return (q, k, v, mask, 0.0, causal), given


def fused(d, amsgrad):
    xs, gs, ms, vs, most = lists(d, 5)
    steps = [torch.tensor(float(d.n(1, 9))) for _ in xs]
    return (xs, gs, ms, vs, most if amsgrad else [], steps), {"lr": 0.1, "beta1": 0.9, "beta2": 0.95, "weight_decay": d.pick([0.0, 0.1]), "eps": 1e-3, "amsgrad": amsgrad, "maximize": bool(d.n(0, 2))}


def rms_norm(x, inner, w, eps):
    over = tuple(range(x.dim() - len(inner), x.dim()))
    rstd = torch.rsqrt((x * x).mean(over, keepdim=True) + (torch.finfo(x.dtype).eps if eps is None else eps))
    return x * rstd * (1 if w is None else w), rstd


def rms_norm_backward(g, x, inner, rstd, w, wanted):
    x, w = x.clone().requires_grad_(), None if w is None else w.clone().requires_grad_()
    rms_norm(x, inner, w, 1e-5)[0].backward(g)
    return x.grad, w.grad if wanted[1] else None


def rms_backward(d):
    x, inner, w, _ = layer_norm(d)
    _, rstd = rms_norm(x, inner, w, 1e-5)
    return (d.f(*x.shape), x, inner, rstd, w, [True, w is not None]), {}


CPU, CPU_BACKWARD = A._scaled_dot_product_flash_attention_for_cpu.default, A._scaled_dot_product_flash_attention_for_cpu_backward.default
SEED = torch.zeros(2, dtype=torch.int64)


def cuda_forward(bias):
    def make(d):
        q, k, v, causal, given = attention(d, mask=bias)
        return (q, k, v, *([given.pop("attn_mask", None), True] if bias else []), 0.0, causal), given
    return make


def cuda_backward(order):
    """Arguments of a form that runs on CUDA only, from those of the one that runs on a CPU."""
    def make(d):
        q, k, v, causal, given = attention(d, mask=False)
        out, sums = CPU(q, k, v, 0.0, causal, **given)
        return order(d.f(*out.shape), q, k, v, out, sums, causal), given
    return make


# What cannot be called here, computed otherwise: with the arguments of the row.
CALLS = {
    "aten._fused_rms_norm.default": rms_norm, "aten._fused_rms_norm_backward.default": rms_norm_backward,
    "aten._scaled_dot_product_flash_attention.default": lambda q, k, v, p, causal, scale: CPU(q, k, v, p, causal, scale=scale),
    "aten._scaled_dot_product_efficient_attention.default": lambda q, k, v, bias, _, p, causal, scale: CPU(q, k, v, p, causal, attn_mask=bias, scale=scale),
    "aten._scaled_dot_product_cudnn_attention.default": lambda q, k, v, bias, _, p, causal, scale: CPU(q, k, v, p, causal, attn_mask=bias, scale=scale),
    "aten._scaled_dot_product_flash_attention_backward.default": lambda g, q, k, v, o, l, a, b, m, n, p, causal, s, t, scale: CPU_BACKWARD(g, q, k, v, o, l, p, causal, scale=scale),
    "aten._scaled_dot_product_efficient_attention_backward.default": lambda g, q, k, v, bias, o, l, s, t, p, wanted, causal, scale: CPU_BACKWARD(g, q, k, v, o, l, p, causal, scale=scale),
    "aten._scaled_dot_product_cudnn_attention_backward.default": lambda g, q, k, v, o, l, s, t, bias, a, b, m, n, p, causal, scale: CPU_BACKWARD(g, q, k, v, o, l, p, causal, scale=scale),
}
INSTANCES = {
    "aten._scaled_dot_product_flash_attention.default": [cuda_forward(False)], "aten._scaled_dot_product_efficient_attention.default": [cuda_forward(True)], "aten._scaled_dot_product_cudnn_attention.default": [cuda_forward(True)],
    "aten._scaled_dot_product_flash_attention_backward.default": [cuda_backward(lambda g, q, k, v, o, l, causal: (g, q, k, v, o, l, SEED, SEED, 4, 4, 0.0, causal, SEED, SEED))],
    "aten._scaled_dot_product_efficient_attention_backward.default": [cuda_backward(lambda g, q, k, v, o, l, causal: (g, q, k, v, None, o, l, SEED, SEED, 0.0, [True, True, True, False], causal))],
    "aten._scaled_dot_product_cudnn_attention_backward.default": [cuda_backward(lambda g, q, k, v, o, l, causal: (g, q, k, v, o, l, SEED, SEED, None, SEED, SEED, 4, 4, 0.0, causal))],
}
INSTANCES |= {"aten._scaled_dot_product_flash_attention_for_cpu.default": [attention_forward], "aten._scaled_dot_product_flash_attention_for_cpu_backward.default": [attention_backward],
              "aten._scaled_dot_product_attention_math.default": [lambda d: attention_whole(d, False)], "aten.scaled_dot_product_attention.default": [attention_whole],
              "aten._fused_rms_norm.default": [lambda d: ((*layer_norm(d)[:3], d.pick([None, 1e-5, 0.1])), {})], "aten._fused_rms_norm_backward.default": [rms_backward]}
INSTANCES |= {f"aten._fused_{n}.default": [lambda d: fused(d, False), lambda d: fused(d, True)] for n in ("adam", "adamw")}
