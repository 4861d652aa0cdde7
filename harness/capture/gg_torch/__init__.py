"""Captures PyTorch programs as cases of gg-harness: needs torch only, on a CPU without network.

    import gg_torch

    def args():                                    # called in every process, so every rank makes the same tensors
        return {"w": torch.randn(8, 8), "x": torch.randn(4, 8)}
    gg_torch.pair(sequential, distributed, args, {"tp": 2}, "case", placements={"w": ("tp", 1)})

then `gg-harness check case`. `sequential(**args)` and `distributed(**args)` are whole steps (forward, backward, update) and return what is
compared: tensors in dicts, lists or tuples. `capture(step, ...)` takes one step for both, at one rank and at all. Each rank is traced in a
process of its own under a fake process group; collectives become `_c10d_functional` operators, writes are functionalised. At the end the
printed text of every rank is executed against the step itself (gloo, double precision): a capture that is another program is refused
(CaptureError). `capture.log` says what was patched, baked in, rewritten and left out. Tested with torch 2.8 to 2.15.

The modules, each using only those before it: errors, placements, processes, graph_text, communication, execution (a printed graph runs);
witness_files, witness_replay, __main__ (these and the ones before are `replay_torch.py` of a witness); rank_state, releases, module_placements, leaves,
patches, program (a step is a function of tensors); source_lines, collectives, functional, steering, tracing (it is a graph); relation, pieces,
self_check, case_folder, captures, existing_graphs (it is a case). What they do not name with an underscore is for each other; the user's names are these:
"""
from .captures import capture, grads, pair, record
from .errors import CaptureError
from .existing_graphs import read
from .patches import megatron_cpu
from .rank_state import group, mesh
from .witness_replay import replay

__all__ = ["CaptureError", "capture", "grads", "group", "megatron_cpu", "mesh", "pair", "read", "record", "replay"]
