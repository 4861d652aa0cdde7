"""The inputs of a step: tensors, parameters, buffers and states of optimizers in a dict of arguments, by the names that graphs give them."""
import collections
import functools
import re

import torch
from torch.utils import _pytree as pytree

from .errors import CaptureError
from .module_placements import dtensor_placement, megatron_placement
from .placements import part_of


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


def unwrapped(path):
    """A path without the names that wrappers of modules add."""
    return re.sub(r"\b(module|_orig_mod|_fsdp_wrapped_module|_checkpoint_wrapped_module)\.", "", str(path))


def identifier(path):
    """What torch.fx calls the parameter of a graph that is made for a path: `layers.0.A_log` is layers_0_a_log, `input` is input_1."""
    name = re.sub(r"\W+", "_", unwrapped(path)).strip("_")
    return torch.fx.Graph().placeholder(name if re.match(r"[A-Za-z]", name) else "arg_" + name).name


def leaves_of(args):
    """The leaves of a dict of arguments, and a copy of the dict in which they put what takes their place. CaptureError for two leaves of one name, tuples of
    tensors, and optimizers of parameters that are no arguments."""
    leaves, optimizers = [], []

    def visit(value, path, put):
        if isinstance(value, torch.nn.Module):
            visit_module(value, path)
        elif isinstance(value, torch.optim.Optimizer):
            optimizers.append((path, value))
        elif isinstance(value, torch.Tensor):
            leaves.append(_tensor_leaf(path, value, put))
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
            leaves.append(_tensor_leaf(places[0][0], places[0][3], put))
            leaves[-1].longer = identifier(f"{path}.{places[0][0]}")

    copy = dict(args)
    for key, value in args.items():
        known = len(leaves)
        visit(value, key if not isinstance(value, dict) else "", lambda new, key=key: copy.__setitem__(key, new))
        for leaf in leaves[known:] if isinstance(value, dict) else ():
            leaf.longer = identifier(f"{key}.{leaf.longer}")
    names = collections.Counter(leaf.name for leaf in leaves)
    for leaf in leaves:
        leaf.name = leaf.longer if names[leaf.name] > 1 else leaf.name
    for path, optimizer in optimizers:
        leaves += _of_optimizer(path, optimizer, {id(leaf.given): leaf for leaf in leaves})
    for name, count in collections.Counter(leaf.name for leaf in leaves).items():
        if count > 1:
            raise CaptureError(f"two inputs are called '{name}': name the arguments apart")
    return leaves, copy


def _of_optimizer(path, optimizer, known):
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
                    held = _tensor_leaf(f"{path}.{leaf.name}.{key}", value, functools.partial(state.__setitem__, key))
                    held.placement = held.placement or (leaf.placement if value.shape == p.shape else None)
                    held.like = leaf.name if value.shape == p.shape else None
                    made.append(held)
    return made


def _tensor_leaf(path, value, put):
    """The leaf of a tensor: of a DTensor its local tensor, of a parameter one that keeps its attributes."""
    from torch.distributed.tensor import DTensor
    parameter = isinstance(value, torch.nn.Parameter)
    if isinstance(value, DTensor):
        where, placements, shape, stride = value.device_mesh, value.placements, value.shape, value.stride()
        inside = value.to_local().detach()
        wrap = lambda x: DTensor.from_local(x, where, placements, run_check=False, shape=shape, stride=stride)
        placement = dtensor_placement(value)
    else:
        inside, wrap, placement = value.detach(), lambda x: x, megatron_placement(value)
    attributes = dict(vars(value)) if parameter else {}

    def replacement(x):
        x = wrap(x)
        if parameter:
            x = torch.nn.Parameter(x, requires_grad=value.requires_grad)
            vars(x).update(attributes)
        elif value.requires_grad:
            x = x.detach().requires_grad_(True)
        return x

    expert = not getattr(value, "allreduce", True)  # Megatron: the ranks hold parameters of different experts by one name
    return _Leaf(identifier(path), value, inside, replacement, put, placement, expert)


def check_storage(leaves):
    """Every leaf its own storage: tracing makes one placeholder of a tensor that is passed twice."""
    seen = {}
    for leaf in leaves:
        if leaf.value.numel() == 0:
            continue
        key = leaf.value.untyped_storage().data_ptr()
        if key in seen:
            raise CaptureError(f"inputs '{seen[key]}' and '{leaf.name}' share their storage: clone one of them (a parameter that a module uses twice is fine)")
        seen[key] = leaf.name


def localise(leaves, job):
    """Cuts leaves that have the sequential shape and are to be split; the others are what this rank holds."""
    for leaf in leaves:
        given = job["placements"].get(leaf.name, job["placements"].get(leaf.like))
        leaf.placement = given if given is not None else leaf.placement
        if job["rank"] is None or leaf.placement in (None, "replicated") or list(leaf.value.shape) != job["shapes"].get(leaf.name):
            continue
        part = part_of(leaf.value, leaf.placement, job["mesh"], job["rank"])
        if part is not None:
            leaf.value = part.clone()
