"""Stacks of layers over sequence shards whose padding is a value of its own, attention in a sliding window over the neighbour's keys, and running counts that are
compared: blocks that overlap in the sequential program, or that are a part of it and no output."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, I32, Arg, pair

SP = [["sp", 4]]


def from_left(x, rows, axis="sp"):
    """The last rows of the rank before; zeros on the first."""
    n = lax.axis_size(axis)
    return lax.ppermute(x[-rows:], axis, [(i, i + 1) for i in range(n - 1)])


# --- causal layers: each pads by a row, which a rank takes from the one before ----------------------------------------------
def layers(x, w, before, taps=lambda xp, w, n: xp[:n] @ w[0] + xp[1:] @ w[1]):
    for layer in w:
        x = jnp.tanh(taps(jnp.concatenate([before(x), x]), layer, x.shape[0]))
    return x


def causal(x, w):
    return layers(x, w, lambda x: jnp.zeros((1, x.shape[1]), F32))


def causal_sp(defect):
    def run(x, w):
        edge = lambda x: from_left(x, 1)
        if defect == "halo-of-the-input":
            first = from_left(x, 1)
            edge = lambda _: first
        if defect == "first-row-of-the-rank-before":
            edge = lambda x: lax.ppermute(x[:1], "sp", [(i, i + 1) for i in range(3)])
        if defect == "taps-exchanged":
            return layers(x, w, edge, lambda xp, w, n: xp[:n] @ w[1] + xp[1:] @ w[0])
        return layers(x, w, edge)
    return run


pair("stack-causal", SP, causal, causal_sp, [Arg((16, 2), P("sp")), Arg((4, 2, 2, 2))], [P("sp")],
     {"halo-of-the-input": "each layer takes the row of the input, not of its own input", "first-row-of-the-rank-before": "the first row of the rank before, not its last one",
      "taps-exchanged": "the row before has the weight of the row itself"})


# --- convolutions over an explicitly padded sequence, both neighbours --------------------------------------------------------
def conv(xp, w):
    return lax.conv_general_dilated(xp[None], w, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"))[0]


def same(x, w):
    for layer in w:
        x = jax.nn.gelu(conv(jnp.concatenate([jnp.zeros((1, 2), F32), x, jnp.zeros((1, 2), F32)]), layer))
    return x


def same_sp(defect):
    def run(x, w):
        for layer in w:
            left, right = from_left(x, 1), lax.ppermute(x[:1], "sp", [(i + 1, i) for i in range(3)])
            if defect == "goes-around":
                right = lax.ppermute(x[:1], "sp", [((i + 1) % 4, i) for i in range(4)])
            if defect == "edges-exchanged":
                left, right = right, left
            x = jax.nn.gelu(conv(jnp.concatenate([left, x, right]), layer))
        return x
    return run


pair("stack-both-sides", SP, same, same_sp, [Arg((16, 2), P("sp")), Arg((3, 3, 2, 2))], [P("sp")],
     {"goes-around": "the last rank takes the first row of the first one", "edges-exchanged": "the row after stands before"})


# --- attention to the last three places, with keys and values of the rank before ---------------------------------------------
def window(q, k, v, rows=None, columns=None):
    rows = jnp.arange(q.shape[0]) if rows is None else rows
    columns = jnp.arange(k.shape[0]) if columns is None else columns
    apart = rows[:, None] - columns[None]
    s = jnp.where((apart >= 0) & (apart < 3) & (columns[None] >= 0), q @ k.T, -jnp.inf)
    e = jnp.exp(s - s.max(-1, keepdims=True))
    return e @ v / e.sum(-1, keepdims=True)


def window_sp(defect):
    def run(q, k, v):
        n, at = q.shape[0], lax.axis_index("sp")
        around = [(i, (i + 1) % 4) for i in range(4)]
        left = lambda x: lax.ppermute(x[-2:], "sp", around)
        start = 0 if defect == "own-places" else n * at
        columns = start - 2 + jnp.arange(n + 2)
        if defect == "counts-before-the-first":
            columns = jnp.where(columns < 0, 0, columns)
        if defect == "values-stay":
            return window(q, jnp.concatenate([left(k), k]), jnp.concatenate([v[-2:], v]), start + jnp.arange(n), columns)
        return window(q, jnp.concatenate([left(k), k]), jnp.concatenate([left(v), v]), start + jnp.arange(n), columns)
    return run


pair("window-before", SP, window, window_sp, [Arg((12, 2), P("sp"))] * 3, [P("sp")],
     {"own-places": "places count from each rank's own first one", "values-stay": "values before the block are the rank's own last ones",
      "counts-before-the-first": "what is before the first place counts as the first"})


# --- where a running count has come to a number ------------------------------------------------------------------------------
def second(flags, x):
    return jnp.where(jnp.cumsum(flags) == 2, x, 0.0)


def second_sp(defect):
    def run(flags, x):
        totals = lax.all_gather(flags.sum(), "sp")
        if defect == "with-its-own":
            before = jnp.where(jnp.arange(4) <= lax.axis_index("sp"), totals, 0).sum()
        elif defect == "without-before":
            before = 0
        else:
            before = jnp.where(jnp.arange(4) < lax.axis_index("sp"), totals, 0).sum()
        return jnp.where(jnp.cumsum(flags) + before == (3 if defect == "third" else 2), x, 0.0)
    return run


pair("running-count-is", SP, second, second_sp, [Arg((8,), P("sp"), I32, (0, 2)), Arg((8,), P("sp"))], [P("sp")],
     {"with-its-own": "the rank's own flags count before its first one", "without-before": "flags of the ranks before do not count", "third": "the third flag, not the second"})
