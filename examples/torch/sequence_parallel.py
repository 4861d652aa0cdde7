"""Sequence parallelism: norms act on the rank's tokens, the MLP between them is tensor parallel."""
import torch
import torch.distributed as dist
import torch.nn.functional as F

import gg_torch

RANKS = {"tp": 2}
CASE = dict(batch={"x": "tp"}, placements={"up": ("tp", 1), "down": "tp"})
DEFECTS = {"norm-gradients-unreduced": "NVIDIA/Megatron-LM#1446: gradients of the norm's weights are those of the rank's own tokens",
           "norm-bias-unreduced": "bigcode-project/Megatron-LM#11: the gradient of the weight is reduced, that of the bias is not",
           "gradients-reduced-twice": "inclusionAI/AReno#496: what is reduced already is reduced once more"}
WIDTH = 16


class Gather(torch.autograd.Function):
    """All tokens from every rank's; gradients are summed and scattered."""

    @staticmethod
    def forward(ctx, x):
        whole = x.new_empty(x.shape[0] * dist.get_world_size(), *x.shape[1:])
        dist.all_gather_into_tensor(whole, x.contiguous())
        return whole

    @staticmethod
    def backward(ctx, g):
        part = g.new_empty(g.shape[0] // dist.get_world_size(), *g.shape[1:])
        dist.reduce_scatter_tensor(part, g.contiguous())
        return part


class Scatter(torch.autograd.Function):
    """The rank's tokens of the sum over ranks; gradients are gathered."""

    @staticmethod
    def forward(ctx, x):
        return Gather.backward(ctx, x)

    @staticmethod
    def backward(ctx, g):
        return Gather.forward(ctx, g)


def args():
    p = {"norm": torch.randn(WIDTH, requires_grad=True), "norm_bias": torch.randn(WIDTH, requires_grad=True), "up": torch.randn(WIDTH, 32, requires_grad=True),
         "down": torch.randn(32, WIDTH, requires_grad=True)}
    return {"p": p, "x": torch.randn(8, WIDTH)}


def sequential(p, x):
    h = F.layer_norm(x, (WIDTH,), p["norm"], p["norm_bias"])
    y = x + F.gelu(h @ p["up"]) @ p["down"]
    loss = y.square().sum()
    return {"loss": loss, "grads": gg_torch.grads(loss, p)}


def distributed(p, x, defect=None):
    h = F.layer_norm(x, (WIDTH,), p["norm"], p["norm_bias"])  # wrong: norm-gradients-unreduced norm-bias-unreduced
    y = x + Scatter.apply(F.gelu(Gather.apply(h) @ p["up"]) @ p["down"])
    loss = y.square().sum()
    g = gg_torch.grads(loss, p)
    names = {"norm-gradients-unreduced": [], "norm-bias-unreduced": ["norm"]}.get(defect, ["norm", "norm_bias"])
    for name in names:
        dist.all_reduce(g[name])
    if defect == "gradients-reduced-twice":
        dist.all_reduce(g["norm_bias"])  # wrong: gradients-reduced-twice
    total = loss.detach().clone()
    dist.all_reduce(total)
    return {"loss": total, "grads": g}
