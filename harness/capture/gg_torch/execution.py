"""Runs printed graphs, one or all ranks together. A text may come from a stranger: only what torch prints for a graph is run."""
import ast
import inspect
import re
import threading

import torch
from torch.utils import _pytree as pytree

from .communication import Computed, Threads
from .errors import CaptureError


def stored(x):
    """A tensor as inputs and outputs of a pair hold it: complex numbers as their parts."""
    return torch.view_as_real(x.resolve_conj()) if x.is_complex() else x


def widened(kind):
    """The type in which a float or a complex type is checked."""
    return torch.float64 if kind.is_floating_point else torch.complex128 if kind.is_complex else kind


def dropped(x, p, train=True, mask=None):
    """Dropout of the check and of replays: by the mask, else by a function of the element, as verdicts take it: what is equal draws the same."""
    if train is False or p == 0:
        return x, torch.ones_like(x, dtype=torch.bool)
    keep = mask.to(x.device) if mask is not None else (torch.sin(torch.round(x.detach().double() * 1e4)) * 43758.5453).frac().abs() >= p
    return x * keep / (1 - p), keep


class Widened(torch.utils._python_dispatch.TorchDispatchMode):
    """A step in double precision, what it converts to narrower floats itself (norms and softmax in float32) too, so that nothing but double precision rounds."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is not torch.ops.aten.view.dtype:  # bits
            args, kwargs = pytree.tree_map_only(torch.dtype, widened, (args, kwargs or {}))
        return function(*args, **(kwargs or {}))


class _Names:
    """`torch` as a printed graph sees it: collectives of `comm`, floats widened if asked, its device."""

    def __init__(self, comm, wide, masks):
        self.ops, self._wide = self, wide
        self._c10d_functional = self._dtensor = _Collectives(comm)
        self.aten = _Aten(masks)

    def __getattr__(self, name):
        value = getattr(torch, name)
        return widened(value) if self._wide and isinstance(value, torch.dtype) else value


class _Aten:
    """torch.ops.aten with the dropouts of the check; masks: what each of them draws, in the order of the graph."""

    def __init__(self, masks):
        self._masks = iter(masks)

    def __getattr__(self, name):
        if name == "native_dropout":
            return _One(lambda x, p, train: dropped(x, p, train, next(self._masks)))
        if name == "view":
            return _View
        return getattr(torch.ops.aten, name)


class _One:
    """An operator of one overload."""

    def __init__(self, function):
        self.default = function


class _View:
    """aten.view: a kernel may give its result other strides than the trace was told, and then there is no view of it that has these sizes, but a copy."""
    dtype = torch.ops.aten.view.dtype

    @staticmethod
    def default(x, size):
        try:
            return torch.ops.aten.view.default(x, size)
        except RuntimeError:
            return torch.ops.aten.reshape.default(x, size)


class _Collectives:
    """torch.ops._c10d_functional by the collectives of `comm`, which have arrived when they return."""

    def __init__(self, comm):
        self._comm = comm

    def __getattr__(self, name):
        if name == "wait_tensor":
            return _One(lambda x: x)
        if name.endswith("_coalesced"):
            one = getattr(self._comm, name[:-len("_coalesced")])
            return _One(lambda xs, *args: [one(x, *args) for x in xs])
        return _One(getattr(self._comm, name))


_GRAPH_NODES = (ast.Assign, ast.AnnAssign, ast.Return, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Tuple, ast.List, ast.Dict, ast.UnaryOp, ast.USub, ast.BinOp,
                ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Subscript, ast.Call, ast.keyword, ast.Attribute, ast.arguments, ast.arg)
_PARSING = threading.Lock()  # Python 3.11 counts the depth of trees for all threads together
_CALLED = re.compile(r"torch\.ops\.(aten|_c10d_functional|_dtensor)\.\w+\.\w+|(torch\.)?device")


def _prints(node):
    """Does torch print such a node for a graph? Functions of torch are called by their names, which nothing may be written to."""
    name = getattr(node, "id", getattr(node, "attr", getattr(node, "arg", None))) or ""
    annotation = getattr(node, "annotation", None)
    written = isinstance(node, ast.arg) or isinstance(getattr(node, "ctx", None), ast.Store)
    return (isinstance(node, _GRAPH_NODES) and "__" not in name and (annotation is None or isinstance(annotation, ast.Constant)) and
            not (written and (name in ("torch", "device") or isinstance(node, (ast.Attribute, ast.Subscript)))) and
            not (isinstance(node, ast.Call) and not _CALLED.fullmatch(ast.unparse(node.func))))


def _forward_of(text, names):
    """`forward` of a printed graph, whose text is Python. It may come from a stranger: nothing of it is run that torch does not print for a graph."""
    try:
        with _PARSING:
            graphs = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    except SyntaxError as e:
        raise CaptureError(f"the text is no Python: {e}") from None
    forward = graphs[0].body[0] if len(graphs) == 1 else None
    if not isinstance(forward, ast.FunctionDef) or len(graphs[0].body) != 1 or forward.name != "forward" or forward.decorator_list or forward.returns:
        raise CaptureError("the text is not one class with one method forward")
    for node in (inner for part in (forward.args, *forward.body) for inner in ast.walk(part)):
        if not _prints(node) or forward.args.defaults or forward.args.kw_defaults:
            raise CaptureError(f"line {getattr(node, 'lineno', forward.lineno)} is no part of a graph: {ast.unparse(node)[:80]!r}")
    with _PARSING:
        exec(compile(ast.Module([forward], []), "graph.fx", "exec"), names)
    return names["forward"]


def execute(text, values, comm, wide=True, device="cpu", constants=None):
    """Runs a printed graph on {name: tensor}, which it does not change; the list of its outputs. `node.mask` is what the dropout of that name draws.
    comm: a Computed; wide: in double precision; constants: {name: number} that the text does not show. CaptureError for a text that is no graph, and for
    inputs without a value."""
    drawn = re.findall(r"^\s+(\w+) = torch\.ops\.aten\.native_dropout\.default\(", text, re.MULTILINE)
    names = {"torch": _Names(comm, wide, [values.get(node + ".mask") for node in drawn]), "inf": float("inf"), "nan": float("nan"), "device": lambda *a, **k: torch.device(device)}
    forward = _forward_of(text, names)
    parameters = list(inspect.signature(forward).parameters)[1:]
    missing = [p for p in parameters if p not in values]
    if missing:
        raise CaptureError(f"no value for the graph's inputs {', '.join(missing)}")
    self = type("Constants", (), {k: torch.tensor(v) for k, v in (constants or {}).items()})()
    result = forward(self, *[values[p].to(device, copy=True) for p in parameters])  # graphs write in place; other ranks have the same values
    return [stored(x).cpu() for x in (result if isinstance(result, (list, tuple)) else [result]) if x is not None]


def execute_all(texts, inputs, groups, wide=True, device="cpu", constants=None):
    """All ranks as threads, texts and inputs by rank; the lists of their outputs by rank. The first error of a rank is raised."""
    threads, results = Threads(len(texts)), [None] * len(texts)

    def run(rank):
        try:
            with torch.no_grad():
                results[rank] = execute(texts[rank], inputs[rank], Computed(threads, rank, groups), wide, device, constants)
        except Exception as e:
            results[rank] = e
        finally:
            threads.leave(rank)
    workers = [threading.Thread(target=run, args=(r,)) for r in range(len(texts))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    errors = [r for r in results if isinstance(r, Exception)]
    for e in sorted(errors, key=lambda e: isinstance(e, CaptureError)):  # what one rank raised first, then what others miss of it
        raise e
    return results
