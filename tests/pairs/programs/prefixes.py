"""Running extrema of integers over shards: each rank's own, and the extremum of what the ranks before it have."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, I32, pair

X4, BY = [["x", 4]], P("x")
LEAST, MOST = -2**31, 2**31 - 1


def before(last, fill, defect):
    """What the ranks before this one have as their last place, `fill` for the others."""
    ranks = jnp.arange(4)
    seen = ranks <= lax.axis_index("x") if defect == "own-too" else ranks < lax.axis_index("x") - (defect == "one-fewer")
    return jnp.where(seen, lax.all_gather(last, "x"), fill)


def largest_by_rows(defect):
    def local(x):
        own = lax.cummax(x)
        return jnp.maximum(own, jnp.max(before(own[-1], 0 if defect == "zero" else LEAST, defect)))
    return local


pair("prefix-largest", X4, lax.cummax, largest_by_rows, [Arg((8,), BY, I32, (-50, 50))], [BY],
     {"zero": "0 in the place of ranks behind, though numbers may lie below", "own-too": "the rank's own last place counts", "one-fewer": "the rank just before is left out"})


def smallest_by_rows(defect):
    def local(x):
        own = lax.cummin(x)
        return jnp.minimum(own, jnp.min(before(own[-1], 50 if defect == "fifty" else 100, defect)))
    return local


pair("prefix-smallest", X4, lax.cummin, smallest_by_rows, [Arg((8,), BY, I32, (60, 100))], [BY],
     {"fifty": "50 in the place of ranks behind, though all lie above", "own-too": "the rank's own last place counts", "one-fewer": "the rank just before is left out"})


# --- places within documents: the last start of one at or before each token ---
def since_start(start):
    i = jnp.arange(16)
    return i - lax.cummax(jnp.where(start > 0, i, 0))


def since_start_by_rows(defect):
    def local(start):
        i = jnp.arange(4) + (0 if defect == "local-places" else 4 * lax.axis_index("x"))
        own = lax.cummax(jnp.where(start > 0, i, 0))
        return i - (own if defect == "own-alone" else jnp.maximum(own, jnp.max(before(own[-1], 0, defect))))
    return local


pair("prefix-documents", X4, since_start, since_start_by_rows, [Arg((16,), BY, I32, (0, 2))], [BY],
     {"local-places": "places within the shard", "own-alone": "documents begin with each shard", "own-too": "the rank's own last start counts"})
