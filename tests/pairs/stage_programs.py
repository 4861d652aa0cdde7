"""The pipelines of make_stages.py: their sequential functions, their stages, and their defects."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from programs.base import Arg, copy_to, reduce_from
from stage_text import Message, Pipeline, Stage

PIPELINES = []


# --- GPipe, forward: two stages of two layers each, two microbatches -------------------------------------------------


def layers(x, ws):
    for w in ws:
        x = x + jnp.tanh(x @ w)
    return x


def gpipe2(defect):
    def first(p, _):
        x, *ws = p
        return (), tuple(layers(x[2 * m:2 * m + 2], ws) for m in range(2))

    def second(p, r):
        parts = [layers(h, p) for h in (r[::-1] if defect == "microbatches-swapped" else r)]
        return (jnp.concatenate(parts),), ()

    messages = lambda peer: [Message(peer, 1, (2, 8)) for _ in range(2)]
    halves = [["w1", "w2"], ["w3", "w4"]]
    if defect == "stages-exchanged":
        halves.reverse()
    return [Stage(first, ["x"] + halves[0], [], [], messages(1)), Stage(second, halves[1], [0], messages(0), [])]


PIPELINES.append(Pipeline(
    "stages-gpipe-2", 1, lambda x, w1, w2, w3, w4: layers(x, (w1, w2, w3, w4)),
    {"x": Arg((4, 8)), **{f"w{k}": Arg((8, 8)) for k in range(1, 5)}}, [P()], gpipe2,
    {"microbatches-swapped": "the second stage puts the microbatches together in the wrong order",
     "stages-exchanged": "each stage holds the weights of the other"}))

# --- GPipe, forward: four stages, three microbatches, weights of one stacked tensor ----------------------------------


def gpipe4(defect):
    def stage(me):
        def step(p, r):
            w, b = p[0][0], p[1][0]
            xs = jnp.split(p[2], 3) if me == 0 else list(r)
            if defect == "microbatch-twice" and me == 2:
                xs[2] = xs[1]
            ys = [jax.nn.gelu(x @ w + b) for x in xs]
            return ((jnp.concatenate(ys),), ()) if me == 3 else ((), tuple(ys))

        own = (me + 1) % 4 if defect == "next-weights" and me != 0 else me
        inputs = [("w", own, own + 1), ("b", me, me + 1)] + (["x"] if me == 0 else [])
        message = lambda peer: [Message(peer, 1 + m if defect == "wrong-tag" else 1, (2, 8)) for m in range(3)]
        recvs = message(me - 1) if me else []
        if defect == "wrong-tag" and me == 1:
            recvs[0].tag, recvs[2].tag = recvs[2].tag, recvs[0].tag
        return Stage(step, inputs, [0] if me == 3 else [], recvs, message(me + 1) if me != 3 else [])

    return [stage(me) for me in range(4)]


def four_layers(w, b, x):
    for k in range(4):
        x = jax.nn.gelu(x @ w[k] + b[k])
    return x


PIPELINES.append(Pipeline(
    "stages-gpipe-4", 1, four_layers, {"w": Arg((4, 8, 8)), "b": Arg((4, 8)), "x": Arg((6, 8))}, [P()], gpipe4,
    {"microbatch-twice": "the third stage takes the second microbatch for the third as well",
     "next-weights": "the stages but the first hold the next layer's matrix",
     "wrong-tag": "the second stage receives the first and the third microbatch under each other's tag"}))

# --- forward and backward: two stages, tensor-parallel inside, two microbatches; activations travel as shards ----------


def hidden(x, u, d):
    return x + reduce_from(jnp.tanh(copy_to(x, "tp") @ u) @ d, "tp")


def train_loss(x, y, u1, d1, u2, d2):
    h = x + jnp.tanh(x @ u1) @ d1
    o = h + jnp.tanh(h @ u2) @ d2
    return jnp.mean((o - y) ** 2)


def train_step(x, y, u1, d1, u2, d2):
    return jax.value_and_grad(train_loss, (2, 3, 4, 5))(x, y, u1, d1, u2, d2)


def train2(defect):
    count = 4 * 8  # elements of the whole batch

    def shard(v):
        n = v.shape[1] // 2
        return lax.dynamic_slice_in_dim(v, lax.axis_index("tp") * n, n, 1)

    gathered = lambda v: lax.all_gather(v, "tp", axis=1, tiled=True)

    def first(p, r):
        x, u, d = p
        sent, du, dd = [], 0.0, 0.0
        for m in range(2):
            h, back = jax.vjp(lambda u, d, m=m: hidden(x[2 * m:2 * m + 2], u, d), u, d)
            sent.append(shard(h))
            g = back(gathered(r[m]))
            du, dd = du + g[0], g[1] if defect == "not-accumulated" else dd + g[1]
        return (du, dd), tuple(sent)

    def second(p, r):
        y, u, d = p
        sent, du, dd, total = [], 0.0, 0.0, 0.0
        for m in range(2):
            def loss(h, u, d, m=m):
                return jnp.sum((hidden(h, u, d) - y[2 * m:2 * m + 2]) ** 2) / count
            value, back = jax.value_and_grad(loss, (0, 1, 2))(gathered(r[m]), u, d)
            sent.append(shard(back[0]))
            total, du, dd = total + value, du + back[1], dd + back[2]
        return (total, du, dd), tuple(sent)

    def messages(peer, tag):
        seats = (1, 0) if defect == "seats-crossed" and tag == 1 else ()
        return [Message(peer, tag, (2, 8), P(None, "tp"), seats) for _ in range(2)]

    backward = messages(1, 2)
    return [Stage(first, ["x", "u1", "d1"], [1, 2], backward, messages(1, 1)),
            Stage(second, ["y", "u2", "d2"], [0, 3, 4], messages(0, 1), messages(0, 2))]


PIPELINES.append(Pipeline(
    "stages-train-tp", 2, train_step,
    {"x": Arg((4, 8)), "y": Arg((4, 8)), "u1": Arg((8, 16), P(None, "tp")), "d1": Arg((16, 8), P("tp")),
     "u2": Arg((8, 16), P(None, "tp")), "d2": Arg((16, 8), P("tp"))},
    [P(), P(None, "tp"), P("tp"), P(None, "tp"), P("tp")], train2,
    {"not-accumulated": "the first stage keeps the last microbatch's gradient of its second matrix only",
     "seats-crossed": "each tensor-parallel rank sends its shard to the other rank of the next stage"}))

# --- an embedding that both stages hold: its gradients are exchanged, both write the new one ------------------------------


def tied_loss(e, w, ids, y):
    h = jnp.tanh(e[ids] @ w)
    return jnp.mean((h @ e.T - y) ** 2)


def tied_step(e, w, ids, y):
    de, dw = jax.grad(tied_loss, (0, 1))(e, w, ids, y)
    return e - 0.5 * de, w - 0.5 * dw


def tied(defect):
    def first(p, r):
        e, w, ids = p
        h, back = jax.vjp(lambda e, w: jnp.tanh(e[ids] @ w), e, w)
        de, dw = back(r[0])
        theirs = de if defect == "own-gradient-twice" else r[1]
        return (e - 0.5 * (de + theirs), w - 0.5 * dw), (h, de)

    def second(p, r):
        e, y = p
        dh, de = jax.grad(lambda h, e: jnp.mean((h @ e.T - y) ** 2), (0, 1))(r[0], e)
        total = de if defect == "not-summed-on-the-last" else de + r[1]
        return (e - 0.5 * total,), (dh, de)

    return [Stage(first, ["e", "w", "ids"], [0, 1], [Message(1, 2, (6, 8)), Message(1, 3, (16, 8))],
                  [Message(1, 1, (6, 8)), Message(1, 3, (16, 8))]),
            Stage(second, ["e", "y"], [0], [Message(0, 1, (6, 8)), Message(0, 3, (16, 8))],
                  [Message(0, 2, (6, 8)), Message(0, 3, (16, 8))])]


PIPELINES.append(Pipeline(
    "stages-tied-embedding", 1, tied_step,
    {"e": Arg((16, 8)), "w": Arg((8, 8)), "ids": Arg((6,), dtype=np.int32, range=(0, 16)), "y": Arg((6, 16))}, [P(), P()], tied,
    {"own-gradient-twice": "the first stage adds its own gradient of the embedding again in place of the last one's",
     "not-summed-on-the-last": "the last stage updates its copy of the embedding with its own gradient only"}))
