"""Which rank of the mesh this process is, and its process groups."""
import torch
import torch.distributed as dist


class Here:
    """What this process is: the axes of the mesh, its rank (None: the sequential side), whether it traces, reductions whose boxes do not tell them, and the modules
    under DistributedDataParallel that the step made, each with the parameters whose gradients were reduced."""
    axes, rank, mesh, tracing, reductions, replicas = [], None, None, False, [], []


def mesh(device="cpu"):
    """The DeviceMesh of `ranks`, inside a step or its arguments; at one rank all its axes have size 1."""
    if Here.mesh is None:
        sizes = [size if Here.rank is not None else 1 for _, size in Here.axes]
        with untraced():
            Here.mesh = dist.device_mesh.init_device_mesh(device, tuple(sizes), mesh_dim_names=tuple(name for name, _ in Here.axes))
    return Here.mesh


def group(axis):
    """The process group of one axis of `ranks`, inside a step or its arguments."""
    return mesh().get_group(axis)


def untraced():
    """What runs in here is no part of the program."""
    return torch.utils._python_dispatch._disable_current_modes()
