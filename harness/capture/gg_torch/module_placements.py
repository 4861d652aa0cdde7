"""Placements that tensors of modules carry: DTensor's, and Megatron's attributes of parameters."""
import math

from .errors import CaptureError
from .rank_state import Here


def dtensor_placement(x):
    """relation.json's placement of a DTensor: axes by dimension, inner split first where _StridedShard says so; partial sums."""
    names, dims, partial, strided = x.device_mesh.mesh_dim_names, [[] for _ in range(x.dim())], [], {}
    operation = "sum"
    for name, placement in zip(names, x.placements):
        if placement.is_partial():
            partial.append(name)
            operation = placement.reduce_op
        elif hasattr(placement, "dim"):
            dims[placement.dim].append(name)
            if type(placement).__name__ == "_StridedShard":
                strided[placement.dim] = placement.split_factor
    for d, item in enumerate(dims):
        if d in strided:  # the axis of a _StridedShard stands right of the axes that split before it
            inner = math.prod(x.device_mesh.size(names.index(name)) for name in item[1:])
            if strided[d] != inner:
                raise CaptureError(f"a _StridedShard of dimension {d} with split factor {strided[d]}; the axes behind it, {', '.join(item[1:]) or 'none'}, split it into {inner}")
            dims[d] = item[1:] + item[:1]
        elif item:
            dims[d] = item if x.shape[d] % max(1, x.device_mesh.size()) == 0 else {"axes": item, "split": "chunk"}
    if partial:
        return {"partial": partial, "op": operation, "dims": dims}
    return dims if any(dims) else "replicated"


def megatron_placement(p):
    """Megatron's attributes: tensor_model_parallel, partition_dim (of some modules nothing: the first), partition_stride."""
    size = dict(map(tuple, Here.axes)).get("tp", 1)
    if not getattr(p, "tensor_model_parallel", False) or Here.rank is None or size == 1:
        return None
    dims = [[] for _ in range(p.dim())]
    dim, stride = max(0, getattr(p, "partition_dim", 0)), getattr(p, "partition_stride", 1)
    whole = p.shape[dim] * size
    dims[dim] = ["tp"] if stride == 1 else {"axes": ["tp"], "segments": [whole // stride] * stride}
    return dims
