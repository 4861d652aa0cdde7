"""What a rank has of its own where more is needed: the edges of its block, the block of its number, a norm, a block of a queue, a place, sums. `check` names the place (expect.json: code, culprit)."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import I32, Arg, block, gather, pair, reduce_from

N = 4
SP, TP, DP, EP = ([[name, N]] for name in ("sp", "tp", "dp", "ep"))


# --- a causal convolution as a sum of shifted rows, written by hand ----------------------------------------------------
def shifted(padded, w):
    n = len(padded) - len(w) + 1
    return jax.nn.silu(sum(padded[k:k + n] * w[k] for k in range(len(w))))


def causal(x, w):
    return shifted(jnp.pad(x, [(len(w) - 1, 0), (0, 0)]), w)


def causal_sp(defect):
    def run(x, w):
        if defect == "shard-padded":
            return causal(x, w)
        tail = lax.ppermute(x[1 - len(w):], "sp", [(i, i + 1) for i in range(N - 1)])
        return shifted(jnp.concatenate([tail, x]), w)
    return run


pair("cause-dropped-halo-shifted", SP, causal, causal_sp, [Arg((16, 3), P("sp")), Arg((4, 3))], [P("sp")],
     {"shard-padded": "the shifted rows are those of the padded shard"})


# --- experts with slots, one a rank: the masks of dispatch and of combination ------------------------------------------
def dispatched(x, router, capacity):
    """[token, expert, slot]: which token lies where, and with what weight."""
    p = jax.nn.softmax(x @ router, -1)
    chosen = jax.nn.one_hot(jnp.argmax(p, -1), router.shape[1])
    at = (jnp.sum(jnp.cumsum(chosen, 0) * chosen, -1) - 1).astype(I32)
    mask = chosen[:, :, None] * jax.nn.one_hot(at, capacity)[:, None]
    return mask, mask * jnp.max(p, -1)[:, None, None]


def slotted(x, router, w):
    mask, weights = dispatched(x, router, 3)
    return jnp.einsum("tec,ecf->tf", weights, jax.nn.relu(jnp.einsum("ecd,edf->ecf", jnp.einsum("tec,td->ecd", mask, x), w)))


def slotted_ep(defect):
    def run(x, router, w):
        mask, weights = dispatched(x, router, 3)
        mask, weights = (m[:, :1] if defect == "first-expert" else block(m, "ep", 1) for m in (mask, weights))
        return lax.psum(jnp.einsum("tec,ecf->tf", weights, jax.nn.relu(jnp.einsum("ecd,edf->ecf", jnp.einsum("tec,td->ecd", mask, x), w))), "ep")
    return run


pair("cause-own-block-slots", EP, slotted, slotted_ep, [Arg((8, 3)), Arg((3, 4)), Arg((4, 3, 5), P("ep"))], [P()],
     {"first-expert": "every rank takes the slots of the first expert"})


# --- gradients that are clipped by their norm, behind a mean that XLA folds into a literal -----------------------------
def clipped(w, m, gradients, norm):
    scale = jnp.where(norm < 1, 1.0, 1 / norm)
    after = [0.9 * b + 0.1 * g * scale for b, g in zip(m, gradients)]
    return tuple(a - 0.01 * b for a, b in zip(w, after)) + tuple(after)


def squares(gradients):
    return sum(jnp.sum(g * g) for g in gradients)


def clipped_step(a, b, ma, mb, x, y):
    loss = lambda a, b: jnp.mean((jnp.tanh(x @ a) @ b - y) ** 2)
    g = jax.grad(loss, (0, 1))(a, b)
    return clipped((a, b), (ma, mb), g, jnp.sqrt(squares(g)))


def clipped_step_tp(defect):
    def run(a, b, ma, mb, x, y):
        loss = lambda a, b: jnp.sum((reduce_from(jnp.tanh(x @ a) @ b, "tp") - y) ** 2) / y.size
        g = jax.grad(loss, (0, 1))(a, b)
        total = squares(g) if defect == "own-norm" else lax.psum(squares(g), "tp")
        return clipped((a, b), (ma, mb), g, jnp.sqrt(total))
    return run


COLUMNS, ROWS = Arg((4, 8), P(None, "tp")), Arg((8, 3), P("tp"))
pair("cause-own-norm-clip", TP, clipped_step, clipped_step_tp, [COLUMNS, ROWS, COLUMNS, ROWS, Arg((4, 4)), Arg((4, 3), range=(-4, 4))],
     [P(None, "tp"), P("tp")] * 2, {"own-norm": "gradients are clipped by the norm of the rank's own shards"})


# --- a queue of keys -----------------------------------------------------------------------------------------------------
def enqueue(queue, keys, at):
    return lax.dynamic_update_slice(queue, keys / jnp.sqrt(jnp.sum(keys * keys, -1, keepdims=True)), (at, 0))


def enqueue_dp(defect):
    def run(queue, keys, at):
        return enqueue(queue, keys if defect == "own-keys" else gather(keys, "dp"), at)
    return run


pair("cause-own-block-queue", DP, enqueue, enqueue_dp, [Arg((16, 3)), Arg((8, 3), P("dp")), Arg((), P(), I32, (0, 9))], [P()],
     {"own-keys": "every rank enqueues the keys of its own samples"})


# --- the first of equal elements: which rank's place is it? -------------------------------------------------------------
def first_largest(x):
    return jnp.argmax(jnp.floor(x), -1)  # many are equal


def first_largest_tp(defect):
    def run(x):
        x = jnp.floor(x)
        best = jnp.max(x, -1)
        mine, at = best == lax.pmax(best, "tp"), jnp.argmax(x, -1) + lax.axis_index("tp") * x.shape[1]
        if defect == "places-summed":
            return lax.psum(jnp.where(mine, at, 0), "tp")
        if defect == "last-place":
            return lax.pmax(jnp.where(mine, at, -1), "tp")
        return lax.pmin(jnp.where(mine, at, 2**31 - 1), "tp")
    return run


pair("cause-own-place-first", TP, first_largest, first_largest_tp, [Arg((6, 16), P(None, "tp"), range=(0, 4))], [P()],
     {"places-summed": "the places that ranks have found are added", "last-place": "of equal elements the last one is taken"})


# --- the gradient of a normalisation over the rows of all ranks, by hand -------------------------------------------------
def centred(x, total, rows):
    mean = total(jnp.sum(x, 0)) / rows
    r = lax.rsqrt(total(jnp.sum((x - mean) ** 2, 0)) / rows + 1e-5)
    return (x - mean) * r, r


def norm_gradient(x, g):
    xh, r = centred(x, lambda s: s, len(x))
    return r * (g - jnp.mean(g, 0) - xh * jnp.mean(g * xh, 0)), jnp.sum(g * xh, 0), jnp.sum(g, 0)


def norm_gradient_dp(defect):
    def run(x, g):
        rows = N * len(x)
        xh, r = centred(x, lambda s: lax.psum(s, "dp"), rows)
        sums = jnp.sum(g * xh, 0), jnp.sum(g, 0)
        scale, bias = (lax.psum(s, "dp") for s in sums)
        a, b = (N * s for s in sums) if defect == "own-means" else (scale, bias)
        return r * (g - b / rows - xh * a / rows), scale, bias
    return run


pair("cause-own-sums-backward", DP, norm_gradient, norm_gradient_dp, [Arg((16, 5), P("dp")), Arg((16, 5), P("dp"))], [P("dp"), P(), P()],
     {"own-means": "the gradient is centred by the means of the rank's own rows"})


# --- positions where a shard has as many rows as there are frequencies: its rows and the frequencies are one count of the compiled program ----
def angles(x, first, half, by):
    places = (first + jnp.arange(len(x))).astype(x.dtype)
    return places[:, None] * (1.0 / by ** (jnp.arange(half).astype(x.dtype) / half))


def rotary(x, first=0):
    half = x.shape[1] // 2
    at, a, b = angles(x, first, half, 10000.0), x[:, :half], x[:, half:]
    return jnp.concatenate([a * jnp.cos(at) - b * jnp.sin(at), a * jnp.sin(at) + b * jnp.cos(at)], 1)


def sinusoidal(x, w, first=0):
    return (x + jnp.sin(angles(x, first, x.shape[1], 100.0))) @ w


def from_own_row(program):
    return lambda defect: lambda x, *w: program(x, *w, 0 if defect == "first-shard" else lax.axis_index("sp") * len(x))


pair("cause-own-place-rotary", SP, rotary, from_own_row(rotary), [Arg((12, 6), P("sp"))], [P("sp")],
     {"first-shard": "rows of every shard are rotated as those of the first"})
pair("cause-own-place-sinusoidal", SP, sinusoidal, from_own_row(sinusoidal), [Arg((16, 4), P("sp")), Arg((4, 3))], [P("sp")],
     {"first-shard": "rows of every shard are told apart as those of the first"})


# --- Lion under ZeRO-1: of a gradient that is summed for averaged, one output keeps the sign alone, and the draws look right there ------------
def lion(w, m, x):
    g = jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
    return w - 0.001 * jnp.sign(0.9 * m + 0.1 * g), 0.99 * m + 0.01 * g


def lion_zero1(defect):
    def run(w, m, x):
        g = jax.grad(lambda w: jnp.mean(jnp.tanh(x @ w) ** 2))(w)
        g = lax.psum_scatter(g, "dp", tiled=True) / (1 if defect == "summed" else N)
        new = block(w, "dp") - 0.001 * jnp.sign(0.9 * m + 0.1 * g)
        return gather(new, "dp"), 0.99 * m + (0.04 if defect == "momentum-four-times" else 0.01) * g
    return run


pair("cause-sum-behind-sign", DP, lion, lion_zero1, [Arg((8, 4)), Arg((8, 4), P("dp")), Arg((16, 8), P("dp"))], [P(), P("dp")],
     {"summed": "gradients are summed for averaged", "momentum-four-times": "the momentum alone takes four times the gradient"})


# --- tables that are written out, as caches of cosines and slopes of heads are: a rank takes its part -------------------------------------------
COSINES = np.cos(np.arange(12)[:, None] / 10.0 ** (np.arange(3) / 3)).astype(np.float32)
SLOPES = (2.0 ** -np.arange(1, 9)).astype(np.float32)


def own_part(table, axis, defect):
    n = len(table) // N
    if defect == "part-beside":
        return table[n:2 * n]
    return table[:n] if defect == "first-part" else block(jnp.asarray(table), axis)


def embedded(x, w, cosines=COSINES):
    return jnp.tanh(x @ w + cosines)


def sloped(scores, v, slopes=SLOPES):
    far = jnp.arange(scores.shape[1])[:, None] - jnp.arange(scores.shape[2])
    return jax.nn.softmax(scores - slopes[:, None, None] * jnp.abs(far), -1) @ v


pair("cause-own-part-cosines", SP, embedded, lambda defect: lambda x, w: embedded(x, w, own_part(COSINES, "sp", defect)),
     [Arg((12, 4), P("sp")), Arg((4, 3))], [P("sp")],
     {"first-part": "rows of every shard take the table's first rows", "part-beside": "rows of every shard take the rows of the second"})
pair("cause-own-part-slopes", TP, sloped, lambda defect: lambda s, v: sloped(s, v, own_part(SLOPES, "tp", defect)),
     [Arg((8, 5, 5), P("tp")), Arg((8, 5, 2), P("tp"))], [P("tp")], {"first-part": "heads of every rank take the slopes of the first heads"})
