"""What the cases of capture.py share: steps, and what is asked of a capture. A case takes the program and a folder that it makes."""
import contextlib
import os
import subprocess
import sys

CAPTURE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "harness", "capture")
sys.path.insert(0, CAPTURE)
import torch
import torch.distributed as dist

import gg_torch

CASES = []


def case(function):
    """Adds a case, in the order of the files."""
    CASES.append(function)
    return function


@contextlib.contextmanager
def broken(holder, name, value):
    """What the helper does for a rule, done otherwise."""
    kept = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, kept)


def refused(words, *args, **options):
    """These steps are refused by pair(), with a reason that has all these words."""
    try:
        gg_torch.pair(*args, **options)
    except gg_torch.CaptureError as e:
        assert all(word in str(e) for word in words), f"refused with another reason: {e}"
        return
    raise AssertionError("it was captured")


def verdict(tool, folder, command="prove"):
    """The first word of the program's last line about a case."""
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


SPLIT = dict(placements={"w": "dp"}, batch={"x": "dp"})


def said_of(tool, folder, command="check"):
    done = subprocess.run([tool, command, folder, "--witness", folder + ".w"] if command == "check" else [tool, command, folder], capture_output=True, text=True)
    return done.stdout + done.stderr
