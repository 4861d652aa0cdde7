"""Counts of flags asked for none or all, rows that are written at places of their own, comparisons and extrema in another spelling, integers by
their bits: what a rank writes otherwise than the program of one device."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, pair

TP = [["tp", 4]]


def two_if(condition):
    return jnp.where(condition, 2.0, 1.0)


X, Y = Arg((8, 3), P("tp")), Arg((8, 3), P("tp"))


# --- a step that is skipped where a gradient is too large: flags are added over the ranks --------------------------------
def skipped(x, g):
    large = jnp.abs(g) > 2
    return jnp.where(jnp.any(large), x, x - g), two_if(jnp.all(large)), two_if(jnp.mean(two_if(large)) < 2)


def skipped_tp(defect):
    def step(x, g):
        large = jnp.abs(g) > 2
        n = lax.psum(jnp.sum(large.astype(jnp.int32)), "tp")
        share = lax.psum(jnp.sum(two_if(large)), "tp") / 24
        none = n < 20 if defect == "few-are-none" else n == 0
        every = n >= 6 if defect == "all-of-one-rank" else n == 24
        return jnp.where(none, x - g, x), two_if(every), two_if(share < (1.5 if defect == "half" else 2))
    return step


pair("flags-counted", TP, skipped, skipped_tp, [X, Arg((8, 3), P("tp"), range=(-4, 4))], [P("tp"), P(), P()],
     {"few-are-none": "some large gradients do not skip the step", "all-of-one-rank": "as many as one rank has are taken for all",
      "half": "a half of them is taken for all"})


# --- the weights of chosen experts, written into a table of all experts ------------------------------------------------
def gates(s, places):
    rows = jnp.arange(s.shape[0])[:, None]
    return jnp.zeros_like(s).at[rows, lax.top_k(s, 2)[1]].set(s[rows, lax.top_k(s, 2)[1]]), s.at[rows, places].set(1.0)


def gates_tp(defect):
    def run(s, places):
        rows = jnp.arange(s.shape[0])[:, None]
        best = lax.top_k(s, 2)[1]
        written = jnp.minimum(rows + 1, s.shape[0] - 1) if defect == "row-after" else rows
        kept = s[rows, best]
        kept = kept[:, ::-1] if defect == "exchanged" else kept
        base = jnp.zeros_like(s) if defect == "other-values-lost" else s
        return jnp.zeros_like(s).at[written, best].set(kept), base.at[rows, places].set(1.0)
    return run


pair("gates-written", TP, gates, gates_tp, [Arg((8, 6), P("tp")), Arg((8, 2), P("tp"), I32, (0, 6))], [P("tp"), P("tp")],
     {"row-after": "weights are written a row further on", "exchanged": "the second best expert gets the weight of the best",
      "other-values-lost": "what is not written becomes zero"})


# --- comparisons of numbers, by differences and by increasing functions --------------------------------------------------
def compared(x, y):
    return tuple(two_if(c) for c in (x > y, jax.nn.sigmoid(x) > 0.5, jnp.exp(x) < jnp.exp(y), x - 1 < y, jnp.sqrt(x * x + 1) < 1.25))


def compared_tp(defect):
    def run(x, y):
        nearer = x + 1 < y if defect == "other-side" else x < y + 1
        return tuple(two_if(c) for c in (x - y > 0, x > (0.5 if defect == "half" else 0), y < x if defect == "turned" else x < y, nearer,
                                     x * x < (1.5625 if defect == "forgets-one" else 0.5625)))
    return run


pair("compared-otherwise", TP, compared, compared_tp, [X, Y], [P("tp")] * 5,
     {"half": "the input of the sigmoid is compared with a half", "turned": "the order is turned round", "other-side": "one is added to the other side",
      "forgets-one": "the one below the root is forgotten"})


# --- a ratio that is clipped, before and behind the exponential; clips by selections -----------------------------------
def clipped(l, x):
    return jnp.minimum(jnp.exp(l), 1.0) * x, jnp.exp(jnp.max(l)), jnp.clip(x, -1, 1), jnp.sign(x), jnp.minimum(x, l) + jnp.maximum(x, l)


def clipped_tp(defect):
    def run(l, x):
        ratio = jnp.exp(jnp.maximum(l, 0.0) if defect == "from-below" else jnp.minimum(l, 0.0))
        top = lax.pmax(jnp.max(jnp.exp(l)), "tp")
        low = -0.5 if defect == "other-bound" else -1.0
        return (ratio * x, top, jnp.where(x > 1, 1.0, jnp.where(x < low, low, x)), jnp.sign(-4 * x if defect == "negative" else 4 * x),
                2 * jnp.maximum(x, l) if defect == "maximum-twice" else x + l)
    return run


pair("clipped-otherwise", TP, clipped, clipped_tp, [X, Y], [P("tp"), P(), P("tp"), P("tp"), P("tp")],
     {"from-below": "ratios below one are clipped", "other-bound": "the lower bound is another one", "negative": "the sign is turned round",
      "maximum-twice": "the maximum is added twice"})


# --- integers: checksums by exclusive or and products over shards, complements, padded minima -----------------------------
def bits(i, j):
    return lax.reduce(i, jnp.int32(0), lax.bitwise_xor, (0,)), jnp.prod(j), -i, jnp.min(i), i


def bits_tp(defect):
    def run(i, j):
        own = lax.reduce(i, jnp.int32(0), lax.bitwise_xor, (0,))
        parts = lax.all_gather(own, "tp")
        kept = jnp.where(jnp.arange(4)[:, None] < 3, parts, 0) if defect == "last-lost" else parts
        products = lax.all_gather(jnp.prod(j), "tp")
        rows = jnp.pad(i, ((0, 1), (0, 0)), constant_values=0)
        inside = jnp.arange(3)[:, None] < (3 if defect == "padding-counts" else 2)
        least = jnp.min(jnp.where(inside, rows, jnp.iinfo(jnp.int32).max))
        return (lax.reduce(kept, jnp.int32(0), lax.bitwise_xor, (0,)), jnp.sum(products) if defect == "added" else jnp.prod(products),
                ~i if defect == "complement" else ~i + 1, lax.pmin(least, "tp"), (i ^ 5) ^ 5)
    return run


pair("integers-by-bits", TP, bits, bits_tp, [Arg((8, 3), P("tp"), I32, (1, 90)), Arg((8,), P("tp"), I32, (1, 9))], [P(), P(), P("tp"), P(), P("tp")],
     {"last-lost": "the last rank's part is left out", "added": "products are added", "complement": "the complement is taken for the negative",
      "padding-counts": "the padding is one of the numbers"})
