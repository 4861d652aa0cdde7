"""Tensors that the ranks hold in parts of unequal length. Such ranks run programs of their own, for which docs/formats.md has no uneven placement: each part is
an input or an output of its own, which the ranks at one place of the mesh take or return."""
import itertools

from .graph_text import inputs_from, outputs_cut, result_shape, unused_name
from .placements import block, coordinates, mesh_size, uneven_split


def in_pieces(relation, first, parts):
    """Changes the relation of a pair and its texts so that uneven parts are inputs and outputs of their own; first, parts: what captured_rank() returned. Where all
    ranks hold a tensor of one shape (padded parts), and of a recorded run, whose inputs have their values in the relation, nothing is changed."""
    for leaf in first["leaves"]:
        name = leaf["name"]
        split = uneven_split(relation["inputs"].get(name), leaf["shape"], relation["mesh"])
        if split is not None and "recorded" not in relation and len({tuple(part["shapes"][name]) for part in parts if name in part["shapes"]}) > 1:
            _input_in_pieces(relation, first, parts, name, leaf["shape"], split)
    _outputs_in_pieces(relation, first, parts)


def _places(split, shape, axes):
    """[(coordinates, start, stop)] of the parts of an uneven split, in their order."""
    dim, names, _ = split
    every = list(itertools.product(*[range(dict(map(tuple, axes))[name]) for name in names]))
    return [(dict(zip(names, place)), *block(shape[dim], k, len(every))) for k, place in enumerate(every)]


def _ranks_at(place, axes):
    """The ranks at these coordinates."""
    return [r for r in range(mesh_size(axes)) if place.items() <= coordinates(axes, r).items()]


def _input_in_pieces(relation, first, parts, name, shape, split):
    """The sequential step takes the parts and joins them; every rank takes its own under the part's name."""
    axes, (dim, _, rest) = relation["mesh"], split
    pieces = {}
    for k, (place, start, stop) in enumerate(_places(split, shape, axes)):
        piece = unused_name(f"{name}_part{k}", [part["text"] for part in (first, *parts)])
        pieces[piece] = [*shape[:dim], stop - start, *shape[dim + 1:]]
        for part in (parts[r] for r in _ranks_at(place, axes)):
            if name in part["shapes"]:
                part["text"] = inputs_from(part["text"], name, {piece: part["shapes"][name]}, f"torch.ops.aten.alias.default({piece})")
    first["text"] = inputs_from(first["text"], name, pieces, f"torch.ops.aten.cat.default([{', '.join(pieces)}], {dim})")
    del relation["inputs"][name]
    if any(rest):
        relation["inputs"].update(dict.fromkeys(pieces, rest))
    for told in (relation.get("ranges", {}), relation.get("ignore", {})):
        if name in told:
            told.update(dict.fromkeys(pieces, told.pop(name)))
    if name in relation.get("written", ()):
        relation["written"] = [x for x in relation["written"] if x != name] + list(pieces)


def _outputs_in_pieces(relation, first, parts):
    """The sequential step returns the parts, each compared with what the ranks at its place return; a part without elements is left out."""
    entries, names, cuts = [], [], []
    for k, (entry, name) in enumerate(zip(relation["outputs"], first["outputs"])):
        entry = entry if isinstance(entry, dict) and "placement" in entry else {"index": k, "placement": entry}
        shape = result_shape(first["text"], k)
        split = uneven_split(entry["placement"], shape, relation["mesh"])
        there = _ranks_at(entry.get("on", {}), relation["mesh"])
        if split is None or len({tuple(result_shape(parts[r]["text"], entry["index"])) for r in there}) == 1:
            entries.append(entry)
            names.append(name)
            cuts.append((k, None))
            continue
        dim, _, rest = split
        for place, start, stop in _places(split, shape, relation["mesh"]):
            if start < stop:
                entries.append({**entry, "on": {**entry.get("on", {}), **place}, "placement": rest if any(rest) else "replicated"})
                names.append(f"{name}[{':, ' * dim}{start}:{stop}]")
                cuts.append((k, (dim, start, stop)))
    if any(cut is not None for _, cut in cuts):
        relation["outputs"], relation["output_names"] = entries, names
        first["text"] = outputs_cut(first["text"], cuts)
