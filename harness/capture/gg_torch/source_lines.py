"""The user's line of every node of a traced graph, and what called it."""
import contextlib
import re
import traceback
import warnings

import torch
from torch.utils._traceback import CapturedTraceback

from .errors import is_own, is_users, short_name

BLOCKING = ", blocking"  # stands behind the line of a send that waits: nothing else in a graph says so


@contextlib.contextmanager
def user_lines():
    """Every node gets the user's frames; nodes of the backward pass those of the forward operator that they belong to."""
    published = []

    def create_node(self, *args, **kwargs):
        node = kept[0](self, *args, **kwargs)
        if not node.stack_trace:
            told = users(list(CapturedTraceback.extract().summary()))
            if told:
                node.stack_trace = "".join(told.format()).strip()
        return node

    def users(frames):
        below = 0
        start = max([k for k, f in enumerate(frames) if f.name == "_child" and is_own(f.filename)] or [0])
        frames = frames[start:]  # what called the helper is no part of the step
        suffix = BLOCKING if any(f.name == "send" and f.filename.endswith("distributed_c10d.py") for f in frames) else ""
        for k, frame in enumerate(frames):
            if frame.name == "_engine_run_backward":
                below = k
        mine = [(f.filename, f.lineno, f.name, f.line) for f in frames[below:] if is_users(f.filename)]
        if below and published:  # what a backward function of the user's runs belongs to where its forward was called
            mine = published[-1] + mine
        return chain(mine or [(f.filename, f.lineno, f.name, f.line) for f in frames if is_users(f.filename)], suffix)

    def chain(frames, suffix=""):
        """The innermost frame; those that called it stand behind its name, where print_readable shows them."""
        places = [f"{short_name(filename)}:{line} in {name}" for filename, line, name, _ in frames[-4:]]
        if not places:
            return traceback.StackSummary()
        filename, line, name, code = frames[-1]
        callers = "".join(f", called from {place}" for place in reversed(places[:-1]))
        return traceback.StackSummary.from_list([traceback.FrameSummary(short_name(filename), line, name + callers + suffix, lookup_line=False, line=code)])

    def forward_of(node):
        frames = []
        for text in node.metadata.get("traceback_", []):
            found = re.match(r'\s*File "(.+)", line (\d+), in (.+)\n\s*(.*)', text)
            if found and is_own(found[1]) and found[3] == "_child":
                frames = []
            elif found and is_users(found[1]):
                frames.append((found[1], int(found[2]), found[3], found[4]))
        return frames

    def watched(run):
        def run_backward(outputs, *args, **kwargs):
            todo, seen, handles = [t.grad_fn for t in outputs if isinstance(t, torch.Tensor) and t.grad_fn is not None], set(), []
            while todo:
                node = todo.pop()
                if node in seen:
                    continue
                seen.add(node)
                todo += [n for n, _ in node.next_functions if n is not None]
                frames = forward_of(node)
                handles.append(node.register_prehook(lambda _, frames=frames: published.append(frames)))
            try:
                return run(outputs, *args, **kwargs)
            finally:
                for handle in handles:
                    handle.remove()
                published.clear()
        run_backward.__name__ = "watched_backward"
        return run_backward

    base = torch.fx.proxy.TracerBase
    kept = base.create_node, torch.autograd._engine_run_backward, torch.autograd.graph._engine_run_backward
    base.create_node = create_node
    torch.autograd._engine_run_backward = torch.autograd.graph._engine_run_backward = watched(kept[1])
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Anomaly Detection")
            anomaly = torch.autograd.detect_anomaly(check_nan=False)
        with anomaly:
            yield
    finally:
        base.create_node, torch.autograd._engine_run_backward, torch.autograd.graph._engine_run_backward = kept
