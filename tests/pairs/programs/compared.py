"""Comparisons of integers with the larger or smaller one of them, and with what limits keep of them; distances by a selection."""
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from .base import Arg, I32, pair

X4, BY = [["x", 4]], P("x")


# --- which of two is larger, and by how much ---
def larger(a, b):
    return (jnp.maximum(a, b) == a).astype(jnp.float32), jnp.where(a >= b, a - b, b - a)


def larger_by_rows(defect):
    def local(a, b):
        first = a > b if defect == "equal-not" else a <= b if defect == "smaller" else a >= b
        return first.astype(jnp.float32), a - b if defect == "signed" else jnp.abs(a - b)
    return local


pair("compared-larger", X4, larger, larger_by_rows, [Arg((16,), BY, I32, (-8, 8)), Arg((16,), BY, I32, (-8, 8))], [BY, BY],
     {"equal-not": "of two that are equal none is the larger one", "smaller": "the smaller one", "signed": "a difference with its sign"}, shown={0: [1, 2, -3, 4], 1: [1, 5, -4, 4]})


# --- what lies between two limits ---
def between(ids):
    return tuple(x.astype(jnp.float32) for x in ((ids >= 3) & (ids <= 9), ids >= 2, ids <= 20))


def between_by_rows(defect):
    def local(ids):
        inside = jnp.clip(ids, 4 if defect == "four" else 3, 9) == ids
        above = jnp.maximum(ids, 2) <= (ids + 1 if defect == "one-below" else ids)
        below = jnp.minimum(ids, 20) >= (20 if defect == "twenty" else ids)
        return tuple(x.astype(jnp.float32) for x in (inside, above, below))
    return local


pair("compared-between", X4, between, between_by_rows, [Arg((16,), BY, I32, (-100, 100))], [BY, BY, BY],
     {"four": "limits from four on", "one-below": "one below the limit too", "twenty": "what is twenty at least"}, shown={0: [3, 1, 10, 20]})
