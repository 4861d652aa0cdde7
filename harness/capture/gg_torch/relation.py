"""The relation of a captured pair: how inputs and outputs of the ranks belong to those of the sequential step. A part is what captured_rank()
returns of a rank, `first` that of the sequential step."""
import json
import re

import torch

from .errors import CaptureError
from .leaves import identifier
from .placements import coordinates, part_of, printed_placement


def given_placements(given):
    """The user's short forms as placements of relation.json: an axis, (axis or axes, dimension), or a placement as it is."""
    def one(value):
        if isinstance(value, tuple):
            axes, dim = value
            return {"shard": [axes] if isinstance(axes, str) else list(axes), "dim": dim}
        if isinstance(value, str) and re.fullmatch(r"\w+", value) and value not in ("replicated", "ignored"):
            return {"shard": [value], "dim": 0}
        return value
    return {identifier(name): one(value) for name, value in given.items()}


def relation_of(axes, first, parts, given, outputs, ranges, ignore, note):
    """relation.json of a pair as a dict; given, outputs: placements of inputs and outputs that the user names, ranges, ignore, note: as in pair(). CaptureError
    where names, shapes or values of the two sides do not go together."""
    relation = {"mesh": axes, "groups": named_groups(parts), "inputs": {}, "default": "replicated", "outputs": [], "output_names": first["outputs"]}
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
            relation["inputs"][name] = printed_placement(placement, len(sequential[name]["shape"]))
    relation["outputs"] = _outputs(axes, first, parts, relation["inputs"], sequential, outputs)
    written = dict.fromkeys(name for part in (first, *parts) for name in part["written"])
    by_name = {key: _by_input(key, given, sequential) for key, given in (("ranges", ranges), ("ignore", ignore))}
    for key, value in (*by_name.items(), ("written", list(written)), ("note", note)):
        if value:
            relation[key] = value
    return relation


def named_groups(parts):
    """What a group's name means: its ranks, or the partition of the ranks where it differs between them."""
    named = {}
    for part in parts:
        for name, ranks in part["groups"].items():
            if list(ranks) not in named.setdefault(name, []):
                named[name].append(list(ranks))
    return {name: groups[0] if len(groups) == 1 else groups for name, groups in sorted(named.items(), key=lambda item: (len(item[0]), item[0]))}


def _by_input(what, given, inputs):
    """The user's names of inputs as the graphs call them; positions, and what masks= makes inputs, as they are."""
    named = {key if str(key).isdigit() or str(key).endswith(".mask") else identifier(key): value for key, value in (given or {}).items()}
    unknown = [key for key in named if key not in inputs and not str(key).isdigit() and not str(key).endswith(".mask")]
    if unknown:
        raise CaptureError(f"{what}= names {', '.join(unknown)}, which is no input; inputs are {', '.join(inputs)}")
    return named


def mask_placements(given, first):
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
        placement = printed_placement(given_placements({name: entry.get("placement", "replicated") if named else entry})[name], ranks[name])
        masks[name] = {"node": entry["node"], "placement": placement} if named else placement
    return masks


def _check_input(name, sequential, there, placement, axes):
    """CaptureError if the ranks that take an input, `there`, do not hold their part of the sequential one by its placement (None: all of it)."""
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
            part = part_of(torch.empty(shape), placement, axes, r)
            if part is not None and list(part.shape) != leaf["shape"]:
                raise CaptureError(f"input '{name}' is {leaf['shape']} on rank {r}, its placement {json.dumps(placement)} makes {list(part.shape)} of {list(shape)}")


def _outputs(axes, first, parts, inputs, sequential, given):
    """The entries of relation.json for the sequential outputs: their placements, and where they stand if not everywhere in their own place."""
    entries = []
    for k, name in enumerate(first["outputs"]):
        there = [(r, part["outputs"].index(name)) for r, part in enumerate(parts) if name in part["outputs"]]
        if not there:
            raise CaptureError(f"no rank returns '{name}'; rank 0 returns {', '.join(parts[0]['outputs'])}")
        own = next((parts[r]["placed"][i] for r, i in there if parts[r]["placed"][i] is not None), None)
        placement = given.get(identifier(name), own if own is not None else _like_input(name, inputs, sequential))
        placement = printed_placement(placement, first["ranks"][k])
        if len(there) == len(parts) and all(i == k for _, i in there):
            entries.append(placement)
            continue
        places = [coordinates(axes, r) for r, _ in there]
        on = {axis: places[0][axis] for axis, _ in axes if len({p[axis] for p in places}) == 1}
        if len(there) != len([r for r in range(len(parts)) if all(coordinates(axes, r)[a] == c for a, c in on.items())]) or len({i for _, i in there}) != 1:
            raise CaptureError(f"the ranks {[r for r, _ in there]} that return '{name}' are not those at one place of the mesh, or return it at different positions")
        entries.append({"on": on, "index": there[0][1], "placement": placement} if on else {"index": there[0][1], "placement": placement})
    unknown = set(given) - {identifier(n) for n in first["outputs"]}
    if unknown:
        raise CaptureError(f"outputs= names {', '.join(sorted(unknown))}; outputs are {', '.join(first['outputs'])}")
    return entries


def _like_input(name, inputs, sequential):
    """The placement of the input that an output is called after: `grads.layer.w`, `layer.w.grad`."""
    words = identifier(name).split("_")
    for start in range(len(words)):
        for end in range(len(words), start, -1):
            called = identifier("_".join(words[start:end]))
            if called in sequential and (start == 0 or end == len(words)):
                return inputs.get(called, "replicated")
    return "replicated"
