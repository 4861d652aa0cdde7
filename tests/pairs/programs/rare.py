"""Defects that few inputs show: values that are just what they are compared with, multiples of a period, the last bucket, places below zero."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, gather, pair

N = 4
DP, SP = ([[name, N]] for name in ("dp", "sp"))
ROWS = P("dp")


# --- buckets by edges -----------------------------------------------------------------------------------------------------
EDGES = (0.125, 0.25, 0.5, 0.75)


def bucket(x, side="left"):
    return jnp.sum(x[:, None] > jnp.array(EDGES) if side == "left" else x[:, None] >= jnp.array(EDGES), -1)


def bucket_means(x, v):
    chosen = jax.nn.one_hot(bucket(x), 5)
    return chosen.T @ v


def bucket_means_dp(defect):
    def run(x, v):
        at = bucket(x, "right" if defect == "edge-above" else "left")
        if defect == "last-below":
            at = jnp.where(x == EDGES[-1], 4, at)
        return lax.psum(jax.nn.one_hot(at, 5).T @ v, "dp")
    return run


pair("rare-buckets", DP, bucket_means, bucket_means_dp, [Arg((12,), ROWS), Arg((12, 3), ROWS)], [P()],
     {"edge-above": "a value that is an edge counts in the bucket above it", "last-below": "a value that is the last edge counts in the bucket above it"}, shown={0: [*EDGES]})


def searched(x, edges):
    return jnp.searchsorted(edges, x, side="right")


def searched_dp(defect):
    def run(x, edges):
        return jnp.searchsorted(edges, x, side="left" if defect else "right")
    return run


pair("rare-search", DP, searched, searched_dp, [Arg((12,), ROWS), Arg((5,))], [ROWS],
     {"edge-below": "a value that is an edge counts in the bucket below it"}, shown={0: [0.5], 1: [-0.5, 0.0, 0.5, 0.75, 0.875]})


# --- periods ----------------------------------------------------------------------------------------------------------------
def periodic(x, step):
    return jnp.where(step % 1000 == 0, jnp.tanh(x), x)


def periodic_dp(defect):
    def run(x, step):
        when = {"before": step % 1000 == 999, "half": step % 500 == 0, "first-only": step == 0}.get(defect, step % 1000 == 0)
        return jnp.where(when, jnp.tanh(x), x)
    return run


pair("rare-period", DP, periodic, periodic_dp, [Arg((8, 3), ROWS), Arg((), P(), I32)], [ROWS],
     {"before": "it happens a step too early", "half": "it happens twice as often", "first-only": "it happens in the first step only"}, shown={1: [1000, 999, 500]})


def warmed(x, step):
    rate = jnp.where(step < 2000, step / 2000, jnp.where(step % 5000 >= 4000, 0.1, 1.0))
    return x * rate


def warmed_dp(defect):
    def run(x, step):
        rate = jnp.where(step < 2000, step / 2000, jnp.where(step % 5000 > 4000 if defect == "decay-late" else step % 5000 >= 4000, 0.1, 1.0))
        return x * rate
    return run


pair("rare-schedule", DP, warmed, warmed_dp, [Arg((8, 3), ROWS), Arg((), P(), I32, (0, 100000))], [ROWS],
     {"decay-late": "the decay begins a step late"}, shown={1: [4000, 9000]})


# --- places below zero ------------------------------------------------------------------------------------------------------
def turned(x, by):
    return x[jnp.mod(jnp.arange(len(x)) + by, len(x))]


def turned_sp(defect):
    def run(x, by):
        n, whole = len(x), gather(x, "sp")
        at = lax.axis_index("sp") * n + jnp.arange(n) + by
        at = jnp.maximum(lax.rem(at, len(whole)), 0) if defect == "remainder-of-sign" else jnp.mod(at, len(whole))
        return whole[at]
    return run


pair("rare-turn", SP, turned, turned_sp, [Arg((12, 3), P("sp")), Arg((), P(), I32)], [P("sp")],
     {"remainder-of-sign": "the remainder of a place below zero is taken to be 0"}, shown={1: [-1, -13]})


# --- just what it is compared with -----------------------------------------------------------------------------------------
def compared(x, y, g):
    return jnp.where(x > 0.75, g, jnp.where(x < y, -g, 0.0))


def compared_dp(defect):
    def run(x, y, g):
        upper = x >= 0.75 if defect == "literal-taken-in" else x > 0.75
        lower = x <= y if defect == "other-taken-in" else x < y
        return jnp.where(upper, g, jnp.where(lower, -g, 0.0))
    return run


pair("rare-boundary", DP, compared, compared_dp, [Arg((12,), ROWS), Arg((12,), ROWS), Arg((12,), ROWS)], [ROWS],
     {"literal-taken-in": "a value that is the threshold counts as above it", "other-taken-in": "equal values count as ordered"}, shown={0: [0.75, 0.5], 1: [0.5, 0.5]})


def thresholds(x, t):
    s = 2.0 * x + 1.0
    return jnp.where(s >= 1.5, jnp.exp(x), 0.0) + jnp.where(x * t > 0.25, 1.0, 0.0)


def thresholds_dp(defect):
    def run(x, t):
        s = 2.0 * x + 1.0
        return jnp.where(s > 1.5 if defect == "behind-a-line" else s >= 1.5, jnp.exp(x), 0.0) + jnp.where(x * t > 0.25, 1.0, 0.0)
    return run


pair("rare-line", DP, thresholds, thresholds_dp, [Arg((12,), ROWS), Arg((12,), ROWS)], [ROWS],
     {"behind-a-line": "where a multiple of the input just reaches a threshold, it counts as below"}, shown={0: [0.25]})


# --- just what is made of all elements -------------------------------------------------------------------------------------
def largest(x, y):
    return jnp.where(jnp.max(x) > 0, y, -y)


def largest_dp(defect):
    def run(x, y):
        most = lax.pmax(jnp.max(x), "dp")
        return jnp.where(most >= 0 if defect == "zero-taken-in" else most > 0, y, -y)
    return run


pair("rare-largest", DP, largest, largest_dp, [Arg((8, 3), ROWS), Arg((8, 3), ROWS)], [ROWS],
     {"zero-taken-in": "a largest value of zero counts as above zero"}, shown={0: [0.0, *[-0.25] * 23]})


def normed(x):
    return x / jnp.maximum(jnp.sqrt(jnp.sum(x * x)), 1e-6)


def normed_dp(defect):
    def run(x):
        squares = lax.psum(jnp.sum(x * x), "dp")
        if defect == "floor-of-squares":
            return x / jnp.sqrt(jnp.maximum(squares, 1e-6))
        return x / jnp.maximum(jnp.sqrt(squares), 1e-7 if defect == "lower-floor" else 1e-6)
    return run


pair("rare-normed", DP, normed, normed_dp, [Arg((8,), ROWS)], [ROWS],
     {"floor-of-squares": "the least norm bounds its square", "lower-floor": "the least norm is a tenth of what it was"}, shown={0: [1e-7] * 8})


# --- two inputs at once -----------------------------------------------------------------------------------------------------
def counted_mean(total, count):
    return jnp.where(count == 0, 2.0, total / count)


def counted_mean_dp(defect):
    def run(total, count):
        default = {"larger": jnp.maximum(total, 2.0), "smaller": jnp.minimum(total, 2.0)}.get(defect, 2.0)
        return jnp.where(count == 0, default, total / count)
    return run


pair("rare-default", DP, counted_mean, counted_mean_dp, [Arg((8,), ROWS), Arg((8,), ROWS)], [ROWS],
     {"larger": "without a count it is the total where that is above the default", "smaller": "without a count it is the total where that is below the default"},
     shown={0: [4.0, -4.0], 1: [0.0]})


# --- one number of a narrow type ---------------------------------------------------------------------------------------------
def hashed(codes, v):
    return jnp.where(codes * jnp.int8(37) == jnp.int8(113), v, 0.0)


def hashed_dp(defect):
    def run(codes, v):
        slot = codes.astype(jnp.int32) * 37 if defect == "not-wrapped" else codes * jnp.int8(37)
        return jnp.where(slot == 113, v, 0.0)
    return run


pair("rare-hash", DP, hashed, hashed_dp, [Arg((4,), ROWS, jnp.int8), Arg((4,), ROWS)], [ROWS],
     {"not-wrapped": "the hash of a code is made in 32 bits, where it does not wrap"}, shown={0: [93]})


def tagged(codes, v):
    return jnp.where((codes ^ 5).astype(jnp.uint16) < 3, v, 0.0)


def tagged_dp(defect):
    def run(codes, v):
        tag = codes ^ 5
        return jnp.where((tag.astype(jnp.int8) if defect == "narrower" else tag).astype(jnp.uint16) < 3, v, 0.0)
    return run


pair("rare-tag", DP, tagged, tagged_dp, [Arg((4,), ROWS, I32), Arg((4,), ROWS)], [ROWS],
     {"narrower": "the tag keeps 8 bits of 16"}, shown={0: [256 ^ 5]})


# --- keys at the end of their type ----------------------------------------------------------------------------------------------
def by_key(keys, v):
    return jnp.take_along_axis(v, jnp.argsort(keys, axis=1, stable=True), 1)


def by_key_dp(defect):
    def run(keys, v):
        return by_key(keys + 1 if defect == "wrapped" else keys, v)
    return run


pair("rare-keys", DP, by_key, by_key_dp, [Arg((8, 3), ROWS, I32), Arg((8, 3), ROWS)], [ROWS],
     {"wrapped": "rows are sorted by the key and one, which wraps for the largest"}, shown={0: [2**31 - 1, 0]})


# --- a sum of nothing, and of what cancels ----------------------------------------------------------------------------------------
def unit(x):
    return jnp.where(jnp.sum(x) == 0, 0.0, x / jnp.sqrt(jnp.sum(x * x)))


def unit_dp(defect):
    def run(x):
        none = lax.pmax(jnp.max(jnp.abs(x)), "dp") == 0 if defect == "all-zero" else lax.psum(jnp.sum(x), "dp") == 0
        return jnp.where(none, 0.0, x / jnp.sqrt(lax.psum(jnp.sum(x * x), "dp")))
    return run


pair("rare-cancelled", DP, unit, unit_dp, [Arg((8,), ROWS)], [ROWS],
     {"all-zero": "the sum is zero only where all summands are"}, shown={0: [1.0, -1.0] * 4})
