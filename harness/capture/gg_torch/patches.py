"""What is done otherwise in torch and in megatron-core while a step is built, traced and run. Each is a context manager."""
import contextlib
import functools
import inspect

import torch
import torch.distributed as dist

from .execution import dropped
from .rank_state import Here, untraced


@contextlib.contextmanager
def known_dropout():
    """F.dropout as one operator (aten.native_dropout) while tracing, and as a fixed function in the check."""
    kept = torch.nn.functional.dropout

    def dropout(input, p=0.5, training=True, inplace=False):
        if not training or p == 0:
            return input
        return torch.ops.aten.native_dropout.default(input, p, True)[0] if Here.tracing else dropped(input, p)[0]
    torch.nn.functional.dropout = dropout
    try:
        yield
    finally:
        torch.nn.functional.dropout = kept


@contextlib.contextmanager
def meshes_aside():
    """Tables of ranks that a DeviceMesh computes with are no values of the program."""
    made = dist.device_mesh.DeviceMesh
    kept = {name: vars(made)[name] for name in ("__init__", "_flatten", "_unflatten", "_get_all_submeshes", "mesh") if name in vars(made)}

    def aside(function):
        def run(*args, **kwargs):
            with untraced():
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
def groups_by(backend):
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
def traceable_ddp():
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
        group, reduced = state
        reduced.update(id(p) for p in bucket.parameters())
        buffer = bucket.buffer()
        dist.all_reduce(buffer, group=group)
        done = torch.futures.Future()
        done.set_result(buffer.div_(dist.get_world_size(group)))
        return done

    def initialise(self, *args, **kwargs):
        kept(self, *args, **{**kwargs, "init_sync": False})
        Here.replicas.append((self.module, reduced := set()))
        self.register_comm_hook((kwargs.get("process_group") or dist.group.WORLD, reduced), mean)
        self.reducer = SameBuckets(self.reducer)
    parallel.__init__, Here.replicas = initialise, []
    try:
        yield
    finally:
        parallel.__init__ = kept


def left_unreduced():
    """What torch does not say: a bucket with a parameter that gets no gradient is never reduced, unless DistributedDataParallel looks for such ones. A sentence a module."""
    told = []
    for module, reduced in Here.replicas:
        wanted = [(name, p) for name, p in module.named_parameters() if p.requires_grad]
        unused = [name for name, p in wanted if p.grad is None]
        left = [name for name, p in wanted if p.grad is not None and id(p) not in reduced]
        if unused and left:
            told.append(f"DistributedDataParallel: no gradient reaches {_first_few(unused)}, so that buckets are never reduced: the gradients of {_first_few(left)} stay those "
                        "of the rank (find_unused_parameters=True would reduce them; so would freezing what is not used)")
    return told


def _first_few(names):
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


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
