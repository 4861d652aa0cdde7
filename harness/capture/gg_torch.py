"""Captures PyTorch programs as cases of gg-harness: one file, needs torch only, on a CPU without network.

    import gg_torch

    def args():                                    # called in every process, so every rank makes the same tensors
        return {"w": torch.randn(8, 8), "x": torch.randn(4, 8)}
    gg_torch.pair(sequential, distributed, args, {"tp": 2}, "case", placements={"w": ("tp", 1)})

then `gg-harness check case`. `sequential(**args)` and `distributed(**args)` are whole steps (forward, backward, update) and return what is
compared: tensors in dicts, lists or tuples. `capture(step, ...)` takes one step for both, at one rank and at all. Each rank is traced in a
process of its own under a fake process group; collectives become `_c10d_functional` operators, writes are functionalised. At the end the
printed text of every rank is executed against the step itself (gloo, double precision): a capture that is another program is refused
(CaptureError). `capture.log` says what was patched, baked in, rewritten and left out. Tested with torch 2.15.0.

As a program: `python3 gg_torch.py replay WITNESS [--gloo] [--device cuda]`; as `replay_torch.py` in a witness folder without arguments.
"""
import ast
import collections
import contextlib
import ctypes
import datetime
import functools
import inspect
import itertools
import json
import math
import multiprocessing
import operator
import os
import queue
import re
import sys
import tempfile
import threading
import time
import traceback
import warnings

import torch
import torch.distributed as dist
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils import _pytree as pytree


class CaptureError(Exception):
    """The step cannot be captured, or what was captured does not reproduce it; the message names the leaf, rank or line."""


class ApartError(CaptureError):
    """Ranks that run graphs wait for each other in collectives or messages that do not match."""


# ---------------------------------------------------------------------------------------------------------------------------- user's calls

def capture(step, args, ranks, out, **options):
    """One step for both sides: at one rank it is the sequential program, at `ranks` the distributed one. See pair()."""
    return pair(step, step, args, ranks, out, **options)


def record(step, args, ranks, out, **options):
    """As capture() for a step that values steer (`if loss > 3`, `.item()`, `nonzero`): it runs, by gloo, and the graphs are those of this run, whose
    inputs the relation has. gg-harness refutes them, or answers unknown: other inputs may take other ways. pair(recorded=True) is the same for two steps."""
    return pair(step, step, args, ranks, out, recorded=True, **options)


def pair(sequential, distributed, args, ranks, out, *, dist_args=None, batch=None, placements=None, outputs=None, ranges=None, ignore=None,
         masks=None, patches=(), check=True, note=None, recorded=False):
    """Captures `sequential(**args())` at one rank and `distributed(**dist_args())` at every rank of `ranks` into the folder `out`.

    args, dist_args: functions that return a dict of arguments: tensors, modules, optimizers, dicts and lists of them (dist_args: the same function).
        Parameters, buffers, tensors and the state of optimizers are the inputs of the graphs, named by their path; other values are constants of the program.
    ranks: {"dp": 2, "tp": 4}, the last axis fastest, or a number of ranks (axis "ranks").
    batch: {"tokens": "dp"} for inputs split over an axis along dimension 0, ("dp", 1) along dimension 1.
    placements: the same for other inputs, where modules do not tell (DTensor and Megatron parameters do); outputs: for outputs by name. A
        value may be any placement of docs/formats.md. An output whose name ends with an input's name is placed as that input.
    ranges, ignore: as in relation.json, by the same names as placements. masks: {"native_dropout": "dp"} makes what the dropouts of these names draw inputs, placed like that (any of the
        forms of placements; {"node": name on the ranks, "placement": ...} where the ranks call it otherwise). patches: context managers held while a step is built and runs, e.g. megatron_cpu().
    check: execute the text against the step. recorded: see record(). Returns `out`.
    """
    mesh = [[name, int(size)] for name, size in (ranks if isinstance(ranks, dict) else {"ranks": ranks}).items()]
    job = dict(mesh=mesh, placements=_placements({**(placements or {}), **(batch or {})}), patches=patches, recorded=recorded)
    world = _size(mesh)
    with tempfile.TemporaryDirectory() as folder:
        alone = [dict(job, step=sequential, args=args, rank=None, shapes=None)]
        ran = _ran(alone, folder) if recorded else None
        first = _in_processes([(_captured, (_answered(alone, ran)[0], folder))])[0]
        shapes = {leaf["name"]: leaf["shape"] for leaf in first["leaves"]}
        jobs = [dict(job, step=distributed, args=dist_args or args, rank=r, shapes=shapes) for r in range(world)]
        ran = [ran, _ran(jobs, folder) if recorded else None]
        parts = _in_processes([(_captured, (j, folder)) for j in _answered(jobs, ran[1])])
        relation = _relation(mesh, first, parts, job["placements"], _placements(outputs or {}), ranges, ignore, note)
        if recorded:
            relation["recorded"] = _values_of_run(ran, relation)
        log = _log([first] + parts, patches)
        if check:
            log += _reproduced(alone, jobs, first, parts, ran, relation, folder)
        if masks:
            relation["masks"] = _masks(masks, first)
    os.makedirs(out, exist_ok=True)
    for stale in os.listdir(out):
        if re.fullmatch(r"(sequential|distributed\.r\d+)\.fx|relation\.json|capture\.log", stale):
            os.remove(os.path.join(out, stale))
    texts = {"sequential.fx": first["text"], "relation.json": json.dumps(relation, indent=1) + "\n", "capture.log": "\n".join(log) + "\n"}
    texts.update({f"distributed.r{r}.fx": part["text"] for r, part in enumerate(parts)})
    for name, text in texts.items():
        with open(os.path.join(out, name), "w") as f:
            f.write(text)
    return out


def mesh(device="cpu"):
    """The DeviceMesh of `ranks`, inside a step or its arguments; at one rank all its axes have size 1."""
    if _Here.mesh is None:
        sizes = [size if _Here.rank is not None else 1 for _, size in _Here.axes]
        with _aside():
            _Here.mesh = dist.device_mesh.init_device_mesh(device, tuple(sizes), mesh_dim_names=tuple(name for name, _ in _Here.axes))
    return _Here.mesh


def group(axis):
    """The process group of one axis of `ranks`."""
    return mesh().get_group(axis)


def grads(loss, xs):
    """Gradients of `loss` by the trainable parameters of a module, or by the tensors of a dict, by name; zeros where nothing leads there. Once a loss: all
    that are wanted of it at once, since torch frees the graph of a loss whose gradients were taken."""
    named = dict(xs.named_parameters()) if isinstance(xs, torch.nn.Module) else dict(xs)
    named = {name: x for name, x in named.items() if x.requires_grad}
    found = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
    return {name: torch.zeros_like(x) if g is None else g for (name, x), g in zip(named.items(), found)}


def local(module, device_mesh=None):
    """The tensors that this rank holds of a module's parameters, and their placements: {name: (tensor, placement or None)}."""
    return {leaf.name: (leaf.value, leaf.placement) for leaf in _leaves({"module": module}, device_mesh)[0]}


class _Here:
    """What this process is: the axes of the mesh, its rank (None: the sequential side), and whether it traces."""
    axes, rank, mesh, tracing = [], None, None, False


def _size(axes):
    n = 1
    for _, size in axes:
        n *= size
    return n


# ------------------------------------------------------------------------------------------------------------------------------ placements

def _placements(given):
    """The user's short forms as placements of relation.json: an axis, (axis or axes, dimension), or a placement as it is."""
    def one(value):
        if isinstance(value, tuple):
            axes, dim = value
            return {"shard": [axes] if isinstance(axes, str) else list(axes), "dim": dim}
        if isinstance(value, str) and re.fullmatch(r"\w+", value) and value not in ("replicated", "ignored"):
            return {"shard": [value], "dim": 0}
        return value
    return {_identifier(name): one(value) for name, value in given.items()}


def _dims(placement, rank):
    """A placement by dimensions: one list of axes each; None if it is no plain split."""
    if placement is None or placement == "replicated":
        return [[] for _ in range(rank)]
    if isinstance(placement, dict) and set(placement) == {"shard", "dim"}:
        at = placement["dim"] + rank if placement["dim"] < 0 else placement["dim"]
        return [list(placement["shard"]) if d == at else [] for d in range(rank)]
    return placement if isinstance(placement, list) else None


def _printed(placement, rank):
    """A placement as relation.json has it."""
    return _dims(placement, rank) if isinstance(placement, dict) and "shard" in placement else placement


def _coordinates(axes, rank):
    found = {}
    for name, size in reversed(axes):
        found[name] = rank % size
        rank //= size
    return found


def _stored(x):
    """A tensor as inputs and outputs of a pair hold it: complex numbers as their parts."""
    return torch.view_as_real(x.resolve_conj()) if x.is_complex() else x


def _widened(kind):
    """The type in which a float or a complex type is checked."""
    return torch.float64 if kind.is_floating_point else torch.complex128 if kind.is_complex else kind


def _part(tensor, placement, axes, rank):
    """The part of a sequential tensor that a rank holds; None if the placement is no plain split."""
    dims = _dims(placement, tensor.dim())
    if dims is None:
        return None
    where, sizes = _coordinates(axes, rank), dict(map(tuple, axes))
    for d, item in enumerate(dims):
        names = item["axes"] if isinstance(item, dict) else item
        how = item if isinstance(item, dict) else {}
        if set(how) - {"axes", "stride", "split", "segments", "pad"}:
            return None
        if not names:
            continue
        index, count = 0, 1
        for name in names:
            index, count = index * sizes[name] + where[name], count * sizes[name]
        if "stride" in how:  # cyclic in blocks of `stride` elements
            tensor = tensor.index_select(d, torch.tensor([k for k in range(tensor.shape[d]) if k // how["stride"] % count == index]))
            continue
        if "segments" in how:
            tensor = torch.cat([part.chunk(count, d)[index] for part in tensor.split(how["segments"], d)], d)
            continue
        if "pad" in how:
            tensor = torch.cat([tensor, tensor.new_zeros(*tensor.shape[:d], how["pad"] - tensor.shape[d], *tensor.shape[d + 1:])], d)
        block = -(-tensor.shape[d] // count)
        tensor = tensor.narrow(d, min(index * block, tensor.shape[d]), max(0, min(block, tensor.shape[d] - index * block)))
    return tensor


def _dtensor_placement(x):
    """relation.json's placement of a DTensor: axes by dimension, inner split first where _StridedShard says so; partial sums."""
    names, dims, partial, strided = x.device_mesh.mesh_dim_names, [[] for _ in range(x.dim())], [], {}
    operation = "sum"
    for name, placement in zip(names, x.placements):
        if placement.is_partial():
            partial.append(name)
            operation = placement.reduce_op
        elif hasattr(placement, "dim"):
            dims[placement.dim].append(name)
            if type(placement).__name__ == "_StridedShard":
                strided[placement.dim] = placement.split_factor
    for d, item in enumerate(dims):
        if d in strided:  # the axis of a _StridedShard stands right of the axes that split before it
            inner = math.prod(x.device_mesh.size(names.index(name)) for name in item[1:])
            if strided[d] != inner:
                raise CaptureError(f"a _StridedShard of dimension {d} with split factor {strided[d]}; the axes behind it, {', '.join(item[1:]) or 'none'}, split it into {inner}")
            dims[d] = item[1:] + item[:1]
        elif item:
            dims[d] = item if x.shape[d] % max(1, x.device_mesh.size()) == 0 else {"axes": item, "split": "chunk"}
    if partial:
        return {"partial": partial, "op": operation, "dims": dims}
    return dims if any(dims) else "replicated"


def _megatron_placement(p):
    """Megatron's attributes: tensor_model_parallel, partition_dim (of some modules nothing: the first), partition_stride."""
    size = dict(map(tuple, _Here.axes)).get("tp", 1)
    if not getattr(p, "tensor_model_parallel", False) or _Here.rank is None or size == 1:
        return None
    dims = [[] for _ in range(p.dim())]
    dim, stride = max(0, getattr(p, "partition_dim", 0)), getattr(p, "partition_stride", 1)
    whole = p.shape[dim] * size
    dims[dim] = ["tp"] if stride == 1 else {"axes": ["tp"], "segments": [whole // stride] * stride}
    return dims


# ---------------------------------------------------------------------------------------------------------------------------------- leaves

class _Leaf:
    """An input of the graph: its name, the local tensor, how to put another tensor in its place, and what the process says of it.

    given: the tensor that the user's arguments hold; wrap: what takes its place, for a local tensor; like: the input that it is split as, if nobody says
    more; longer: its name where another input has the same one, with that of the argument."""

    def __init__(self, name, given, value, wrap, put, placement, expert):
        self.name, self.given, self.value, self.wrap, self.put, self.placement, self.expert = name, given, value, wrap, put, placement, expert
        self.parameter, self.like, self.longer = isinstance(given, torch.nn.Parameter), None, name

    def take(self, x):
        """Puts a local tensor in the place of the leaf."""
        self.put(self.wrap(x))


def _unwrapped(path):
    """A path without the names that wrappers of modules add."""
    return re.sub(r"\b(module|_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.", "", str(path))


def _identifier(path):
    """What torch.fx calls the parameter of a graph that is made for a path: `layers.0.A_log` is layers_0_a_log, `input` is input_1."""
    name = re.sub(r"\W+", "_", _unwrapped(path)).strip("_")
    return torch.fx.Graph().placeholder(name if re.match(r"[A-Za-z]", name) else "arg_" + name).name


def _leaves(args, device_mesh=None):
    """The leaves of a dict of arguments, and a function from new values to the arguments with them in place."""
    leaves, parents = [], []

    optimizers = []

    def visit(value, path, put):
        if isinstance(value, torch.nn.Module):
            visit_module(value, path)
        elif isinstance(value, torch.optim.Optimizer):
            optimizers.append((path, value))
        elif isinstance(value, torch.Tensor):
            leaves.append(_tensor_leaf(path, value, put, device_mesh))
        elif isinstance(value, dict):
            copy = dict(value)
            put(copy)
            for key, item in value.items():
                visit(item, f"{path}.{key}" if path else str(key), lambda new, copy=copy, key=key: copy.__setitem__(key, new))
        elif isinstance(value, (list, tuple)) and any(isinstance(x, (torch.Tensor, torch.nn.Module)) for x in pytree.tree_leaves(list(value))):
            if isinstance(value, tuple):
                raise CaptureError(f"argument '{path}' is a tuple with tensors: give a list")
            copy = list(value)
            put(copy)
            for k, item in enumerate(value):
                visit(item, f"{path}.{k}", lambda new, copy=copy, k=k: copy.__setitem__(k, new))

    def visit_module(module, path):
        holders = {}  # a tied parameter is one leaf with several places
        for prefix, part in module.named_modules(remove_duplicate=True):
            for table in (part._parameters, part._buffers):
                for key, tensor in table.items():
                    if tensor is not None:
                        holders.setdefault(id(tensor), []).append((f"{prefix}.{key}" if prefix else key, table, key, tensor))
        for places in holders.values():
            def put(new, places=places):
                for _, table, key, _ in places:
                    table[key] = new
            leaves.append(_tensor_leaf(places[0][0], places[0][3], put, device_mesh))
            leaves[-1].longer = _identifier(f"{path}.{places[0][0]}")

    copy = dict(args)
    for key, value in args.items():
        known = len(leaves)
        visit(value, key if not isinstance(value, dict) else "", lambda new, key=key: copy.__setitem__(key, new))
        for leaf in leaves[known:] if isinstance(value, dict) else ():
            leaf.longer = _identifier(f"{key}.{leaf.longer}")
    names = collections.Counter(leaf.name for leaf in leaves)
    for leaf in leaves:
        leaf.name = leaf.longer if names[leaf.name] > 1 else leaf.name
    for path, optimizer in optimizers:
        leaves += _of_optimizer(path, optimizer, {id(leaf.given): leaf for leaf in leaves}, device_mesh)
    for name, count in collections.Counter(leaf.name for leaf in leaves).items():
        if count > 1:
            raise CaptureError(f"two inputs are called '{name}': name the arguments apart")
    return leaves, copy


def _of_optimizer(path, optimizer, known, device_mesh):
    """The leaves of an optimizer's state, by the name of the parameter; its parameters and what belongs to them follow those of the step (`known` by
    the tensor that was given). Numbers of one element that are on no parameter's device are counts of steps, which Python reads: constants."""
    made = []
    for part in optimizer.param_groups:
        for k, p in enumerate(part["params"]):
            leaf = known.get(id(p))
            if leaf is None:
                raise CaptureError(f"optimizer '{path}' holds a parameter of {list(p.shape)} that is no argument of the step: give its module as an argument too")
            state = optimizer.state.get(p, {})

            def put(new, kept=leaf.put, holder=part["params"], k=k, p=p, state=state):
                kept(new)
                holder[k] = new
                if optimizer.state.pop(p, None) is not None:
                    optimizer.state[new] = state
                for key, count in [(key, x) for key, x in state.items() if isinstance(x, torch.Tensor) and x.dim() == 0]:
                    state[key] = torch.tensor(count.item(), dtype=count.dtype)
            leaf.put = put
            for key, value in state.items():
                if isinstance(value, torch.Tensor) and value.dim() > 0:
                    held = _tensor_leaf(f"{path}.{leaf.name}.{key}", value, functools.partial(state.__setitem__, key), device_mesh)
                    held.placement = held.placement or (leaf.placement if value.shape == p.shape else None)
                    held.like = leaf.name if value.shape == p.shape else None
                    made.append(held)
    return made


def _tensor_leaf(path, value, put, device_mesh):
    from torch.distributed.tensor import DTensor
    parameter = isinstance(value, torch.nn.Parameter)
    if isinstance(value, DTensor):
        where, placements, shape, stride = device_mesh or value.device_mesh, value.placements, value.shape, value.stride()
        inside = value.to_local().detach()
        wrap = lambda x: DTensor.from_local(x, where, placements, run_check=False, shape=shape, stride=stride)
        placement = _dtensor_placement(value)
    else:
        inside, wrap, placement = value.detach(), lambda x: x, _megatron_placement(value)
    attributes = {k: v for k, v in vars(value).items()} if parameter else {}

    def replacement(x):
        x = wrap(x)
        if parameter:
            x = torch.nn.Parameter(x, requires_grad=value.requires_grad)
            vars(x).update(attributes)
        elif value.requires_grad:
            x = x.detach().requires_grad_(True)
        return x
    expert = not getattr(value, "allreduce", True)  # Megatron: the ranks hold parameters of different experts by one name
    return _Leaf(_identifier(path), value, inside, replacement, put, placement, expert)


def _check_storage(leaves):
    """Every leaf its own storage: tracing makes one placeholder of a tensor that is passed twice."""
    seen = {}
    for leaf in leaves:
        if leaf.value.numel() == 0:
            continue
        key = leaf.value.untyped_storage().data_ptr()
        if key in seen:
            raise CaptureError(f"inputs '{seen[key]}' and '{leaf.name}' share their storage: clone one of them (a parameter that a module uses twice is fine)")
        seen[key] = leaf.name


def _localise(leaves, job):
    """Cuts leaves that have the sequential shape and are to be split; the others are what this rank holds."""
    for leaf in leaves:
        given = job["placements"].get(leaf.name, job["placements"].get(leaf.like))
        leaf.placement = given if given is not None else leaf.placement
        if job["rank"] is None or leaf.placement in (None, "replicated") or list(leaf.value.shape) != job["shapes"].get(leaf.name):
            continue
        part = _part(leaf.value, leaf.placement, job["mesh"], job["rank"])
        if part is not None:
            leaf.value = part.clone()


# ------------------------------------------------------------------------------------------------------------------------- one rank's step

class _Program:
    """A step with its arguments as a function of flat tensors, and what its outputs are called."""

    def __init__(self, job):
        self.job = job
        args = job["args"]() if callable(job["args"]) else job["args"]
        if not isinstance(args, dict):
            raise CaptureError("the arguments are not a dict by the parameters of the step")
        self.leaves, self.args = _leaves(args)
        _check_storage(self.leaves)
        _localise(self.leaves, job)
        self.names, self.placed, self.steering = [], [], contextlib.nullcontext()

    def __call__(self, *values):
        from torch.distributed.tensor import DTensor
        for leaf, value in zip(self.leaves, values):
            leaf.take(value)
        watch = register_optimizer_step_pre_hook(self.of_this_step)
        try:
            with self.steering:
                result = self.job["step"](**self.args)
        finally:
            watch.remove()
        tensors, self.names, self.placed, self.ranks = [], [], [], []
        for path, value in pytree.tree_flatten_with_path(result)[0]:
            name = ".".join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", k)))) for k in path) or "result"
            name = _unwrapped(name)
            if not isinstance(value, torch.Tensor):
                if value is not None:
                    raise CaptureError(f"output '{name}' is {value!r}, no tensor: a Python number would be a constant of the graph")
                continue
            self.placed.append(_dtensor_placement(value) if isinstance(value, DTensor) else None)
            self.names.append(name)
            self.ranks.append(value.dim())
            value = value.to_local() if isinstance(value, DTensor) else value
            tensors.append(value.wait() if hasattr(value, "wait") else value)
        if not tensors:
            raise CaptureError("the step returns no tensor: nothing would be compared")
        return tensors


    def of_this_step(self, optimizer, *_):
        """An optimizer must update the parameters of the graph, not those that they took the place of."""
        before = {id(leaf.given): leaf.name for leaf in self.leaves}
        stale = next((before[id(p)] for part in optimizer.param_groups for p in part["params"] if id(p) in before), None)
        if stale:
            raise CaptureError(f"an optimizer that is no argument of the step updates '{stale}': make it an argument, or make it inside the step")


@contextlib.contextmanager
def _process(job, backend, store=None):
    """This process as one rank: process group, seeds, patches, attention as plain operators."""
    rank, world = (job["rank"], _size(job["mesh"])) if job["rank"] is not None else (0, 1)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    _Here.axes, _Here.rank, _Here.mesh = job["mesh"], job["rank"], None
    if backend == "fake":
        from torch.testing._internal.distributed.fake_pg import FakeStore
        store = FakeStore()
    else:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        store = dist.FileStore(store, world)
    dist.init_process_group(backend, rank=rank, world_size=world, store=store, timeout=job.get("timeout", _TIMEOUT))
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH))
        stack.enter_context(_known_dropout())
        stack.enter_context(_meshes_aside())
        stack.enter_context(_groups_by(backend))
        stack.enter_context(torch._dynamo.config.patch(error_on_nested_fx_trace=False))  # what torch.compile wraps is traced as it stands
        stack.enter_context(torch.compiler.set_stance("force_eager"))
        if backend == "fake":
            stack.enter_context(_traceable_ddp())
        for patch in job["patches"]:
            stack.enter_context(patch() if callable(patch) else patch)
        yield rank, world


def _captured(job, folder):
    """One rank's text and what the process knows about its inputs, outputs and groups."""
    with _process(job, "fake"):
        program = _Program(job)
        values = [leaf.value.detach().clone() for leaf in program.leaves]
        log = []
        if job["recorded"]:
            program.steering = _Steering(job["answers"])
        with _lines():
            graph = _traced(program, values)
        if job["recorded"]:
            log += program.steering.told()
        graph = _rewritten(graph, log)
        graph, written = _functional(graph, values, [leaf.name for leaf in program.leaves], log)
        text = _text(graph, program, log, 0 if job["rank"] is None else job["rank"])
        leaves = [dict(name=leaf.name, expert=leaf.expert, shape=list(leaf.value.shape), placement=leaf.placement, hash=_digest(leaf.value)) for leaf in program.leaves]
        return dict(text=text, leaves=leaves, outputs=program.names, placed=program.placed, ranks=program.ranks, log=log, rank=job["rank"], groups=_groups(), written=written,
                    shapes={leaf.name: list(v.shape) for leaf, v in zip(program.leaves, values)})


def _digest(tensor):
    x = tensor.detach().contiguous()
    return hash(ctypes.string_at(x.data_ptr(), x.nbytes)) if x.numel() else 0


def _groups():
    return {p.group_name: dist.get_process_group_ranks(p) for p in dist.distributed_c10d._world.pg_map}


def _traced(program, values):
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch._subclasses.fake_tensor import DataDependentOutputException
    _Here.tracing = True
    try:
        return make_fx(program, tracing_mode="fake", record_stack_traces=True)(*values)
    except CaptureError:
        raise
    except (DataDependentOutputException, torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode) as e:
        raise CaptureError(f"{_user_line(e)}: a value steers Python here ({_first(e)}): the graph would be that of one draw. Use fixed sizes, or mask") from None
    except Exception as e:
        if "FakeTensor" in str(e) or "fake" in str(e).lower():
            raise CaptureError(f"{_user_line(e)}: a tensor that is no input of the step is used here: make it an argument, a parameter or a buffer ({_first(e)})") from None
        raise
    finally:
        _Here.tracing = False


def _first(e):
    return (str(e).strip().splitlines() or [type(e).__name__])[0][:200]


def _user_line(e):
    frames = [f for f in traceback.extract_tb(e.__traceback__) if _is_users(f.filename)]
    return f"{_short(frames[-1].filename)}:{frames[-1].lineno}" if frames else "step"


# ---------------------------------------------------------------------------------------------------------------------------- source lines

_TIMEOUT, _SHORT = datetime.timedelta(seconds=60), datetime.timedelta(seconds=5)  # of what runs by gloo, and of what is known to hang
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_STDLIB = os.path.dirname(os.path.abspath(os.__file__)) + os.sep
_SELF = os.path.abspath(__file__)
_BLOCKING = ", blocking"


def _is_users(filename):
    path = os.path.abspath(filename)
    return not (path.startswith(_TORCH) or path.startswith(_STDLIB) and "site-packages" not in path or path == _SELF or filename.startswith("<"))


def _short(filename):
    if "site-packages" + os.sep in filename:
        return filename.rsplit("site-packages" + os.sep, 1)[1]
    return os.path.relpath(filename) if os.path.abspath(filename).startswith(os.getcwd() + os.sep) else os.path.basename(filename)


@contextlib.contextmanager
def _lines():
    """Every node gets the user's frames; nodes of the backward pass those of the forward operator that they belong to."""
    published = []

    def users(self, summary):
        frames, below = list(summary), 0
        start = max([k for k, f in enumerate(frames) if f.name == "_child" and os.path.abspath(f.filename) == _SELF] or [0])
        frames = frames[start:]  # what called the helper is no part of the step
        suffix = _BLOCKING if any(f.name == "send" and f.filename.endswith("distributed_c10d.py") for f in frames) else ""
        for k, frame in enumerate(frames):
            if frame.name == "_engine_run_backward":
                below = k
        mine = [(f.filename, f.lineno, f.name, f.line) for f in frames[below:] if _is_users(f.filename)]
        if below and published:  # what a backward function of the user's runs belongs to where its forward was called
            mine = published[-1] + mine
        return chain(mine or [(f.filename, f.lineno, f.name, f.line) for f in frames if _is_users(f.filename)], suffix)

    def chain(frames, suffix=""):
        """The innermost frame; those that called it stand behind its name, where print_readable shows them."""
        places = [f"{_short(filename)}:{line} in {name}" for filename, line, name, _ in frames[-4:]]
        if not places:
            return traceback.StackSummary()
        filename, line, name, code = frames[-1]
        callers = "".join(f", called from {place}" for place in reversed(places[:-1]))
        return traceback.StackSummary.from_list([traceback.FrameSummary(_short(filename), line, name + callers + suffix, lookup_line=False, line=code)])

    def forward_of(node):
        frames = []
        for text in node.metadata.get("traceback_", []):
            found = re.match(r'\s*File "(.+)", line (\d+), in (.+)\n\s*(.*)', text)
            if found and os.path.abspath(found[1]) == _SELF and found[3] == "_child":
                frames = []
            elif found and _is_users(found[1]):
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
    kept = base._filter_traceback_frames, torch.autograd._engine_run_backward, torch.autograd.graph._engine_run_backward
    base._filter_traceback_frames = users
    torch.autograd._engine_run_backward = torch.autograd.graph._engine_run_backward = watched(kept[1])
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Anomaly Detection")
            anomaly = torch.autograd.detect_anomaly(check_nan=False)
        with anomaly:
            yield
    finally:
        base._filter_traceback_frames, torch.autograd._engine_run_backward, torch.autograd.graph._engine_run_backward = kept


# --------------------------------------------------------------------------------------------------------------------- rewriting the graph

_ATEN, _C10D = torch.ops.aten, torch.ops._c10d_functional


def _unbox(graph, node):
    """A boxed process group or reduction of a graph: (name, ranks) or the reduction's name."""
    box = getattr(graph, node.target)
    if "ProcessGroup" in str(box._type()):
        g = dist.ProcessGroup.unbox(box)
        return g.group_name, dist.get_process_group_ranks(g)
    op = dist.ReduceOp.unbox(box)
    kind, factor = op.__getstate__() if hasattr(op, "op") else (op, None)
    kind = str(kind).rsplit(".", 1)[-1].lower()
    return (kind, factor) if kind == "premul_sum" else kind


class _Rewriter:
    """c10d.* and fsdp.* operators as functional collectives and copies into the tensors that they write."""

    def __init__(self, graph):
        self.old, self.new, self.values, self.meta, self.count, self.sent = graph, torch.fx.Graph(), {}, {}, {}, []

    def emit(self, op, *args):
        node = self.new.call_function(op, args)
        node.meta = {k: v for k, v in self.meta.items() if k not in ("val", "tensor_meta")}
        return node

    def finish(self):
        """Sends are waited for at the end, those of dist.send at once: an isend's own wait leaves nothing in the graph."""
        for send, self.meta in self.sent:
            self.emit(_C10D.wait_tensor.default, send)

    def wait(self, op, *args):
        return self.emit(_C10D.wait_tensor.default, self.emit(op, *args))

    def reduction(self, x, op):
        """The operand and the name of a reduction; the factor of PREMUL_SUM is an operator of its own."""
        return (self.emit(_ATEN.mul.Tensor, x, op[1]), "sum") if isinstance(op, tuple) else (x, op)

    def into(self, target, value, shape):
        self.emit(_ATEN.copy_.default, target, self.emit(_ATEN.view.default, value, list(shape)))

    def shape(self, argument):
        return list(argument.meta["val"].shape)

    def run(self):
        for node in self.old.graph.nodes:
            self.meta = node.meta
            args = torch.fx.map_arg((node.args, node.kwargs), lambda n: self.values[n])
            space = getattr(node.target, "namespace", "")
            if node.op == "get_attr" and node.target.startswith("_torchbind_obj"):
                self.values[node] = _unbox(self.old, node)
            elif node.op == "call_function" and (space in ("c10d", "fsdp") or space == "aten" and re.fullmatch(r"_fused_\w+_", node.target._opname)):
                name = node.target._opname
                rule = self.fused if space == "aten" else getattr(self, f"{space}_{name.strip('_')}", None)
                if rule is None:
                    raise CaptureError(f"{space}.{name} cannot be rewritten as a functional collective")
                self.count[f"{space}.{name}"] = self.count.get(f"{space}.{name}", 0) + 1
                defaults = {a.name: a.default_value for a in node.target._schema.arguments if a.has_default_value()}
                named = dict(zip([a.name for a in node.target._schema.arguments], args[0]))
                self.values[node] = rule(node, **{**defaults, **named, **args[1]})
            elif node.op == "call_function" and node.target.__name__ == "getitem" and not isinstance(self.values[node.args[0]], torch.fx.Node):
                self.values[node] = self.values[node.args[0]][node.args[1]]
            elif node.op == "output":
                self.finish()
                self.new.output(args[0][0])
            else:
                copy = self.new.node_copy(node, lambda n: self.values[n])
                self.values[node] = copy
        return torch.fx.GraphModule(self.old, self.new)

    # Each rule: (node, arguments of the schema) -> the results, tensors in place of themselves.
    def c10d_allreduce(self, node, tensors, process_group, reduce_op, **_):
        for x in tensors:
            self.into(x, self.wait(_C10D.all_reduce.default, *self.reduction(x, reduce_op), process_group[0]), self.shape(x))
        return tensors, None

    def c10d_allreduce_coalesced(self, node, **named):
        return self.c10d_allreduce(node, **named)[1]

    def c10d_allgather_base(self, node, output_tensor, input_tensor, process_group, **_):
        self.into(output_tensor, self.wait(_C10D.all_gather_into_tensor.default, input_tensor, len(process_group[1]), process_group[0]), self.shape(output_tensor))
        return output_tensor, None

    def c10d_allgather_into_tensor_coalesced(self, node, outputs, inputs, process_group, **_):
        for y, x in zip(outputs, inputs):
            self.c10d_allgather_base(node, y, x, process_group)

    def c10d_allgather(self, node, output_tensors, input_tensors, process_group, **_):
        for outs, x in zip(output_tensors, input_tensors):
            if any(self.shape(y) != self.shape(x) for y in outs):
                raise CaptureError("all_gather of tensors of different shapes")
            front = self.emit(_ATEN.unsqueeze.default, x, 0)
            all_of = self.wait(_C10D.all_gather_into_tensor.default, front, len(process_group[1]), process_group[0])
            for k, y in enumerate(outs):
                self.into(y, self.emit(_ATEN.select.int, all_of, 0, k), self.shape(y))
        return output_tensors, None

    def c10d_reduce_scatter_base(self, node, output_tensor, input_tensor, process_group, reduce_op, **_):
        x = self.emit(_ATEN.view.default, input_tensor, [len(process_group[1]), -1])
        self.into(output_tensor, self.wait(_C10D.reduce_scatter_tensor.default, *self.reduction(x, reduce_op), len(process_group[1]), process_group[0]), self.shape(output_tensor))
        return output_tensor, None

    def c10d_reduce_scatter_tensor_coalesced(self, node, outputs, inputs, process_group, reduce_op, **_):
        for y, x in zip(outputs, inputs):
            self.c10d_reduce_scatter_base(node, y, x, process_group, reduce_op)

    def c10d_reduce_scatter(self, node, output_tensors, input_tensors, process_group, reduce_op, **_):
        for y, xs in zip(output_tensors, input_tensors):
            stacked = self.emit(_ATEN.stack.default, list(xs))
            self.into(y, self.wait(_C10D.reduce_scatter_tensor.default, *self.reduction(stacked, reduce_op), len(process_group[1]), process_group[0]), self.shape(y))
        return output_tensors, None

    def c10d_alltoall_base(self, node, output, input, process_group, output_split_sizes, input_split_sizes, **_):
        n = len(process_group[1])
        even = lambda x: [self.shape(x)[0] // n] * n
        splits = list(output_split_sizes) or even(output), list(input_split_sizes) or even(input)
        self.into(output, self.wait(_C10D.all_to_all_single.default, input, *splits, process_group[0]), self.shape(output))

    def c10d_alltoall(self, node, output_tensors, input_tensors, process_group, **_):
        sizes = lambda xs: [torch.Size(self.shape(x)).numel() for x in xs]
        flat = self.emit(_ATEN.cat.default, [self.emit(_ATEN.view.default, x, [-1]) for x in input_tensors])
        got, at = self.wait(_C10D.all_to_all_single.default, flat, sizes(output_tensors), sizes(input_tensors), process_group[0]), 0
        for y, size in zip(output_tensors, sizes(output_tensors)):
            self.into(y, self.emit(_ATEN.slice.Tensor, got, 0, at, at + size), self.shape(y))
            at += size
        return output_tensors, None

    def c10d_broadcast(self, node, tensors, process_group, root_rank, **_):
        for x in tensors:
            self.into(x, self.wait(_C10D.broadcast.default, x, root_rank, process_group[0]), self.shape(x))
        return tensors, None

    def c10d_reduce(self, node, tensors, process_group, reduce_op, root_rank, **_):
        mine = float(process_group[1].index(dist.get_rank()) == root_rank)  # the same operators on every rank, another number
        for x in tensors:
            total = self.wait(_C10D.all_reduce.default, x, reduce_op, process_group[0])
            self.into(x, self.emit(_ATEN.add.Tensor, self.emit(_ATEN.mul.Tensor, total, mine), self.emit(_ATEN.mul.Tensor, x, 1 - mine)), self.shape(x))

    def c10d_send(self, node, tensors, process_group, dst, tag):
        blocking = _BLOCKING in (node.stack_trace or "")
        if blocking:
            self.meta = {**self.meta, "stack_trace": node.stack_trace.replace(_BLOCKING, "")}
        for x in tensors:
            send = self.emit(_C10D.isend.default, x, process_group[1][dst], tag, process_group[0])
            if blocking:
                self.emit(_C10D.wait_tensor.default, send)
            else:
                self.sent.append((send, self.meta))

    def c10d_recv(self, node, tensors, process_group, src, tag):
        for x in tensors:
            self.into(x, self.wait(_C10D.irecv.default, x, process_group[1][src], tag, process_group[0]), self.shape(x))

    def c10d_barrier(self, node, **_):
        return None
    c10d_monitored_barrier = c10d_check_for_nan = fsdp_record_grad_output_stream = c10d_barrier

    def fsdp_all_gather_copy_in(self, node, all_gather_inputs, all_gather_output, inp_split_sizes, all_gather_input_numel, rank):
        mine = self.emit(_ATEN.slice.Tensor, all_gather_output, 0, all_gather_input_numel * rank, all_gather_input_numel * (rank + 1))
        flat = [self.emit(_ATEN.view.default, x, [-1]) for x in all_gather_inputs]
        self.emit(_ATEN.copy_.default, mine, self.emit(_ATEN.cat.default, flat))
        mine.meta["val"] = node.meta["val"][0]
        return mine, all_gather_output

    def fsdp_split_with_sizes_copy(self, node, all_gather_output, all_gather_input_split_sizes, dim, out):
        at = 0
        for y, size in zip(out, all_gather_input_split_sizes):
            self.into(y, self.emit(_ATEN.slice.Tensor, all_gather_output, dim, at, at + size), self.shape(y))
            at += size

    def fsdp_chunk_cat(self, node, tensors, dim, num_chunks, out):
        self.into(out, self.emit(_ATEN._chunk_cat.default, list(tensors), dim, num_chunks), self.shape(out))
    fsdp_chunk_cat_mixed_dtype = fsdp_chunk_cat


    def fused(self, node, /, grad_scale, found_inf, **named):
        """A fused optimizer's writes as copies of what its form without writes returns: torch cannot make a call functional whose lists are empty."""
        if grad_scale is not None or found_inf is not None:
            raise CaptureError(f"{node.target} with a scale of its gradients")
        plain = getattr(getattr(_ATEN, node.target._opname.rstrip("_")), node.target._overloadname)
        written = [a.name for a in node.target._schema.arguments if a.alias_info is not None and a.alias_info.is_write]
        positional = [a.name for a in plain._schema.arguments if not a.kwarg_only]
        made = self.emit(plain, *[named[name] for name in positional])
        made.kwargs = {name: value for name, value in named.items() if name not in positional}
        for k, name in enumerate(written):
            results = self.emit(operator.getitem, made, k)
            for j, x in enumerate(named[name]):
                if name != "grads":
                    self.emit(_ATEN.copy_.default, x, self.emit(operator.getitem, results, j))


def _rewritten(graph, log):
    rewriter = _Rewriter(graph)
    result = rewriter.run()
    log += [f"rewritten {name}: {count}" for name, count in sorted(rewriter.count.items())]
    return result


def _functional(graph, values, names, log):
    """Without writes and dead code, small constant tensors as operators; and which inputs are written and not returned. names: of the inputs."""
    from torch.fx.experimental.proxy_tensor import make_fx
    graph = _constants(graph, log)

    def run(*inputs):
        with torch.fx.traceback.preserve_node_meta():
            return torch.fx.Interpreter(graph).run(*inputs)
    result = make_fx(torch.func.functionalize(run, remove="mutations"), tracing_mode="fake")(*values)
    result = _constants(result, [])
    inputs = [n for n in result.graph.nodes if n.op == "placeholder"]
    returned, written = {_named_anew(n) for n in result.graph.output_node().all_input_nodes}, []
    for node in list(result.graph.nodes):
        if node.target is _ATEN.copy_.default and node.args[0] in inputs and not node.users:
            if _named_anew(node.args[1]) not in returned:
                written.append(names[inputs.index(node.args[0])])
                log.append(f"left out: input '{written[-1]}' is written in place; return it to have it compared")
            result.graph.erase_node(node)
    _plain_strides(result)
    # What a rank does not need another one waits for: collectives stay.
    result.graph.eliminate_dead_code(lambda n: n.op in ("placeholder", "output") or getattr(n.target, "namespace", "") in ("_c10d_functional", "_dtensor"))
    for node in result.graph.nodes:
        if node.op == "call_function" and getattr(getattr(node.target, "_schema", None), "is_mutable", False):
            raise CaptureError(f"{node.target} writes into its operand and could not be made functional: {node.stack_trace or 'no line'}")
        if node.target is _ATEN._local_scalar_dense.default:
            raise CaptureError(f"a value steers Python here, an element of '{node.args[0]}': use fixed sizes, or mask ({(node.stack_trace or 'no line').strip()})")
    return result, written


def _named_anew(node):
    """The node whose value this one only gives another name."""
    while node.target in (_ATEN.alias.default, _ATEN.detach.default):
        node = node.args[0]
    return node


def _plain_strides(graph):
    """as_strided and as_strided_scatter of a row-major piece of a tensor that is all of its storage, as slices of it."""
    for node in list(graph.graph.nodes):
        scatter = node.target is _ATEN.as_strided_scatter.default
        if not scatter and node.target is not _ATEN.as_strided.default:
            continue
        base, (size, stride) = node.args[0], node.args[1 + scatter:3 + scatter]
        whole, offset = base.meta["val"], (node.args[3 + scatter] if len(node.args) > 3 + scatter else 0)
        if not whole.is_contiguous() or whole.storage_offset() != 0 or list(torch.empty(size, device="meta").stride()) != list(stride):
            continue
        meta, end = {k: v for k, v in node.meta.items() if k not in ("val", "tensor_meta")}, offset + torch.Size(size).numel()
        with graph.graph.inserting_before(node):
            def call(op, *args):
                new = graph.graph.call_function(op, args)
                with whole.fake_mode:
                    new.meta = {**meta, "val": op(*torch.fx.map_arg(args, lambda n: n.meta["val"]))}
                return new
            flat = call(_ATEN.view.default, base, [-1])
            if scatter:
                part = call(_ATEN.view.default, node.args[1], [-1])
                new = call(_ATEN.view.default, call(_ATEN.slice_scatter.default, flat, part, 0, offset, end), list(whole.shape))
            else:
                new = call(_ATEN.view.default, call(_ATEN.slice.Tensor, flat, 0, offset, end), list(size))
        node.replace_all_uses_with(new)
        graph.graph.erase_node(node)


def _constants(graph, log):
    """get_attr of tensors: small ones as operators, others refused: nothing is baked in silently."""
    for node in list(graph.graph.nodes):
        if node.op != "get_attr":
            continue
        value = getattr(graph, node.target)
        value = getattr(value, "constant", None) if type(value).__name__ == "FakeTensor" else value
        if not isinstance(value, torch.Tensor) or value.numel() > 256:
            size = f" of {value.numel()} elements" if isinstance(value, torch.Tensor) else ""
            raise CaptureError(f"a tensor{size} would be baked in: make it an argument, a parameter or a buffer ({(node.stack_trace or 'no line').splitlines()[0].strip()})")
        with graph.graph.inserting_before(node):
            def full(shape, number):
                new = graph.graph.call_function(_ATEN.full.default, (shape, number), {"dtype": value.dtype, "device": torch.device("cpu"), "pin_memory": False})
                new.meta = {k: v for k, v in node.meta.items() if k not in ("val", "tensor_meta")}
                return new
            numbers = value.flatten().tolist()
            if len(set(numbers)) == 1:
                new = full(list(value.shape), numbers[0])
            else:
                new = graph.graph.call_function(_ATEN.cat.default, ([full([1], x) for x in numbers],))
                new = graph.graph.call_function(_ATEN.view.default, (new, list(value.shape)))
        log.append(f"baked in: a constant tensor {list(value.shape)} = {numbers if len(numbers) <= 8 else str(numbers[:8])[:-1] + ', ...]'}")
        for user in list(node.users):
            if user.target is _ATEN.lift_fresh_copy.default:
                user.replace_all_uses_with(new)
                graph.graph.erase_node(user)
        node.replace_all_uses_with(new)
        graph.graph.erase_node(node)
    graph.recompile()
    return graph


def _text(graph, program, log, rank):
    """The graph as text, its inputs called as the leaves."""
    new, values = torch.fx.Graph(), {}
    inputs = [n for n in graph.graph.nodes if n.op == "placeholder"]
    for node, leaf in zip(inputs, program.leaves):
        values[node] = new.placeholder(leaf.name)
        values[node].meta = dict(node.meta)
        leaf.name = values[node].name
    for node in graph.graph.nodes:
        if node.op == "output":
            new.output(torch.fx.map_arg(node.args[0], lambda n: values[n]))
        elif node.op != "placeholder":
            values[node] = new.node_copy(node, lambda n: values[n])
    lines = torch.fx.GraphModule({}, new).print_readable(print_output=False)
    for leaf, node in zip(program.leaves, inputs):
        if not node.users:
            log.append(f"unused: {leaf.name}")
    return f"# Graph[rank={rank}]\n{lines}\n"


# ----------------------------------------------------------------------------------------------------------------- steps that values steer

def _answered(jobs, ran):
    """Jobs of a recorded step with what its values answered when it ran; other jobs as they are."""
    return [dict(job, answers=mine["answers"]) for job, mine in zip(jobs, ran)] if ran else jobs


def _values_of_run(ran, relation):
    """{input: its values}, row-major; every rank must have had its part of them."""
    whole = ran[0][0]["values"]
    for r, part in enumerate(ran[1]):
        for name, mine in part["values"].items():
            want = _part(whole[name], relation["inputs"].get(name, "replicated"), relation["mesh"], r)  # or all of it, which the step cuts itself
            if want is None or not any(x.shape == mine.shape and torch.equal(x, mine) for x in (want, whole[name])):
                raise CaptureError(f"input '{name}' has other values on rank {r} than its part of those of the sequential step")
    for name, value in whole.items():
        if not torch.isfinite(value).all():
            raise CaptureError(f"input '{name}' is not finite: a recorded run needs finite inputs")
    return {name: [x if isinstance(x, float) else int(x) for x in value.flatten().tolist()] for name, value in whole.items()}


_ASKED = {torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape}
_BY_PLACES = {_ATEN.index.Tensor, _ATEN.index_put.default, _ATEN.index_put_.default, _ATEN._index_put_impl_.default}


class _Steering(torch.utils._python_dispatch.TorchDispatchMode):
    """What Python asks of values, `.item()` and sizes that values decide: watched in a run (`answers` None), and answered as in that run while it is traced.

    Masks as indices become the places that they chose, so that all sizes are numbers."""

    def __init__(self, answers):
        super().__init__()
        self.traced, self.answers, self.at = answers is not None, answers or [], 0

    def __enter__(self):
        torch.Tensor.tolist = lambda x: x.item() if x.dim() == 0 else [part.tolist() for part in x.unbind(0)]  # that of torch reads memory
        return super().__enter__()

    def __exit__(self, *why):
        del torch.Tensor.tolist
        return super().__exit__(*why)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is _ATEN.masked_select.default:
            x, mask = torch.broadcast_tensors(*args)
            return x[tuple(self.places(mask))]
        if function in _BY_PLACES and not (len(args) > 2 and args[2].numel() == 1):  # one value for all places is a choice by the mask
            return self.by_places(function, *args, **kwargs)
        return self.answer(function, lambda: function(*args, **kwargs)) if _ASKED & set(function.tags) and function not in _BY_PLACES else function(*args, **kwargs)

    def by_places(self, function, x, indices, values=None, accumulate=False, **kwargs):
        masks = [k for k, index in enumerate(indices) if index is not None and index.dtype in (torch.bool, torch.uint8)]
        chosen = [place for k, index in enumerate(indices) for place in (self.places(index) if k in masks else [index])]
        if values is None:
            return function(x, chosen)
        if masks != [0] or len(indices) != 1 or accumulate:
            return function(x, chosen, values, accumulate, **kwargs)
        mask = indices[0].reshape(*indices[0].shape, *[1] * (x.dim() - indices[0].dim())).bool()  # its places are different ones: what is there is replaced
        result = _ATEN.index_put.default(_ATEN.where.self(mask, torch.zeros_like(x), x), chosen, values, True)
        return x.copy_(result) if function._schema.is_mutable else result

    def places(self, mask):
        return self.answer(_ATEN.nonzero.default, mask.nonzero).unbind(1)

    def answer(self, function, ask):
        if not self.traced:
            result = ask()
            self.answers.append((str(function), pytree.tree_map_only(torch.Tensor, torch.clone, result)))
            return result
        asked, result = self.answers[self.at] if self.at < len(self.answers) else ("nothing", None)
        if asked != str(function):
            raise CaptureError(f"the step asks for {function} of values where its run asked for {asked}: it takes other ways each time")
        self.at += 1
        for x in pytree.tree_leaves(result):
            if isinstance(x, torch.Tensor) and x.is_floating_point():
                raise CaptureError(f"{function} makes floats of a size that values decide, which is not recorded")
        return pytree.tree_map_only(torch.Tensor, _ATEN.lift_fresh_copy.default, result)

    def told(self):
        """Lines for capture.log: what the values of the run answered."""
        if self.at < len(self.answers):
            raise CaptureError(f"the run of the step asked for {self.answers[self.at][0]} of values where it asks for nothing: it takes other ways each time")
        return [f"of this run: {function} = {str(result)[:80]}" for function, result in self.answers]


# ---------------------------------------------------------------------------------------------------------------------------- the relation

def _relation(axes, first, parts, given, outputs, ranges, ignore, note):
    relation = {"mesh": axes, "groups": _named_groups(parts), "inputs": {}, "default": "replicated", "outputs": [], "output_names": first["outputs"]}
    sequential = {leaf["name"]: leaf for leaf in first["leaves"]}
    held = {name: [(r, leaf) for r, part in enumerate(parts) for leaf in part["leaves"] if leaf["name"] == name] for name in sequential}
    for part in parts:
        for leaf in part["leaves"]:
            if leaf["name"] not in sequential:
                raise CaptureError(f"rank {part['rank']} takes '{leaf['name']}', the sequential step does not; it takes {', '.join(sequential)}")
    for name in given:
        if name not in sequential:
            raise CaptureError(f"batch and placements name '{name}', which is no input; inputs are {', '.join(sequential)}")
    for name, there in held.items():
        placement = next((leaf["placement"] for _, leaf in there if leaf["placement"] not in (None, "replicated")), None)
        _check_input(name, sequential[name], there, placement, axes)
        if placement is not None:
            relation["inputs"][name] = _printed(placement, len(sequential[name]["shape"]))
    relation["outputs"] = _outputs(axes, first, parts, relation["inputs"], sequential, outputs)
    written = dict.fromkeys(name for part in (first, *parts) for name in part["written"])
    by_name = {key: _by_input(key, given, sequential) for key, given in (("ranges", ranges), ("ignore", ignore))}
    for key, value in (*by_name.items(), ("written", list(written)), ("note", note)):
        if value:
            relation[key] = value
    return relation


def _by_input(what, given, inputs):
    """The user's names of inputs as the graphs call them; positions, and what masks= makes inputs, as they are."""
    named = {key if str(key).isdigit() or str(key).endswith(".mask") else _identifier(key): value for key, value in (given or {}).items()}
    unknown = [key for key in named if key not in inputs and not str(key).isdigit() and not str(key).endswith(".mask")]
    if unknown:
        raise CaptureError(f"{what}= names {', '.join(unknown)}, which is no input; inputs are {', '.join(inputs)}")
    return named


def _masks(given, first):
    """Placements of dropouts' masks, by dimensions of what is dropped."""
    ranks = {}
    for name, operand in re.findall(r"^\s+(\w+) = torch\.ops\.aten\.native_dropout\.default\((\w+)", first["text"], re.MULTILINE):
        shape = re.search(rf'\b{operand}: "\w+\[([^\]]*)\]', first["text"])
        ranks[name] = len([d for d in shape[1].split(",") if d.strip()])
    unknown = set(given) - set(ranks)
    if unknown:
        raise CaptureError(f"masks= names {', '.join(sorted(unknown))}; the sequential step draws {', '.join(ranks) or 'nothing'}")
    masks = {}
    for name, entry in given.items():
        named = isinstance(entry, dict) and "node" in entry
        placement = _printed(_placements({name: entry.get("placement", "replicated") if named else entry})[name], ranks[name])
        masks[name] = {"node": entry["node"], "placement": placement} if named else placement
    return masks


def _check_input(name, sequential, there, placement, axes):
    shape = torch.Size(sequential["shape"])
    for r, leaf in there:
        if placement is None:
            if leaf["expert"]:
                raise CaptureError(f"input '{name}' is a parameter of another expert on every rank: relations know one tensor of a name; stack the experts, and split the stack in placements=")
            if leaf["shape"] != sequential["shape"]:
                raise CaptureError(f"input '{name}' is {list(shape)} in the sequential step and {leaf['shape']} on rank {r}: name it in batch= or placements=")
            if leaf["hash"] != there[0][1]["hash"]:
                raise CaptureError(f"input '{name}' has other values on rank {r} than on rank {there[0][0]}: name it in batch= or placements=, or make it the same")
        else:
            part = _part(torch.empty(shape), placement, axes, r)
            if part is not None and list(part.shape) != leaf["shape"]:
                raise CaptureError(f"input '{name}' is {leaf['shape']} on rank {r}, its placement {json.dumps(placement)} makes {list(part.shape)} of {list(shape)}")


def _outputs(axes, first, parts, inputs, sequential, given):
    entries = []
    for k, name in enumerate(first["outputs"]):
        there = [(r, part["outputs"].index(name)) for r, part in enumerate(parts) if name in part["outputs"]]
        if not there:
            raise CaptureError(f"no rank returns '{name}'; rank 0 returns {', '.join(parts[0]['outputs'])}")
        own = next((parts[r]["placed"][i] for r, i in there if parts[r]["placed"][i] is not None), None)
        placement = given.get(_identifier(name), own if own is not None else _like_input(name, inputs, sequential))
        placement = _printed(placement, first["ranks"][k])
        if len(there) == len(parts) and all(i == k for _, i in there):
            entries.append(placement)
            continue
        places = [_coordinates(axes, r) for r, _ in there]
        on = {axis: places[0][axis] for axis, _ in axes if len({p[axis] for p in places}) == 1}
        if len(there) != len([r for r in range(len(parts)) if all(_coordinates(axes, r)[a] == c for a, c in on.items())]) or len({i for _, i in there}) != 1:
            raise CaptureError(f"the ranks {[r for r, _ in there]} that return '{name}' are not those at one place of the mesh, or return it at different positions")
        entries.append({"on": on, "index": there[0][1], "placement": placement} if on else {"index": there[0][1], "placement": placement})
    unknown = set(given) - {_identifier(n) for n in first["outputs"]}
    if unknown:
        raise CaptureError(f"outputs= names {', '.join(sorted(unknown))}; outputs are {', '.join(first['outputs'])}")
    return entries


def _like_input(name, inputs, sequential):
    """The placement of the input that an output is called after: `grads.layer.w`, `layer.w.grad`."""
    words = _identifier(name).split("_")
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            called = _identifier("_".join(words[start:end]))
            if called in sequential and (start == 0 or end == len(words)):
                return inputs.get(called, "replicated")
    return "replicated"


def _named_groups(parts):
    """What a group's name means: its ranks, or the partition of the ranks where it differs between them."""
    named = {}
    for part in parts:
        for name, ranks in part["groups"].items():
            if list(ranks) not in named.setdefault(name, []):
                named[name].append(list(ranks))
    return {name: groups[0] if len(groups) == 1 else groups for name, groups in sorted(named.items(), key=lambda item: (len(item[0]), item[0]))}


def _log(parts, patches):
    lines = [f"torch {torch.__version__}", "attention: SDPBackend.MATH"] + [f"patched: {getattr(p, '__name__', p)}" for p in patches]
    for part in parts:
        who = "sequential" if part["rank"] is None else f"rank {part['rank']}"
        lines += [f"{who}: {len(part['leaves'])} inputs, {len(part['outputs'])} outputs, {part['text'].count('torch.ops.')} calls"]
        lines += [f"{who}: {line}" for line in part["log"]]
    return lines


# --------------------------------------------------------------------------------------------------------------- executing what was written

class _Threads:
    """Collectives among the threads of one process: every member of a group leaves its tensor and takes all of them."""

    def __init__(self, world):
        self.lock, self.slots, self.alive, self.blocked = threading.Condition(), {}, set(range(world)), {}

    def take(self, key, ready):
        """Waits until `ready`; if every thread that is left waits for another one, they do not meet."""
        with self.lock:
            self.blocked[threading.get_ident()] = ready
            try:
                while not ready():
                    if len(self.blocked) == len(self.alive) and not any(other() for other in self.blocked.values()):
                        raise ApartError(f"ranks do not meet: one waits for {key}, the others for other things")
                    self.lock.wait()
            finally:
                del self.blocked[threading.get_ident()]

    def all(self, rank, group, count, value):
        key, members = (*group, count), group[1]
        with self.lock:
            self.slots.setdefault(key, {})[rank] = value
            self.lock.notify_all()
        self.take(key, lambda: all(m in self.slots[key] or m not in self.alive for m in members))
        missing = [m for m in members if m not in self.slots[key]]
        if missing:
            raise ApartError(f"ranks {missing} end without the collective number {count} of group '{group[0]}' {list(members)} that rank {rank} waits in")
        return [self.slots[key][m] for m in members]

    def put(self, key, value):
        with self.lock:
            self.slots.setdefault(key, []).append(value)
            self.lock.notify_all()

    def get(self, key):
        self.take(key, lambda: self.slots.get(key) or not {key[1]} & self.alive)
        if not self.slots.get(key):
            raise ApartError(f"nothing was sent to rank {key[2]} from rank {key[1]} with tag {key[3]}")
        return self.slots[key].pop(0)

    def leave(self, rank):
        with self.lock:
            self.alive.discard(rank)
            self.lock.notify_all()


_REDUCE = {"sum": torch.add, "avg": torch.add, "max": torch.maximum, "min": torch.minimum, "product": torch.mul, "band": torch.bitwise_and, "bor": torch.bitwise_or}


class _Computed:
    """Functional collectives of one rank, computed from what the members hold."""

    def __init__(self, threads, rank, groups):
        self.threads, self.rank, self.groups, self.counts = threads, rank, groups, {}

    def members(self, name):
        entry = self.groups.get(name, self.groups.get("*", [self.rank]))
        if entry and isinstance(entry[0], list):
            entry = next(g for g in entry if self.rank in g)
        return entry

    def all(self, kind, x, name):
        """The ranks of a group, and what each of them hands over to its next collective, which must be the same one."""
        members = tuple(self.members(name))
        self.counts[name, members] = self.counts.get((name, members), 0) + 1
        there = self.threads.all(self.rank, (name, members), self.counts[name, members], (kind, x))
        like = lambda value: (value[0], None if kind == "all_to_all_single" else value[1].shape)
        for other, value in zip(members, there):
            if like(value) != like((kind, x)):
                raise ApartError(f"rank {self.rank} calls {kind} where rank {other} calls {value[0]}, or hands over another shape")
        return members, [value for _, value in there]

    def all_reduce(self, x, op, name):
        return self.reduced("all_reduce", x, op, name)

    def reduced(self, kind, x, op, name):
        members, xs = self.all(f"{kind}({op})", x, name)
        total = xs[0].clone()
        for y in xs[1:]:
            total = _REDUCE[op](total, y)
        return total / len(members) if op == "avg" else total

    def all_gather_into_tensor(self, x, size, name):
        return torch.cat([y.reshape(1) if y.dim() == 0 else y for y in self.all("all_gather_into_tensor", x, name)[1]])

    def reduce_scatter_tensor(self, x, op, size, name):
        return self.reduced("reduce_scatter_tensor", x, op, name).chunk(size)[list(self.members(name)).index(self.rank)].clone()

    def all_to_all_single(self, x, out_splits, in_splits, name):
        members, parts = self.all("all_to_all_single", list(x.split(list(in_splits))), name)
        return torch.cat([part[members.index(self.rank)] for part in parts])

    def broadcast(self, x, source, name):
        return self.all("broadcast", x, name)[1][source].clone()

    def isend(self, x, peer, tag, name):
        self.threads.put(("send", self.rank, peer, tag), x)
        return x

    def irecv(self, x, peer, tag, name):
        return self.threads.get(("send", peer, self.rank, tag))

    def shard_dim_alltoall(self, x, gather_dim, shard_dim, name):
        members, xs = self.all("shard_dim_alltoall", x, name)
        return torch.cat([y.chunk(len(members), shard_dim)[members.index(self.rank)] for y in xs], gather_dim)


class _Gloo(_Computed):
    """The same by the collectives of torch.distributed, one process a rank."""

    def __init__(self, rank, groups, world):
        super().__init__(None, rank, groups)
        wanted = sorted({tuple(g) for entry in groups.values() for g in (entry if isinstance(entry[0], list) else [entry])} | {tuple(range(world))})
        self.sent = []
        self.made = {members: dist.new_group(list(members)) for members in wanted}

    def functional(self, op, x, *args):
        name = self.made[tuple(self.members(args[-1]))].group_name
        return _C10D.wait_tensor(getattr(_C10D, op)(x.contiguous(), *args[:-1], name))

    def reduced(self, kind, x, op, name):
        total = self.functional("all_reduce", x, "sum" if op == "avg" else op, name)
        return total / len(self.members(name)) if op == "avg" else total

    def all_gather_into_tensor(self, x, size, name):
        return self.functional("all_gather_into_tensor", x.reshape(1) if x.dim() == 0 else x, size, name)

    def all_to_all_single(self, x, out_splits, in_splits, name):
        return self.functional("all_to_all_single", x, list(out_splits), list(in_splits), name)

    def broadcast(self, x, source, name):
        return self.functional("broadcast", x, source, name)

    def isend(self, x, peer, tag, name):
        kept = x.contiguous()
        self.sent.append((dist.isend(kept, peer, tag=tag), kept))  # kept until it has arrived
        return x

    def irecv(self, x, peer, tag, name):
        y = torch.empty_like(x)
        dist.recv(y, peer, tag=tag)
        return y

    def shard_dim_alltoall(self, x, gather_dim, shard_dim, name):
        n = len(self.members(name))
        return torch.cat([y for y in self.all_to_all_single(torch.stack(x.chunk(n, shard_dim)), [1] * n, [1] * n, name)], gather_dim)


class _Names:
    """`torch` as a printed graph sees it: collectives of `comm`, floats widened if asked, its device."""

    def __init__(self, comm, wide, masks):
        self.ops, self._wide = self, wide
        self._c10d_functional = self._dtensor = _Collectives(comm)
        self.aten = _Aten(masks)

    def __getattr__(self, name):
        value = getattr(torch, name)
        return _widened(value) if self._wide and isinstance(value, torch.dtype) else value


class _Aten:
    def __init__(self, masks):
        self._masks = iter(masks)

    def __getattr__(self, name):
        if name == "native_dropout":
            return _One(lambda x, p, train: _dropped(x, p, train, next(self._masks)))
        return getattr(torch.ops.aten, name)


class _One:
    def __init__(self, function):
        self.default = function


class _Collectives:
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


def _execute(text, values, comm, wide=True, device="cpu", constants=None):
    """Runs a printed graph on {name: tensor}, which it does not change; the list of its outputs. `node.mask` is what the dropout of that name draws."""
    drawn = re.findall(r"^\s+(\w+) = torch\.ops\.aten\.native_dropout\.default\(", text, re.MULTILINE)
    names = {"torch": _Names(comm, wide, [values.get(node + ".mask") for node in drawn]), "inf": float("inf"), "nan": float("nan"), "device": lambda *a, **k: torch.device(device)}
    forward = _forward_of(text, names)
    parameters = list(inspect.signature(forward).parameters)[1:]
    missing = [p for p in parameters if p not in values]
    if missing:
        raise CaptureError(f"no value for the graph's inputs {', '.join(missing)}")
    self = type("Constants", (), {k: torch.tensor(v) for k, v in (constants or {}).items()})()
    result = forward(self, *[values[p].to(device, copy=True) for p in parameters])  # graphs write in place; other ranks have the same values
    return [_stored(x).cpu() for x in (result if isinstance(result, (list, tuple)) else [result]) if x is not None]


def _execute_all(texts, inputs, groups, wide=True, device="cpu", constants=None):
    """All ranks as threads; outputs by rank. The first error of a rank is raised."""
    threads, results = _Threads(len(texts)), [None] * len(texts)

    def run(rank):
        try:
            with torch.no_grad():
                results[rank] = _execute(texts[rank], inputs[rank], _Computed(threads, rank, groups), wide, device, constants)
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


# ---------------------------------------------------------------------------------------------------------------------- the self-check

def _noisy(leaf, rank):
    """Values of the check: the leaf's own, moved, so that zeros and ones of an initialisation hide nothing."""
    x = _stored(leaf.value)
    if not x.is_floating_point():
        return x.clone()
    place = 0 if leaf.placement in (None, "replicated") else 1 + (rank or 0)
    made = torch.Generator().manual_seed(sum(map(ord, leaf.name)) * 1000 + place)
    noise = torch.rand(x.shape, generator=made, dtype=torch.float64)
    moved = x.double() * (1 + 0.1 * noise) + (0.1 * noise if leaf.parameter else 0)
    return torch.view_as_complex(moved.to(x.dtype)) if leaf.value.is_complex() else moved.to(x.dtype)


def _eager(job, folder, wide=None):
    """The step itself on one rank, by gloo; wide (None: unless inputs are of 16 bits): in double precision. Recorded steps have their own values, others moved ones."""
    with _process(job, "gloo", os.path.join(folder, "store-" + ("sequential" if job["rank"] is None else "distributed"))):
        program = _Program(job)
        values = [leaf.value.clone() if job["recorded"] else _noisy(leaf, job["rank"]) for leaf in program.leaves]
        if job["recorded"]:
            program.steering = _Steering(None)
        wide = wide if wide is not None else not any(v.dtype in (torch.float16, torch.bfloat16) for v in values)
        if wide:
            torch.set_default_dtype(torch.float64)
            values = [v.to(_widened(v.dtype)) for v in values]
        before = [v.clone() for v in values]
        outputs = [_stored(t.detach()).clone() for t in program(*values)]
        dist.barrier()
        return dict(values={leaf.name: v for leaf, v in zip(program.leaves, before)}, outputs=outputs, wide=wide, answers=getattr(program.steering, "answers", None))


def _ran(jobs, folder, wide=None):
    """What the steps of these ranks give, run together."""
    return _in_processes([(_eager, (job, folder, wide)) for job in jobs], together=True)


def _judged(texts, names, shapes, ran, groups, placements, axes, wide, folder):
    """The printed texts on the values of the eager run: the worst relative deviation, and of which output."""
    torch.set_num_threads(1)
    if wide:
        torch.set_default_dtype(torch.float64)
    inputs = []
    for r, part in enumerate(ran):
        values = dict(part["values"])
        for name, x in values.items():
            if list(x.shape) != shapes[r][name]:
                values[name] = _part(x, placements[name], axes, r)
        inputs.append(values)
    results = _execute_all(texts, inputs, groups, wide)
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


def _reproduced(sequential, distributed, first, parts, recorded, relation, folder):
    """Executes what was written against the steps, which have run where they are recorded; refuses a capture that is another program. Graphs whose ranks
    do not meet are kept if the step hangs as well."""
    lines = []
    for what, jobs, captured, ran in (("sequential", sequential, [first], recorded[0]), ("distributed", distributed, parts, recorded[1])):
        wide = ran[0]["wide"] if ran else not any(re.search(r'"(bf16|f16|f8\w*)\[', part["text"]) for part in captured)
        groups = _named_groups(captured) if what == "distributed" else {"*": [0]}
        apart = _in_processes([(_apart, ([part["text"] for part in captured], groups))])[0] if len(captured) > 1 else None
        try:
            ran = ran or _ran([dict(job, timeout=_SHORT if apart else _TIMEOUT) for job in jobs], folder, wide)
        except CaptureError as e:
            if what == "sequential":
                raise
            if apart:
                lines.append(f"distributed: the ranks do not meet, neither in the graphs ({apart}) nor by gloo ({_first(e)})")
                continue
            raise CaptureError(f"the distributed step does not run by gloo, so its graphs could not be checked (check=False leaves that out): {e}") from None
        if apart:
            raise CaptureError(f"the captured graphs are another program than the step, which runs by gloo: {apart}")
        work = ([part["text"] for part in captured], [part["outputs"] for part in captured], [part["shapes"] for part in captured], ran, groups,
                relation["inputs"], relation["mesh"], wide, folder)
        deviation, name, rank = _in_processes([(_judged, work)])[0]
        if not deviation <= (1e-5 if wide else 5e-2):
            where = f" on rank {rank}" if what == "distributed" else ""
            raise CaptureError(f"the captured {what} graph is another program than the step: output '{name}'{where} deviates by {deviation:.2g}")
        lines.append(f"{what}: the text reproduces the step, largest deviation {deviation:.1e}{'' if wide else ' (in its own types)'}")
    return lines


def _apart(texts, groups):
    """Where the ranks of these graphs wait for each other for ever, whatever the values are; None if they meet."""
    torch.set_num_threads(1)
    try:
        _execute_all(texts, [{name: torch.ones(shape, dtype=_TYPES[kind]) if _TYPES[kind].is_floating_point else torch.zeros(shape, dtype=_TYPES[kind])
                              for name, kind, shape in _parameters(text)} for text in texts], groups, wide=False)
    except ApartError as e:
        return str(e)
    except Exception:
        pass  # of these values; what is wrong with the graphs will be seen on the step's own
    return None


# ---------------------------------------------------------------------------------------------------------------------------- processes

def _child(function, args, path):
    try:
        result = function(*args)
    except CaptureError as e:
        result = e
    except BaseException as e:
        lines = traceback.format_exc().strip().splitlines()
        result = CaptureError(f"{_user_line(e)}: {type(e).__name__}: {_first(e)}\n" + "\n".join(lines[-40:]))
    torch.save(result, path)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _in_processes(calls, together=False):
    """The results of calls, each in a process of its own; at most as many at a time as there are processors."""
    import torch._inductor.standalone_compile, torch.distributed.tensor, torch.fx.experimental.proxy_tensor, torch.testing._internal.distributed.fake_pg  # noqa: E401, F401  once, before the fork
    sys.stdout.flush()
    results = [None] * len(calls)
    context = multiprocessing.get_context("fork")
    limit = len(calls) if together else max(1, min(os.cpu_count() or 1, len(calls)))
    with tempfile.TemporaryDirectory() as folder:
        running, waiting = {}, list(enumerate(calls))
        while running or waiting:
            while waiting and len(running) < limit:
                k, (function, args) = waiting.pop(0)
                process = context.Process(target=_child, args=(function, args, os.path.join(folder, str(k))), daemon=True)
                process.start()
                running[k] = process
            done = [k for k, process in running.items() if not process.is_alive()]
            for k in done:
                running.pop(k).join()
                path = os.path.join(folder, str(k))
                results[k] = torch.load(path, weights_only=False) if os.path.exists(path) else CaptureError(f"the process of rank {k} died")
                if isinstance(results[k], CaptureError):
                    for process in running.values():
                        process.terminate()
                        process.join()
                    raise results[k]
            time.sleep(0.005)
    return results


# ------------------------------------------------------------------------------------------------------------------------------ patches

def _dropped(x, p, train=True, mask=None):
    """Dropout of the check and of replays: by the mask, else by a function of the element, as verdicts take it: what is equal draws the same."""
    if train is False or p == 0:
        return x, torch.ones_like(x, dtype=torch.bool)
    keep = mask.to(x.device) if mask is not None else (torch.sin(torch.round(x.detach().double() * 1e4)) * 43758.5453).frac().abs() >= p
    return x * keep / (1 - p), keep


@contextlib.contextmanager
def _known_dropout():
    """F.dropout as one operator (aten.native_dropout) while tracing, and as a fixed function in the check."""
    kept = torch.nn.functional.dropout

    def dropout(input, p=0.5, training=True, inplace=False):
        if not training or p == 0:
            return input
        return torch.ops.aten.native_dropout.default(input, p, True)[0] if _Here.tracing else _dropped(input, p)[0]
    torch.nn.functional.dropout = dropout
    try:
        yield
    finally:
        torch.nn.functional.dropout = kept


def _aside():
    """What runs in here is no part of the program."""
    return torch.utils._python_dispatch._disable_current_modes()


@contextlib.contextmanager
def _meshes_aside():
    """Tables of ranks that a DeviceMesh computes with are no values of the program."""
    made = dist.device_mesh.DeviceMesh
    kept = {name: vars(made)[name] for name in ("__init__", "_flatten", "_unflatten", "_get_all_submeshes", "mesh") if name in vars(made)}

    def aside(function):
        def run(*args, **kwargs):
            with _aside():
                return function(*args, **kwargs)
        return functools.wraps(function)(run)
    for name, value in kept.items():
        setattr(made, name, property(aside(value.fget)) if isinstance(value, property) else aside(value))
    try:
        yield
    finally:
        for name, value in kept.items():
            setattr(made, name, value)


@contextlib.contextmanager
def _groups_by(backend):
    """New groups have the backend of this process, whatever the program asks for: there is no GPU, and no store for another one."""
    c10d = dist.distributed_c10d
    kept = c10d.new_group

    def new_group(*args, **kwargs):
        given = inspect.signature(kept).bind(*args, **kwargs).arguments
        return kept(**{**given, "backend": backend, "pg_options": None})
    dist.new_group = c10d.new_group = new_group
    try:
        yield
    finally:
        dist.new_group = c10d.new_group = kept


@contextlib.contextmanager
def _traceable_ddp():
    """DistributedDataParallel without the reads of storage and the C++ reduction that a fake group cannot trace: the same mean a bucket."""
    parallel = torch.nn.parallel.DistributedDataParallel
    kept = parallel.__init__

    class SameBuckets:
        """Buckets are kept as they are: rebuilding them broadcasts what a fake tensor does not have, and changes no value."""

        def __init__(self, reducer):
            self._reducer = reducer

        def _rebuild_buckets(self):
            return False

        def __getattr__(self, name):
            return getattr(self._reducer, name)

    def mean(state, bucket):
        group = state or dist.group.WORLD
        buffer = bucket.buffer()
        dist.all_reduce(buffer, group=group)
        done = torch.futures.Future()
        done.set_result(buffer.div_(dist.get_world_size(group)))
        return done

    def initialise(self, *args, **kwargs):
        kept(self, *args, **{**kwargs, "init_sync": False})
        self.register_comm_hook(kwargs.get("process_group"), mean)
        self.reducer = SameBuckets(self.reducer)
    parallel.__init__ = initialise
    try:
        yield
    finally:
        parallel.__init__ = kept


def megatron_cpu():
    """Four patches that let megatron-core run without a GPU: the current device, the trackers of random states, torch's norms in place of
    apex's (their parameters say that they are sequence parallel, as apex's do), and that there is no matrix product of Transformer Engine."""
    from megatron.core.models.gpt import gpt_layer_specs, gpt_model  # noqa: F401  imported once, before the fork
    from megatron.core.tensor_parallel import random
    from megatron.core.transformer import torch_norm
    from megatron.core.transformer.moe import moe_utils

    def norm(cls, config, hidden_size, eps=1e-5, **_):
        made = {"LayerNorm": torch.nn.LayerNorm, "RMSNorm": torch.nn.RMSNorm}[config.normalization](hidden_size, eps=eps)
        for p in made.parameters():
            p.sequence_parallel = config.sequence_parallel
        return made

    @contextlib.contextmanager
    def megatron():
        kept = torch.cuda.current_device, random.CudaRNGStatesTracker.fork, torch_norm.WrappedTorchNorm.__new__
        torch.cuda.current_device = lambda: torch.device("cpu")
        random.CudaRNGStatesTracker.fork = lambda self, name="": contextlib.nullcontext()
        torch_norm.WrappedTorchNorm.__new__ = norm
        moe_utils.te_general_gemm = getattr(moe_utils, "te_general_gemm", None)  # without the engine released code reads a name that it never made
        try:
            yield
        finally:
            torch.cuda.current_device, random.CudaRNGStatesTracker.fork, torch_norm.WrappedTorchNorm.__new__ = kept
    megatron.__name__ = "megatron_cpu: torch.cuda.current_device, CudaRNGStatesTracker.fork, WrappedTorchNorm.__new__, moe_utils.te_general_gemm"
    return megatron


# ------------------------------------------------------------------------------------------------------- graphs that exist already

def read(sequential, distributed, relation, out):
    """A case from what people have: `sequential` a file or folder, `distributed` a list of them by rank, or one log of all ranks: folders that
    TORCH_TRACE wrote (tlparse's input), logs of TORCH_LOGS=aot_graphs or aot_joint_graph, .pt2 archives of torch.export, texts. `relation` is
    relation.json as a dict; inputs are called as in the graphs. Of several graphs the largest joint or inference graph is taken, else one
    forward graph and its backward graph, and capture.log says which. Returns `out`."""
    world, log = _size([list(axis) for axis in relation["mesh"]]), []
    texts = {"sequential.fx": _whole_step(_graphs_in(sequential), 0, sequential, log)}
    sources = [distributed] * world if isinstance(distributed, (str, os.PathLike)) else list(distributed)
    if len(sources) != world:
        raise CaptureError(f"{len(sources)} sources of graphs for {world} ranks")
    for r, source in enumerate(sources):
        texts[f"distributed.r{r}.fx"] = f"# Graph[rank={r}]\n" + _whole_step(_graphs_in(source), r, source, log)
    os.makedirs(out, exist_ok=True)
    texts.update({"relation.json": json.dumps(relation, indent=1) + "\n", "capture.log": "\n".join(log) + "\n"})
    for name, text in texts.items():
        with open(os.path.join(out, name), "w") as f:
            f.write(text)
    return out


def _graphs_in(source):
    """{rank (None: not said): [(title, text)]} of a folder of traces, a log, an archive or a text."""
    found = {}
    if os.path.isdir(source):
        for name in sorted(os.listdir(source)):
            said = re.search(r"rank_(\d+)", name)
            for rank, graphs in _graphs_in(os.path.join(source, name)).items():
                found.setdefault(int(said[1]) if said else rank, []).extend(graphs)
        return found
    if str(source).endswith(".pt2"):
        program = torch.export.load(source).run_decompositions()
        return {None: [("inference graph of torch.export", program.graph_module.print_readable(print_output=False))]}
    with open(source, errors="replace") as f:
        lines = f.read().splitlines()
    inside = None
    for line in lines:
        trace = re.match(r"[VIWE]\d{4} .*?\] (\{.*\})$", line)
        log = re.match(r"(?:\[rank(\d+)\]:)?[VIWE]\d{4} .*?\] (\[\S+\] )?\[__aot\w*\] ?(.*)$", line)
        if log:
            rank, text = int(log[1]) if log[1] else None, log[3]
            title = re.match(r"\s*=+ (.*?) =+", text)
            if title:
                found.setdefault(rank, []).append((title[1], []))
            elif found.get(rank):
                found[rank][-1][1].append(text)
        elif trace:
            kinds = [k for k in ("aot_joint_graph", "aot_inference_graph", "aot_forward_graph", "aot_backward_graph") if f'"{k}"' in trace[1]]
            rank = re.search(r'"rank": (\d+)', trace[1])
            inside = (kinds[0].replace("_", " "), []) if kinds else None
            if inside:
                found.setdefault(int(rank[1]) if rank else None, []).append(inside)
        elif inside is not None and line.startswith("\t"):
            inside[1].append(line[1:])
    if not found:
        return {None: [("graph of the whole text", "\n".join(lines) + "\n")]}
    return {rank: [(title, "\n".join(_one_line_each(text)) + "\n") for title, text in graphs] for rank, graphs in found.items()}


def _one_line_each(lines):
    """Statements, headers and returns that a log spreads over lines, one a line, and without the remarks behind their parts; from the class on."""
    start = next((k for k, line in enumerate(lines) if re.search(r"\bclass \S+\(torch\.nn\.Module\):", line)), 0)
    result, depth, declared = [], 0, []
    for line in lines[start:]:
        bare = re.sub(r"\s+# \w*(?:Input|Output|None)\b.*$", "", line)
        if re.fullmatch(r'\s+\w+: "[^"]*"', bare) and depth == 0:  # types of flattened inputs
            declared.append(bare.strip())
            continue
        if declared:
            result.append("        " + "; ".join(declared) + "; ")
            declared = []
        opened = depth
        if not bare.strip().startswith("#"):
            plain = re.sub(r'"[^"]*"|\'[^\']*\'', "", bare)
            depth += sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
        if opened > 0:
            result[-1] = re.sub(r",\s*([\])])", r"\1", result[-1] + ("" if result[-1].endswith(("(", "[")) else " ") + bare.strip())
        else:
            result.append(bare)
        if depth == 0 and re.match(r"\s+return\b", result[-1]):
            break  # a log goes on with other things
    return [re.sub(r"^.*?(class \S+\(torch)", r"\1", line) for line in result]


def _whole_step(graphs, rank, source, log):
    """The graph of a whole step among those of a rank; forward and backward apart are one where there is one of each."""
    mine = graphs.get(rank) or graphs.get(None) or (next(iter(graphs.values())) if len(graphs) == 1 else [])
    of = lambda *kinds: [g for g in mine if any(kind in g[0].lower() for kind in kinds)]
    whole, ways = of("joint", "inference", "graph of"), [of("forward"), of("backward")]
    if not whole and not ways[1]:
        whole = mine
    if whole:
        title, text = max(whole, key=lambda g: len(g[1]))
    elif [len(way) for way in ways] == [1, 1]:
        title = " and ".join(way[0][0] for way in ways)
        text = "".join(f" ===== {name} graph 0 =====\n{way[0][1]}" for name, way in zip(("Forward", "Backward"), ways))
    else:
        said = ", ".join(title for title, _ in mine) or "none"
        raise CaptureError(f"{source}: no graph of a whole step for rank {rank} (there are: {said}); TORCH_LOGS=aot_joint_graph prints forward and backward as one")
    log.append(f"{source}, rank {rank}: '{title}' of {len(mine)} graphs")
    return text


# ------------------------------------------------------------------------------------------------------------------------------- replay

_TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32, "i16": torch.int16,
          "i8": torch.int8, "u8": torch.uint8, "b8": torch.bool, "c64": torch.complex64, "c128": torch.complex128}


def replay(witness, gloo=False, device="cpu"):
    """Runs both sides of a witness of FX graphs in torch, in double precision and in their own types; prints each output that differs and the
    roundings of its own types (in units of the type's epsilon, against the largest element), and whether torch has the values that the witness names.
    gloo: one process a rank. True if an output differs, and as the witness says."""
    folder = os.path.join(witness, "fx")
    relation, names, said = (_json(path) for path in (os.path.join(folder, "relation.json"), os.path.join(folder, "inputs.json"), os.path.join(witness, "difference.json")))
    tensors = _read_safetensors(os.path.join(witness, "inputs.safetensors"))
    inputs = {name: tensors[f"sequential.{k}"] for k, name in enumerate(names)}
    axes = [list(item) for item in (relation["mesh"].items() if isinstance(relation["mesh"], dict) else relation["mesh"])]
    texts = [_numbers_of_own_type(text) for text in _texts(folder, _size(axes))]
    given = {wide: [_typed(text, inputs, relation, axes, r, wide) for r, text in zip((None, *range(_size(axes))), texts)] for wide in (True, False)}
    every = lambda entry: entry and isinstance(entry[0], str) and set(entry) == {a for a, _ in axes}
    groups = {name: list(range(_size(axes))) if every(entry) else entry for name, entry in relation.get("groups", {}).items()}
    work = (texts, given, groups, device, relation.get("constants"))
    placed = relation["outputs"].values() if isinstance(relation["outputs"], dict) else relation["outputs"]
    raises = any(d["output"] >= sum(entry != "ignored" for entry in placed) for d in said.get("differences", []))  # behind the graph's own outputs
    if gloo and not raises:
        with tempfile.TemporaryDirectory() as store:
            parts = _in_processes([(_gloo_rank, (r, *work, os.path.join(store, "store"))) for r in range(_size(axes))], together=True)
        found = {wide: (parts[0][wide][0], [part[wide][1] for part in parts]) for wide in given}
    else:
        found = _in_processes([(_by_threads, work)])[0]
    if "raised" in found:
        print(f"a rank raises: {found['raised']}")
    return raises if "raised" in found else _told(found, relation, axes, said)


def _json(path):
    with open(path) as f:
        return json.load(f)


def _by_threads(texts, given, groups, device, constants):
    """{wide: (outputs of the sequential graph, outputs by rank)}, or {"raised": what a rank raised}; given: {wide: inputs of the sequential graph and of every rank's}."""
    found = {}
    for wide, inputs in given.items():
        torch.set_default_dtype(torch.float64 if wide else torch.float32)
        alone = _execute_all(texts[:1], inputs[:1], {"*": [0]}, wide, device, constants)[0]
        try:
            found[wide] = alone, _execute_all(texts[1:], inputs[1:], groups, wide, device, constants)
        except (IndexError, RuntimeError) as e:
            if "out of bounds" in str(e) or "out of range" in str(e):
                return {"raised": str(e).splitlines()[0]}
            raise
    return found


def _gloo_rank(rank, texts, given, groups, device, constants, store):
    """{wide: (outputs of the sequential graph on rank 0, those of this rank)}, by gloo."""
    torch.set_num_threads(1)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    world, found = len(texts) - 1, {}
    dist.init_process_group("gloo", rank=rank, world_size=world, store=dist.FileStore(store, world), timeout=_TIMEOUT)
    comm = _Gloo(rank, groups, world)
    for wide, inputs in given.items():
        torch.set_default_dtype(torch.float64 if wide else torch.float32)
        with torch.no_grad():
            result = _execute(texts[1 + rank], inputs[1 + rank], comm, wide, device, constants)
        for work, _ in comm.sent:
            work.wait()
        comm.sent.clear()
        found[wide] = _execute_all(texts[:1], inputs[:1], {"*": [0]}, wide, device, constants)[0] if rank == 0 else None, result
        dist.barrier()
    return found


def _read_safetensors(path):
    with open(path, "rb") as f:
        data = f.read()
    size = int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:8 + size]).items():
        if name != "__metadata__":
            start, end = entry["data_offsets"]
            kind = {"F64": torch.float64, "I64": torch.int64}[entry["dtype"]]
            flat = torch.frombuffer(bytearray(data[8 + size + start:8 + size + end]), dtype=kind) if end > start else torch.empty(0, dtype=kind)
            tensors[name] = flat.reshape(entry["shape"])
    return tensors


def _texts(folder, ranks):
    """The sequential graph and after it one of every rank; several in one file are told apart by `# Graph[rank=N]`."""
    with open(os.path.join(folder, "sequential.fx")) as f:
        texts = [f.read()]
    for r in range(ranks):
        own = os.path.join(folder, f"distributed.r{r}.fx")
        with open(own if os.path.exists(own) else os.path.join(folder, "distributed.fx")) as f:
            text = f.read()
        parts = re.split(r"^(?=# Graph\[rank=\d+\])", text, flags=re.MULTILINE)
        texts.append(next((p for p in parts if p.startswith(f"# Graph[rank={r}]")), text))
    return texts


def _numbers_of_own_type(text):
    """A graph whose Python numbers are values of the type that its statement makes, as verdicts take them, also when it runs in double precision."""
    def statement(line):
        kind = _TYPES[line[2]]
        own = lambda x: repr(float(torch.tensor(float(x[0]), dtype=kind)))
        return line[1] + (re.sub(r"(?<![\w.])\d+(\.\d*(e[-+]?\d+)?|e[-+]?\d+)(?![\w.])", own, line[3]) if kind.is_floating_point else line[3])
    return re.sub(rf'^(\s+\w+: "({"|".join(_TYPES)})\[.*?" = )(.*)$', statement, text, flags=re.MULTILINE)


def _parameters(text):
    """[(name, type, shape)] of a graph's tensors."""
    header = text[text.index("def forward("):].splitlines()[0]
    return [(name, kind, [int(n) for n in shape.split(",") if n.strip()]) for name, kind, shape in re.findall(r'(\w+): "(\w+)\[([\d, ]*)\]', header)]


def _typed(text, inputs, relation, axes, rank, wide):
    """The inputs of a rank's graph (None: the sequential one) in the types that it prints."""
    values = {}
    for name, kind, _ in _parameters(text):
        placement = relation.get("inputs", {}).get(name, relation.get("default", "replicated")) if rank is not None else "replicated"
        if isinstance(placement, dict) and "flat" in placement:
            x = torch.cat([inputs[part].flatten() for part in placement["flat"]])
            x = torch.nn.functional.pad(x, (0, max(0, placement.get("pad", 0) - x.numel())), value=placement.get("pad_value", 0))
            placement = [placement["axes"]]
        else:
            x = inputs[name]
        if name + ".ignore" in inputs:
            x = torch.where(inputs[name + ".ignore"] == 0, torch.full_like(x, relation["ignore"][name][0]), x)
        x = _part(x, placement, axes, rank) if rank is not None else x
        if x is None:
            raise CaptureError(f"input '{name}': the placement {json.dumps(placement)} is not one that replays can cut")
        own = _widened(_TYPES[kind]) if wide else _TYPES[kind]
        values[name] = torch.view_as_complex(x.contiguous()).to(own) if own.is_complex else x.contiguous().to(own)
    for name, entry in relation.get("masks", {}).items():
        named = isinstance(entry, dict) and "node" in entry
        drawn, placement = inputs[name + ".mask"] != 0, entry["placement"] if named else entry
        values[(entry["node"] if named and rank is not None else name) + ".mask"] = drawn if rank is None else _part(drawn, placement, axes, rank)
    return values


def _told(found, relation, axes, said):
    """Prints the outputs that differ, and where torch has other values than the witness names; found: {wide: (sequential outputs, outputs by rank)},
    said: difference.json."""
    differs, others, named = False, 0, {d["output"]: d for d in said.get("differences", [])}
    (exact, parts), (own, own_parts) = found[True], found[False]
    names = relation.get("output_names") or [str(k) for k in range(len(relation["outputs"]))]
    for k, (entry, name) in enumerate(zip(relation["outputs"], names)):
        entry = entry if isinstance(entry, dict) and ("index" in entry or "on" in entry) else {"placement": entry}
        placement, index = entry.get("placement", "replicated"), entry.get("index", k)
        if placement == "ignored":
            continue
        holders = [r for r in range(len(parts)) if all(_coordinates(axes, r)[a] == c for a, c in entry.get("on", {}).items())]
        worst, rounding = (0.0, None), 0.0
        for r in holders:
            want, got, rounded = _compared(name, placement, axes, r, exact[k], *({q: which[q][index] for q in holders} for which in (parts, own_parts)))
            scale = max(float(want.abs().max()) if want.numel() else 0.0, 1e-30)
            for number, a, b in zip(itertools.count(), want.flatten().tolist(), got.flatten().tolist()):
                if a == a and abs(a) != float("inf") and not abs(a - b) / scale <= worst[0]:
                    worst = (abs(a - b) / scale, (r, number, a, b))
            epsilon = torch.finfo(own_parts[r][index].dtype).eps if own_parts[r][index].is_floating_point() else 1.0
            if got.numel():
                rounding = max(rounding, float((got - rounded).abs().nan_to_num(0).max()) / scale / epsilon)
            if k in named and r == (named[k]["rank"] if said["ranks"] == len(parts) else holders[named[k]["rank"]]):  # a stage's ranks are counted for themselves
                others += _otherwise(name, named[k], want, got, scale)
        if worst[1] and not worst[0] <= 1e-9:
            differs = True
            r, number, a, b = worst[1]
            print(f"output {k} ({name}): rank {r}, element {number}: expected {a!r}, got {b!r}; in its own types {rounding:.1f} roundings")
        else:
            print(f"output {k} ({name}): agrees; in its own types {rounding:.1f} roundings")
    return differs and not others


def _compared(name, placement, axes, r, exact, parts, own_parts):
    """What rank r must have of an output, what it has, and what it has in its own types; partial values are combined."""
    got, rounded, dims = parts[r].double(), own_parts[r].double(), placement
    if isinstance(placement, dict) and "partial" in placement:
        got, rounded = (_combined({q: x.double() for q, x in which.items()}, placement, axes, r) for which in (parts, own_parts))
        dims = placement.get("dims")
    want = _part(exact.double(), dims, axes, r)
    if want is None:
        raise CaptureError(f"output '{name}': the placement {json.dumps(placement)} is not one that replays can cut")
    if got.shape != want.shape:  # padding of uneven shards
        got, rounded = (t[tuple(slice(0, n) for n in want.shape)] for t in (got, rounded))
    return want, got, rounded


def _otherwise(name, named, want, got, scale):
    """Says so if torch has other values than the witness names for an element."""
    at = tuple(named["element"])
    here, there = (float(want[at]), float(got[at])), (float(named["sequential"]), float(named["distributed"]))
    same = all(a == b or a != a and b != b or abs(a - b) <= 1e-9 * max(scale, abs(b)) for a, b in zip(here, there))
    if not same:
        print(f"output {named['output']} ({name}): element {list(at)} is {here[0]!r} and {here[1]!r} in torch, the witness says {there[0]!r} and {there[1]!r}")
    return not same


def _combined(tensors, placement, axes, rank):
    """What the ranks of the partial axes hold together; tensors by rank."""
    here = _coordinates(axes, rank)
    members = [r for r in tensors if all(c == here[a] for a, c in _coordinates(axes, r).items() if a not in placement["partial"])]
    stacked = torch.stack([tensors[r] for r in members])
    return {"sum": lambda x: x.sum(0), "avg": lambda x: x.mean(0), "max": lambda x: x.amax(0), "min": lambda x: x.amin(0), "mul": lambda x: x.prod(0)}[placement.get("op", "sum")](stacked)


def main():
    import argparse
    parser = argparse.ArgumentParser(description="Runs witnesses of FX graphs with torch. Exit code 0: every one shows a difference, 1: one does not, 3: cannot run.")
    parser.add_argument("witness", nargs="*", default=[os.path.dirname(os.path.abspath(__file__))])
    parser.add_argument("--gloo", action="store_true", help="one process a rank, collectives of torch.distributed")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    options = parser.parse_args(sys.argv[2:] if sys.argv[1:2] == ["replay"] else sys.argv[1:])
    try:
        return 0 if all([replay(folder, options.gloo, options.device) for folder in options.witness]) else 1
    except (CaptureError, OSError) as e:
        print(f"{e}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(main())
