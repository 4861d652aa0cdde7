"""One token a sequence against a cache whose places are spread over the ranks, each sequence as long as it is: a rank may hold no place that counts. Each rank
takes the softmax of its own places by its own maximum, which is minus infinity there, and the parts are merged by the maximum of all."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, pair

SP = [["sp", 4]]
CACHE = Arg((2, 16, 2, 3), P(None, "sp"))
STEP = [Arg((2, 2, 3)), CACHE, CACHE, Arg((2,), P(), I32, (1, 17))]
NO_WEIGHT = "a rank's sum is not weighted by its own maximum"
LOCAL = "places count from each rank's own first one"


def scores(q, k, counts, low=-jnp.inf):
    return jnp.where(counts, jnp.einsum("bhd,bnhd->bhn", q, k) / 2, low)


def whole(q, k, v, lengths):
    counts = jnp.arange(k.shape[1]) < lengths[:, None, None]
    return jnp.einsum("bhn,bnhd->bhd", jax.nn.softmax(scores(q, k, counts), -1), v)


def counted(k, lengths, defect):
    place = jnp.arange(k.shape[1]) + (0 if defect == "own-places" else lax.axis_index("sp") * k.shape[1])
    return place < lengths[:, None, None]


def merged(total, output, weight, defect):
    output = lax.psum((1 if defect == "no-weight" else weight[..., None]) * output, "sp")
    return output / lax.psum(weight * total, "sp")[..., None]


# --- where nothing counts, 0 stands for the maximum: asked by isinf, and the weight of the rank is 0 ------------------------
def by_infinity(defect):
    def run(q, k, v, lengths):
        s = scores(q, k, counted(k, lengths, defect))
        m = jnp.max(s, -1)
        p = jnp.exp(s - jnp.where(jnp.isinf(m), 0, m)[..., None])
        weight = jnp.where(jnp.isinf(m), 0, jnp.exp(m - lax.pmax(m, "sp")))
        return merged(jnp.sum(p, -1), jnp.einsum("bhn,bnhd->bhd", p, v), weight, defect)
    return run


pair("decoding-infinity", SP, whole, by_infinity, STEP, [P()], {"no-weight": NO_WEIGHT, "own-places": LOCAL})


# --- asked by a comparison, and places that do not count have no weight by the mask again -----------------------------------
def by_mask(defect):
    def run(q, k, v, lengths):
        counts = counted(k, lengths, defect)
        s = scores(q, k, counts)
        m = jnp.max(s, -1)
        p = jnp.where(counts, jnp.exp(s - jnp.where(m == -jnp.inf, 0, m)[..., None]), 0)
        top = m if defect == "own-maximum" else lax.pmax(m, "sp")
        return merged(jnp.sum(p, -1), jnp.einsum("bhn,bnhd->bhd", p, v), jnp.where(m == -jnp.inf, 0, jnp.exp(m - top)) if defect else jnp.exp(m - top), defect)
    return run


pair("decoding-mask", SP, whole, by_mask, STEP, [P()],
     {"no-weight": NO_WEIGHT, "own-places": LOCAL, "own-maximum": "each rank's weight is relative to its own maximum"})


# --- the softmax of those that count (where=), beside the shard's finite maximum -------------------------------------------
def where(q, k, v, lengths):
    counts = jnp.arange(k.shape[1]) < lengths[:, None, None]
    p = jax.nn.softmax(jnp.einsum("bhd,bnhd->bhn", q, k) / 2, -1, where=counts)
    return jnp.einsum("bhn,bnhd->bhd", p, v)


def by_finite(defect):
    def run(q, k, v, lengths):
        s = scores(q, k, counted(k, lengths, defect))
        m = jnp.max(s, -1)
        kept = jnp.where(jnp.isfinite(m), m, 0)
        p = jnp.exp(s - kept[..., None])
        weight = jnp.where(jnp.isfinite(m), jnp.exp(kept - lax.pmax(m, "sp")), 1 if defect == "empty-counts" else 0)
        total = jnp.where(jnp.isfinite(m), jnp.sum(p, -1), 1) if defect == "empty-counts" else jnp.sum(p, -1)
        return merged(total, jnp.einsum("bhn,bnhd->bhd", p, v), weight, defect)
    return run


pair("decoding-where", SP, where, by_finite, STEP, [P()],
     {"no-weight": NO_WEIGHT, "own-places": LOCAL, "empty-counts": "a rank without a place that counts has a sum of 1"})
