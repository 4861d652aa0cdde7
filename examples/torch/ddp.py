"""DistributedDataParallel with two micro-batches and padded tokens: the loss is a mean over all tokens that count."""
import contextlib

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import gg_torch

RANKS = {"dp": 2}
CASE = dict(batch={"x": ("dp", 1), "mask": ("dp", 1), "y": ("dp", 1)}, ranges={"mask": [0.5, 1.0]})
DEFECTS = {"mean-of-rank-means": "huggingface/transformers#34242: every rank divides by its own number of tokens, then ranks are averaged",
           "last-micro-batch-not-synced": "modelscope/FunASR#3472: the last micro-batch is not synchronised, an earlier one is",
           "world-size-twice": "huggingface/transformers#37474: every rank divides by the tokens of all, then ranks are averaged"}


def args():
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 4))
    return {"model": model, "x": torch.randn(2, 4, 8), "y": torch.randn(2, 4, 4), "mask": torch.rand(2, 4) + 0.1}


def losses(model, x, y, mask):
    return (F.mse_loss(model(x), y, reduction="none").mean(-1) * mask).sum()


def sequential(model, x, y, mask):
    loss = sum(losses(model, *part) for part in zip(x, y, mask)) / mask.sum()
    return {"loss": loss, "grads": gg_torch.grads(loss, model)}


def distributed(model, x, y, mask, defect=None):
    n = dist.get_world_size()
    parallel = DistributedDataParallel(model)  # wrong: world-size-twice
    count = mask.sum()  # wrong: mean-of-rank-means
    if defect != "mean-of-rank-means":
        dist.all_reduce(count)
    scale = 1 if defect in ("mean-of-rank-means", "world-size-twice") else n
    total = 0
    for k, part in enumerate(zip(x, y, mask)):
        last = k == len(x) - 1
        synced = not last if defect == "last-micro-batch-not-synced" else last
        with contextlib.nullcontext() if synced else parallel.no_sync():  # wrong: last-micro-batch-not-synced
            loss = losses(parallel, *part) / count * scale  # wrong: world-size-twice
            loss.backward()  # wrong: last-micro-batch-not-synced
        total = total + loss.detach()
    dist.all_reduce(total)
    return {"loss": total / n, "grads": {name: p.grad for name, p in model.named_parameters()}}
