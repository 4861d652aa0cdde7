"""Runs both sides of a witness in torch and says where they differ."""
import itertools
import json
import os
import tempfile

import torch
import torch.distributed as dist

from .communication import Gloo
from .errors import CaptureError
from .execution import execute, execute_all
from .graph_text import numbers_of_own_type
from .placements import axes_of, coordinates, mesh_size, part_of
from .processes import TIMEOUT, in_processes
from .witness_files import read_json, read_safetensors, typed_inputs, witness_texts


def replay(witness, gloo=False, device="cpu"):
    """Runs both sides of a witness of FX graphs in torch, in double precision and in their own types; prints each output that differs and the
    roundings of its own types (in units of the type's epsilon, against the largest element), and whether torch has the values that the witness names.
    gloo: one process a rank; device: where the graphs run. True if an output differs, and as the witness says. CaptureError and OSError where the witness
    cannot be run."""
    folder = os.path.join(witness, "fx")
    relation, names, said = (read_json(path) for path in (os.path.join(folder, "relation.json"), os.path.join(folder, "inputs.json"), os.path.join(witness, "difference.json")))
    tensors = read_safetensors(os.path.join(witness, "inputs.safetensors"))
    inputs = {name: tensors[f"sequential.{k}"] for k, name in enumerate(names)}
    axes = axes_of(relation)
    texts = [numbers_of_own_type(text) for text in witness_texts(folder, mesh_size(axes))]
    given = {wide: [typed_inputs(text, inputs, relation, axes, r, wide) for r, text in zip((None, *range(mesh_size(axes))), texts)] for wide in (True, False)}
    every = lambda entry: entry and isinstance(entry[0], str) and set(entry) == {a for a, _ in axes}
    groups = {name: list(range(mesh_size(axes))) if every(entry) else entry for name, entry in relation.get("groups", {}).items()}
    work = (texts, given, groups, device, relation.get("constants"))
    placed = relation["outputs"].values() if isinstance(relation["outputs"], dict) else relation["outputs"]
    raises = any(d["output"] >= sum(entry != "ignored" for entry in placed) for d in said.get("differences", []))  # behind the graph's own outputs
    if gloo and not raises:
        with tempfile.TemporaryDirectory() as store:
            parts = in_processes([(_gloo_rank, (r, *work, os.path.join(store, "store"))) for r in range(mesh_size(axes))], together=True)
        found = {wide: (parts[0][wide][0], [part[wide][1] for part in parts]) for wide in given}
    else:
        found = in_processes([(_by_threads, work)])[0]
    if "raised" in found:
        print(f"a rank raises: {found['raised']}")
    return raises if "raised" in found else told_differences(found, relation, axes, said)


def _by_threads(texts, given, groups, device, constants):
    """{wide: (outputs of the sequential graph, outputs by rank)}, or {"raised": what a rank raised}; given: {wide: inputs of the sequential graph and of every rank's}."""
    found = {}
    for wide, inputs in given.items():
        torch.set_default_dtype(torch.float64 if wide else torch.float32)
        alone = execute_all(texts[:1], inputs[:1], {"*": [0]}, wide, device, constants)[0]
        try:
            found[wide] = alone, execute_all(texts[1:], inputs[1:], groups, wide, device, constants)
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
    dist.init_process_group("gloo", rank=rank, world_size=world, store=dist.FileStore(store, world), timeout=TIMEOUT)
    comm = Gloo(rank, groups, world)
    for wide, inputs in given.items():
        torch.set_default_dtype(torch.float64 if wide else torch.float32)
        with torch.no_grad():
            result = execute(texts[1 + rank], inputs[1 + rank], comm, wide, device, constants)
        for work, _ in comm.sent:
            work.wait()
        comm.sent.clear()
        found[wide] = execute_all(texts[:1], inputs[:1], {"*": [0]}, wide, device, constants)[0] if rank == 0 else None, result
        dist.barrier()
    return found


def told_differences(found, relation, axes, said):
    """Prints the outputs that differ, and where torch has other values than the witness names; found: {wide: (sequential outputs, outputs by rank)},
    said: difference.json. True if one differs, and all as the witness says."""
    differs, others, named = False, 0, {d["output"]: d for d in said.get("differences", [])}
    (exact, parts), own_parts = found[True], found[False][1]
    names = relation.get("output_names") or [str(k) for k in range(len(relation["outputs"]))]
    for k, (entry, name) in enumerate(zip(relation["outputs"], names)):
        entry = entry if isinstance(entry, dict) and ("index" in entry or "on" in entry) else {"placement": entry}
        placement, index = entry.get("placement", "replicated"), entry.get("index", k)
        if placement == "ignored":
            continue
        holders = [r for r in range(len(parts)) if all(coordinates(axes, r)[a] == c for a, c in entry.get("on", {}).items())]
        worst, rounding, seen = (0.0, None), 0.0, []
        for r in holders:
            want, got, rounded = _compared(name, placement, axes, r, exact[k], *({q: which[q][index] for q in holders} for which in (parts, own_parts)))
            scale = max(float(want.abs().max()) if want.numel() else 0.0, 1e-30)
            for number, a, b in zip(itertools.count(), want.flatten().tolist(), got.flatten().tolist()):
                if a == a and abs(a) != float("inf") and not abs(a - b) / scale <= worst[0]:
                    worst = (abs(a - b) / scale, (r, number, a, b))
            epsilon = torch.finfo(own_parts[r][index].dtype).eps if own_parts[r][index].is_floating_point() else 1.0
            if got.numel():
                rounding = max(rounding, float((got - rounded).abs().nan_to_num(0).max()) / scale / epsilon)
            at = _place_named(named[k], placement, axes, r, exact[k], holders, said["ranks"], len(parts)) if k in named else None
            if at is not None:
                seen.append(_otherwise(name, named[k], want[at], got[at], scale))
        if seen and all(seen):  # on each rank that has the element
            others += 1
            print(seen[0])
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
    want = part_of(exact.double(), dims, axes, r)
    if want is None:
        raise CaptureError(f"output '{name}': the placement {json.dumps(placement)} is not one that replays can cut")
    if got.shape != want.shape:  # padding of uneven shards
        got, rounded = (t[tuple(slice(0, n) for n in want.shape)] for t in (got, rounded))
    return want, got, rounded


def _place_named(named, placement, axes, r, exact, holders, counted, ranks):
    """Where rank r has the element that the witness names, or None. Ranks with programs of their own are read as one program: its elements are those of the
    whole output. The ranks of a stage are counted for themselves."""
    element = tuple(named["element"])
    if counted != 1 or ranks == 1:
        return element if r == (named["rank"] if counted == ranks else holders[named["rank"]]) else None
    dims = placement.get("dims") if isinstance(placement, dict) and "partial" in placement else placement
    number = torch.arange(1, exact.numel() + 1).reshape(exact.shape)  # padding is 0
    here = (part_of(number, dims, axes, r) == number[element]).nonzero()
    return tuple(here[0].tolist()) if len(here) else None


def _otherwise(name, named, want, got, scale):
    """Says so if torch has other values than the witness names for an element; "" if it has them."""
    here, there = (float(want), float(got)), (float(named["sequential"]), float(named["distributed"]))
    same = all(a == b or a != a and b != b or abs(a - b) <= 1e-9 * max(scale, abs(b)) for a, b in zip(here, there))
    return "" if same else f"output {named['output']} ({name}): element {named['element']} is {here[0]!r} and {here[1]!r} in torch, the witness says {there[0]!r} and {there[1]!r}"


def _combined(tensors, placement, axes, rank):
    """What the ranks of the partial axes hold together; tensors by rank."""
    here = coordinates(axes, rank)
    members = [r for r in tensors if all(c == here[a] for a, c in coordinates(axes, r).items() if a not in placement["partial"])]
    stacked = torch.stack([tensors[r] for r in members])
    return {"sum": lambda x: x.sum(0), "avg": lambda x: x.mean(0), "max": lambda x: x.amax(0), "min": lambda x: x.amin(0), "mul": lambda x: x.prod(0)}[placement.get("op", "sum")](stacked)
