"""Defects that are lost in what follows them: gradients that are not reduced below a clip and an optimizer, counts of unequal shards, offsets that are scaled wrongly, merged decodes.
`check` names the place (expect.json: code, culprit)."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, I32, Arg, block, copy_to, gather, pair, reduce_from

N = 4
flat = lambda tree: tuple(jax.tree.leaves(tree))
SP, TP, DP = ([[name, N]] for name in ("sp", "tp", "dp"))


# --- AdamW below a clip by the global norm: gradients of some layers, or of all, that are not reduced --------------------
def adamw(w, m, v, g, step):
    m, v = 0.9 * m + 0.1 * g, 0.95 * v + 0.05 * g * g
    a, b = m / (1 - 0.9 ** step), v / (1 - 0.95 ** step)
    return w - 0.01 * (a / (jnp.sqrt(b) + 1e-8) + 0.1 * w), m, v


def clip_scale(gradients, most=1.0):
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in gradients))
    return jnp.minimum(1.0, most / (norm + 1e-6))


def updated(weights, ms, vs, gradients, step):
    scale = clip_scale(gradients)
    return tuple(x for w, m, v, g in zip(weights, ms, vs, gradients) for x in adamw(w, m, v, g * scale, step))


def mlp_loss(weights, x, y, rows):
    a, b, c = weights
    return jnp.sum((jnp.tanh(jnp.tanh(x @ a) @ b) @ c - y) ** 2) / rows


def clip_step(a, b, c, ma, mb, mc, va, vb, vc, x, y, step):
    g = jax.grad(mlp_loss)((a, b, c), x, y, x.shape[0])
    return updated((a, b, c), (ma, mb, mc), (va, vb, vc), g, step)


def clip_step_dp(defect):
    def run(a, b, c, ma, mb, mc, va, vb, vc, x, y, step):
        g = jax.grad(mlp_loss)((a, b, c), x, y, N * x.shape[0])
        kept = {"one-not-reduced": (1,), "first-not-reduced": (0,), "none-reduced": (0, 1, 2)}.get(defect, ())
        if defect == "clipped-before":
            scale = clip_scale(g)
            g = [lax.psum(t * scale, "dp") for t in g]
            return tuple(x for w, m, v, t in zip((a, b, c), (ma, mb, mc), (va, vb, vc), g) for x in adamw(w, m, v, t, step))
        g = [t if k in kept else lax.psum(t, "dp") for k, t in enumerate(g)]
        return updated((a, b, c), (ma, mb, mc), (va, vb, vc), g, step)
    return run


W = [Arg((4, 5)), Arg((5, 5)), Arg((5, 3))]
pair("blamed-clip-adamw", DP, clip_step, clip_step_dp, W + W + [Arg(a.shape, range=(0, 1)) for a in W] + [Arg((8, 4), P("dp")), Arg((8, 3), P("dp")), Arg((), range=(1, 9))], [P()] * 9,
     {"one-not-reduced": "the gradient of the second layer is not reduced", "first-not-reduced": "the gradient of the first layer is not reduced",
      "none-reduced": "no gradient is reduced", "clipped-before": "each rank clips its own gradients, then they are reduced"})


# --- clipping by value and by norm before reducing, with plain descent ---------------------------------------------------
def sgd_clipped(w, x, y):
    g = jax.grad(lambda w: jnp.sum((jnp.tanh(x @ w) - y) ** 2) / len(x))(w)
    return w - 0.1 * g * clip_scale([g])


def sgd_clipped_dp(defect):
    def run(w, x, y):
        g = jax.grad(lambda w: jnp.sum((jnp.tanh(x @ w) - y) ** 2) / len(x))(w)
        if defect == "clipped-before":
            return w - 0.1 * lax.pmean(g * clip_scale([g]), "dp")
        if defect == "norm-reduced-of-local":
            scale = jnp.minimum(1.0, 1.0 / (jnp.sqrt(lax.pmean(jnp.sum(g * g), "dp")) + 1e-6))
            return w - 0.1 * lax.pmean(g, "dp") * scale
        g = lax.pmean(g, "dp")
        return w - 0.1 * g * clip_scale([g])
    return run


pair("blamed-clip-descent", DP, sgd_clipped, sgd_clipped_dp, [Arg((4, 3)), Arg((8, 4), P("dp")), Arg((8, 3), P("dp"), range=(-4, 4))], [P()],
     {"clipped-before": "each rank clips its own gradient, then the mean is taken", "norm-reduced-of-local": "the norm is that of the ranks' gradients before the mean"})


# --- a mean over valid tokens, unequal numbers on the ranks ---------------------------------------------------------------
def token_loss(logits, labels):
    valid = labels >= 0
    at = jnp.where(valid, labels, 0)
    per = jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, at[:, None], -1)[:, 0]
    return jnp.sum(jnp.where(valid, per, 0)), jnp.sum(valid)


def valid_mean(x, w, labels):
    def loss(w):
        total, count = token_loss(x @ w, labels)
        return total / jnp.maximum(count, 1)
    return jax.value_and_grad(loss)(w)


def valid_mean_dp(defect):
    def run(x, w, labels):
        def loss(w):
            total, count = token_loss(x @ w, labels)
            if defect != "mean-of-means":
                count = lax.psum(count, "dp")
            return total / jnp.maximum(count, 1)
        value, g = jax.value_and_grad(loss)(w)
        reduce = lax.pmean if defect == "mean-of-means" else lax.psum
        if defect == "averaged":
            return lax.psum(value, "dp"), lax.pmean(g, "dp")
        return reduce(value, "dp"), reduce(g, "dp")
    return run


pair("blamed-valid-mean", DP, valid_mean, valid_mean_dp, [Arg((12, 4), P("dp")), Arg((4, 6)), Arg((12,), P("dp"), I32, (-1, 6))], [P(), P()],
     {"mean-of-means": "each rank divides by its own number of tokens, then the means are averaged", "averaged": "the gradient of a loss over all tokens is averaged, not summed"})


# --- rotary positions of sequence shards -----------------------------------------------------------------------------------
def rotary(x, at):
    half = x.shape[-1] // 2
    angle = at[:, None].astype(F32) * (10000.0 ** (-jnp.arange(half) / half))[None, :]
    a, b = x[:, :half], x[:, half:]
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), a * jnp.sin(angle) + b * jnp.cos(angle)], -1)


def rope_attention(q, k, v):
    at = jnp.arange(len(q))
    return jax.nn.softmax(rotary(q, at) @ rotary(k, at).T / 2.0, -1) @ v


def rope_attention_sp(defect):
    def run(q, k, v):
        n, me = len(q), lax.axis_index("sp")
        mine = me * n + jnp.arange(n)
        at = {"offset-twice": me * n * 2 + jnp.arange(n), "offset-is-rank": me + jnp.arange(n), "no-offset": jnp.arange(n)}.get(defect, mine)
        keys, values = gather(rotary(k, at if defect != "queries-only" else mine), "sp"), gather(v, "sp")
        if defect == "queries-only":
            at = me + jnp.arange(n)
        return jax.nn.softmax(rotary(q, at) @ keys.T / 2.0, -1) @ values
    return run


pair("blamed-rotary", SP, rope_attention, rope_attention_sp, [Arg((12, 4), P("sp")), Arg((12, 4), P("sp")), Arg((12, 3), P("sp"))], [P("sp")],
     {"offset-twice": "a rank's first position is its number times twice its block", "offset-is-rank": "a rank's first position is its number", "no-offset": "every rank counts positions from 0",
      "queries-only": "the first position of the queries is the rank's number"})


def rope_table(x, cos, sin):
    half = x.shape[-1] // 2
    a, b = x[:, :half], x[:, half:]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], -1)


def rope_table_sp(defect):
    def run(x, cos, sin):
        start = lax.axis_index("sp") * (1 if defect == "start-is-rank" else len(x) * (2 if defect == "start-twice" else 1))
        return rope_table(x, *(lax.dynamic_slice_in_dim(t, start, len(x)) for t in (cos, sin)))
    return run


pair("blamed-rotary-table", SP, lambda x, cos, sin: rope_table(x, cos[:len(x)], sin[:len(x)]), rope_table_sp, [Arg((12, 4), P("sp")), Arg((32, 2)), Arg((32, 2))], [P("sp")],
     {"start-twice": "a rank reads the table from its number times twice its block", "start-is-rank": "a rank reads the table from its number"})


# --- an embedding that is the head too, rows over ranks: the gradient into the hidden state ---------------------------------
def tied_loss(logits, labels):
    return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.take_along_axis(logits, labels[:, None], -1)[:, 0])


def tied(e, w, ids, labels):
    def loss(e, w):
        return tied_loss(jnp.tanh(e[ids] @ w) @ e.T, labels)
    return flat(jax.value_and_grad(loss, (0, 1))(e, w))


def tied_tp(defect):
    def run(e, w, ids, labels):
        n, me = len(e), lax.axis_index("tp")

        def loss(e, w):
            at = ids - me * n
            inside = (at >= 0) & (at < n)
            h = reduce_from(jnp.where(inside[:, None], e[jnp.where(inside, at, 0)], 0), "tp")
            h = jnp.tanh(h @ w)
            h = h if defect == "hidden-gradient-partial" else copy_to(h, "tp")
            logits = h @ e.T
            m = lax.stop_gradient(lax.pmax(jnp.max(lax.stop_gradient(logits), -1), "tp"))
            total = reduce_from(jnp.sum(jnp.exp(logits - m[:, None]), -1), "tp")
            to = labels - me * n
            own = (to >= 0) & (to < n)
            picked = reduce_from(jnp.where(own, jnp.take_along_axis(logits, jnp.where(own, to, 0)[:, None], -1)[:, 0], 0), "tp")
            return jnp.mean(jnp.log(total) + m - picked)
        return flat(jax.value_and_grad(loss, (0, 1))(e, w))
    return run


pair("blamed-tied-embedding", TP, tied, tied_tp, [Arg((8, 4), P("tp")), Arg((4, 4)), Arg((6,), P(), I32, (0, 8)), Arg((6,), P(), I32, (0, 8))], [P(), P("tp"), P()],
     {"hidden-gradient-partial": "the gradient into the hidden state is not summed over the shards of the head"})


# --- decoding against a cache in shards, merged by the shards' logarithms of sums -------------------------------------------
def decode(q, k, v):
    return jax.nn.softmax(q @ k.T, -1) @ v


def decode_sp(defect):
    def run(q, k, v):
        s = q @ k.T
        m = jnp.max(s, -1, keepdims=True)
        p = jnp.exp(s - m)
        total = jnp.sum(p, -1, keepdims=True)
        out, lse = p @ v / total, (m + jnp.log(total))[:, 0]
        if defect == "summed":
            return lax.psum(out, "sp")
        if defect == "averaged":
            return lax.pmean(out, "sp")
        all_out, all_lse = lax.all_gather(out, "sp"), lax.all_gather(lse, "sp")
        if defect == "by-shares":
            weights = all_lse / jnp.sum(all_lse, 0)
        else:
            weights = jnp.exp(all_lse - jax.nn.logsumexp(all_lse, 0))
        return jnp.sum(weights[:, :, None] * all_out, 0)
    return run


pair("blamed-decode", SP, decode, decode_sp, [Arg((3, 4)), Arg((16, 4), P("sp")), Arg((16, 5), P("sp"))], [P()],
     {"summed": "the shards' outputs are added", "averaged": "the shards' outputs are averaged", "by-shares": "the weights are the logarithms' shares, not exponentials"})


# --- low-rank adaptation of column- and row-parallel layers -------------------------------------------------------------------
def lora(x, w, a, b, u, c, d):
    h = jax.nn.silu(x @ w + 2.0 * (x @ a) @ b)
    return h @ u + 2.0 * (h @ c) @ d


def lora_tp(defect):
    def run(x, w, a, b, u, c, d):
        h = jax.nn.silu(x @ w + 2.0 * (x @ a) @ b)
        low = h @ c
        if defect == "low-rank-twice":
            return lax.psum(h @ u + 2.0 * lax.psum(low, "tp") @ d, "tp")
        if defect == "low-rank-partial":
            return lax.psum(h @ u, "tp") + 2.0 * low @ d
        return lax.psum(h @ u + 2.0 * low @ d, "tp")
    return run


pair("blamed-lora", TP, lora, lora_tp, [Arg((5, 6)), Arg((6, 8), P(None, "tp")), Arg((6, 2)), Arg((2, 8), P(None, "tp")), Arg((8, 6), P("tp")), Arg((8, 2), P("tp")), Arg((2, 6))], [P()],
     {"low-rank-twice": "the low-rank part is reduced before it is added and again with the sum", "low-rank-partial": "the low-rank part is not reduced"})


# --- contrastive loss whose gathered features carry no gradient -----------------------------------------------------------------
def clip_loss(a, b):
    s = 4.0 * a @ b.T
    at = jnp.arange(len(a))
    return -(jnp.sum(jax.nn.log_softmax(s, -1)[at, at]) + jnp.sum(jax.nn.log_softmax(s.T, -1)[at, at])) / (2 * len(a))


def clip(x, y, wx, wy):
    return flat(jax.value_and_grad(lambda wx, wy: clip_loss(jnp.tanh(x @ wx), jnp.tanh(y @ wy)), (0, 1))(wx, wy))


def clip_dp(defect):
    def run(x, y, wx, wy):
        def loss(wx, wy):
            a, b = jnp.tanh(x @ wx), jnp.tanh(y @ wy)
            if defect == "gathered-without-gradient":
                ga, gb = gather(lax.stop_gradient(a), "dp"), gather(lax.stop_gradient(b), "dp")
            else:
                ga, gb = gather(a, "dp"), gather(b, "dp")
            n = len(a)
            at = lax.axis_index("dp") * n + jnp.arange(n)
            rows = jnp.arange(n)
            s, t = 4.0 * a @ gb.T, 4.0 * b @ ga.T
            return -(jnp.sum(jax.nn.log_softmax(s, -1)[rows, at]) + jnp.sum(jax.nn.log_softmax(t, -1)[rows, at])) / (2 * N * n)
        return tuple(lax.psum(t, "dp") for t in flat(jax.value_and_grad(loss, (0, 1))(wx, wy)))
    return run


pair("blamed-contrast", DP, clip, clip_dp, [Arg((8, 3), P("dp")), Arg((8, 3), P("dp")), Arg((3, 4)), Arg((3, 4))], [P(), P(), P()],
     {"gathered-without-gradient": "the features that are gathered carry no gradient"})


# --- gradients beside one that is zero but for rounding: softmax drops what is added to all keys -----------------------------------
def attention_loss(p, x):
    q, k, v = (x @ w + b for w, b in p)
    return jnp.mean((jax.nn.softmax(q @ jnp.swapaxes(k, 1, 2)) @ v) ** 2)


def attention_step(x, *p):
    return flat(jax.value_and_grad(attention_loss)(tuple(zip(p[::2], p[1::2])), x))


def attention_step_dp(defect):
    def run(x, *p):
        out = list(attention_step(x, *p))
        own = (5, 6) if defect == "own-gradients" else ()
        return tuple(t if k in own else lax.pmean(t, "dp") for k, t in enumerate(out))
    return run


pair("blamed-key-bias", DP, attention_step, attention_step_dp, [Arg((8, 4, 3), P("dp"))] + [Arg((3, 5)), Arg((5,))] * 3, [P()] * 7,
     {"own-gradients": "the gradients of the values' weights and bias are not reduced"})
