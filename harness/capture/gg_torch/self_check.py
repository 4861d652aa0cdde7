"""Runs steps by gloo, and the graphs that were captured of them against it: a capture that is another program is refused."""
import contextlib
import datetime
import os
import re

import torch
import torch.distributed as dist

from .errors import ApartError, CaptureError, first_line
from .execution import Widened, execute_all, stored, widened
from .graph_text import TYPES, graph_parameters
from .placements import part_of
from .processes import TIMEOUT, in_processes
from .program import Program, rank_process
from .relation import named_groups
from .steering import Steering

_SHORT = datetime.timedelta(seconds=5)  # TIMEOUT of what is known to hang


def ran_steps(jobs, folder, wide=None):
    """What the steps of these ranks give, run together: by rank a dict of values {input: tensor}, outputs, wide (in double precision) and answers (of recorded
    steps). CaptureError where one of them raises or hangs."""
    return in_processes([(_eager, (job, folder, wide)) for job in jobs], together=True)


def _eager(job, folder, wide=None):
    """The step itself on one rank, by gloo; wide (None: unless inputs are of 16 bits): in double precision. Recorded steps have their own values, others moved
    ones."""
    with rank_process(job, "gloo", os.path.join(folder, "store-" + ("sequential" if job["rank"] is None else "distributed"))):
        program = Program(job)
        values = [leaf.value.clone() if job["recorded"] else _noisy(leaf, job["rank"]) for leaf in program.leaves]
        if job["recorded"]:
            program.steering = Steering(None)
        wide = wide if wide is not None else not any(v.dtype in (torch.float16, torch.bfloat16) for v in values)
        if wide:
            torch.set_default_dtype(torch.float64)
            values = [v.to(widened(v.dtype)) for v in values]
        before = [v.clone() for v in values]
        with Widened() if wide else contextlib.nullcontext():
            outputs = [stored(t.detach()).clone() for t in program(*values)]
        dist.barrier()
        return dict(values={leaf.name: v for leaf, v in zip(program.leaves, before)}, outputs=outputs, wide=wide, answers=getattr(program.steering, "answers", None))


def _noisy(leaf, rank):
    """Values of the check: the leaf's own, moved, so that zeros and ones of an initialisation hide nothing."""
    x = stored(leaf.value)
    if not x.is_floating_point():
        return x.clone()
    place = 0 if leaf.placement in (None, "replicated") else 1 + (rank or 0)
    made = torch.Generator().manual_seed(sum(map(ord, leaf.name)) * 1000 + place)
    noise = torch.rand(x.shape, generator=made, dtype=torch.float64)
    moved = x.double() * (1 + 0.1 * noise) + (0.1 * noise if leaf.parameter else 0)
    return torch.view_as_complex(moved.to(x.dtype)) if leaf.value.is_complex() else moved.to(x.dtype)


def reproduced(sequential, distributed, first, parts, recorded, relation, folder):
    """Executes what was written against the steps, which have run where they are recorded; refuses a capture that is another program. Graphs whose ranks
    do not meet are kept if the step hangs as well. first, parts: what captured_rank() returned; recorded: what ran_steps() gave of both sides, or None.
    Returns lines for capture.log."""
    lines = []
    for what, jobs, captured, ran in (("sequential", sequential, [first], recorded[0]), ("distributed", distributed, parts, recorded[1])):
        wide = ran[0]["wide"] if ran else not any(re.search(r'"(bf16|f16|f8\w*)\[', part["text"]) for part in captured)
        groups = named_groups(captured) if what == "distributed" else {"*": [0]}
        apart = in_processes([(_apart, ([part["text"] for part in captured], groups))])[0] if len(captured) > 1 else None
        try:
            ran = ran or ran_steps([dict(job, timeout=_SHORT if apart else TIMEOUT) for job in jobs], folder, wide)
        except CaptureError as e:
            if what == "sequential":
                raise
            if apart:
                lines.append(f"distributed: the ranks do not meet, neither in the graphs ({apart}) nor by gloo ({first_line(e)})")
                continue
            raise CaptureError(f"the distributed step does not run by gloo, so its graphs could not be checked (check=False leaves that out): {e}") from None
        if apart:
            raise CaptureError(f"the captured graphs are another program than the step, which runs by gloo: {apart}")
        work = ([part["text"] for part in captured], [part["outputs"] for part in captured], [part["shapes"] for part in captured], ran, groups,
                relation["inputs"], relation["mesh"], wide)
        deviation, name, rank = in_processes([(_judged, work)])[0]
        if not deviation <= (1e-5 if wide else 5e-2):
            where = f" on rank {rank}" if what == "distributed" else ""
            raise CaptureError(f"the captured {what} graph is another program than the step: output '{name}'{where} deviates by {deviation:.2g}")
        lines.append(f"{what}: the text reproduces the step, largest deviation {deviation:.1e}{'' if wide else ' (in its own types)'}")
    return lines


def _apart(texts, groups):
    """Where the ranks of these graphs wait for each other for ever, whatever the values are; None if they meet."""
    torch.set_num_threads(1)
    try:
        execute_all(texts, [{name: torch.ones(shape, dtype=TYPES[kind]) if TYPES[kind].is_floating_point else torch.zeros(shape, dtype=TYPES[kind])
                              for name, kind, shape in graph_parameters(text)} for text in texts], groups, wide=False)
    except ApartError as e:
        return str(e)
    except Exception:
        pass  # of these values; what is wrong with the graphs will be seen on the step's own
    return None


def _judged(texts, names, shapes, ran, groups, placements, axes, wide):
    """The printed texts on the values of the eager run: the worst relative deviation, and of which output."""
    torch.set_num_threads(1)
    if wide:
        torch.set_default_dtype(torch.float64)
    inputs = []
    for r, part in enumerate(ran):
        values = dict(part["values"])
        for name, x in values.items():
            if list(x.shape) != shapes[r][name]:
                values[name] = part_of(x, placements[name], axes, r)
        inputs.append(values)
    results = execute_all(texts, inputs, groups, wide)
    worst = (0.0, None, None)
    largest = max([float(t.abs().max()) for part in ran for t in part["outputs"] if t.numel() and t.is_floating_point()] or [1.0])
    for r, (found, part) in enumerate(zip(results, ran)):
        for name, x, y in zip(names[r], found, part["outputs"]):
            if x.shape != y.shape:
                return float("inf"), name, r
            x, y = x.double(), y.double()
            same = torch.isnan(x) & torch.isnan(y) | (x == y)
            error = torch.where(same, torch.zeros_like(x), (x - y).abs()).nan_to_num(float("inf"))
            scale = max(float(y.nan_to_num(0, 0, 0).abs().max()) if y.numel() else 0.0, 1e-6 * largest, 1e-30)
            deviation = float(error.max()) / scale if x.numel() else 0.0
            if deviation > worst[0]:
                worst = (deviation, name, r)
    return worst
