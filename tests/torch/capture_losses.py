"""What a step's loss does not read: parameters without a gradient under DistributedDataParallel, and caches that are empty."""
import subprocess
import warnings

import torch
import torch.distributed as dist
from torch import nn

import gg_torch
from capture_case import SPLIT, case, log, refused, vector, verdict


@case
def rule_3_an_empty_cache(tool, folder):
    """What it is put together with stands alone; nothing else is done with it."""
    def cached(w, x):
        keys = torch.cat([torch.tensor([], dtype=x.dtype), x.reshape(1, -1)], 0)
        return {"loss": (w * keys[0]).mean()}

    def averaged(w, x):
        keys = torch.cat([torch.tensor([], dtype=x.dtype), x.reshape(1, -1)], 0)
        loss = (w * keys[0]).sum() / 8
        dist.all_reduce(loss)
        return {"loss": loss}
    gg_torch.pair(cached, averaged, vector, {"dp": 2}, folder, **SPLIT)
    assert "left out: an empty tensor [0]" in log(folder) and verdict(tool, folder) == "proved"
    refused(["an empty tensor", "use_cache=False"], lambda w, x: {"loss": (w * x).mean() + torch.tensor([]).sum()}, averaged, vector, {"dp": 2}, folder, **SPLIT)


class HalfUsed(nn.Module):
    """A parameter that no loss reads, in the bucket of all others."""

    def __init__(self):
        super().__init__()
        self.used, self.spare = nn.Linear(4, 3), nn.Parameter(torch.ones(3))

    def forward(self, x):
        return self.used(x)


def half_trained(model, x, wrap=lambda model: model):
    wrapped = wrap(model)
    wrapped(x).square().mean().backward()
    return {"grads": {name: p.grad for name, p in model.named_parameters() if p.grad is not None}}


def half_used():
    return {"model": HalfUsed(), "x": torch.randn(4, 4)}


def heard(distributed, folder):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gg_torch.pair(half_trained, distributed, half_used, {"dp": 2}, folder, batch={"x": "dp"})
    return [str(w.message) for w in told if "DistributedDataParallel" in str(w.message)]


@case
def rule_6_a_parameter_without_a_gradient(tool, folder):
    """Its bucket is never reduced, of which torch says nothing: the capture does, and so does the report."""
    told = heard(lambda model, x: half_trained(model, x, nn.parallel.DistributedDataParallel), folder)
    assert len(told) == 1 and "no gradient reaches spare," in told[0] and "the gradients of used.weight, used.bias stay" in told[0], told
    assert told[0] in log(folder) and verdict(tool, folder, "run") == "refuted", verdict(tool, folder, "run")
    report = subprocess.run([tool, "check", folder, "--witness", folder + "/../witness"], capture_output=True, text=True).stdout
    assert "note: the relation says: " + told[0] in report, report


@case
def rule_6_a_parameter_without_a_gradient_that_is_frozen(tool, folder):
    def frozen(model):
        model.spare.requires_grad_(False)
        return nn.parallel.DistributedDataParallel(model)
    assert not heard(lambda model, x: half_trained(model, x, frozen), folder)
    assert verdict(tool, folder) == "proved", verdict(tool, folder)
