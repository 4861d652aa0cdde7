"""A transformer block with tensor parallelism as Megatron-LM writes it: two autograd functions, heads and hidden units split."""
import torch
import torch.distributed as dist
import torch.nn.functional as F

import gg_torch

RANKS = {"tp": 2}
CASE = dict(placements={"qkv": ("tp", 1), "out": "tp", "up": ("tp", 1), "up_bias": "tp", "down": "tp"})
DEFECTS = {"copy-backward-unreduced": "NovaSky-AI/SkyRL#1886: the gradient behind a column-parallel layer is reduced on a copy, the unreduced one is returned",
           "bias-before-reduce": "Wenyueh/MinivLLM#80: the bias of the row-parallel layer is added on every rank and summed",
           "norm-over-local-heads": "EleutherAI/gpt-neox#1424: the norm of the queries across heads takes the mean over the local heads"}
HEADS, WIDTH = 4, 16


class Copy(torch.autograd.Function):
    """Identity; the gradients of all ranks are summed."""

    @staticmethod
    def forward(ctx, x, defect):
        ctx.defect = defect
        return x.view_as(x)

    @staticmethod
    def backward(ctx, g):
        reduced = g.contiguous().clone()
        dist.all_reduce(reduced)
        if ctx.defect == "copy-backward-unreduced":
            return g, None  # wrong: copy-backward-unreduced
        return reduced, None


class Reduce(torch.autograd.Function):
    """The sum over all ranks; gradients as they are."""

    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        dist.all_reduce(x)
        return x

    @staticmethod
    def backward(ctx, g):
        return g


def args():
    shapes = {"norm": (WIDTH,), "norm_bias": (WIDTH,), "qkv": (3, WIDTH, WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 32), "up_bias": (32,), "down": (32, WIDTH),
              "down_bias": (WIDTH,)}
    p = {name: torch.randn(shape, requires_grad=True) for name, shape in shapes.items()}
    return {"p": p, "x": torch.randn(2, 8, WIDTH)}


def attention(x, qkv, heads, mean_square):
    q, k, v = (x @ w for w in qkv)
    q = q * torch.rsqrt(mean_square(q) + 1e-5)
    q, k, v = (t.unflatten(-1, (heads, -1)).transpose(1, 2) for t in (q, k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)


def sequential(p, x):
    h = F.layer_norm(x, (WIDTH,), p["norm"], p["norm_bias"])
    x = x + attention(h, p["qkv"].transpose(1, 2), HEADS, lambda q: q.square().mean(-1, keepdim=True)) @ p["out"]
    h = F.layer_norm(x, (WIDTH,), p["norm"], p["norm_bias"])
    x = x + F.gelu(h @ p["up"] + p["up_bias"]) @ p["down"] + p["down_bias"]
    loss = x.square().mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, p)}


def distributed(p, x, defect=None):
    n = dist.get_world_size()

    def mean_square(q):
        if defect == "norm-over-local-heads":
            return q.square().mean(-1, keepdim=True)  # wrong: norm-over-local-heads
        return Copy.apply(Reduce.apply(q.square().sum(-1, keepdim=True)) / WIDTH, defect)

    h = Copy.apply(F.layer_norm(x, (WIDTH,), p["norm"], p["norm_bias"]), defect)  # wrong: copy-backward-unreduced
    x = x + Reduce.apply(attention(h, p["qkv"].transpose(1, 2), HEADS // n, mean_square) @ p["out"])
    h = Copy.apply(F.layer_norm(x, (WIDTH,), p["norm"], p["norm_bias"]), defect)  # wrong: copy-backward-unreduced
    h = F.gelu(h @ p["up"] + p["up_bias"])
    if defect == "bias-before-reduce":
        x = x + Reduce.apply(h @ p["down"] + p["down_bias"])  # wrong: bias-before-reduce
    else:
        x = x + Reduce.apply(h @ p["down"]) + p["down_bias"]
    loss = x.square().mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, p)}
