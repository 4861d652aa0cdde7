"""Tables, layouts and random bits: vocabularies that do not divide, embedding bags, resharding chains, dropout."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P
import numpy as np

from .base import Arg, View, block, gather, pair

TP = [["tp", 4]]

# --- cross entropy over a vocabulary of 30 on 4 ranks: the distributed table is padded to 32 rows ---------------------
VOCABULARY, PADDED = 30, 32
PAD = View([{"axes": ["tp"], "pad": PADDED}, []], lambda w: np.pad(w, [(0, PADDED - VOCABULARY), (0, 0)]))


def cross_entropy(w, x, ids):
    logp = jax.nn.log_softmax(x @ w.T, -1)
    return -jnp.mean(jnp.take_along_axis(logp, ids[:, None], 1))


def cross_entropy_tp(defect):
    def step(w, x, ids):
        n = len(w)
        at = lax.axis_index("tp") * n + jnp.arange(n)
        if defect == "local-padding-mask":
            at = jnp.arange(n)
        logits = x @ w.T
        if defect != "padding-counted":
            logits = jnp.where(at < VOCABULARY + (defect == "one-row-too-many"), logits, -jnp.inf)
        top = jnp.max(logits, -1) if defect == "local-maximum" else lax.pmax(jnp.max(logits, -1), "tp")
        total = lax.psum(jnp.sum(jnp.exp(logits - top[:, None]), -1), "tp")
        local = ids - lax.axis_index("tp") * n
        here = (local >= 0) & (local < n)
        mine = jnp.take_along_axis(logits, jnp.clip(local, 0, n - 1)[:, None], 1)[:, 0]
        return jnp.mean(top + jnp.log(total) - lax.psum(jnp.where(here, mine, 0.0), "tp"))
    return step


VOCAB_IN = [Arg((VOCABULARY, 4), P("tp"), view=PAD), Arg((6, 4)), Arg((6,), P(), jnp.int32, (0, VOCABULARY))]
pair("uneven-vocabulary", TP, cross_entropy, cross_entropy_tp, VOCAB_IN, [P()],
     {"padding-counted": "the rows of the padding are part of the softmax",
      "local-padding-mask": "the padding is found by the row's index in the shard, so that it is never masked",
      "one-row-too-many": "the first row of the padding is part of the softmax",
      "local-maximum": "each rank subtracts its own maximum"})


# --- embedding bag: rows of a sharded table, summed over each bag with weights and divided by the weights -------------
def bag(table, ids, weights):
    rows = table[ids] * weights[..., None]
    return jnp.sum(rows, 1) / jnp.sum(weights, 1, keepdims=True)


def bag_tp(defect):
    def step(table, ids, weights):
        n = len(table)
        local = ids - (0 if defect == "no-offset" else lax.axis_index("tp") * n)
        here = (local >= 0) & (local < n)
        w = jnp.where(here, weights, 0.0)
        rows = table[jnp.clip(local, 0, n - 1)] * (weights if defect == "no-mask" else w)[..., None]
        total = lax.psum_scatter(jnp.sum(rows, 1), "tp", scatter_dimension=0, tiled=True)
        if defect == "local-weights":  # each rank divides by the weights of the tokens that it found
            return lax.psum_scatter(jnp.sum(rows, 1) / (jnp.sum(w, 1, keepdims=True) + 1e-6), "tp", tiled=True)
        return total / block(jnp.sum(weights, 1, keepdims=True), "tp")
    return step


BAG_IN = [Arg((16, 3), P("tp")), Arg((4, 5), P(), jnp.int32, (0, 16)), Arg((4, 5), P(), range=(0.25, 1.0))]
pair("embedding-bag", TP, bag, bag_tp, BAG_IN, [P("tp")],
     {"no-offset": "tokens are looked up without the shard's offset",
      "no-mask": "tokens of other shards add a clipped row",
      "local-weights": "each rank divides by the weights of its own tokens"})

# --- a chain of layouts: (dp, tp) -> rows over both -> the same, tp major -> replicated, with work between ------------
GRID = [["dp", 2], ["tp", 4]]


def chain(x, w):
    y = jnp.sin(x) * jnp.arange(8, dtype=x.dtype)[:, None]
    return jnp.cos(y) @ w


def chain_grid(defect):
    """x: rows over dp, columns over tp."""
    def step(x, w):
        me = lax.axis_index("dp") * 4 + lax.axis_index("tp")
        x = lax.all_to_all(x, "tp", 0, 1, tiled=True)  # row dp*4+tp, all columns
        y = jnp.sin(x) * me.astype(x.dtype)
        # To the layout with tp major: row r goes to (dp, tp) = (r % 2, r // 2).
        way = [(r, r % 2 * 4 + r // 2) for r in range(8)]
        way = [(b, a) for a, b in way] if defect == "inverse-permutation" else way
        y = jnp.cos(lax.ppermute(y, ("dp", "tp"), way))
        y = gather(gather(y, "tp"), "dp") if defect == "gather-order" else gather(gather(y, "dp"), "tp")
        return y @ w  # w: columns over dp and tp
    return step


pair("reshard-chain", GRID, chain, chain_grid, [Arg((8, 8), P("dp", "tp")), Arg((8, 16), P(None, ("dp", "tp")))],
     [P(None, ("dp", "tp"))],
     {"gather-order": "rows are gathered over tp first, though tp is the major digit",
      "inverse-permutation": "rows travel the opposite way"})


def chain_constrained(x, w):
    to = lambda a, *axes: lax.with_sharding_constraint(a, P(*axes))
    y = to(jnp.sin(x), ("dp", "tp"), None) * jnp.arange(8, dtype=x.dtype)[:, None]
    y = to(jnp.cos(to(y, "tp", "dp")), None, ("tp", "dp"))
    return y @ to(w, ("tp", "dp"), None)


pair("reshard-chain-annotated", GRID, chain, lambda _: chain_constrained,
     [Arg((8, 8), P("dp", "tp")), Arg((8, 16), P(None, ("dp", "tp")))], [P(None, ("dp", "tp"))],
     {"inverse-permutation": "one of the permutations between layouts is the inverse"}, annotated=True,
     edits={"inverse-permutation": (
         "channel_id=5, source_target_pairs={{0,0},{1,4},{2,1},{3,5},{4,2},{5,6},{6,3},{7,7}}",
         "channel_id=5, source_target_pairs={{0,0},{1,2},{2,4},{3,6},{4,1},{5,3},{6,5},{7,7}}")})


# --- dropout: random bits are a function of the seed and of the element's place in the whole tensor -------------------
def random_bits(seed, at):
    """A finaliser of MurmurHash3 over a counter."""
    h = at.astype(jnp.uint32) * jnp.uint32(0x9E3779B9) + seed.astype(jnp.uint32)
    h = (h ^ (h >> 16)) * jnp.uint32(0x85EBCA6B)
    h = (h ^ (h >> 13)) * jnp.uint32(0xC2B2AE35)
    return h ^ (h >> 16)


def dropped(x, seed, at):
    return jnp.where(random_bits(seed, at) < jnp.uint32(0xC0000000), x / 0.75, 0.0)


def dropout_mlp(x, w1, w2, seed):
    h = jnp.tanh(x @ w1)
    at = jnp.arange(h.shape[0])[:, None] * h.shape[1] + jnp.arange(h.shape[1])
    return dropped(h, seed, at) @ w2


def dropout_mlp_dp_tp(defect):
    def step(x, w1, w2, seed):
        h = jnp.tanh(x @ w1)
        rows, width = h.shape
        row = lax.axis_index("dp") * rows + jnp.arange(rows)
        column = jnp.arange(width) + (0 if defect == "local-column" else lax.axis_index("tp") * width)
        pitch = width if defect == "local-pitch" else width * lax.axis_size("tp")
        return lax.psum(dropped(h, seed, row[:, None] * pitch + column) @ w2, "tp")
    return step


DROP_IN = [Arg((4, 3), P("dp")), Arg((3, 8), P(None, "tp")), Arg((8, 3), P("tp")), Arg((), P(), jnp.int32, (0, 1000))]
pair("dropout-counter", GRID, dropout_mlp, dropout_mlp_dp_tp, DROP_IN, [P("dp")],
     {"local-column": "all ranks of tp drop the same columns of their shards",
      "local-pitch": "the counter's row pitch is the local width"})


# --- dropout by jax.random: XLA partitions the counters of threefry ---------------------------------------------------
def dropout_threefry(x, w1, w2, seed):
    h = jnp.tanh(x @ w1)
    keep = jax.random.bernoulli(jax.random.key(seed), 0.75, h.shape)
    return jnp.where(keep, h / 0.75, 0.0) @ w2


pair("dropout-threefry-annotated", GRID, dropout_threefry, lambda _: dropout_threefry, DROP_IN, [P("dp")], {},
     annotated=True)
