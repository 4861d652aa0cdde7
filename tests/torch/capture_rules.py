"""Rules of capturing, each with a graph that breaks it: ranks, inputs, constants, modules of torch's parallel libraries, stages, buffers, attention."""
import contextlib
import datetime
import re
import subprocess

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard

import gg_torch
from capture_case import SPLIT, broken, case, log, mean, mean_of_parts, refused, rewritten, text, vector, verdict


@case
def right(tool, folder):
    gg_torch.pair(mean, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)
    assert verdict(tool, folder) == "proved"
    assert "the text reproduces the step" in log(folder)


@case
def rule_1_a_rank_with_the_coordinate_of_another(tool, folder):
    """The text of rank 1 is that of a process that took rank 0's place, as with caches that processes share."""
    def shifted(w, x):
        return {"loss": (w[dist.get_rank() * 4:dist.get_rank() * 4 + 4] * x).sum()}

    with rewritten("aten.slice.Tensor(w, 0, 4, 8)", "aten.slice.Tensor(w, 0, 0, 4)"):
        refused(["another program", "'loss'", "rank 1"], lambda w, x: {"loss": (w * x).sum()}, shifted, vector, {"dp": 2}, folder, batch={"x": "dp"})


@case
def rule_2_one_tensor_for_two_inputs(tool, folder):
    def shared():
        x = torch.randn(8)
        return {"w": x, "x": x}
    refused(["'w' and 'x' share their storage"], mean, mean_of_parts, shared, {"dp": 2}, folder)


@case
def rule_2_a_tied_parameter_is_one_input(tool, folder):
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.first = nn.Linear(4, 4, bias=False)
            self.second = nn.Linear(4, 4, bias=False)
            self.second.weight = self.first.weight

        def forward(self, x):
            return self.second(torch.tanh(self.first(x)))

    def step(model, x):
        loss = model(x).square().mean()
        return {"loss": loss, "grads": gg_torch.grads(loss, model)}

    def averaged(model, x):
        result, n = step(model, x), dist.get_world_size()
        loss, grads = result["loss"].detach() / n, {name: g / n for name, g in result["grads"].items()}
        for value in (loss, *grads.values()):
            dist.all_reduce(value)
        return {"loss": loss, "grads": grads}
    gg_torch.pair(step, averaged, lambda: {"model": Tied(), "x": torch.randn(4, 4)}, {"dp": 2}, folder, batch={"x": "dp"})
    assert text(folder).count('weight: "f32[4, 4]"') == 1, text(folder)[:300]
    assert verdict(tool, folder) == "proved"


@case
def rule_3_a_buffer_that_is_no_input(tool, folder):
    table = torch.randn(8)
    refused(["no input of the step", "capture_rules.py"], lambda w, x: {"loss": (w * x * table).mean()}, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)


@case
def rule_3_a_large_constant(tool, folder):
    refused(["baked in"], lambda w, x: {"loss": (w * x).mean() + torch.tensor([float(k) for k in range(300)]).sum()}, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)


@case
def rule_3_a_small_constant_is_said(tool, folder):
    gg_torch.pair(lambda w, x: {"loss": (w * x).mean() * torch.tensor(3.0)}, mean_of_parts, vector, {"dp": 2}, folder, **SPLIT)
    assert "baked in: a constant tensor [] = [3.0]" in log(folder)
    assert verdict(tool, folder, "run") == "refuted"


@case
def rule_4_dtensors_are_local_inputs(tool, folder):
    from torch.distributed.tensor import DTensor, Shard
    from torch.distributed.tensor.parallel import ColwiseParallel, parallelize_module

    def step(model, x):
        return {"y": model(x)}

    def made():
        return {"model": nn.Linear(4, 8), "x": torch.randn(2, 4)}

    def parallel():
        given = made()
        plan = ColwiseParallel(use_local_output=False)
        return {**given, "model": parallelize_module(given["model"], gg_torch.mesh()["tp"], plan)}
    gg_torch.pair(step, step, made, {"tp": 2}, folder, dist_args=parallel)
    assert 'weight: "f32[4, 4]"' in text(folder) and verdict(tool, folder) == "proved"
    outside = {}

    def baked(w, x):
        return {"loss": (outside["w"].to_local() * x).mean()}

    def with_outside():
        outside["w"] = DTensor.from_local(torch.ones(4), gg_torch.mesh(), [Shard(0)])
        return vector()
    refused(["no input of the step"], mean, baked, vector, {"dp": 2}, folder, dist_args=with_outside, **SPLIT)


def trained(model, x):
    loss = model(x).square().mean()
    loss.backward()
    return {"grads": {name: p.grad for name, p in model.named_parameters()}}


def sharded(model, x):
    fully_shard(model, mesh=gg_torch.mesh())
    return trained(model, x)


def linear():
    return {"model": nn.Linear(4, 6), "x": torch.randn(4, 4)}


def replicas(model, x):
    return trained(nn.parallel.DistributedDataParallel(model), x)


@case
def rule_5_fully_shard_inside_the_step(tool, folder):
    gg_torch.pair(trained, sharded, linear, {"dp": 2}, folder, batch={"x": "dp"})
    assert "reduce_scatter_tensor" in text(folder) and verdict(tool, folder) == "proved", verdict(tool, folder)


@case
def rule_5_a_gather_of_fully_shard_that_is_lost(tool, folder):
    """A parameter that nothing was gathered into."""
    with broken(gg_torch.collectives.Rewriter, "fsdp_split_with_sizes_copy", lambda self, node, **_: None):
        refused(["another program"], trained, sharded, linear, {"dp": 2}, folder, batch={"x": "dp"})


@case
def rule_6_ddp(tool, folder):
    """The reducer's buckets (views of one buffer) and its hooks; the check runs the real reduction by gloo."""
    made = lambda: {"model": nn.Sequential(nn.Linear(4, 5), nn.Linear(5, 3)), "x": torch.randn(4, 4)}
    gg_torch.pair(trained, replicas, made, {"dp": 2}, folder, batch={"x": "dp"})
    assert "as_strided" not in text(folder) and verdict(tool, folder) == "proved"


@case
def rule_6_a_reducer_that_is_not_traced(tool, folder):
    """The module as it is under a fake group: its gradients are those of one rank."""
    with broken(gg_torch.program, "traceable_ddp", lambda: broken(nn.parallel, "DistributedDataParallel", lambda module: module)):
        refused(["another program", "grads"], trained, replicas, linear, {"dp": 2}, folder, batch={"x": "dp"})


@case
def rule_7_stages_have_their_own_inputs_and_outputs(tool, folder):
    def parts():
        return {"a": torch.randn(4), "b": torch.randn(4)}

    def sequential(a, b):
        return {"a": a * 2, "sum": a * 2 + b}

    def mine():
        given = parts()
        return {"a": given["a"]} if dist.get_rank() == 0 else {"b": given["b"]}

    def stage(a=None, b=None):
        if a is not None:
            dist.send(a * 2, 1)
            return {"a": a * 2}
        got = torch.empty(4)
        dist.recv(got, 0)
        return {"sum": got + b}
    gg_torch.pair(sequential, stage, parts, {"pp": 2}, folder, dist_args=mine)
    assert verdict(tool, folder) == "proved"


def both(x):
    return {"sum": x.sum(), "twice": 2 * x}


def needed_by_one(x):
    total = x.sum()
    dist.all_reduce(total, op=dist.ReduceOp.MAX)
    return {"sum": total} if dist.get_rank() == 0 else {"twice": 2 * x}


@case
def rule_7_a_collective_that_one_rank_does_not_need(tool, folder):
    """It stays in the graph of that rank: the others wait for it."""
    gg_torch.pair(both, needed_by_one, lambda: {"x": torch.randn(4)}, {"pp": 2}, folder)
    assert "all_reduce" in text(folder, "distributed.r1.fx"), text(folder, "distributed.r1.fx")


@case
def rule_7_a_collective_that_was_left_out(tool, folder):
    with broken(torch.fx.Graph, "eliminate_dead_code", lambda self, _, kept=torch.fx.Graph.eliminate_dead_code: kept(self, lambda n: n.op in ("placeholder", "output"))):
        refused(["another program", "which runs by gloo"], both, needed_by_one, lambda: {"x": torch.randn(4)}, {"pp": 2}, folder)


def hangs(w, x):
    loss = (w * x).mean()
    if dist.get_rank() == 0:
        dist.all_reduce(loss)
    return {"loss": loss}


def receives_twice(w, x):
    loss = (w * x).mean()
    if dist.get_rank() == 0:
        dist.send(loss, 1)
    for _ in range(2 * dist.get_rank()):
        dist.recv(loss, 0)
    return {"loss": loss}


@case
def steps_that_hang(tool, folder):
    """Their ranks do not meet in the graphs, and not by gloo: that is a finding about the program, with its line."""
    with broken(gg_torch.self_check, "_SHORT", datetime.timedelta(seconds=2)):
        for step, line in ((hangs, "dist.all_reduce(loss)"), (receives_twice, "dist.recv(loss, 0)")):
            gg_torch.pair(mean, step, vector, {"dp": 2}, folder, **SPLIT)
            done = subprocess.run([tool, "check", folder], capture_output=True, text=True)
            assert "the ranks do not meet, neither in the graphs" in log(folder) and done.returncode == 1, done.stdout + done.stderr
            at = int(re.search(r"capture_rules\.py:(\d+)", done.stdout + done.stderr)[1])
            with open(__file__) as f:
                assert line in f.readlines()[at - 1], at


@case
def groups_of_another_backend(tool, folder):
    """A program's groups of gloo or nccl are those of the capture: a fake store has no other ones."""
    def grouped(w, x):
        group = dist.new_group([0, 1] if dist.get_world_size() > 1 else [0], backend="nccl")
        loss = (w * x).mean() / dist.get_world_size()
        dist.all_reduce(loss, group=group)
        return {"loss": loss}
    gg_torch.pair(mean, grouped, vector, {"dp": 2}, folder, **SPLIT)
    assert verdict(tool, folder) == "proved"


@case
def what_torch_compile_wraps(tool, folder):
    @torch.compile
    def squares(x):
        return x.square().sum()
    gg_torch.pair(lambda w, x: {"loss": squares(w * x)}, lambda w, x: {"loss": squares(w * x)}, vector, {"dp": 2}, folder)
    assert verdict(tool, folder) == "proved"


@case
def names_that_graphs_have_otherwise(tool, folder):
    """torch.fx writes small letters and keeps off names of Python; placements and gradients are found all the same."""
    def step(input, A_log):
        loss = (input @ A_log).sum()
        if dist.get_world_size() > 1:
            dist.all_reduce(loss)
        return {"loss": loss, "grads": gg_torch.grads((input @ A_log).sum(), {"input": input, "A_log": A_log})}
    made = lambda: {"input": torch.randn(2, 4, requires_grad=True), "A_log": torch.randn(4, 3, requires_grad=True)}
    gg_torch.pair(step, step, made, {"tp": 2}, folder, placements={"input": ("tp", 1), "A_log": "tp"})
    assert verdict(tool, folder) == "proved", verdict(tool, folder)


def product(x, y):
    return {"z": x.sum() * y.square().sum()}


def gathered(x, y):
    whole = torch.empty(8)
    dist.all_gather_into_tensor(whole, x)
    first = whole.sum()
    dist.all_gather_into_tensor(whole, y)
    return {"z": first * whole.square().sum()}


def two_vectors():
    return {"x": torch.randn(8), "y": torch.randn(8)}


@case
def rule_8_one_buffer_written_many_times(tool, folder):
    """Gathers that share a buffer, as Megatron's GlobalMemoryBuffer: each reader sees what was there when it read."""
    gg_torch.pair(product, gathered, two_vectors, {"tp": 2}, folder, batch={"x": "tp", "y": "tp"})
    assert verdict(tool, folder) == "proved"


@case
def rule_8_a_reader_that_sees_another_write(tool, folder):
    """Both gathers as the later one."""
    with rewritten("all_gather_into_tensor.default(x,", "all_gather_into_tensor.default(y,"):
        refused(["another program", "'z'"], product, gathered, two_vectors, {"tp": 2}, folder, batch={"x": "tp", "y": "tp"})


def attention(q):
    return {"y": nn.functional.scaled_dot_product_attention(q, q, q)}


by_heads = dict(args=lambda: {"q": torch.randn(2, 2, 4, 4)}, ranks={"dp": 2}, batch={"q": "dp"}, outputs={"y": "dp"})


@case
def rule_9_attention_is_pinned(tool, folder):
    """Both sides have the plain operators of attention, whatever kernel the process would have chosen."""
    gg_torch.pair(attention, attention, out=folder, **by_heads)
    assert "aten._scaled_dot_product" not in text(folder) and "SDPBackend.MATH" in log(folder) and verdict(tool, folder) == "proved"


@case
def rule_9_attention_of_another_scale(tool, folder):
    with rewritten("0.7071067811865476", "0.5"):
        refused(["another program", "'y'"], attention, attention, out=folder, **by_heads)


class Narrow(nn.Module):
    """Attention in double precision but for its norm and softmax, which are computed in float32. The gradient of the key's bias is zero but for rounding."""

    def __init__(self):
        super().__init__()
        self.norm = nn.Parameter(torch.ones(8))
        self.query, self.key, self.value = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, x):
        y = x.to(torch.float32)
        x = self.norm * (y * torch.rsqrt(y.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype)
        scores = self.query(x) @ self.key(x).transpose(1, 2)
        return torch.softmax(scores, -1, dtype=torch.float32).to(x.dtype) @ self.value(x)


def narrow():
    torch.manual_seed(0)
    return {"model": Narrow(), "x": torch.randn(4, 3, 8)}


def moved_by(rule):
    def step(model, x):
        loss = model(x).square().mean() / dist.get_world_size()
        dist.all_reduce(loss_value := loss.detach().clone())
        grads = gg_torch.grads(loss, model)
        for g in grads.values():
            dist.all_reduce(g)
        return {"loss": loss_value, "new": {name: p.detach() - 0.1 * rule(grads[name]) for name, p in model.named_parameters()}}
    return step


ADAM, SIGN = moved_by(lambda g: g / (g.square().sqrt() + 1e-8)), moved_by(torch.sign)


@case
def float32_inside_of_a_step_rounds_nothing_in_the_check(tool, folder):
    """What is zero but for rounding (a gradient, its sign) is the same in the step and in its graph: neither rounds to float32."""
    for step, edits in ((ADAM, (("torch.ops.aten.rsqrt.default(", "torch.ops.aten.sqrt.default("), (", 1e-06)", ", 1e-04)"), (", 1e-08)", ", 1e-05)"))),
                        (SIGN, (("torch.ops.aten.sign.default(", "torch.ops.aten.abs.default("),))):
        gg_torch.capture(step, narrow, {"dp": 2}, folder, batch={"x": "dp"})
        deviations = [float(x) for x in re.findall(r"largest deviation (\S+)", log(folder))]
        assert len(deviations) == 2 and max(deviations) < 1e-9, log(folder)
        for old, new in edits:
            with rewritten(old, new):
                refused(["another program"], step, step, narrow, {"dp": 2}, folder, batch={"x": "dp"})
    gg_torch.capture(ADAM, narrow, {"dp": 2}, folder, batch={"x": "dp"})
    assert verdict(tool, folder) == "proved", verdict(tool, folder)
    with broken(gg_torch.self_check, "Widened", contextlib.nullcontext):
        refused(["another program", "'new.key.bias'"], ADAM, ADAM, narrow, {"dp": 2}, folder, batch={"x": "dp"})


@case
def a_view_of_what_a_kernel_lays_out_otherwise(tool, folder):
    """softplus's gradient has the strides of the transposed one that it is given, which the trace is not told."""
    def args():
        torch.manual_seed(0)
        return {"model": nn.Linear(5, 8), "w": torch.randn(4, 8, 3), "x": torch.randn(4, 3, 5)}

    def step(model, w, x):
        loss = (torch.nn.functional.softplus(model(x)).transpose(1, 2).contiguous() * w).sum()
        grads = gg_torch.grads(loss, model)
        for g in grads.values():
            dist.all_reduce(g)
        return grads
    gg_torch.capture(step, args, {"dp": 2}, folder, batch={"w": "dp", "x": "dp"})
    assert verdict(tool, folder) == "proved", verdict(tool, folder)
    with broken(gg_torch.execution._View, "default", torch.ops.aten.view.default):
        refused(["view size is not compatible"], step, step, args, {"dp": 2}, folder, batch={"w": "dp", "x": "dp"})
