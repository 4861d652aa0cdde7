"""The files of a witness of graphs: its tensors, its texts, and the inputs that every rank has of them."""
import json
import os
import re

import torch

from .errors import CaptureError
from .execution import widened
from .graph_text import TYPES, graph_parameters
from .placements import part_of


def read_json(path):
    """What a JSON file holds."""
    with open(path) as f:
        return json.load(f)


def read_safetensors(path):
    """{name: tensor} of a safetensors file with numbers of 64 bits."""
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


def witness_texts(folder, ranks):
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


def typed_inputs(text, inputs, relation, axes, rank, wide):
    """{name: tensor}: the inputs of a rank's graph (None: the sequential one), cut from the sequential `inputs`, in the types that it prints (wide: in double
    precision), and the masks of its dropouts. CaptureError for a placement that is no plain split."""
    values = {}
    for name, kind, _ in graph_parameters(text):
        placement = relation.get("inputs", {}).get(name, relation.get("default", "replicated")) if rank is not None else "replicated"
        if isinstance(placement, dict) and "flat" in placement:
            x = torch.cat([inputs[part].flatten() for part in placement["flat"]])
            x = torch.nn.functional.pad(x, (0, max(0, placement.get("pad", 0) - x.numel())), value=placement.get("pad_value", 0))
            placement = [placement["axes"]]
        else:
            x = inputs[name]
        if name + ".ignore" in inputs:
            x = torch.where(inputs[name + ".ignore"] == 0, torch.full_like(x, relation["ignore"][name][0]), x)
        x = part_of(x, placement, axes, rank) if rank is not None else x
        if x is None:
            raise CaptureError(f"input '{name}': the placement {json.dumps(placement)} is not one that replays can cut")
        own = widened(TYPES[kind]) if wide else TYPES[kind]
        values[name] = torch.view_as_complex(x.contiguous()).to(own) if own.is_complex else x.contiguous().to(own)
    for name, entry in relation.get("masks", {}).items():
        named = isinstance(entry, dict) and "node" in entry
        drawn, placement = inputs[name + ".mask"] != 0, entry["placement"] if named else entry
        values[(entry["node"] if named and rank is not None else name) + ".mask"] = drawn if rank is None else part_of(drawn, placement, axes, rank)
    return values
