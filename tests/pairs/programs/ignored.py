"""Labels below zero do not count: means over those that do, with gradients, where ranks divide by one at least."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, pair

TP, DP = [["tp", 2]], [["dp", 2]]
TOKENS, WORDS = 6, 8
FEW = [-1] * TOKENS + [3] + [-1] * (TOKENS - 1)  # none that counts, or one


# --- cross entropy over a vocabulary that ranks share, its gradient by hand ---------------------------------------------
def loss(w, x, y):
    logits = jax.nn.log_softmax(x @ w.T)
    own = jnp.take_along_axis(logits, jnp.maximum(y, 0)[:, None], 1)[:, 0]
    return jnp.sum(jnp.where(y >= 0, -own, 0)) / jnp.sum(y >= 0)


def vocab(w, x, y):
    return jax.grad(loss, (0, 1))(w, x, y)


def vocab_tp(defect):
    def run(w, x, y):
        n = w.shape[0]
        logits = x @ w.T
        most = lax.pmax(jnp.max(logits, -1), "tp")
        e = jnp.exp(logits - most[:, None])
        total = lax.psum(jnp.sum(e, -1), "tp")
        place = y - lax.axis_index("tp") * n
        hit = (jnp.arange(n) == place[:, None]) & (y >= 0)[:, None]
        valid = (y >= 0).astype(jnp.float32)
        count = jnp.sum(valid)
        least = {"unguarded": count, "two-at-least": jnp.maximum(count, 2), "all-count": jnp.float32(TOKENS)}.get(defect, jnp.maximum(count, 1))
        mask = jnp.roll(valid, 1) if defect == "row-before" else valid
        d = (e / total[:, None] - hit) * mask[:, None] / least
        return d.T @ x, lax.psum(d @ w, "tp")
    return run


pair("ignored-labels-vocab", TP, vocab, vocab_tp, [Arg((WORDS, 3), P("tp")), Arg((TOKENS, 3)), Arg((TOKENS,), dtype=I32, range=(-WORDS, WORDS))], [P("tp"), P()],
     {"unguarded": "where no label counts the gradient is not a number", "two-at-least": "one label that counts is divided by two",
      "all-count": "labels that do not count are counted", "row-before": "a row counts where the one before it should"},
     shown={2: FEW})


# --- squared errors of the rows that count, over shards of the batch: integers counted on one side, floats on the other ----
def squares(w, x, t, y):
    def mean(w):
        return jnp.sum(jnp.where(y >= 0, jnp.sum((x @ w - t) ** 2, -1), 0)) / jnp.sum((y >= 0).astype(jnp.float32))
    return jax.grad(mean)(w)


def squares_dp(defect):
    def run(w, x, t, y):
        valid = y >= 0
        count = lax.psum(jnp.sum(valid.astype(I32)), "dp")
        if defect == "own-count":
            count = jnp.sum(valid.astype(I32)) * 2
        count = jnp.maximum(count, 3 if defect == "three-at-least" else 1)
        if defect == "unguarded":
            count = lax.psum(jnp.sum(valid.astype(I32)), "dp")
        d = 2 * (x @ w - t) * valid[:, None]
        return lax.psum(x.T @ d, "dp") / count
    return run


pair("ignored-rows-shards", DP, squares, squares_dp, [Arg((3, 2)), Arg((TOKENS, 3), P("dp")), Arg((TOKENS, 2), P("dp")), Arg((TOKENS,), P("dp"), I32, (-2, 4))], [P()],
     {"own-count": "each rank divides by twice its own count", "three-at-least": "one row that counts is divided by three",
      "unguarded": "where no row counts the gradient is not a number"}, shown={3: FEW})
