"""Rules of capturing steps that keep something: writes, optimizers, values that steer Python, dropout and its masks."""
import contextlib
import functools
import json
import os
import re
import shutil
import subprocess

import torch
import torch.distributed as dist
from torch import nn

import gg_torch
from capture_case import SPLIT, broken, case, log, mean, mean_of_parts, refused, said_of, text, vector, verdict


@case
def rule_10_writes_to_inputs_are_said(tool, folder):
    """An update in place is an output only if it is returned: what is not compared stands in the log."""
    def update(w, x):
        w.sub_(x)
        return {"loss": x.sum()}
    gg_torch.pair(update, update, vector, {"dp": 2}, folder)
    assert "input 'w' is written in place" in log(folder)


def given_optimizer(**more):
    model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    for p in list(model.parameters())[:2]:  # the others have no state yet
        optimizer.state[p] = {"step": torch.tensor(3.0), "exp_avg": torch.rand_like(p) * 0.1, "exp_avg_sq": torch.rand_like(p) * 0.1}
    return {"model": model, "optimizer": optimizer, "x": torch.randn(4, 4)}


def trains(model, optimizer, x, reduced=True):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    for p in model.parameters():
        if dist.get_world_size() > 1 and reduced:
            dist.all_reduce(p.grad)
        p.grad /= dist.get_world_size()
    optimizer.step()
    return {"model": dict(model.named_parameters())}


@case
def rule_10_an_optimizer_is_an_argument(tool, folder):
    """Its parameters are those of the graph, its state are inputs, its counts of steps numbers."""
    gg_torch.capture(trains, given_optimizer, {"dp": 2}, folder, batch={"x": "dp"})
    assert "optimizer_arg_0_weight_exp_avg_sq" in text(folder) and "'optimizer_arg_0_weight_exp_avg' is written in place" in log(folder), log(folder)
    assert verdict(tool, folder) == "proved", verdict(tool, folder)
    gg_torch.pair(trains, functools.partial(trains, reduced=False), given_optimizer, {"dp": 2}, folder, batch={"x": "dp"})
    assert verdict(tool, folder, "run") == "refuted"


@case
def rule_10_an_optimizer_of_sharded_parameters(tool, folder):
    """Moments of DTensors are split as they are."""
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    def made(parallel=False):
        model = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 2))
        moments = [torch.rand(p.shape) for p in model.parameters()]
        if parallel:
            parallelize_module(model, gg_torch.mesh()["tp"], {"0": ColwiseParallel(), "2": RowwiseParallel()})
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for p, moment in zip(model.parameters(), moments):
            whole = dist.tensor.distribute_tensor(moment, p.device_mesh, p.placements) if parallel else moment
            optimizer.state[p] = {"momentum_buffer": whole}
        return {"model": model, "optimizer": optimizer, "x": torch.randn(4, 4)}

    def step(model, optimizer, x):
        model(x).square().mean().backward()
        optimizer.step()
        return {"model": dict(model.named_parameters()), "moments": {name: optimizer.state[p]["momentum_buffer"] for name, p in model.named_parameters()}}
    gg_torch.capture(step, made, {"tp": 2}, folder, dist_args=functools.partial(made, True))
    assert 'optimizer_arg_0_weight_momentum_buffer: "f32[3, 4]"' in text(folder) and verdict(tool, folder) == "proved", verdict(tool, folder)


@case
def rule_10_an_optimizer_from_elsewhere(tool, folder):
    kept = {}

    def given():
        kept["optimizer"] = given_optimizer()
        return {name: kept["optimizer"][name] for name in ("model", "x")}
    refused(["no argument of the step updates 'arg_0_weight'"], lambda model, x: trains(model, kept["optimizer"]["optimizer"], x), trains, given, {"dp": 2},
            folder, batch={"x": "dp"})


@case
def rule_10_a_number_that_python_has_once(tool, folder):
    """A number of Python is one of the graph: one that another run of the step has otherwise makes it another program."""
    refused(["another program", "'loss'"], lambda w, x: {"loss": (w * x).mean() * (1 + int.from_bytes(os.urandom(2), "big"))}, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)


@case
def rule_11_a_value_that_steers_python(tool, folder):
    def steered(w, x):
        return {"loss": (w * x).mean() if x.sum() > 0 else (w * x).sum()}
    refused(["capture_state.py", "steers Python"], steered, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)
    refused(["steers Python", "capture_state.py"], lambda w, x: {"loss": (w * x).mean() * torch.full((2,), 3).tolist()[0]}, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)
    refused(["steers Python"], lambda w, x: {"loss": (w * x)[:int(x.abs().sum().item())].mean()}, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)


def dropped(w, x, factor=1.0):
    return {"y": factor * nn.functional.dropout(w * x, 0.5)}


def clips(model, optimizer, x, reduced=True):
    """A step as many write it: gradients are clipped where their norm is large, the rate is cut where the loss is."""
    optimizer.zero_grad()
    loss = model(x).square().mean()
    loss.backward()
    n = dist.get_world_size()
    for p in model.parameters():
        if n > 1 and reduced:
            dist.all_reduce(p.grad)
        p.grad /= n
    norm = torch.nn.utils.get_total_norm([p.grad for p in model.parameters()])
    if norm > 0.01:
        for p in model.parameters():
            p.grad *= 0.01 / norm.item()
    mean = loss.detach() / n
    dist.all_reduce(mean)
    if mean > 1e-3:
        optimizer.param_groups[0]["lr"] /= 2
    optimizer.step()
    return {"loss": mean, "model": dict(model.named_parameters())}


@case
def rule_11_a_recorded_step(tool, folder):
    """It runs, and what its values answered steers the trace; its graphs are refuted on the values of the run, or nothing is said."""
    gg_torch.record(clips, given_optimizer, {"dp": 2}, folder, batch={"x": "dp"})
    assert "of this run: aten._local_scalar_dense" in log(folder), log(folder)
    for command in ("check", "prove"):
        assert "unknown claim=refinement reason=agrees-only" in said_of(tool, folder, command), said_of(tool, folder, command)
    gg_torch.pair(clips, functools.partial(clips, reduced=False), given_optimizer, {"dp": 2}, folder, batch={"x": "dp"}, recorded=True)
    assert "refuted" in said_of(tool, folder) and gg_torch.replay(folder + ".w", gloo=True)


def routed(w, gate, x):
    """Every token by its expert: chosen by masks, as one device does it."""
    expert, y = (x @ gate).argmax(-1), torch.zeros_like(x)
    for e in range(w.shape[0]):
        y[expert == e] = x[expert == e] @ w[e]
    return {"y": y, "grads": gg_torch.grads(y.square().mean(), {"w": w})}


def routed_to_all(w, gate, x, own=0):
    """The same by slots for all tokens at the ranks' experts."""
    n, own = dist.get_world_size(), dist.get_rank() + own
    expert = (x @ gate).argmax(-1)
    y = torch.where((expert == own % n)[:, None], x @ w[0], 0.0)
    g = gg_torch.grads(y.square().sum() / x.numel(), {"w": w})
    total = y.detach().clone()
    dist.all_reduce(total)
    return {"y": total, "grads": g}


@case
def rule_11_sizes_that_values_decide(tool, folder):
    made = lambda: {"w": torch.randn(2, 4, 4, requires_grad=True), "gate": torch.randn(4, 2), "x": torch.randn(6, 4)}
    gg_torch.pair(routed, routed_to_all, made, {"ep": 2}, folder, placements={"w": "ep"}, recorded=True)
    assert "of this run: aten.nonzero" in log(folder) and "reason=agrees-only" in said_of(tool, folder), said_of(tool, folder)
    gg_torch.pair(routed, functools.partial(routed_to_all, own=1), made, {"ep": 2}, folder, placements={"w": "ep"}, recorded=True)
    assert "refuted" in said_of(tool, folder), said_of(tool, folder)


@case
def rule_11_what_is_not_recorded(tool, folder):
    def asks_otherwise(w, x):
        return {"loss": (w * x).mean() * ((w.sum() > 0) if dist.get_backend() == "gloo" else w.sum().item())}
    refused(["takes other ways each time"], asks_otherwise, mean_of_parts, vector, {"dp": 2}, folder, recorded=True, **SPLIT)
    refused(["floats of a size that values decide"], lambda w, x: {"loss": w.unique().sum()}, mean_of_parts, vector, {"dp": 2}, folder, recorded=True, **SPLIT)
    other = lambda: {"w": torch.arange(4.0), "x": torch.randn(8)[:4].clone()} if dist.get_world_size() == 2 else vector()
    refused(["'w' has other values on rank 0 than its part"], mean, mean_of_parts, vector, {"dp": 2}, folder, dist_args=other, recorded=True, **SPLIT)


@case
def rule_12_dropout_is_one_operator(tool, folder):
    gg_torch.pair(dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, **SPLIT)
    assert "native_dropout" in text(folder) and "bernoulli" not in text(folder)


@case
def rule_2_names_of_two_modules(tool, folder):
    """Parameters of one name are told apart by their argument, those of an optimizer's state too."""
    def two():
        actor, critic = nn.Linear(3, 2), nn.Linear(3, 2)
        return {"actor": actor, "critic": critic, "more": {"x": torch.randn(4, 3)}, "optimizer": torch.optim.SGD(critic.parameters(), lr=0.5)}

    def update(actor, critic, more, optimizer):
        (actor(more["x"]) * critic(more["x"])).sum().backward()
        optimizer.step()
        return {"critic": dict(critic.named_parameters())}
    gg_torch.pair(update, update, two, {"dp": 2}, folder)
    named = re.findall(r'(\w+): "f32', text(folder).split("\n")[1] + text(folder).split("\n")[2])
    assert {"actor_weight", "actor_bias", "critic_weight", "critic_bias", "x"} <= set(named), named


@case
def rule_12_masks_are_inputs(tool, folder):
    """Declared masks: proved without an assumption about draws; a step that drops nothing on the ranks is refuted."""
    gg_torch.pair(dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, masks={"native_dropout": "dp"}, **SPLIT)
    with open(os.path.join(folder, "relation.json")) as f:
        assert json.load(f)["masks"] == {"native_dropout": [["dp"]]}
    done = subprocess.run([tool, "check", folder], capture_output=True, text=True)
    assert done.returncode == 0 and "opaque" not in done.stdout, done.stdout + done.stderr
    refused(["masks= names native_dropout_1", "draws native_dropout"], dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, masks={"native_dropout_1": "dp"}, **SPLIT)


@case
def rule_12_dropout_that_draws(tool, folder):
    with broken(gg_torch.program, "known_dropout", contextlib.nullcontext):
        refused(["another program", "'y'"], dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, **SPLIT)


@case
def rule_12_replays_draw_what_the_witness_says(tool, folder):
    """Declared masks are those of the witness, others a function of the element: the right graphs agree on the witness of wrong ones."""
    def made(path, factor):
        gg_torch.pair(dropped, lambda w, x: dropped(w, x, factor), vector, {"dp": 2}, path, outputs={"y": "dp"}, **SPLIT)
        with open(os.path.join(path, "relation.json")) as f:
            relation = {**json.load(f), "masks": {"native_dropout": [["dp"]]}}
        with open(os.path.join(path, "relation.json"), "w") as f:
            json.dump(relation, f)
        return relation
    witness, right = folder + ".witness", folder + ".right"
    made(folder, 2.0)
    relation = made(right, 1.0)
    done = subprocess.run([tool, "run", folder, "--witness", witness], capture_output=True, text=True)
    assert gg_torch.replay(witness), done.stdout + done.stderr
    for r in range(2):
        shutil.copy(os.path.join(right, f"distributed.r{r}.fx"), os.path.join(witness, "fx"))
    assert not gg_torch.replay(witness)
    del relation["masks"]
    with open(os.path.join(witness, "fx", "relation.json"), "w") as f:
        json.dump(relation, f)
    assert not gg_torch.replay(witness)
