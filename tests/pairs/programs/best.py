"""The k best of a row whose elements are spread over the ranks: each takes those of its own part, and the best of all these are taken."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, gather, pair

TP, BOTH = [["tp", 4]], [["dp", 2], ["tp", 4]]
SCORES = Arg((5, 24), P(None, "tp"))
COUNTS = Arg((5, 24), P(None, "tp"), I32, (0, 6))


def best_of(x, k, axis="tp", size=None, at=None, own=None):
    """Values and places in the whole row, of the shards along `axis`; `at`: places of the shard's elements if it is no block of the row."""
    size = size or x.shape[-1]
    v, i = lax.top_k(x, own or k)
    i = i + lax.axis_index(axis) * size if at is None else jnp.take_along_axis(at, i, -1, mode="clip")
    v, i = gather(v, axis, v.ndim - 1), gather(i, axis, i.ndim - 1)
    best, which = lax.top_k(v, k)
    return best, jnp.take_along_axis(i, which, -1, mode="clip")


# --- values and places, as they are and of integers, where many are equal ---
def kept(x):
    return lax.top_k(x, 3)


def kept_tp(defect):
    def run(x):
        if defect == "of-one":
            return best_of(x, 3, own=1)
        if defect == "exchanged":
            v, i = lax.top_k(x, 3)
            i = i + lax.axis_index("tp") * x.shape[-1]
            v, i = (lax.all_gather(a, "tp", axis=2).reshape(len(x), -1) for a in (v, i))  # places in the shard before shards
            best, which = lax.top_k(v, 3)
            return best, jnp.take_along_axis(i, which, -1, mode="clip")
        return best_of(x, 3, size=3 if defect == "own-offset" else None)
    return run


TAKEN = {"of-one": "each rank keeps one element for the best three", "own-offset": "places count from a shard of as many elements as are kept"}
pair("best-three", TP, kept, kept_tp, [SCORES], [P(), P()], TAKEN)
pair("best-three-integers", TP, kept, kept_tp, [COUNTS], [P(), P()],
     {**TAKEN, "exchanged": "equal elements are in the order of their places in the shards, not of the shards"})


# --- the whole shard is kept; one element; only values ---
def top_mean(x):
    return jnp.mean(lax.top_k(x, 8)[0], -1)


def top_mean_tp(defect):
    def run(x):
        own = lax.top_k(x, 1 if defect == "one" else 6)[0]
        return jnp.mean(lax.top_k(gather(own, "tp", 1), 4 if defect == "one" else 8)[0], -1)
    return run


def first(x):
    v, i = lax.top_k(x, 1)
    return v[..., 0], i[..., 0]


def first_tp(defect):
    def run(x):
        v, i = best_of(x, 1, size=1 if defect == "own-offset" else None)
        return v[..., 0], i[..., 0]
    return run


pair("best-values", TP, top_mean, top_mean_tp, [SCORES], [P()], {"one": "each rank keeps one element, and the mean is of these"})
pair("best-one", TP, first, first_tp, [SCORES], [P(), P()], {"own-offset": "the place is that of the shard among the shards"})


# --- sorted: by the negative, with what stands beside each element ---
def sorted_first(x):
    i = jnp.argsort(-x, -1)[:, :3]
    return jnp.take_along_axis(x, i, -1), i


def sorted_first_tp(defect):
    def run(x):
        i = jnp.argsort(x if defect == "smallest" else -x, -1)[:, :3]
        v = jnp.take_along_axis(x, i, -1, mode="clip")
        v, i = gather(v, "tp", 1), gather(i + lax.axis_index("tp") * x.shape[-1], "tp", 1)
        _, v, i = lax.sort((-v, v, i), dimension=1, num_keys=1)
        return v[:, :3], i[:, :3]
    return run


pair("best-sorted", TP, sorted_first, sorted_first_tp, [SCORES], [P(), P()], {"smallest": "each rank keeps its smallest elements"})


# --- a step of a beam search: the best of each beam, then of all beams; by two levels of ranks ---
def beam(scores, logits):
    total = scores[:, None] + jax.nn.log_softmax(logits, -1)
    best, at = lax.top_k(total.reshape(-1), 3)
    return best, at // logits.shape[-1], at % logits.shape[-1]


def beam_tp(defect):
    def run(scores, logits):
        top = lax.pmax(jnp.max(logits, -1), "tp")
        norm = jnp.log(jnp.sum(jnp.exp(logits - top[:, None]), -1)) + top if defect == "own-norm" else jnp.log(lax.psum(jnp.sum(jnp.exp(logits - top[:, None]), -1), "tp")) + top
        kept, token = best_of(logits - norm[:, None], 3)
        best, at = lax.top_k((scores[:, None] + kept).reshape(-1), 3)
        return best, at // (24 if defect == "whole-vocabulary" else 3), token.reshape(-1)[at]
    return run


pair("best-beams", TP, beam, beam_tp, [Arg((3,)), Arg((3, 24), P(None, "tp"))], [P(), P(), P()],
     {"own-norm": "each rank normalises over its own part of the vocabulary", "whole-vocabulary": "the beam's number is taken for the whole vocabulary"})


def nearest(query, keys):
    far, at = lax.top_k(-jnp.sum((query[:, None] - keys[None]) ** 2, -1), 2)
    return -far, at


def nearest_both(defect):
    def run(query, keys):
        near, at = best_of(-jnp.sum((query[:, None] - keys[None]) ** 2, -1), 2)
        at = at + (0 if defect == "inner-offset" else lax.axis_index("dp") * 4 * len(keys))
        near, at = gather(near, "dp", 1), gather(at, "dp", 1)
        far, which = lax.top_k(near, 2)
        return -far, jnp.take_along_axis(at, which, -1, mode="clip")
    return run


pair("best-two-levels", BOTH, nearest, nearest_both, [Arg((4, 3)), Arg((40, 3), P(("dp", "tp")))], [P(), P()],
     {"inner-offset": "places count within the inner group"})
