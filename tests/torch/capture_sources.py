"""Graphs of other sources (archives, traces, logs), witnesses, the first hour of docs/torch.md, and arguments that are refused."""
import json
import os
import re
import subprocess
import sys
import types

import torch
import torch.distributed as dist
from torch import nn

import gg_torch
from capture_case import CAPTURE, SPLIT, case, log, mean, mean_of_parts, refused, text, vector, verdict


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
    gg_torch.pair(mean, lambda w, x: {"loss": (w * x).mean()}, vector, {"dp": 2}, folder, **SPLIT)
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


def shifted(x):
    """Each rank has a program of its own; the last element of the second rank's part is wrong."""
    rank = dist.get_rank()
    parts = [torch.empty_like(x) for _ in range(2)]
    dist.all_gather(parts, x)
    left = parts[0][-1:] if rank == 1 else torch.zeros_like(x[-1:])
    y = torch.cat([left, x[:-1]])
    total = y.sum()
    dist.all_reduce(total)
    return {"y": torch.cat([y[:-1], 2 * y[-1:]]) if rank == 1 else y, "total": total}


@case
def a_witness_of_ranks_with_programs_of_their_own(tool, folder):
    """The element that it names is one of the whole output, which a rank holds at another place."""
    whole = lambda x: {"y": torch.cat([torch.zeros_like(x[-1:]), x[:-1]]), "total": x[:-1].sum()}
    gg_torch.pair(whole, shifted, lambda: {"x": torch.randn(8)}, {"dp": 2}, folder, batch={"x": "dp"}, outputs={"y": [["dp"]], "total": "replicated"})
    witness = folder + ".witness"
    done = subprocess.run([tool, "check", folder, "--witness", witness], capture_output=True, text=True)
    assert done.returncode == 1, done
    done = subprocess.run([sys.executable, os.path.join(witness, "replay_torch.py")], capture_output=True, text=True)
    assert done.returncode == 0 and "output 0 (y): rank 1, element 3" in done.stdout and "the witness says" not in done.stdout, done


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
    with open(os.path.join(CAPTURE, "..", "..", "docs", "torch.md")) as f:
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
    refused(["ranges=", "tokens", "w, x"], mean, mean_of_parts, vector, {"dp": 2}, folder, ranges={"tokens": [0, 1]}, **SPLIT)


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
