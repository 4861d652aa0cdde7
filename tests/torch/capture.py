"""What harness/capture/gg_torch must refuse, and what it must capture: `python3 capture.py GG_HARNESS`. Skipped (77) without torch.

Each of the first cases breaks one rule of capturing (a graph that is subtly another program than the step): the helper has to notice.
"""
import contextlib
import datetime
import functools
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from counted import counted

HERE = os.path.dirname(os.path.abspath(__file__))
CAPTURE = os.path.join(HERE, "..", "..", "harness", "capture")
sys.path.insert(0, CAPTURE)
CASES = []


def case(function):
    CASES.append(function)
    return function


def main():
    if importlib.util.find_spec("torch") is None:
        print("skipped: no torch (scripts/venv.sh torch)")
        return 77
    define()
    tool, only = os.path.abspath(sys.argv[1]), sys.argv[2:]
    return counted((function.__name__, problem(function, tool)) for function in CASES if not only or function.__name__ in only)


@contextlib.contextmanager
def broken(holder, name, value):
    """What the helper does for a rule, done otherwise."""
    kept = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, kept)


def problem(function, tool):
    with tempfile.TemporaryDirectory() as folder:
        try:
            function(tool, os.path.join(folder, "case"))
        except Exception as e:
            return f"{type(e).__name__}: {e}"


def define():
    import torch
    import torch.distributed as dist
    from torch import nn
    from torch.distributed.fsdp import fully_shard

    import gg_torch

    def refused(words, *args, **options):
        try:
            gg_torch.pair(*args, **options)
        except gg_torch.CaptureError as e:
            assert all(word in str(e) for word in words), f"refused with another reason: {e}"
            return
        raise AssertionError("it was captured")

    def verdict(tool, folder, command="prove"):
        done = subprocess.run([tool, command, folder], capture_output=True, text=True)
        return done.stdout.strip().splitlines()[-1].split()[0] if done.stdout.strip() else done.stderr

    def log(folder):
        with open(os.path.join(folder, "capture.log")) as f:
            return f.read()

    def text(folder, name="distributed.r0.fx"):
        with open(os.path.join(folder, name)) as f:
            return f.read()

    def rewritten(old, new, kept=gg_torch.tracing.printed_graph):
        """The texts of all ranks with one thing changed."""
        return broken(gg_torch.tracing, "printed_graph", lambda *args: kept(*args).replace(old, new))

    def vector(**more):
        return {"w": torch.arange(8.0) + 1, "x": torch.randn(8), **more}

    def mean(w, x):
        return {"loss": (w * x).mean()}

    def mean_of_parts(w, x):
        loss = (w * x).mean() / dist.get_world_size()
        dist.all_reduce(loss)
        return {"loss": loss}

    split = dict(placements={"w": "dp"}, batch={"x": "dp"})

    @case
    def right(tool, folder):
        gg_torch.pair(mean, mean_of_parts, vector, {"dp": 2}, folder, **split)
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
        refused(["no input of the step", "capture.py"], lambda w, x: {"loss": (w * x * table).mean()}, mean_of_parts, vector, {"dp": 2}, folder, **split)

    @case
    def rule_3_a_large_constant(tool, folder):
        refused(["baked in"], lambda w, x: {"loss": (w * x).mean() + torch.tensor([float(k) for k in range(300)]).sum()}, mean_of_parts, vector, {"dp": 2}, folder, **split)

    @case
    def rule_3_a_small_constant_is_said(tool, folder):
        gg_torch.pair(lambda w, x: {"loss": (w * x).mean() * torch.tensor(3.0)}, mean_of_parts, vector, {"dp": 2}, folder, **split)
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
        refused(["no input of the step"], mean, baked, vector, {"dp": 2}, folder, dist_args=with_outside, **split)

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
                gg_torch.pair(mean, step, vector, {"dp": 2}, folder, **split)
                done = subprocess.run([tool, "check", folder], capture_output=True, text=True)
                assert "the ranks do not meet, neither in the graphs" in log(folder) and done.returncode == 1, done.stdout + done.stderr
                at = int(re.search(r"capture\.py:(\d+)", done.stdout + done.stderr)[1])
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
        gg_torch.pair(mean, grouped, vector, {"dp": 2}, folder, **split)
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
        refused(["another program", "'loss'"], lambda w, x: {"loss": (w * x).mean() * (1 + int.from_bytes(os.urandom(2), "big"))}, mean_of_parts, vector, {"dp": 2}, folder, **split)

    @case
    def rule_11_a_value_that_steers_python(tool, folder):
        def steered(w, x):
            return {"loss": (w * x).mean() if x.sum() > 0 else (w * x).sum()}
        refused(["capture.py", "steers Python"], steered, mean_of_parts, vector, {"dp": 2}, folder, **split)
        refused(["steers Python", "capture.py"], lambda w, x: {"loss": (w * x).mean() * torch.full((2,), 3).tolist()[0]}, mean_of_parts, vector, {"dp": 2}, folder, **split)
        refused(["steers Python"], lambda w, x: {"loss": (w * x)[:int(x.abs().sum().item())].mean()}, mean_of_parts, vector, {"dp": 2}, folder, **split)

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

    def said_of(tool, folder, command="check"):
        done = subprocess.run([tool, command, folder, "--witness", folder + ".w"] if command == "check" else [tool, command, folder], capture_output=True, text=True)
        return done.stdout + done.stderr

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
        refused(["takes other ways each time"], asks_otherwise, mean_of_parts, vector, {"dp": 2}, folder, recorded=True, **split)
        refused(["floats of a size that values decide"], lambda w, x: {"loss": w.unique().sum()}, mean_of_parts, vector, {"dp": 2}, folder, recorded=True, **split)
        other = lambda: {"w": torch.arange(4.0), "x": torch.randn(8)[:4].clone()} if dist.get_world_size() == 2 else vector()
        refused(["'w' has other values on rank 0 than its part"], mean, mean_of_parts, vector, {"dp": 2}, folder, dist_args=other, recorded=True, **split)

    @case
    def rule_12_dropout_is_one_operator(tool, folder):
        gg_torch.pair(dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, **split)
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
        gg_torch.pair(dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, masks={"native_dropout": "dp"}, **split)
        with open(os.path.join(folder, "relation.json")) as f:
            assert json.load(f)["masks"] == {"native_dropout": [["dp"]]}
        done = subprocess.run([tool, "check", folder], capture_output=True, text=True)
        assert done.returncode == 0 and "opaque" not in done.stdout, done.stdout + done.stderr
        refused(["masks= names native_dropout_1", "draws native_dropout"], dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, masks={"native_dropout_1": "dp"}, **split)

    @case
    def rule_12_dropout_that_draws(tool, folder):
        with broken(gg_torch.program, "known_dropout", contextlib.nullcontext):
            refused(["another program", "'y'"], dropped, dropped, vector, {"dp": 2}, folder, outputs={"y": "dp"}, **split)

    @case
    def rule_12_replays_draw_what_the_witness_says(tool, folder):
        """Declared masks are those of the witness, others a function of the element: the right graphs agree on the witness of wrong ones."""
        def made(path, factor):
            gg_torch.pair(dropped, lambda w, x: dropped(w, x, factor), vector, {"dp": 2}, path, outputs={"y": "dp"}, **split)
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

    class Reduce(torch.autograd.Function):
        """The sum over the ranks; gradients as they are."""

        @staticmethod
        def forward(ctx, y):
            return torch.distributed._functional_collectives.all_reduce(y, "sum", dist.group.WORLD)

        @staticmethod
        def backward(ctx, g):
            return g

    class Loss(nn.Module):
        def __init__(self, rows, ranks):
            super().__init__()
            self.w, self.ranks = nn.Parameter(torch.randn(rows, 4)), ranks

        def forward(self, x):
            y = torch.tanh(x) @ self.w
            if self.ranks > 1:
                y = Reduce.apply(y)
            return y.square().mean()

    def exported(ranks, path):
        """Saves what torch.export makes of one rank of Loss."""
        from torch.testing._internal.distributed.fake_pg import FakeStore
        dist.init_process_group("fake", rank=0, world_size=ranks, store=FakeStore())
        torch.export.save(torch.export.export(Loss(8 // ranks, ranks), (torch.randn(3, 8 // ranks),)), path)

    split_by_contraction = {"mesh": [["tp", 2]], "groups": {"0": [0, 1]}, "default": "replicated", "outputs": ["replicated"]}

    @case
    def a_witness_that_torch_does_not_confirm(tool, folder):
        """A replay shows a difference only if torch has the values that the witness names."""
        gg_torch.pair(mean, lambda w, x: {"loss": (w * x).mean()}, vector, {"dp": 2}, folder, **split)
        witness = folder + ".witness"
        subprocess.run([tool, "run", folder, "--witness", witness], capture_output=True, text=True)
        replay = lambda: subprocess.run([sys.executable, os.path.join(witness, "replay_torch.py"), "--gloo"], capture_output=True, text=True)
        assert replay().returncode == 0, replay()
        with open(os.path.join(witness, "difference.json")) as f:
            said = json.load(f)
        said["differences"][0]["distributed"] = "0.75"
        with open(os.path.join(witness, "difference.json"), "w") as f:
            json.dump(said, f)
        done = replay()
        assert done.returncode == 1 and "in torch, the witness says" in done.stdout, done

    @case
    def archives_of_export(tool, folder):
        os.makedirs(folder)
        paths = [os.path.join(folder, f"{n}.pt2") for n in (1, 2)]
        gg_torch.processes.in_processes([(exported, (n, path)) for n, path in zip((1, 2), paths)])
        relation = {**split_by_contraction, "inputs": {"p_w": [["tp"], []], "x": [[], ["tp"]]}}
        gg_torch.read(paths[0], [paths[1]] * 2, relation, folder)
        assert verdict(tool, folder) == "proved"

    def compiled(rank, ranks, folder, logs):
        """One rank of Loss by torch.compile, whose logs and traces torch writes itself."""
        from torch.testing._internal.distributed.fake_pg import FakeStore
        dist.init_process_group("fake", rank=rank, world_size=ranks, store=FakeStore())
        torch.set_num_threads(1)
        os.environ.update(TORCH_LOGS=logs, TORCH_TRACE=folder)
        with open(os.path.join(folder, f"log{rank}.txt"), "w") as log:
            os.dup2(log.fileno(), 2)
            torch._logging._internal.LOG_TRACE_HANDLER = None  # torch has read the environment before
            torch._logging._internal._init_logs()
            torch.compile(Loss(8 // ranks, ranks), backend="aot_eager")(torch.randn(3, 8 // ranks)).backward()

    def written(folder, logs):
        """What torch writes of one rank and of two: two folders with a log and a trace of every rank."""
        for ranks in (1, 2):
            os.makedirs(os.path.join(folder, f"{ranks}"))
        gg_torch.processes.in_processes([(compiled, (rank, ranks, os.path.join(folder, f"{ranks}"), logs)) for ranks, rank in ((1, 0), (2, 0), (2, 1))])
        return lambda ranks, *name: os.path.join(folder, f"{ranks}", *name)

    of_logs = {**split_by_contraction, "inputs": {"primals_2": [["tp"], []], "primals_1": [[], ["tp"]]}, "outputs": ["replicated", [["tp"], []]]}

    def refused_to_read(words, *sources):
        try:
            gg_torch.read(*sources, of_logs, "nowhere")
        except gg_torch.CaptureError as e:
            assert all(word in str(e) for word in words), e
            return
        raise AssertionError("it was read")

    @case
    def folders_of_traces(tool, folder):
        """TORCH_TRACE: one file a rank, structured lines, graphs behind them with a tab."""
        path = written(folder, "aot_joint_graph")
        for ranks in (1, 2):
            for rank in range(ranks):
                os.remove(path(ranks, f"log{rank}.txt"))
        gg_torch.read(path(1), path(2), of_logs, folder)
        assert verdict(tool, folder) == "proved", verdict(tool, folder)
        assert "'aot joint graph' of 3 graphs" in log(folder), log(folder)

    @case
    def logs_of_joint_graphs(tool, folder):
        """Two ranks in one file, line by line, as a launcher mixes them."""
        path = written(folder, "aot_joint_graph")
        ranks = [text(path(2), f"log{r}.txt").splitlines() for r in range(2)]
        with open(path(2, "all.txt"), "w") as f:
            f.write("".join(f"{line}\n" for both in zip(*ranks) for line in both))
        gg_torch.read(path(1, "log0.txt"), path(2, "all.txt"), of_logs, folder)
        assert verdict(tool, folder) == "proved", verdict(tool, folder)

    @case
    def logs_of_forward_and_backward(tool, folder):
        """One of each is a step, several are none."""
        path = written(folder, "aot_graphs")
        logs = [path(2, f"log{r}.txt") for r in range(2)]
        gg_torch.read(path(1, "log0.txt"), logs, of_logs, folder)
        assert verdict(tool, folder) == "proved" and re.search(r"Forward graph (\d) and Backward graph \1", log(folder)), log(folder)
        with open(path(1, "twice.txt"), "w") as f:
            f.write(2 * text(path(1), "log0.txt"))
        refused_to_read(["Forward graph", "Backward graph", "aot_joint_graph"], path(1, "twice.txt"), logs)

    @case
    def placements_of_dtensors(tool, folder):
        """Splits, splits of splits, partial sums, of what only says where it is."""
        from torch.distributed.tensor import Partial, Replicate, Shard
        from torch.distributed.tensor.placement_types import _StridedShard

        class Mesh:
            mesh_dim_names = ("dp", "tp")

            def size(self, k=None):
                return 4 if k is None else 2

        def placed(placements, *shape):
            return gg_torch.module_placements.dtensor_placement(types.SimpleNamespace(device_mesh=Mesh(), placements=placements, shape=shape, dim=lambda: len(shape)))
        assert placed((_StridedShard(0, split_factor=2), Shard(0)), 8, 3) == [["tp", "dp"], []]
        assert placed((Shard(0), Shard(0)), 8, 3) == [["dp", "tp"], []]
        assert placed((Replicate(), Shard(0)), 5, 3) == [{"axes": ["tp"], "split": "chunk"}, []]
        assert placed((Shard(0), Partial("avg")), 8, 3) == {"partial": ["tp"], "op": "avg", "dims": [["dp"], []]}
        assert placed((Replicate(), Replicate()), 8, 3) == "replicated"
        try:
            placed((_StridedShard(0, split_factor=4), Shard(0)), 8, 3)
        except gg_torch.CaptureError as e:
            assert "split factor 4" in str(e), e
            return
        raise AssertionError("a split factor that the axes do not have was taken")

    @case
    def the_first_hour(tool, folder):
        """The transcript of docs/torch.md: its script gives its lines."""
        with open(os.path.join(HERE, "..", "..", "docs", "torch.md")) as f:
            block = re.search(r"\$ cat first\.py\n(.*?)\(some lines left out\)", f.read(), re.DOTALL)[1]
        script, check, replay = (re.sub("^    ", "", part, flags=re.MULTILINE) for part in re.split(r"^    \$ .*\n", block, flags=re.MULTILINE))
        os.makedirs(folder)
        with open(os.path.join(folder, "first.py"), "w") as f:
            f.write(script)
        path = {**os.environ, "PYTHONPATH": os.path.abspath(CAPTURE)}
        run = lambda *command: subprocess.run(command, cwd=folder, env=path, capture_output=True, text=True)
        captured = run(sys.executable, "first.py")
        assert captured.returncode == 0, captured.stderr
        for lines, done in ((check, run(tool, "check", "first")), (replay, run(sys.executable, "first.witness/replay_torch.py", "--gloo"))):
            missing = [line for line in lines.strip().splitlines() if line not in (done.stdout + done.stderr).splitlines()]
            assert not missing, (missing, done.stdout + done.stderr)

    @case
    def without_numpy(tool, folder):
        """`pip install torch` alone brings none."""
        program = ("import sys; sys.modules['numpy'] = None; import torch, gg_torch; "
                   "gg_torch.capture(lambda x: {'y': 2 * x}, lambda: {'x': torch.randn(4)}, {'dp': 2}, sys.argv[1], batch={'x': 'dp'}, outputs={'y': 'dp'})")
        done = subprocess.run([sys.executable, "-c", program, folder], env={**os.environ, "PYTHONPATH": os.path.abspath(CAPTURE)}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert verdict(tool, folder) == "proved"

    @case
    def leaves_that_differ_between_ranks(tool, folder):
        def uneven():
            return vector(x=torch.randn(8) + dist.get_rank())
        refused(["'x' has other values on rank 1"], mean, mean, uneven, {"dp": 2}, folder)

    @case
    def sizes_that_no_placement_explains(tool, folder):
        def half():
            return vector(x=torch.randn(4 if dist.get_world_size() == 2 else 8), w=torch.randn(4 if dist.get_world_size() == 2 else 8))
        refused(["'w' is [8]", "[4] on rank 0", "placements="], mean, mean, half, {"dp": 2}, folder)

    @case
    def experts_of_one_name(tool, folder):
        """Megatron numbers the experts of every rank from 0: equal values at the start make them no one parameter."""
        def expert():
            made = vector(w=nn.Parameter(torch.ones(8)))
            made["w"].allreduce = False
            return made
        refused(["'w' is a parameter of another expert"], mean, mean, expert, {"ep": 2}, folder)

    @case
    def names_that_do_not_exist(tool, folder):
        refused(["'tokens'", "w, x"], mean, mean_of_parts, vector, {"dp": 2}, folder, batch={"tokens": "dp"})

    @case
    def ranges_of_names_that_do_not_exist(tool, folder):
        refused(["ranges=", "tokens", "w, x"], mean, mean_of_parts, vector, {"dp": 2}, folder, ranges={"tokens": [0, 1]}, **split)

    @case
    def ranges_by_the_names_of_arguments(tool, folder):
        def named():
            return {"A": torch.randn(8), "x": torch.randn(8)}
        gg_torch.pair(lambda A, x: {"y": A * x}, lambda A, x: {"y": A * x}, named, {"dp": 2}, folder, placements={"A": "dp"}, batch={"x": "dp"}, outputs={"y": "dp"}, ranges={"A": [-2, 0]})
        with open(os.path.join(folder, "relation.json")) as f:
            assert json.load(f)["ranges"] == {"a": [-2, 0]}

    @case
    def a_python_number_as_output(tool, folder):
        refused(["output 'n' is 3"], lambda w, x: {"loss": (w * x).mean(), "n": 3}, mean_of_parts, vector, {"dp": 2}, folder)


if __name__ == "__main__":
    sys.exit(main())
