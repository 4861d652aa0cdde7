"""What releases of torch do otherwise: where a name that this package uses is not there, what stands in its place."""
import contextlib
import functools
from unittest import mock

import torch
import torch.distributed as dist
from torch.distributed.pipelining import schedules, stage
from torch.fx.experimental.proxy_tensor import get_proxy_mode

from .errors import CaptureError
from .rank_state import Here

OLDEST = (2, 8)  # the oldest release with which captures were run


def check_release():
    """CaptureError for a torch that is older than any that captures were run with."""
    release = tuple(int(n) for n in torch.__version__.split(".")[:2])
    if release < OLDEST:
        raise CaptureError(f"torch {torch.__version__} is too old: steps are captured with torch {'.'.join(map(str, OLDEST))} and later ones")


def operators_added():
    """What later releases have, where this one has none: collectives of tensors without values, and functional messages, by the same names and types.
    Returns the library that must be kept, or None."""
    if not torch._C._dispatch_has_kernel_for_dispatch_key("c10d::allreduce_", "Meta"):
        from torch.distributed._tools import fake_collectives  # noqa: F401  which registers them
    if hasattr(torch.ops._c10d_functional, "isend"):
        return None
    library = torch.library.Library("_c10d_functional", "FRAGMENT")
    for name, peer in (("isend", "dst"), ("irecv", "src")):
        library.define(f"{name}(Tensor tensor, int {peer}, int tag, str group_name) -> Tensor")
        library.impl(name, lambda x, *_: torch.empty_like(x), "CompositeExplicitAutograd")  # graphs are executed by communication.py
    return library


def _state(op):
    """(kind, factor) of a ReduceOp: `sum`, ...; the factor of `premul_sum`, else None."""
    kind, factor = op.__getstate__() if hasattr(op, "op") else (op, None)
    return str(kind).rsplit(".", 1)[-1].lower(), factor


def reduction_of(box):
    """(kind, factor) of a boxed reduction of a graph, the boxes in the order of their calls."""
    if hasattr(dist.ReduceOp, "unbox"):
        return _state(dist.ReduceOp.unbox(box))
    if not Here.reductions:
        raise CaptureError(f"torch {torch.__version__} does not tell which reduction a collective does that no method of a process group called")
    return Here.reductions.pop(0)


@contextlib.contextmanager
def first_messages_aside():
    """Stages of a pipeline take the shapes that their constructors were given, as later releases have it under a fake group, without a first message that tells
    whether all were, or opens connections."""
    def fixed(schedule, stages, has_backward, _):
        for one in stages:
            if hasattr(one, "_inference_mode"):
                if stage.InferenceMode.needs_dynamic(one._user_meta, has_backward):
                    raise CaptureError(f"stage {one.stage_index} of a pipeline gets its shapes by messages: give them to PipelineStage (input_args, output_args)")
                one._inference_mode = stage.InferenceMode.STATIC
    with contextlib.ExitStack() as stack:
        for owner, name, value in ((schedules._PipelineSchedule, "_warmup_p2p", fixed), (stage._PipelineStageBase, "_get_init_p2p_neighbors_ops", lambda _: [])):
            if hasattr(owner, name):
                stack.enter_context(mock.patch.object(owner, name, value))
        yield


@contextlib.contextmanager
def reductions_told():
    """Where a box does not tell its reduction: those of the traced calls, in their order, in Here.reductions."""
    group, kinds = dist.ProcessGroup, (dist.ReduceOp, dist.ReduceOp.RedOpType)
    kept = {} if hasattr(dist.ReduceOp, "unbox") else {name: getattr(group, name) for name in dir(group) if "reduce" in name}

    def told(method):
        @functools.wraps(method)
        def run(self, *args, **kwargs):
            if get_proxy_mode() is not None:
                given = [getattr(x, "reduceOp", x) for x in (*args, *kwargs.values())]
                Here.reductions.append(_state(next((x for x in given if isinstance(x, kinds)), dist.ReduceOp.SUM)))
            return method(self, *args, **kwargs)
        return run
    Here.reductions = []
    with contextlib.ExitStack() as stack:
        for name, method in kept.items():
            stack.enter_context(mock.patch.object(group, name, told(method)))
        yield
