"""Steps written out of which the last ones are left out: rounds of a ring under a running maximum, distances, microbatches; and beside each one that looks alike and is another."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair, rotate
from .causes import empty, masked_attention, online, seen

N = 5
CP, DP = [["cp", N]], [["dp", 2]]
ROWS = P("cp")


# --- rounds of ring attention -------------------------------------------------------------------------------------------------
def ring(defect):
    def run(q, k, v):
        n, me, state = len(q), lax.axis_index("cp"), empty(q, v)
        mine = me * n + jnp.arange(n)
        for t in range({"round-short": N - 1, "two-short": N - 2}.get(defect, N)):
            keys = (me - t) % N * n + jnp.arange(n)
            state = online(state, jnp.where(seen(mine, keys, None), q @ k.T, -1e30), v)
            k = rotate(k, "cp")
            v = v if defect == "values-behind" and t == N - 2 else rotate(v, "cp")
        return state[2] / state[1][:, None]
    return run


pair("cause-short-ring", CP, masked_attention(None), ring, [Arg((10, 3), ROWS)] * 3, [ROWS],
     {"round-short": "the last round of the ring is left out", "two-short": "the last two rounds of the ring are left out",
      "values-behind": "the last round weighs the values of the round before"})


# --- blocks that come from farther and farther away ---------------------------------------------------------------------------
def product(x, w):
    return x @ w


def by_distance(defect):
    def run(x, w):
        n, me, total = len(w), lax.axis_index("cp"), 0.0
        for t in {"farthest-left-out": (0, 1, 2), "out-of-order": (0, 2, 1)}.get(defect, range(4)):
            block = lax.dynamic_slice_in_dim(x, (me - t) % 4 * n, n, 1)
            total = total + block @ (rotate(w, "cp", t) if t else w)
        return total
    return run


pair("cause-short-distances", [["cp", 4]], product, by_distance, [Arg((4, 8)), Arg((8, 3), ROWS)], [P()],
     {"farthest-left-out": "the block that is farthest away is left out", "out-of-order": "the block that is three ranks away is left out, and those before it are not in order"})


# --- microbatches ---------------------------------------------------------------------------------------------------------------
def energy(x, w):
    return jnp.sum(jnp.tanh(x @ w) ** 2, 0)


def in_microbatches(defect):
    def run(x, w):
        total = 0.0
        for t in (0, 1, 1) if defect == "second-twice" else range(2 if defect == "last-left-out" else 3):
            total = total + energy(x[2 * t:2 * t + 2], w)
        return lax.psum(total, "dp")
    return run


pair("cause-short-microbatches", DP, energy, in_microbatches, [Arg((12, 3), P("dp")), Arg((3, 4))], [P()],
     {"last-left-out": "the rank's last microbatch is left out", "second-twice": "the second microbatch is taken twice, the last one never"})
