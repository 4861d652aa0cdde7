"""A step of fully_shard (FSDP2): parameters gathered a layer, gradients scattered as means over the ranks."""
import torch
from torch import nn
from torch.distributed.fsdp import fully_shard

import gg_torch

RANKS = {"dp": 2}
CASE = dict(batch={"x": "dp", "y": "dp"})
DEFECTS = {"gradients-not-divided": "pytorch/pytorch#167178: the divide factor of the gradients is ignored",
           "sum-loss": "pytorch/torchtitan#2972: the backward pass starts at the sum over the tokens, only the metric is divided"}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.LayerNorm(16), nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16)) for _ in range(2))
        self.head = nn.Linear(16, 8, bias=False)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return self.head(x)


def args():
    return {"model": Net(), "x": torch.randn(8, 16), "y": torch.randn(8, 8)}


def sequential(model, x, y):
    loss = (model(x) - y).square().mean()
    loss.backward()
    return {"loss": loss, "grads": {name: p.grad for name, p in model.named_parameters()}}


def distributed(model, x, y, defect=None):
    mesh = gg_torch.mesh()
    for layer in model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    if defect == "gradients-not-divided":
        for part in [*model.layers, model]:
            part.set_gradient_divide_factor(1.0)  # wrong: gradients-not-divided
    loss = (model(x) - y).square()
    if defect == "sum-loss":
        loss.sum().backward()  # wrong: sum-loss
    else:
        loss.mean().backward()  # wrong: gradients-not-divided
    mean = loss.detach().mean()
    torch.distributed.all_reduce(mean)
    return {"loss": mean / mesh.size(), "grads": {name: p.grad for name, p in model.named_parameters()}}
