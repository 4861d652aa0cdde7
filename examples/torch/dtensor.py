"""DTensor tensor parallelism: parallelize_module on a gated MLP with a norm."""
import torch
from torch import nn
from torch.distributed.tensor import DTensor, Partial, Replicate
from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

import gg_torch

RANKS = {"tp": 4}
CASE = dict()
DEFECTS = {"add-to-partial": "pytorch/pytorch#149768: a number is added to a partial sum on every rank, before the ranks are summed",
           "partial-as-replicated": "meta-pytorch/autoparallel#517: a partial sum is labelled as replicated"}


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.gate, self.up, self.down = nn.Linear(16, 32), nn.Linear(16, 32), nn.Linear(32, 16, bias=False)

    def forward(self, x):
        h = self.norm(x)
        return self.down(nn.functional.silu(self.gate(h)) * self.up(h))  # wrong: partial-as-replicated


def args():
    return {"model": Mlp(), "x": torch.randn(6, 16)}


def dist_args(defect=None):
    made = args()
    output = Partial() if defect else Replicate()
    plan = {"gate": ColwiseParallel(), "up": ColwiseParallel(), "down": RowwiseParallel(output_layouts=output, use_local_output=defect is None)}
    made["model"] = parallelize_module(made["model"], gg_torch.mesh()["tp"], plan)
    return made


def sequential(model, x):
    loss = (model(x) + 0.5).square().mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, model)}


def distributed(model, x, defect=None):
    y = model(x)
    if defect == "add-to-partial":
        y = DTensor.from_local(y.to_local() + 0.5, y.device_mesh, [Partial()])  # wrong: add-to-partial
        y = y.redistribute(placements=[Replicate()]).to_local()  # wrong: add-to-partial
    elif defect == "partial-as-replicated":
        y = y.to_local() + 0.5  # wrong: partial-as-replicated
    else:
        y = y + 0.5
    loss = y.square().mean()
    return {"loss": loss, "grads": gg_torch.grads(loss, model)}
