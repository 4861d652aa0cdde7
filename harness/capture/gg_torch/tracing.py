"""Traces one rank's step under a fake process group, and prints its graph."""
import contextlib
import ctypes

import torch
import torch.distributed as dist

from .collectives import rewritten
from .errors import CaptureError, SteeredError, first_line, user_line
from .functional import functional_graph
from .graph_text import printed_graph
from .program import Program, rank_process
from .rank_state import Here
from .source_lines import user_lines
from .steering import KnownSizes, Steering


def captured_rank(job):
    """One rank's text and what the process knows about its inputs, outputs and groups, as a dict; job: that of a Program, with the `answers` of a recorded run.

    text; leaves: of each input name, expert, shape, placement and hash of its values; outputs, placed, ranks: name, placement (None: not known) and number of
    dimensions of each output; log: lines for capture.log; rank; groups: {name: ranks}; written: inputs that are written and not returned; shapes: of the
    inputs, by name; warnings: what the user should hear of the step."""
    with rank_process(job, "fake"):
        program = Program(job)
        values = [leaf.value.detach().clone() for leaf in program.leaves]
        log = []
        if job["recorded"]:
            program.steering = Steering(job["answers"])
        elif job.get("sizes"):
            program.steering = KnownSizes()
        with user_lines():
            graph = _traced(program, values)
        if job["recorded"]:
            log += program.steering.told()
        graph = rewritten(graph, log)
        sizes = KnownSizes() if job.get("sizes") else contextlib.nullcontext()
        graph, written = functional_graph(graph, values, [leaf.name for leaf in program.leaves], log, sizes)
        text = printed_graph(graph, program, log, 0 if job["rank"] is None else job["rank"])
        leaves = [dict(name=leaf.name, expert=leaf.expert, shape=list(leaf.value.shape), placement=leaf.placement, hash=_digest(leaf.value)) for leaf in program.leaves]
        return dict(text=text, leaves=leaves, outputs=program.names, placed=program.placed, ranks=program.ranks, log=log, rank=job["rank"], groups=_groups(), written=written, warnings=program.warnings,
                    shapes={leaf.name: list(v.shape) for leaf, v in zip(program.leaves, values)})


def _digest(tensor):
    """The same for tensors of the same bytes."""
    x = tensor.detach().contiguous()
    return hash(ctypes.string_at(x.data_ptr(), x.nbytes)) if x.numel() else 0


def _groups():
    """{name: ranks} of the process groups that the step and its arguments made."""
    return {p.group_name: dist.get_process_group_ranks(p) for p in dist.distributed_c10d._world.pg_map}


def _traced(program, values):
    """The GraphModule of a Program on tensors like its inputs; CaptureError, with the user's line, where values steer Python or a tensor is no input."""
    from torch.fx.experimental.proxy_tensor import make_fx
    from torch._subclasses.fake_tensor import DataDependentOutputException
    Here.tracing = True
    try:
        return make_fx(program, tracing_mode="fake")(*values)
    except CaptureError:
        raise
    except (DataDependentOutputException, torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode) as e:
        raise SteeredError(f"{user_line(e)}: a value steers Python here ({first_line(e)}): the graph would be that of one draw. Use fixed sizes or masks, or gg_torch.record(), whose graphs are those of one run") from None
    except Exception as e:
        if "FakeTensor" in str(e) or "fake" in str(e).lower():
            raise CaptureError(f"{user_line(e)}: a tensor that is no input of the step is used here: make it an argument, a parameter or a buffer ({first_line(e)})") from None
        raise
    finally:
        Here.tracing = False
