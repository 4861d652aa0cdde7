"""A step and its arguments as a function of flat tensors, in a process that is one rank."""
import contextlib
import os

import torch
import torch.distributed as dist
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.utils import _pytree as pytree

from .errors import CaptureError
from .leaves import check_storage, leaves_of, localise, unwrapped
from .module_placements import dtensor_placement
from .patches import groups_by, known_dropout, left_unreduced, meshes_aside, traceable_ddp
from .placements import mesh_size
from .processes import TIMEOUT
from .rank_state import Here
from .releases import first_messages_aside, reductions_told


class Program:
    """A step with its arguments as a function of flat tensors, and what its outputs are called.

    job: a dict of step, args, mesh, placements (of inputs, by name), shapes (of the sequential inputs), rank (None: the sequential side), patches and
    recorded. After a call, `names`, `placed` and `ranks` are the names, DTensor placements and numbers of dimensions of the outputs, `warnings`
    what the user should hear of the step."""

    def __init__(self, job):
        self.job = job
        args = job["args"]() if callable(job["args"]) else job["args"]
        if not isinstance(args, dict):
            raise CaptureError("the arguments are not a dict by the parameters of the step")
        self.leaves, self.args = leaves_of(args)
        check_storage(self.leaves)
        localise(self.leaves, job)
        self.names, self.placed, self.warnings, self.steering = [], [], [], contextlib.nullcontext()

    def __call__(self, *values):
        from torch.distributed.tensor import DTensor
        for leaf, value in zip(self.leaves, values):
            leaf.take(value)
        watch = register_optimizer_step_pre_hook(self.of_this_step)
        try:
            with self.steering:
                result = self.job["step"](**self.args)
            self.warnings = left_unreduced()
        finally:
            watch.remove()
        tensors, self.names, self.placed, self.ranks = [], [], [], []
        for path, value in pytree.tree_flatten_with_path(result)[0]:
            name = ".".join(str(getattr(k, "key", getattr(k, "idx", getattr(k, "name", k)))) for k in path) or "result"
            name = unwrapped(name)
            if not isinstance(value, torch.Tensor):
                if value is not None:
                    raise CaptureError(f"output '{name}' is {value!r}, no tensor: a Python number would be a constant of the graph")
                continue
            self.placed.append(dtensor_placement(value) if isinstance(value, DTensor) else None)
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
def rank_process(job, backend, store=None):
    """This process as one rank of a Program's job: process group, seeds, patches, attention as plain operators. backend: "fake", or "gloo" with a file `store`."""
    rank, world = (job["rank"], mesh_size(job["mesh"])) if job["rank"] is not None else (0, 1)
    torch.set_num_threads(1)
    torch.manual_seed(0)
    Here.axes, Here.rank, Here.mesh = job["mesh"], job["rank"], None
    if backend == "fake":
        from torch.testing._internal.distributed.fake_pg import FakeStore
        store = FakeStore()
    else:
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        store = dist.FileStore(store, world)
    dist.init_process_group(backend, rank=rank, world_size=world, store=store, timeout=job.get("timeout", TIMEOUT))
    with contextlib.ExitStack() as stack:
        stack.enter_context(torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH))
        stack.enter_context(known_dropout())
        stack.enter_context(meshes_aside())
        stack.enter_context(groups_by(backend))
        stack.enter_context(torch._dynamo.config.patch(error_on_nested_fx_trace=False))  # what torch.compile wraps is traced as it stands
        stack.enter_context(torch.compiler.set_stance("force_eager"))
        if backend == "fake":
            stack.enter_context(traceable_ddp())
            stack.enter_context(reductions_told())
            stack.enter_context(first_messages_aside())
        for patch in job["patches"]:
            stack.enter_context(patch() if callable(patch) else patch)
        yield rank, world
