"""Train steps: scanned layers under FSDP x TP, gradient accumulation, clipping by the global norm, Muon, EMA, remat."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import Arg, block, copy_to, gather, pair, reduce_from, rotate

# --- train step with scanned layers: weights sharded over fsdp and tp, gathered layer by layer ------------------------
RATE = 0.125


def scanned_loss(w, x, y, layer, count):
    out, _ = lax.scan(lambda h, w: (layer(h, *w), None), x, w)
    return jnp.sum((out - y) ** 2) / count


def train_step(w1, w2, x, y):
    layer = lambda h, a, b: h + jax.nn.silu(h @ a) @ b
    loss, (g1, g2) = jax.value_and_grad(scanned_loss)((w1, w2), x, y, layer, x.size)
    return w1 - RATE * g1, w2 - RATE * g2, loss


def train_step_fsdp_tp(defect):
    group = "fsdp" if defect == "wrong-group" else "tp"
    enter = (lambda h, _: h) if defect == "no-backward-sum" else copy_to

    def layer(h, a, b):
        a, b = gather(a, "fsdp", 0), gather(b, "fsdp", 1)
        return h + reduce_from(jax.nn.silu(enter(h, "tp") @ a) @ b, group)

    def step(w1, w2, x, y):
        count = x.size if defect == "local-count" else x.size * lax.axis_size("fsdp")
        loss, (g1, g2) = jax.value_and_grad(scanned_loss)((w1, w2), x, y, layer, count)
        return w1 - RATE * g1, w2 - RATE * g2, lax.psum(loss, "fsdp")
    return step


W1, W2 = P(None, "fsdp", "tp"), P(None, "tp", "fsdp")
TRAIN_IN = [Arg((3, 8, 16), W1), Arg((3, 16, 8), W2), Arg((4, 8), P("fsdp")), Arg((4, 8), P("fsdp"))]
TRAIN = [["fsdp", 2], ["tp", 2]]
pair("fsdp-tp-scan", TRAIN, train_step, train_step_fsdp_tp, TRAIN_IN, [W1, W2, P()],
     {"no-backward-sum": "the gradient that enters a column-parallel layer backwards is not summed over tp",
      "wrong-group": "the row-parallel sum runs over fsdp instead of tp",
      "local-count": "the loss is divided by the elements of one rank"}, next={"0": 0, "1": 1})
pair("fsdp-tp-scan-annotated", TRAIN, train_step, lambda _: train_step, TRAIN_IN, [W1, W2, P()],
     {"gradient-over-tp": "the gradient of one weight is summed over tp instead of fsdp"},
     annotated=True, next={"0": 0, "1": 1},
     edits={"gradient-over-tp": ("channel_id=8, replica_groups=[2,2]<=[2,2]T(1,0)",
                                 "channel_id=8, replica_groups=[2,2]<=[4]")})


# --- gradient accumulation: one large batch against a scan over microbatches, masked loss -----------------------------
def masked_sum(w, x, y, m):
    return jnp.sum(m[:, None] * (jnp.tanh(x @ w) - y) ** 2)


def accumulate(w, x, y, m):
    """Sum of gradients over the leading dimension of x, y, m."""
    def step(total, batch):
        return total + jax.grad(masked_sum)(w, *batch), None
    return lax.scan(step, jnp.zeros_like(w), (x, y, m))[0]


def whole_batch(w, x, y, m):
    flat = lambda a: a.reshape(-1, *a.shape[2:])
    return w - RATE * jax.grad(masked_sum)(w, flat(x), flat(y), flat(m)) / 16


def accumulated(w, x, y, m):
    return w - RATE * accumulate(w, x, y, m) / 16


def accumulated_dp(defect):
    def step(w, x, y, m):
        if defect == "summed-each-step":
            def body(total, batch):
                return lax.psum(total + jax.grad(masked_sum)(w, *batch), "dp"), None
            return w - RATE * lax.scan(body, jnp.zeros_like(w), (x, y, m))[0] / 16
        if defect == "last-microbatch":
            return w - RATE * lax.psum(jax.grad(masked_sum)(w, x[-1], y[-1], m[-1]), "dp") / 16
        return w - RATE * (lax.pmean if defect == "mean-over-ranks" else lax.psum)(accumulate(w, x, y, m), "dp") / 16
    return step


ACC_IN = [Arg((6, 5)), Arg((4, 4, 6), P(None, "dp")), Arg((4, 4, 5), P(None, "dp")),
          Arg((4, 4), P(None, "dp"), range=(0.0, 1.0))]
pair("accumulation-scan", [["dp", 4]], accumulated, accumulated_dp, ACC_IN, [P()],
     {"summed-each-step": "the carry is summed over dp in every step, so that early microbatches count several times",
      "mean-over-ranks": "a mean over dp of gradients that are already divided by the whole batch"})
pair("accumulation-whole-batch", [["dp", 4]], whole_batch, accumulated_dp, ACC_IN, [P()],
     {"last-microbatch": "only the last microbatch's gradient is kept"})


def two_steps(w, x, y, m):
    return w - RATE * jax.grad(masked_sum)(w, x, y, m) / 16


def two_steps_dp(defect):
    second = 1 if defect == "overlap" else 2

    def step(w, *batch):
        total = accumulate(w, *(jnp.stack([a[:2], a[second:second + 2]]) for a in batch))
        return w - RATE * lax.psum(total, "dp") / 16
    return step


pair("accumulation-two-steps", [["dp", 4]], two_steps, two_steps_dp,
     [Arg((6, 5)), Arg((16, 6), P("dp")), Arg((16, 5), P("dp")), Arg((16,), P("dp"), range=(0.0, 1.0))], [P()],
     {"overlap": "the second microbatch begins with the last row of the first"})


# --- the same, divided by the number of tokens that the mask lets through ---------------------------------------------
def masked_mean(w, x, y, m):
    return accumulate(w, x, y, m) / jnp.sum(m)


def masked_mean_dp(defect):
    def step(w, x, y, m):
        if defect == "mean-of-means":
            return lax.pmean(accumulate(w, x, y, m) / jnp.sum(m), "dp")
        count = jnp.sum(m) * lax.axis_size("dp") if defect == "local-count" else lax.psum(jnp.sum(m), "dp")
        return lax.psum(accumulate(w, x, y, m), "dp") / count
    return step


pair("accumulation-masked-mean", [["dp", 4]], masked_mean, masked_mean_dp, ACC_IN, [P()],
     {"mean-of-means": "each rank divides by its own count, then the mean over ranks",
      "local-count": "the count of all ranks is taken to be this rank's times their number"})


# --- clipping by the global norm of sharded and replicated parameters -------------------------------------------------
def clipped(a, b, ga, gb):
    norm = jnp.sqrt(jnp.sum(ga * ga) + jnp.sum(gb * gb))
    scale = jnp.minimum(1.0, 0.5 / (norm + 1e-6))
    return a - RATE * scale * ga, b - RATE * scale * gb, norm


def clipped_fsdp_tp(defect):
    def step(a, b, ga, gb):  # a is sharded over fsdp and tp, b over fsdp only
        square_a, square_b = jnp.sum(ga * ga), jnp.sum(gb * gb)
        if defect == "replicas-counted":
            square = lax.psum(square_a + square_b, ("fsdp", "tp"))
        elif defect == "norm-over-fsdp":
            square = lax.psum(square_a + square_b, "fsdp")
        elif defect == "norm-of-norms":
            square = lax.psum(jnp.sqrt(lax.psum(square_a, "tp") + square_b), "fsdp") ** 2
        else:
            square = lax.psum(lax.psum(square_a, "tp") + square_b, "fsdp")
        norm = jnp.sqrt(square)
        scale = jnp.minimum(1.0, 0.5 / (norm + 1e-6))
        return a - RATE * scale * ga, b - RATE * scale * gb, norm
    return step


CLIP_IN = [Arg((8, 6), P("fsdp", "tp")), Arg((8,), P("fsdp"))] * 2
pair("global-norm-clip", TRAIN, clipped, clipped_fsdp_tp, CLIP_IN, [P("fsdp", "tp"), P("fsdp"), P()],
     {"replicas-counted": "the parameter that tp replicates is counted once a rank of tp",
      "norm-over-fsdp": "the norm is not summed over tp: ranks of tp scale differently",
      "norm-of-norms": "norms are added instead of their squares"})


# --- Muon: Newton-Schulz on the gathered momentum, each rank keeps its block of the update ----------------------------
def newton_schulz(g):
    x = g / (jnp.sqrt(jnp.sum(g * g)) + 1e-7)

    def step(_, x):
        a = x @ x.T
        return 3.4445 * x + (-4.775 * a + 2.0315 * (a @ a)) @ x
    return lax.fori_loop(0, 3, step, x)


def muon(w, m, g):
    m = 0.875 * m + g
    return w - RATE * newton_schulz(m), m


def muon_fsdp(defect):
    def step(w, m, g):  # g: this rank's part of the sum of gradients
        g = lax.psum_scatter(g[0], "fsdp", scatter_dimension=0, tiled=True)
        m = 0.875 * m + g
        if defect == "local-matrix":
            return w - RATE * newton_schulz(m), m
        o = newton_schulz(gather(m, "fsdp", 1 if defect == "gathered-columns" else 0).reshape(8, 6))
        return w - RATE * block(o, "fsdp"), m
    return step


def muon_summed(w, m, g):
    return muon(w, m, jnp.sum(g, 0))


MUON_IN = [Arg((8, 6), P("fsdp")), Arg((8, 6), P("fsdp")), Arg((4, 8, 6), P("fsdp"))]
pair("muon", [["fsdp", 4]], muon_summed, muon_fsdp, MUON_IN, [P("fsdp"), P("fsdp")],
     {"local-matrix": "Newton-Schulz runs on each shard by itself",
      "gathered-columns": "shards of rows are gathered along the columns and reshaped"}, next={"0": 0, "1": 1})


# --- exponential moving average of weights that are sharded over dp ---------------------------------------------------
def ema_step(w, e, x, y):
    g = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    w = w - RATE * g
    return w, 0.75 * e + 0.25 * w


def ema_step_dp(defect):
    def step(w, e, x, y):
        full = gather(w, "dp")
        g = jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(full)
        g = lax.psum_scatter(g, "dp", scatter_dimension=0, tiled=True)
        new = w - RATE * (g if defect == "sum-of-means" else g / lax.axis_size("dp"))
        return new, 0.75 * e + 0.25 * (rotate(new, "dp") if defect == "neighbour" else new)
    return step


EMA_IN = [Arg((8, 3), P("dp")), Arg((8, 3), P("dp")), Arg((8, 8), P("dp")), Arg((8, 3), P("dp"))]
pair("ema", [["dp", 4]], ema_step, ema_step_dp, EMA_IN, [P("dp"), P("dp")],
     {"sum-of-means": "gradients of per-rank means are added, not averaged",
      "neighbour": "the average takes the neighbour's shard"}, next={"0": 0, "1": 1})


# --- remat: the MLP is computed again in the backward pass ------------------------------------------------------------
def remat_grads(w1, w2, x):
    f = jax.checkpoint(lambda x, w1, w2: jnp.tanh(jnp.tanh(x @ w1) @ w2))
    return jax.grad(lambda x, w1, w2: jnp.sum(f(x, w1, w2) ** 2), (0, 1, 2))(x, w1, w2)


def remat_grads_tp(defect):
    enter = (lambda x, _: x) if defect == "no-backward-sum" else copy_to

    def grads(w1, w2, x):
        f = jax.checkpoint(lambda x, w1, w2: jnp.tanh(reduce_from(jnp.tanh(enter(x, "tp") @ w1) @ w2, "tp")))
        return jax.grad(lambda x, w1, w2: jnp.sum(f(x, w1, w2) ** 2), (0, 1, 2))(x, w1, w2)
    return grads


pair("remat", [["tp", 4]], remat_grads, remat_grads_tp, [Arg((6, 8), P(None, "tp")), Arg((8, 6), P("tp")), Arg((4, 6))],
     [P(), P(None, "tp"), P("tp")], {"no-backward-sum": "the gradient of the input is not summed over tp"})
