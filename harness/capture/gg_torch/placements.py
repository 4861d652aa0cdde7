"""Placements of relation.json (docs/formats.md) on tensors: what a rank of a mesh holds of a sequential tensor. A mesh is a list of axes
[name, size], the last one fastest."""
import math

import torch


def axes_of(relation):
    """The mesh of a relation, which may also be a dict by axes."""
    mesh = relation["mesh"]
    return [list(axis) for axis in (mesh.items() if isinstance(mesh, dict) else mesh)]


def mesh_size(axes):
    """The number of ranks of a mesh."""
    return math.prod(size for _, size in axes)


def coordinates(axes, rank):
    """{axis: place} of a rank."""
    found = {}
    for name, size in reversed(axes):
        found[name] = rank % size
        rank //= size
    return found


def _dims(placement, rank):
    """A placement by dimensions: one list of axes each; None if it is no plain split."""
    if placement is None or placement == "replicated":
        return [[] for _ in range(rank)]
    if isinstance(placement, dict) and set(placement) == {"shard", "dim"}:
        at = placement["dim"] + rank if placement["dim"] < 0 else placement["dim"]
        return [list(placement["shard"]) if d == at else [] for d in range(rank)]
    return placement if isinstance(placement, list) else None


def printed_placement(placement, rank):
    """A placement as relation.json has it."""
    return _dims(placement, rank) if isinstance(placement, dict) and "shard" in placement else placement


def part_of(tensor, placement, axes, rank):
    """The part of a sequential tensor that a rank holds; None if the placement is no plain split."""
    dims = _dims(placement, tensor.dim())
    if dims is None:
        return None
    where, sizes = coordinates(axes, rank), dict(map(tuple, axes))
    for d, item in enumerate(dims):
        names = item["axes"] if isinstance(item, dict) else item
        how = item if isinstance(item, dict) else {}
        if set(how) - {"axes", "stride", "split", "segments", "pad"}:
            return None
        if not names:
            continue
        index, count = 0, 1
        for name in names:
            index, count = index * sizes[name] + where[name], count * sizes[name]
        if "stride" in how:  # cyclic in blocks of `stride` elements
            tensor = tensor.index_select(d, torch.tensor([k for k in range(tensor.shape[d]) if k // how["stride"] % count == index]))
            continue
        if "segments" in how:
            tensor = torch.cat([part.chunk(count, d)[index] for part in tensor.split(how["segments"], d)], d)
            continue
        if "pad" in how:
            tensor = torch.cat([tensor, tensor.new_zeros(*tensor.shape[:d], how["pad"] - tensor.shape[d], *tensor.shape[d + 1:])], d)
        start, stop = block(tensor.shape[d], index, count)
        tensor = tensor.narrow(d, start, stop - start)
    return tensor


def block(length, index, count):
    """(start, stop) of the part at `index` of a dimension that is split into `count`: torch.chunk's, the last ones shorter or empty."""
    size = -(-length // count)
    return min(index * size, length), min((index + 1) * size, length)


def uneven_split(placement, shape, axes):
    """(dimension, axes, placement without it) of a plain split whose axes do not divide one dimension evenly; None if it is no such one."""
    dims, sizes = _dims(placement, len(shape)), dict(map(tuple, axes))
    if dims is None or any(isinstance(item, dict) and set(item) - {"axes", "split"} for item in dims):
        return None
    names = [item["axes"] if isinstance(item, dict) else item for item in dims]
    uneven = [d for d in range(len(shape)) if shape[d] % math.prod(sizes[name] for name in names[d])]
    return (uneven[0], names[uneven[0]], [[] if d == uneven[0] else item for d, item in enumerate(dims)]) if len(uneven) == 1 else None
