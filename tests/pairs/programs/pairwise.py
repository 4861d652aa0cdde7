"""Running sums that every rank begins with what the ranks before it have, compared or subtracted two by two: decays between tokens, documents that are packed."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, I32, pair

D4, BY = [["d", 4]], P("d")


def running(x, defect):
    """The running sum over the ranks' blocks."""
    own, rank = jnp.cumsum(x), lax.axis_index("d")
    totals, ranks = lax.all_gather(own[-1] if defect != "first" else own[0], "d"), jnp.arange(4)
    return own + jnp.sum(jnp.where(ranks <= rank if defect == "own-too" else ranks < rank, totals, 0))


OFFSETS = {"own-too": "a rank begins with its own sum too", "first": "what comes over is the first element of each rank"}


# --- decays: exponentials of differences ---
def decayed(g, v):
    c = jnp.cumsum(g)
    return jnp.tril(jnp.exp(c[:, None] - c[None])) @ v


def decayed_by_rows(defect):
    def local(g, v):
        c = running(g, defect)
        every, n = lax.all_gather(c, "d", tiled=True), g.shape[0]
        rows = lax.axis_index("d") * n + jnp.arange(n)
        near = rows[:, None] >= jnp.arange(4 * n)
        weights = jnp.exp(every[None] - c[:, None] if defect == "turned" else c[:, None] - every[None])
        return jnp.where(near, weights, 0) @ lax.all_gather(v, "d", tiled=True)
    return local


pair("pairwise-decays", D4, decayed, decayed_by_rows, [Arg((16,), BY), Arg((16, 2), BY)], [BY], {**OFFSETS, "turned": "decays grow with the distance"})


# --- documents that are packed into one row: what stands before a token in its document ---
def packed(begins, x):
    c = jnp.cumsum((begins != 0).astype(jnp.int32))
    return jnp.sum(jnp.where(c[:, None] == c[None], x[None], 0.0), 1)


def packed_by_rows(defect):
    def local(begins, x):
        c = running((begins != 0).astype(jnp.int32), defect)
        every = lax.all_gather(c, "d", tiled=True)
        same = c[:, None] <= every[None] if defect == "later-too" else c[:, None] == every[None]
        return jnp.sum(jnp.where(same, lax.all_gather(x, "d", tiled=True)[None], 0.0), 1)
    return local


DOCUMENTS = {**OFFSETS, "later-too": "documents behind count too"}
pair("pairwise-documents", D4, packed, packed_by_rows, [Arg((16,), BY, I32, (0, 2)), Arg((16,), BY)], [BY], DOCUMENTS)


# --- the same of blocks that are too long to be written out, and a product behind it ---
def mixed(begins, x, w):
    c = jnp.cumsum((begins != 0).astype(jnp.int32))
    return jnp.where(c[:, None] == c[None], 1.0, 0.0) @ (x @ w)


def mixed_by_rows(defect):
    def local(begins, x, w):
        c = running((begins != 0).astype(jnp.int32), defect)
        every = lax.all_gather(c, "d", tiled=True)
        same = c[:, None] <= every[None] if defect == "later-too" else c[:, None] == every[None]
        return jnp.where(same, 1.0, 0.0) @ lax.all_gather(x @ w, "d", tiled=True)
    return local


pair("pairwise-long", D4, mixed, mixed_by_rows, [Arg((128,), BY, I32, (0, 2)), Arg((128, 3), BY), Arg((3, 2))], [BY], DOCUMENTS)


def before_by_hops(total, defect):
    """What the ranks before have together, by permutes over one rank, then over two."""
    every = total
    for step in (1, 2):
        hops = [(r, r + step) for r in range(4 - step)]
        every = every + lax.ppermute(total if defect == "one-rank" and step == 2 else every, "d", hops)
    return every if defect == "own-too" else every - total


# --- what lies within a distance of running sums, which begin before the element ---
def within(g, v):
    c = jnp.cumsum(g) - g
    return jnp.where(jnp.abs(c[:, None] - c[None]) <= 1, 1.0, 0.0) @ v


def within_by_rows(defect):
    def local(g, v):
        c = jnp.cumsum(g) - (0 if defect == "element-too" else g) + before_by_hops(jnp.sum(g), defect)
        every = lax.all_gather(c, "d", tiled=True)
        near = jnp.abs(c[:, None] - every[None]) <= (2 if defect == "two" else 1)
        return jnp.where(near, 1.0, 0.0) @ lax.all_gather(v, "d", tiled=True)
    return local


pair("pairwise-within", D4, within, within_by_rows, [Arg((8,), BY, range=(0, 1)), Arg((8, 2), BY)], [BY],
     {"own-too": "a rank begins with its own sum too", "one-rank": "what comes over two ranks is that of one", "element-too": "sums with the element", "two": "twice the distance"})


# --- documents counted from the last one ---
def from_last(begins, x):
    c = jnp.cumsum(begins) - jnp.sum(begins)
    return jnp.sum(jnp.where(c[:, None] == c[None], x[None], 0.0), 1) * c


def from_last_by_rows(defect):
    def local(begins, x):
        own, rank = jnp.sum(begins), lax.axis_index("d")
        totals = lax.all_gather(own, "d")
        before = jnp.sum(jnp.where(jnp.arange(4) <= rank if defect == "own-too" else jnp.arange(4) < rank, totals, 0))
        c = jnp.cumsum(begins) + (before - (own if defect == "own-total" else jnp.sum(totals)))
        every = lax.all_gather(c, "d", tiled=True)
        return jnp.sum(jnp.where(c[:, None] == every[None], lax.all_gather(x, "d", tiled=True)[None], 0.0), 1) * c
    return local


pair("pairwise-from-last", D4, from_last, from_last_by_rows, [Arg((8,), BY, I32, (0, 2)), Arg((8,), BY)], [BY],
     {"own-too": "a rank begins with its own sum too", "own-total": "the rank's own sum is taken off"})


# --- decays by whole numbers over eight ranks, each of which hears of those before it one by one ---
def halved(steps, v):
    c = jnp.cumsum(steps)
    return jnp.tril(jnp.exp((c[None] - c[:, None]).astype(jnp.float32))) @ v


def halved_by_rows(defect):
    def local(steps, v):
        total = jnp.sum(steps)
        over = [lax.ppermute(total, "d", [(r, r + k) for r in range(8 - k)]) for k in range(1, 7 if defect == "seven" else 8)]
        c = jnp.cumsum(steps) + (sum(over) + total if defect == "own-too" else sum(over))
        every, n = lax.all_gather(c, "d", tiled=True), steps.shape[0]
        near = (lax.axis_index("d") * n + jnp.arange(n))[:, None] >= jnp.arange(8 * n)
        return jnp.where(near, jnp.exp((every[None] - c[:, None]).astype(jnp.float32)), 0) @ lax.all_gather(v, "d", tiled=True)
    return local


pair("pairwise-one-by-one", [["d", 8]], halved, halved_by_rows, [Arg((16,), BY, I32, (0, 2)), Arg((16, 2), BY)], [BY],
     {"own-too": "a rank begins with its own sum too", "seven": "the last rank does not hear of the first"})
