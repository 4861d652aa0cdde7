"""What is equal where the sequential program is finite: gradients of CLIP's loss, which divide by norms of rows; sums of exponentials of which all
may be left out; moments and factors by a number that may be zero."""
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
pair("finite-clip-gradient", DP, clip, clip_dp, [ROWS, ROWS, Arg((), P(), F32)], [P("dp"), P("dp"), P()],
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
pair("finite-merged-sums", DP, merged, merged_dp, [Arg((3, 8), COLUMNS), Arg((3, 8), COLUMNS, jnp.int32, (0, 2))], [P()],
     {"own-maximum": "each rank subtracts the maximum of its own columns"})


# --- rows less their mean over their deviation, both by weights: the variance from the squares at once, or from the differences ---
def whitened(x, w):
    n = jnp.sum(w)
    mean = jnp.sum(x * w) / n
    variance = jnp.sum((x - mean) ** 2 * w) / n * n / (n - 1)
    return (x - mean) * lax.rsqrt(variance + 1e-5) * w


def whitened_dp(defect):
    def run(x, w):
        n, first, second = (lax.psum(jnp.sum(v), "dp") for v in (w, x * w, x * x * w))
        mean = first / n
        variance = second / n - mean * mean
        if defect != "biased":
            variance = variance * n / (n - 1)
        return (x - mean) * lax.rsqrt(variance + 1e-5) * w
    return run


WEIGHTED = Arg((8, 6), P("dp"), F32, (0, 1))
pair("finite-moments", DP, whitened, whitened_dp, [Arg((8, 6), P("dp")), WEIGHTED], [P("dp")], {"biased": "the variance is not corrected by n / (n - 1)"})


# --- PowerSGD: the first factor of the mean gradient is normalised, the second is what its columns make of the gradient ---
def power(g, q):
    mean = jnp.mean(g, 0)
    p = mean @ q
    p = p / jnp.sqrt(jnp.sum(p * p, 0))
    return p @ (mean.T @ p).T


def power_dp(defect):
    def run(g, q):
        p = lax.pmean(g[0] @ q, "dp")
        p = p / jnp.sqrt(jnp.sum(p * p, 0))
        own = g[0].T @ p
        return p @ (own if defect == "own-second-factor" else lax.pmean(own, "dp")).T
    return run


pair("finite-power-factors", DP, power, power_dp, [Arg((4, 5, 3), P("dp")), Arg((3, 2))], [P()], {"own-second-factor": "the second factor is each rank's own"})
