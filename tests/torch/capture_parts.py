"""Captures whose ranks hold parts of unequal length, and what releases of torch do otherwise."""
import functools
import json
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

import gg_torch
from capture_case import SPLIT, broken, case, mean_of_parts, refused, text, vector, verdict


def relation(folder):
    with open(os.path.join(folder, "relation.json")) as f:
        return json.load(f)


def of_six_rows():
    return {"model": nn.Sequential(nn.Linear(4, 6), nn.SiLU(), nn.Linear(6, 4)), "x": torch.randn(6, 4), "y": torch.randn(6, 4)}


def clipped(model, x, y, sharded=False, factor=1.0):
    if sharded:
        fully_shard(model, mesh=gg_torch.mesh())
    (factor * nn.functional.mse_loss(model(x), y)).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.05 * factor)
    return {"grads": {name: p.grad for name, p in model.named_parameters()}, "norm": x.new_ones(2)}


@case
def uneven_shards(tool, folder):
    """Four rows over three ranks: two have two, the last one none. An output behind the parts is found by its position on the ranks."""
    for factor, expected in ((1.0, "proved"), (2.0, "refuted")):
        gg_torch.pair(clipped, functools.partial(clipped, sharded=True, factor=factor), of_six_rows, {"dp": 3}, folder, batch={"x": "dp", "y": "dp"})
        assert relation(folder)["output_names"][2:] == ["grads.2.weight[0:2]", "grads.2.weight[2:4]", "grads.2.bias[0:2]", "grads.2.bias[2:4]", "norm"]
        assert relation(folder)["outputs"][-1] == {"index": 4, "placement": "replicated"}
        assert verdict(tool, folder, "check") == expected, expected


def of_five_rows():
    return {"w": torch.randn(4, 3, requires_grad=True), "x": torch.randn(5, 4)}


def mean_of_rows(w, x, rows=lambda x: 5, parts=False):
    loss = (x @ w).square().sum() / rows(x)
    gradient = gg_torch.grads(loss, {"w": w})["w"].clone()
    if parts:
        dist.all_reduce(gradient)
    return {"gradient": gradient, "y": x @ w}


@case
def uneven_batch(tool, folder):
    """Five rows over two and over four ranks, of which the last has none; wrong: each rank divides by its own number of rows."""
    for ranks in (2, 4):
        gg_torch.pair(mean_of_rows, functools.partial(mean_of_rows, parts=True), of_five_rows, {"dp": ranks}, folder, batch={"x": "dp"}, outputs={"y": "dp"}, ranges={"x": [-1, 1]})
        assert f"x_part{ranks - 1}" in text(folder, f"distributed.r{ranks - 1}.fx") and set(relation(folder)["ranges"]) == {f"x_part{r}" for r in range(ranks)}
        assert verdict(tool, folder, "check") == "proved", ranks
    wrong = functools.partial(mean_of_rows, rows=lambda x: 2 * len(x), parts=True)
    gg_torch.pair(mean_of_rows, wrong, of_five_rows, {"dp": 2}, folder, batch={"x": "dp"}, outputs={"y": "dp"})
    assert verdict(tool, folder, "check") == "refuted"


@case
def uneven_columns_beside_an_even_split(tool, folder):
    """The other axis still splits the rows of a part; wrong: the last rank's columns are scaled."""
    def args():
        return {"w": torch.randn(4, 5), "x": torch.randn(4, 4)}

    def product(w, x, last=1.0):
        return {"y": x @ w * (last if w.shape[1] == 2 else 1.0)}
    for last, expected in ((1.0, "proved"), (2.0, "refuted")):
        gg_torch.pair(product, functools.partial(product, last=last), args, {"dp": 2, "tp": 2}, folder, batch={"x": "dp"}, placements={"w": ("tp", 1)}, outputs={"y": [["dp"], ["tp"]]})
        assert relation(folder)["outputs"] == [{"on": {"tp": t}, "index": 0, "placement": [["dp"], []]} for t in range(2)]
        assert verdict(tool, folder, "check") == expected, expected


@case
def releases_whose_boxes_do_not_tell_a_reduction(tool, folder):
    """The calls tell it then, in their order: the graphs are the same."""
    def largest(w, x):
        peak = (w * x).amax()
        dist.all_reduce(peak, op=dist.ReduceOp.MAX)
        dist.distributed_c10d._get_default_group().allreduce([peak]).wait()
        return {**mean_of_parts(w, x), "peak": peak}

    def captured():
        gg_torch.pair(lambda w, x: {**mean_of_parts(w, x), "peak": 2 * (w * x).amax()}, largest, vector, {"dp": 2}, folder, **SPLIT)
        return text(folder)
    told, unbox = captured(), dist.ReduceOp.unbox
    del dist.ReduceOp.unbox
    try:
        assert captured() == told and "'max'" in told
    finally:
        dist.ReduceOp.unbox = staticmethod(unbox)


@case
def releases_that_are_too_old(tool, folder):
    with broken(gg_torch.releases, "OLDEST", (99, 0)):
        refused(["is too old", "torch 99.0"], mean_of_parts, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)


@case
def masks_whose_sizes_meet_other_sizes(tool, folder):
    """What a mask takes that hangs on no input is added to the rows (DCLLoss of lightly); wrong: every rank takes the first rank's diagonal. A mask of data is refused."""
    def args():
        return {"x": torch.randn(4, 3), "w": torch.randn(4, 3)}

    def rows(x, w, place=lambda: 0):
        similar, n = x @ w.t(), len(x)
        own = torch.zeros(similar.shape, dtype=torch.bool)
        own[torch.arange(n), torch.arange(n) + n * place()] = True
        return {"y": similar[own] + similar[~own].view(n, -1).exp().sum(1)}
    for place, expected in ((dist.get_rank, "proved"), (lambda: 0, "refuted")):
        gg_torch.pair(rows, functools.partial(rows, place=place), args, {"dp": 2}, folder, batch={"x": "dp"}, outputs={"y": "dp"})
        assert verdict(tool, folder, "check") == expected, expected
    refused(["a value steers Python"], rows, lambda x, w: {"y": x[x > 0] + x[:, 0]}, args, {"dp": 2}, folder, batch={"x": "dp"})
