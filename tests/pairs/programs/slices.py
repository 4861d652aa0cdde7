"""Sums over slices of an extent, counts beside what they count, cases with one guard, quotients in comparisons: each by itself."""
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, block, gather, pair

DP, SHARDS = [["dp", 2]], [["dp", 4]]


# --- microbatches one after the other against the whole batch ---
def gradient(x, y, w):
    r = jnp.tanh(x.reshape(-1, x.shape[-1]) @ w) - y.reshape(-1, y.shape[-1])
    return x.reshape(-1, x.shape[-1]).T @ r


def gradient_by_parts(defect):
    def run(x, y, w):
        total = jnp.zeros_like(w)
        for k in range(len(x)):
            at = 0 if defect == "first-twice" and k == 1 else k
            own = gradient(x[at], y[at], w)
            total = total + (2 * own if defect == "last-twice-as-much" and k == 2 else own)
        return lax.psum(total, "dp")
    return run


ROWS = P(None, "dp")
pair("slices-microbatches", DP, gradient, gradient_by_parts, [Arg((3, 40, 8), ROWS), Arg((3, 40, 5), ROWS), Arg((8, 5))], [P()],
     {"first-twice": "the first microbatch comes twice, the second not", "last-twice-as-much": "the last microbatch counts twice"})


# --- a sum divided by the number of what it adds, part by part ---
def counted(v, labels):
    return jnp.sum(jnp.where(labels >= 0, v, 0)) / jnp.sum(labels >= 0)


def counted_by_parts(defect):
    def run(v, labels):
        count = jnp.sum(labels >= 0)
        if defect != "own-count":
            count = lax.psum(count, "dp")
        loss = 0
        for k in range(v.shape[1]):
            keep = labels[:, 0 if defect == "first-labels" else k] >= 0
            loss = loss + jnp.sum(jnp.where(keep, v[:, k], 0)) / count
        return lax.psum(loss, "dp")
    return run


pair("slices-counted", DP, counted, counted_by_parts, [Arg((2, 2, 8), P("dp")), Arg((2, 2, 8), P("dp"), jnp.int32, (-6, 10))], [P()],
     {"own-count": "each rank divides by its own count", "first-labels": "the labels of the first part for all"})


# --- a flat buffer of several parameters, of which each rank updates its part ---
def momentum(a, b, ga, gb):
    return jnp.concatenate([(0.9 * a + 0.1 * ga).ravel(), 0.9 * b + 0.1 * gb])


def momentum_flat(defect):
    def flat(a, b):
        return jnp.concatenate([a.ravel(), b])
    def run(a, b, ga, gb):
        g = jnp.concatenate([gb, ga.ravel()]) if defect == "other-order" else flat(ga, gb)
        m = block(flat(a, b), "dp")
        return 0.9 * m + (0.9 if defect == "other-factor" else 0.1) * block(g, "dp")
    return run


PARAMETERS = [Arg((24, 32)), Arg((40,))]
pair("cases-flat-buffer", SHARDS, momentum, momentum_flat, PARAMETERS + PARAMETERS, [P("dp")],
     {"other-order": "gradients are laid out in another order", "other-factor": "the gradient has the factor of the momentum"})


# --- a quotient in a comparison ---
def below(t, x):
    return jnp.where(t[:, None] < 8, x, -x)


def below_by_quotient(defect):
    most = 5 if defect == "one-more" else 4
    return lambda t, x: jnp.where(lax.div(t, jnp.int32(2))[:, None] < most, x, -x)


pair("guards-quotient", DP, below, below_by_quotient, [Arg((16,), P("dp"), jnp.int32, (0, 16)), Arg((16, 3), P("dp"))], [P("dp")],
     {"one-more": "the limit is one quotient higher"})
