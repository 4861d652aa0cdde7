"""Losses over all pairs of two batches that are spread over the ranks: CLIP's, both ways, with its gradients; and what merges sums of exponentials."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, Arg, pair

DP = [["dp", 4]]


def unit(x):
    return x * lax.rsqrt(jnp.sum(x * x, -1, keepdims=True))


def cross_entropy(logits, labels):
    return -jnp.sum(jnp.take_along_axis(jax.nn.log_softmax(logits, -1), labels[:, None], 1))


# --- gradients of CLIP's loss by both batches and the temperature: each rank has its rows of both directions ---
def clip_loss(a, b, s):
    logits, labels = jnp.exp(s) * unit(a) @ unit(b).T, jnp.arange(8)
    return (cross_entropy(logits, labels) + cross_entropy(logits.T, labels)) / 16


def clip(a, b, s):
    return jax.grad(clip_loss, argnums=(0, 1, 2))(a, b, s)


def clip_dp(defect):
    def loss(a, b, s):
        a, b = unit(a), unit(b)
        both = [lax.all_gather(x, "dp", tiled=True) for x in (a, b)]
        if defect == "gathered-is-constant":
            both = [lax.stop_gradient(x) for x in both]
        labels = jnp.arange(len(a)) + len(a) * lax.axis_index("dp")
        return (cross_entropy(jnp.exp(s) * a @ both[1].T, labels) + cross_entropy(jnp.exp(s) * b @ both[0].T, labels)) / 16

    def run(a, b, s):
        da, db, ds = jax.grad(loss, argnums=(0, 1, 2))(a, b, s)
        return da, db, ds if defect == "temperature-of-own" else lax.psum(ds, "dp")
    return run


ROWS = Arg((8, 4), P("dp"))
pair("contrast-clip-gradient", DP, clip, clip_dp, [ROWS, ROWS, Arg((), P(), F32)], [P("dp"), P("dp"), P()],
     {"gathered-is-constant": "no gradient goes through the gathered rows of the others",
      "temperature-of-own": "the gradient of the temperature is each rank's own part"})


# --- the logarithm of a sum of exponentials, some of them left out: the sequential one takes 0 for a maximum of minus infinity ---
def merged(x, left_out):
    return jax.nn.logsumexp(jnp.where(left_out > 0, -jnp.inf, x), -1)


def merged_dp(defect):
    def run(x, left_out):
        x = jnp.where(left_out > 0, -jnp.inf, x)
        own = jnp.max(x, -1)
        top = own if defect == "own-maximum" else lax.pmax(own, "dp")
        total = lax.psum(jnp.sum(jnp.exp(x - top[:, None]), -1), "dp")
        return jnp.log(total) + top
    return run


COLUMNS = P(None, "dp")
pair("contrast-merged-sums", DP, merged, merged_dp, [Arg((3, 8), COLUMNS), Arg((3, 8), COLUMNS, jnp.int32, (0, 2))], [P()],
     {"own-maximum": "each rank subtracts the maximum of its own columns"})
