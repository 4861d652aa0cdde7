"""The first of the largest elements of a row that is spread over the ranks, where many are equal: by the largest value of all, or of what each rank found."""
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, gather, pair

TP = [["tp", 4]]
COUNTS = Arg((5, 24), P(None, "tp"), I32, (0, 6))
SCORES = Arg((5, 24), P(None, "tp"))
OFFSET = "places count from each rank's own first column"


def places(x):
    return lax.axis_index("tp") * x.shape[1]


# --- the least place of those whose value is the largest of all ---
def first(x):
    return jnp.argmax(x.astype(jnp.float32), -1)


def first_tp(defect):
    def run(x):
        x = x.astype(jnp.float32)
        i, best = jnp.argmax(x, -1) + (0 if defect == "own-offset" else places(x)), jnp.max(x, -1)
        found = best == lax.pmax(best, "tp")
        if defect == "summed":
            return lax.psum(jnp.where(found, i, 0), "tp")
        if defect == "last":
            return lax.pmax(jnp.where(found, i, -1), "tp")
        return lax.pmin(jnp.where(found, i, 24), "tp")
    return run


pair("first-found", TP, first, first_tp, [COUNTS], [P()],
     {"own-offset": OFFSET, "summed": "the places of equal elements are added", "last": "the last of the largest elements"})


# --- the winner among what the ranks found, looked up by its number ---
def first_looked_up(x):
    at = jnp.argmin(x.astype(jnp.float32) * 2 + 1, -1)
    return at, at % 5


def first_looked_up_tp(defect):
    def run(x):
        x = x.astype(jnp.float32) * 2 + 1
        i = jnp.argmin(x, -1) + (0 if defect == "own-offset" else places(x))
        best, at = lax.all_gather(jnp.min(x, -1), "tp"), lax.all_gather(i, "tp")
        winner = 3 - jnp.argmin(best[::-1], 0) if defect == "last-rank" else jnp.argmin(best, 0)
        at = jnp.take_along_axis(at, winner[None], 0, mode="clip")[0]
        return at, at % 5
    return run


pair("first-looked-up", TP, first_looked_up, first_looked_up_tp, [COUNTS], [P(), P()],
     {"own-offset": OFFSET, "last-rank": "the last of the ranks that have the largest element"})


# --- by a comparison of each element with the largest, on both sides; the place of the smallest ---
def compared(x):
    return jnp.min(jnp.where(x == jnp.max(x, -1, keepdims=True), jnp.arange(24), 24), -1), jnp.argmin(x, -1)


def compared_tp(defect):
    def run(x):
        best, least = (f(x, -1, keepdims=True) for f in (jnp.max, jnp.min))
        best, least = best if defect == "own-maximum" else lax.pmax(best, "tp"), lax.pmin(least, "tp")
        i = jnp.arange(6) + places(x)
        return tuple(lax.pmin(jnp.min(jnp.where(x == y, i, 24), -1), "tp") for y in (best, best if defect == "largest-twice" else least))
    return run


pair("first-compared", TP, compared, compared_tp, [SCORES], [P(), P()],
     {"own-maximum": "elements are compared with the largest of their rank", "largest-twice": "the place of the largest for that of the smallest"})
