"""Conditions on rows of which there are many, and iterations of which there are more than a few: the argument is that of the small ones."""
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, pair

TP = [["tp", 4]]
RING, UP, DOWN = [(i, (i + 1) % 4) for i in range(4)], [(i, i + 1) for i in range(3)], [(i + 1, i) for i in range(3)]


# --- a product whose rows come around in a ring, each block written to its place ---
def around(defect):
    def run(x, w):
        rank, rows = lax.axis_index("tp"), len(x)

        def tick(t, state):
            y, part = state
            block = rank + t if defect == "other-way" else rank - t
            return lax.dynamic_update_slice(y, part @ w, ((block % 4) * rows - (1 if defect == "row-before" else 0), 0)), lax.ppermute(part, "tp", RING)
        return lax.fori_loop(0, 4, tick, (jnp.zeros((4 * rows, w.shape[1])), x))[0]
    return run


pair("many-rows-around", TP, lambda x, w: x @ w, around, [Arg((2048, 8), P("tp")), Arg((8, 8), P(None, "tp"))], [P(None, "tp")],
     {"other-way": "blocks are written where those of the other direction belong", "row-before": "each block is written one row too early"})


# --- rows of an image with those beside them ---
def blurred(x):
    wide = jnp.pad(x, ((1, 1), (0, 0)))
    return wide[:-2] + 2 * wide[1:-1] + 3 * wide[2:]


def blurred_tp(defect):
    def run(x):
        above, below = lax.ppermute(x[-1:], "tp", UP), lax.ppermute(x[:1] if defect != "second-row" else x[1:2], "tp", DOWN)
        wide = jnp.concatenate([below, x, above] if defect == "exchanged" else [above, x, below])
        return wide[:-2] + 2 * wide[1:-1] + 3 * wide[2:]
    return run


pair("many-rows-blurred", TP, blurred, blurred_tp, [Arg((8192, 3), P("tp"))], [P("tp")],
     {"second-row": "the row after the first one of the next rank", "exchanged": "the rows above and below change places"})


# --- a pipeline of twelve microbatches ---
def stages(w, x):
    for k in range(4):
        x = jnp.tanh(x @ w[k])
    return x


def piped(defect):
    def run(w, x):
        rank = lax.axis_index("tp")

        def tick(t, state):
            here, out = state
            here = jnp.where(rank == 0, x[jnp.minimum(t, 11)], here)
            here = jnp.tanh(here @ w[0])
            return lax.ppermute(here, "tp", RING), lax.dynamic_update_slice(out, here[None], (t, 0, 0))
        out = lax.fori_loop(0, 14 if defect == "tick-short" else 15, tick, (jnp.zeros(x.shape[1:]), jnp.zeros((15, *x.shape[1:]))))[1]
        return lax.psum(jnp.where(rank == 3, out[2:14] if defect == "early" else out[3:], 0.0), "tp")
    return run


pair("many-microbatches", TP, stages, piped, [Arg((4, 4, 4), P("tp")), Arg((12, 2, 4))], [P()],
     {"tick-short": "the last microbatch does not come through", "early": "outputs are taken one tick too early"})
