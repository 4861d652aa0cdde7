"""A pair of steps as a case: traced, checked and written to a folder."""
import os
import re
import tempfile
import warnings

import torch

from .case_folder import write_case
from .errors import SteeredError
from .pieces import in_pieces
from .placements import mesh_size
from .processes import in_processes
from .releases import check_release
from .relation import given_placements, mask_placements, relation_of
from .self_check import ran_steps, reproduced
from .steering import answered, values_of_run
from .tracing import captured_rank


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
    ranges, ignore: as in relation.json, by the same names as placements.
    masks: {"native_dropout": "dp"} makes what the dropouts of these names draw inputs, placed like that (any of the forms of placements; {"node": name on
        the ranks, "placement": ...} where the ranks call it otherwise).
    patches: context managers held while a step is built and runs, e.g. megatron_cpu(). note: a sentence for relation.json.
    check: execute the text against the step. recorded: see record().
    What torch is silent about (a bucket of DistributedDataParallel that is never reduced) is warned of, and stands in the note.
    Returns `out`. CaptureError, and nothing is written, where the steps cannot be captured, or what was captured is another program.
    """
    check_release()
    mesh = [[name, int(size)] for name, size in (ranks if isinstance(ranks, dict) else {"ranks": ranks}).items()]
    job = dict(mesh=mesh, placements=given_placements({**(placements or {}), **(batch or {})}), patches=patches, recorded=recorded)
    world = mesh_size(mesh)
    with tempfile.TemporaryDirectory() as folder:
        alone = [dict(job, step=sequential, args=args, rank=None, shapes=None)]
        ran = ran_steps(alone, folder) if recorded else None
        first = _captured(answered(alone, ran))[0]
        shapes = {leaf["name"]: leaf["shape"] for leaf in first["leaves"]}
        jobs = [dict(job, step=distributed, args=dist_args or args, rank=r, shapes=shapes) for r in range(world)]
        ran = [ran, ran_steps(jobs, folder) if recorded else None]
        parts = _captured(answered(jobs, ran[1]))
        heard = list(dict.fromkeys(line for part in parts for line in part["warnings"]))
        relation = relation_of(mesh, first, parts, job["placements"], given_placements(outputs or {}), ranges, ignore, "; ".join([note] * bool(note) + heard))
        if recorded:
            relation["recorded"] = values_of_run(ran, relation)
        log = _log([first] + parts, patches)
        if check:
            log += reproduced(alone, jobs, first, parts, ran, relation, folder)
        if masks:
            relation["masks"] = mask_placements(masks, first)
        in_pieces(relation, first, parts)
    for line in heard:
        warnings.warn(line, stacklevel=2)
    for stale in os.listdir(out) if os.path.isdir(out) else ():  # the capture of another mesh may have had more ranks
        if re.fullmatch(r"(sequential|distributed\.r\d+)\.fx|relation\.json|capture\.log", stale):
            os.remove(os.path.join(out, stale))
    return write_case(out, {"sequential.fx": first["text"], **{f"distributed.r{r}.fx": part["text"] for r, part in enumerate(parts)}}, relation, log)


def _captured(jobs):
    """What captured_rank() returns of these ranks; where sizes steer Python, once more with those told that hang on no input."""
    try:
        return in_processes([(captured_rank, (job,)) for job in jobs])
    except SteeredError:
        if jobs[0]["recorded"]:
            raise
    return in_processes([(captured_rank, (dict(job, sizes=True),)) for job in jobs])


def _log(parts, patches):
    """Lines of capture.log: what was patched, and of each part what was baked in, rewritten and left out."""
    lines = [f"torch {torch.__version__}", "attention: SDPBackend.MATH"] + [f"patched: {getattr(p, '__name__', p)}" for p in patches]
    for part in parts:
        who = "sequential" if part["rank"] is None else f"rank {part['rank']}"
        lines += [f"{who}: {len(part['leaves'])} inputs, {len(part['outputs'])} outputs, {part['text'].count('torch.ops.')} calls"]
        lines += [f"{who}: {line}" for line in part["log"] + part["warnings"]]
    return lines


def grads(loss, xs):
    """{name: gradient} of `loss` by the trainable parameters of a module, or by the tensors of a dict that want one; zeros where nothing leads there. Once a loss: all
    that are wanted of it at once, since torch frees the graph of a loss whose gradients were taken."""
    named = dict(xs.named_parameters()) if isinstance(xs, torch.nn.Module) else dict(xs)
    named = {name: x for name, x in named.items() if x.requires_grad}
    found = torch.autograd.grad(loss, list(named.values()), allow_unused=True)
    return {name: torch.zeros_like(x) if g is None else g for (name, x), g in zip(named.items(), found)}
