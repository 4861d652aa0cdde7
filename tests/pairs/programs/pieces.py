"""Conditions on rows of which there are many, and iterations of which there are more than a few: the argument is that of the small ones."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, pair

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


# --- the gradient of a cross entropy over a split vocabulary, by hand; rows whose label is -1 do not count ---
def labelled(x, w, y):
    def loss(x, w):
        counts = y >= 0
        own = jnp.take_along_axis(jax.nn.log_softmax(x @ w, -1), jnp.where(counts, y, 0)[:, None], -1)[:, 0]
        return -jnp.sum(own * counts) / jnp.maximum(jnp.sum(counts), 1)
    return jax.grad(loss, (0, 1))(x, w)


def labelled_tp(defect):
    def run(x, w, y):
        logits, width = x @ w, w.shape[1]
        e = jnp.exp(logits - lax.pmax(jnp.max(logits, -1), "tp")[:, None])
        at = y - lax.axis_index("tp") * width
        inside = (at >= 0) & (at < (width - 1 if defect == "last-label" else width))
        hot = jnp.where(inside[:, None], jax.nn.one_hot(jnp.where(inside, at, 0), width), 0.0)
        counts = y >= (-1 if defect == "all-counted" else 0)
        share = counts / jnp.maximum(jnp.sum(counts), 1)
        g = (e / lax.psum(jnp.sum(e, -1), "tp")[:, None] - hot) * share[:, None]
        return lax.psum(g @ w.T, "tp"), x.T @ g
    return run


pair("labels-left-out", TP, labelled, labelled_tp, [Arg((6, 3)), Arg((3, 16), P(None, "tp")), Arg((6,), dtype=I32, range=(-1, 16))],
     [P(), P(None, "tp")],
     {"all-counted": "rows without a label count", "last-label": "the last label of each rank is taken for that of another"})


# --- attention with a bias by distance, in buckets that grow like a logarithm: values that hang on the difference of two indices only ---
def biased(q, k, bias, rows):
    apart = rows[:, None] - jnp.arange(len(k))
    far = jnp.abs(apart)
    wide = 2 + (jnp.log(far / 2 + 1e-6) / 2.0794415 * 2).astype(jnp.int32)
    return jax.nn.softmax(q @ k.T + bias[jnp.where(apart < 0, 4, 0) + jnp.where(far < 2, far, jnp.minimum(wide, 3))], -1)


def biased_tp(defect):
    def run(q, k, bias):
        first = lax.axis_index("tp") * len(q)
        rows = jnp.arange(len(q)) + (0 if defect == "own-rows" else first + 1 if defect == "row-after" else first)
        return biased(q, lax.all_gather(k, "tp", tiled=True), bias, rows)
    return run


pair("bias-by-distance", TP, lambda q, k, bias: biased(q, k, bias, jnp.arange(16)), biased_tp, [Arg((16, 4), P("tp")), Arg((16, 4), P("tp")), Arg((8,))], [P("tp")],
     {"own-rows": "each rank counts its rows from 0", "row-after": "rows are counted from 1"})
