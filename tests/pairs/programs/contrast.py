"""SigLIP's loss over all pairs of two batches that are spread over the ranks: each pair by itself, with a sign that says whether its rows belong together."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, Arg, pair, rotate

DP = [["dp", 4]]


def signs(a, b, s, bias):
    logits = jnp.exp(s) * a @ b.T + bias
    return -jnp.sum(jax.nn.log_sigmoid((2 * jnp.eye(8) - 1) * logits)) / 8


ROWS, NUMBER = Arg((8, 4), P("dp")), Arg((), P(), F32)
INPUTS = [ROWS, ROWS, NUMBER, NUMBER]


# --- the other batch is gathered; the sign of each pair is chosen by its place ---
def signs_gathered_dp(defect):
    def run(a, b, s, bias):
        logits = jnp.exp(s) * a @ lax.all_gather(b, "dp", tiled=True).T + bias
        row = jnp.arange(2)[:, None] + (0 if defect == "own-offset" else 2 * lax.axis_index("dp"))
        sign = jnp.where(row == jnp.arange(8)[None], 1.0, -2.0 if defect == "others-twice" else -1.0)
        return lax.psum(-jnp.sum(jax.nn.log_sigmoid(sign * logits)), "dp") / 8
    return run


pair("contrast-signs-gathered", DP, signs, signs_gathered_dp, INPUTS, [P()],
     {"own-offset": "rows count from each rank's own first one", "others-twice": "what does not belong together is twice as far"})


# --- blocks of the other batch go round; pairs belong together in the own block alone ---
def signs_ring_dp(defect):
    def run(a, b, s, bias):
        scaled, total = jnp.exp(s) * a, 0.0
        for k in range(3 if defect == "round-short" else 4):
            own = k == 0 or defect == "all-own"
            sign = 2 * jnp.eye(2) - 1 if own else -1.0
            total = total - jnp.sum(jax.nn.log_sigmoid(sign * (scaled @ b.T + bias)))
            b = rotate(b, "dp")
        return lax.psum(total, "dp") / 8
    return run


pair("contrast-signs-ring", DP, signs, signs_ring_dp, INPUTS, [P()],
     {"round-short": "the last block is left out", "all-own": "in each block pairs on the diagonal belong together"})
