"""Ulysses: all-to-all exchanges sequence shards for heads around the attention."""
import torch
import torch.distributed as dist
import torch.nn.functional as F

import gg_torch

RANKS = {"sp": 2}
CASE = dict(batch={"x": ("sp", 1)})
DEFECTS = {"gradients-too-large": "deepspeedai/DeepSpeed#5248: the division by the size of the sequence group before the all-reduce is not applied",
           "norm-before-exchange": "ByteDance-Seed/VeOmni#419: the norm of the keys does not meet the exchanged keys",
           "loss-by-ranks": "ByteDance-Seed/VeOmni#338: the loss is scaled by another group than the one that is averaged over"}
HEADS, SIZE = 4, 4


class Exchange(torch.autograd.Function):
    """[batch, tokens / n, heads, size] to [batch, tokens, heads / n, size] and back; its gradient is the other direction."""

    @staticmethod
    def forward(ctx, x, to_heads):
        ctx.to_heads, n = to_heads, dist.get_world_size()
        axis = 2 if to_heads else 1
        parts = torch.stack(x.chunk(n, axis)).contiguous()
        received = torch.empty_like(parts)
        dist.all_to_all_single(received, parts)
        return torch.cat(received.unbind(0), 1 if to_heads else 2)

    @staticmethod
    def backward(ctx, g):
        return Exchange.forward(ctx, g, not ctx.to_heads), None


def args():
    width = HEADS * SIZE
    p = {name: torch.randn(width, width, requires_grad=True) for name in ("wq", "wk", "wv", "wo")}
    return {"p": {**p, "norm": torch.randn(SIZE, requires_grad=True)}, "x": torch.randn(2, 8, width)}


def norm(k, weight):
    return k * torch.rsqrt(k.square().mean(-1, keepdim=True) + 1e-5) * weight


def heads(x, w):
    return (x @ w).unflatten(-1, (HEADS, SIZE))


def attention(q, k, v):
    return F.scaled_dot_product_attention(*(t.transpose(1, 2) for t in (q, k, v))).transpose(1, 2)


def sequential(p, x):
    y = attention(heads(x, p["wq"]), norm(heads(x, p["wk"]), p["norm"]), heads(x, p["wv"])).flatten(2) @ p["wo"]
    loss = y.square().mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, p)}


def distributed(p, x, defect=None):
    n = dist.get_world_size()
    q, k, v = (Exchange.apply(heads(x, p[name]), True) for name in ("wq", "wk", "wv"))
    if defect == "norm-before-exchange":
        k = k * torch.rsqrt(heads(x, p["wk"]).square().mean((1, 2, 3), keepdim=True) + 1e-5) * p["norm"]  # wrong: norm-before-exchange
    else:
        k = norm(k, p["norm"])
    y = Exchange.apply(attention(q, k, v), False).flatten(2) @ p["wo"]
    loss = y.square().mean()  # wrong: loss-by-ranks gradients-too-large
    g = gg_torch.grads(loss * n if defect == "loss-by-ranks" else loss, p)  # wrong: loss-by-ranks
    for gradient in g.values():
        if defect != "gradients-too-large":
            gradient.div_(n)
        dist.all_reduce(gradient)  # wrong: gradients-too-large
    mean = loss.detach() / n
    dist.all_reduce(mean)
    return {"loss": mean, "grads": g}
