"""Registry of pairs, and the few collectives that more than one module uses.

A pair is a sequential function `seq` and a factory `dist(defect)` of the distributed one, which runs under shard_map
(`annotated`: XLA partitions it from the shardings instead). `dist("")` is right; `dist(NAME)` has the defect NAME.
"""
import dataclasses
import functools
from typing import Callable

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

F32, I32 = jnp.float32, jnp.int32


@dataclasses.dataclass
class View:
    """How a distributed tensor that is not simply sharded comes from the sequential one: `placement` as in
    relation.json, `apply` the same on the whole NumPy array, `files` texts that the placement names."""
    placement: object
    apply: Callable
    files: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Arg:
    """One leaf: shape (of the sequential tensor), sharding, element type, range of values [lo, hi)."""
    shape: tuple
    spec: P = P()
    dtype: object = F32
    range: tuple = None
    view: View = None


@dataclasses.dataclass
class Pair:
    name: str
    mesh: list  # [[axis, size], ...]
    seq: Callable
    dist: Callable  # defect name or "" -> function
    inputs: list  # of Arg
    outputs: list  # of PartitionSpec or (PartitionSpec, View)
    defects: dict  # name -> what is wrong
    annotated: bool = False
    edits: dict = dataclasses.field(default_factory=dict)  # defect name -> (text, replacement) in distributed.hlo, once
    next: dict = None
    shown: dict = dataclasses.field(default_factory=dict)  # input -> numbers that show a defect, which ordinary draws hardly have


PAIRS = []


def pair(name, mesh, seq, dist, inputs, outputs, defects, **more):
    PAIRS.append(Pair(name, mesh, seq, dist, inputs, outputs, defects, **more))


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def copy_to(x, axis):
    """Identity whose gradient is summed over `axis`: in front of a column-parallel layer."""
    return x


copy_to.defvjp(lambda x, axis: (x, None), lambda axis, _, g: (lax.psum(g, axis),))


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def reduce_from(x, axis):
    """Sum over `axis` whose gradient is the identity: behind a row-parallel layer."""
    return lax.psum(x, axis)


reduce_from.defvjp(lambda x, axis: (lax.psum(x, axis), None), lambda axis, _, g: (g,))


def rotate(x, axis, by=1):
    """Each rank's `x` to the rank `by` further along `axis`, around the ring."""
    n = lax.axis_size(axis)
    return lax.ppermute(x, axis, [(i, (i + by) % n) for i in range(n)])


def gather(x, axis, dim=0):
    return lax.all_gather(x, axis, axis=dim, tiled=True)


def block(x, axis, dim=0):
    """This rank's block of a whole tensor."""
    size = x.shape[dim] // lax.axis_size(axis)
    return lax.dynamic_slice_in_dim(x, lax.axis_index(axis) * size, size, dim)


def rms(x, g):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g
