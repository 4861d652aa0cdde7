"""As programs.py: layers behind norms whose gradients come from one line."""
import sys

import torch
import torch.distributed as dist
from torch import nn

import gg_torch
import programs


class Norm(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(n))

    def forward(self, x):
        return self.weight * (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5))


class Gains:
    """Layers behind norms whose gradients come from one line; those of two are not reduced."""
    ranks, case = {"dp": 2}, dict(batch={"x": "dp"})
    defects = ["two-unreduced"]

    @staticmethod
    def args():
        layers = torch.nn.ModuleList([nn.ModuleDict({"norm": Norm(4), "up": nn.Linear(4, 4, bias=False)}) for _ in range(5)])
        return {"layers": layers, "x": torch.randn(6, 4)}

    @staticmethod
    def step(layers, x):
        for layer in layers:
            x = x + torch.tanh(layer["up"](layer["norm"](x)))
        loss = x.square().mean()
        return loss, gg_torch.grads(loss, dict(layers.named_parameters()))

    @staticmethod
    def sequential(layers, x):
        loss, grads = Gains.step(layers, x)
        return {"loss": loss, "grads": grads}

    @staticmethod
    def distributed(layers, x, defect=None):
        loss, grads = Gains.step(layers, x)

        def mean(t):
            t = t.clone()
            dist.all_reduce(t)
            return t / 2
        return {"loss": mean(loss.detach()), "grads": {name: t if defect and name in ("1.norm.weight", "3.norm.weight") else mean(t) for name, t in grads.items()}}


if __name__ == "__main__":
    programs.main(*sys.argv[1:4], Gains)
