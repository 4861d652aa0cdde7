"""Ten kinds of defects as they are made in library code, two programs each: what `check` has to name (expect.json: code, culprit)."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from .base import F32, I32, Arg, block, gather, pair, reduce_from, rotate

N = 4
CP, SP, TP, DP, EP = ([[name, N]] for name in ("cp", "sp", "tp", "dp", "ep"))


# --- stale mask: ring attention written out block by block, and a ring with a window inside a scan ----------------------
def online(state, s, v):
    """One step of a softmax under a running maximum; s [query, key]."""
    m, l, o = state
    new = jnp.maximum(m, jnp.max(s, -1))
    p, c = jnp.exp(s - new[:, None]), jnp.exp(m - new)
    return new, c * l + jnp.sum(p, -1), c[:, None] * o + p @ v


def empty(q, v):
    return jnp.full(len(q), -1e30), jnp.zeros(len(q)), jnp.zeros((len(q), v.shape[-1]))


def seen(queries, keys, window):
    far = queries[:, None] - keys[None, :]
    return far >= 0 if window is None else (far >= 0) & (far < window)


def masked_attention(window):
    def run(q, k, v):
        at = jnp.arange(len(q))
        return jax.nn.softmax(jnp.where(seen(at, at, window), q @ k.T, -1e30), -1) @ v
    return run


def ring_written_out(defect):
    def run(q, k, v):
        n, me, state = len(q), lax.axis_index("cp"), empty(q, v)
        mine = me * n + jnp.arange(n)
        first = seen(mine, mine, None)
        for t in range(N):
            keys = (me - t) % N * n + jnp.arange(n)
            mask = first if defect == "first-mask" else seen(mine, keys, None)
            state = online(state, jnp.where(mask, q @ k.T, -1e30), v)
            k, v = rotate(k, "cp"), rotate(v, "cp")
        return state[2] / state[1][:, None]
    return run


def ring_window(defect):
    def run(q, k, v):
        n, me = len(q), lax.axis_index("cp")
        mine = me * n + jnp.arange(n)

        def step(carry, t):
            k, v, owner, state = carry
            keys = owner * n + jnp.arange(n)
            state = online(state, jnp.where(seen(mine, keys, 5), q @ k.T, -1e30), v)
            after = owner if defect == "owner-not-advanced" else (owner + 1) % N
            return (rotate(k, "cp", -1), rotate(v, "cp", -1), after, state), None

        state = lax.scan(step, (k, v, me, empty(q, v)), jnp.arange(N))[0][3]
        return state[2] / state[1][:, None]
    return run


ROWS = P("cp")
pair("cause-stale-mask-ring", CP, masked_attention(None), ring_written_out, [Arg((12, 4), ROWS)] * 2 + [Arg((12, 5), ROWS)], [ROWS],
     {"first-mask": "the mask of the rank's own block serves for every block of the ring"})
pair("cause-stale-mask-window", CP, masked_attention(5), ring_window, [Arg((8, 3), ROWS)] * 2 + [Arg((8, 3), ROWS)], [ROWS],
     {"owner-not-advanced": "the number of the block's owner is not counted on, so that the first block's mask is used throughout"})


# --- halos: a smoothing stencil, a convolution that pads its shard, a second layer, an overlap-add ---------------------
def neighbour(x, by):
    return lax.ppermute(x, "sp", [(i, i + by) for i in range(N) if 0 <= i + by < N])


def smooth(x):
    w = jnp.pad(x, [(1, 1), (0, 0)])
    return jnp.tanh(0.25 * w[:-2] + 0.5 * w[1:-1] + 0.25 * w[2:])


def smooth_sp(defect):
    def run(x):
        right = jnp.zeros_like(x[:1]) if defect == "right-is-zero" else neighbour(x[:1], -1)
        w = jnp.concatenate([neighbour(x[-1:], 1), x, right])
        return jnp.tanh(0.25 * w[:-2] + 0.5 * w[1:-1] + 0.25 * w[2:])
    return run


def conv(x, w, padding):
    return lax.conv_general_dilated(x, w, (1,), [padding], dimension_numbers=("NWC", "WIO", "NWC"))


def wide_conv(x, w):
    return jax.nn.relu(conv(x, w, (2, 2)))


def wide_conv_sp(defect):
    def run(x, w):
        if defect == "shard-padded":
            return jax.nn.relu(conv(x, w, (2, 2)))
        return jax.nn.relu(conv(jnp.concatenate([neighbour(x[:, -2:], 1), x, neighbour(x[:, :2], -1)], 1), w, (0, 0)))
    return run


pair("cause-dropped-halo-stencil", SP, smooth, smooth_sp, [Arg((20, 3), P("sp"))], [P("sp")],
     {"right-is-zero": "the row from the right neighbour is taken to be zero"})
pair("cause-dropped-halo-conv", SP, wide_conv, wide_conv_sp, [Arg((2, 24, 3), P(None, "sp")), Arg((5, 3, 2))], [P(None, "sp")],
     {"shard-padded": "the convolution pads each shard with zeros"})


def two_layers(x, a, b):
    return conv(jnp.tanh(conv(x, a, (2, 0))), b, (2, 0))


def two_layers_sp(defect):
    def run(x, a, b):
        halo = neighbour(x[:, -2:], 1)
        h = jnp.tanh(conv(jnp.concatenate([halo, x], 1), a, (0, 0)))
        again = halo if defect == "halo-of-first" else neighbour(h[:, -2:], 1)
        return conv(jnp.concatenate([again, h], 1), b, (0, 0))
    return run


def overlap_add(x, w):
    """Frames of w [hop, 2 * hop], half overlapping."""
    f = x @ w
    h = f.shape[1] // 2
    return jnp.pad(f[:, :h], [(0, 1), (0, 0)]) + jnp.pad(f[:, h:], [(1, 0), (0, 0)])


def overlap_add_sp(defect):
    def run(x, w):
        f = x @ w
        h = f.shape[1] // 2
        tail = neighbour(f[-1:, h:], 1)
        y = f[:, :h] + jnp.concatenate([tail, f[:-1, h:]])
        return y.at[:1].add(tail) if defect == "tail-twice" else y
    return run


def overlapped(x, w):
    return overlap_add(x, w)[:-1]


pair("cause-second-halo-layers", SP, two_layers, two_layers_sp, [Arg((2, 16, 3), P(None, "sp")), Arg((3, 3, 3)), Arg((3, 3, 3))],
     [P(None, "sp")], {"halo-of-first": "the second layer takes the halo that was exchanged for the first"})
pair("cause-second-halo-overlap", SP, overlapped, overlap_add_sp, [Arg((12, 3), P("sp")), Arg((3, 8))], [P("sp")],
     {"tail-twice": "the neighbour's tail is added twice"})


# --- unmasked labels of a vocabulary over tp: the loss with weights, and the gradient of the logits --------------------
def weighted_loss(h, table, labels, weights):
    logp = jax.nn.log_softmax(h @ table.T, -1)
    return -jnp.sum(weights * jnp.take_along_axis(logp, labels[:, None], -1, mode="clip")[:, 0]) / jnp.sum(weights)


def weighted_loss_tp(defect):
    def run(h, table, labels, weights):
        logits, n = h @ table.T, len(table)
        top = lax.pmax(jnp.max(logits, -1), "tp")
        total = jnp.log(lax.psum(jnp.sum(jnp.exp(logits - top[:, None]), -1), "tp"))
        local = labels - lax.axis_index("tp") * n
        mine = jnp.take_along_axis(logits, jnp.clip(local, 0, n - 1)[:, None], -1, mode="clip")[:, 0] - top
        if defect != "label-not-masked":
            mine = jnp.where((local >= 0) & (local < n), mine, 0.0)
        return jnp.sum(weights * (total - lax.psum(mine, "tp"))) / jnp.sum(weights)
    return run


def logits_gradient(h, table, labels):
    p = jax.nn.softmax(h @ table.T, -1)
    return (p - jax.nn.one_hot(labels, len(table))) @ table


def logits_gradient_tp(defect):
    def run(h, table, labels):
        logits, n = h @ table.T, len(table)
        e = jnp.exp(logits - lax.pmax(jnp.max(logits, -1), "tp")[:, None])
        p = e / lax.psum(jnp.sum(e, -1), "tp")[:, None]
        local = labels - lax.axis_index("tp") * n
        hot = jax.nn.one_hot(jnp.clip(local, 0, n - 1), n)
        if defect != "label-not-masked":
            hot = jnp.where(((local >= 0) & (local < n))[:, None], hot, 0.0)
        return lax.psum((p - hot) @ table, "tp")
    return run


LABELS = Arg((5,), P(), I32, (0, 24))
pair("cause-unmasked-label-loss", TP, weighted_loss, weighted_loss_tp,
     [Arg((5, 3)), Arg((24, 3), P("tp")), LABELS, Arg((5,), P(), range=(0.25, 1.0))], [P()],
     {"label-not-masked": "ranks that do not have the label add what their clipped index finds"})
pair("cause-unmasked-label-gradient", TP, logits_gradient, logits_gradient_tp, [Arg((5, 3)), Arg((24, 3), P("tp")), LABELS], [P()],
     {"label-not-masked": "every rank subtracts one at the clipped index of the label"})


# --- a sum taken before the reduce-scatter that sums: gradients of ZeRO, and a row-parallel layer ----------------------
def momentum_step(w, m, x, y):
    g = jax.grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(w)
    m = 0.9 * m + g
    return w - 0.125 * m, m


def momentum_step_zero(defect):
    def run(w, m, x, y):
        g = jax.grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(gather(w, "dp")) / N
        g = lax.psum(g, "dp") if defect == "summed-before" else g
        m = 0.9 * m + lax.psum_scatter(g, "dp", scatter_dimension=0, tiled=True)
        return w - 0.125 * m, m
    return run


def gated_layer(x, a, g, b, scale):
    h = x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale
    return x + (jax.nn.silu(h @ g) * (h @ a)) @ b


def gated_layer_sp(defect):
    def run(x, a, g, b, scale):
        h = gather(x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale, "tp")
        out = (jax.nn.silu(h @ g) * (h @ a)) @ b
        out = lax.psum(out, "tp") if defect == "summed-before" else out
        return x + lax.psum_scatter(out, "tp", scatter_dimension=0, tiled=True)
    return run


pair("cause-double-reduction-zero", DP, momentum_step, momentum_step_zero,
     [Arg((8, 3), P("dp")), Arg((8, 3), P("dp")), Arg((12, 8), P("dp")), Arg((12, 3), P("dp"))], [P("dp"), P("dp")],
     {"summed-before": "gradients are summed over dp before the reduce-scatter over dp"})
pair("cause-double-reduction-layer", TP, gated_layer, gated_layer_sp,
     [Arg((8, 6), P("tp")), Arg((6, 12), P(None, "tp")), Arg((6, 12), P(None, "tp")), Arg((12, 6), P("tp")), Arg((6,))], [P("tp")],
     {"summed-before": "the row-parallel product is summed over tp before the reduce-scatter over tp"})


# --- pipelines that end a tick early: written out, and a fori_loop -----------------------------------------------------
STAGES, MICRO = 4, 3


def stage(h, w, b):
    return jax.nn.silu(h @ w + b)


def all_stages(w, b, x):
    for k in range(STAGES):
        x = stage(x, w[k], b[k])
    return x


def pipeline_tick(state, t, w, b, x):
    arriving, done = state
    me = lax.axis_index("pp")
    h = stage(jnp.where(me == 0, x[jnp.clip(t, 0, MICRO - 1)], arriving), w[0], b[0])
    slot = t - (STAGES - 1)
    kept = lax.dynamic_update_index_in_dim(done, h, jnp.clip(slot, 0, MICRO - 1), 0)
    done = jnp.where((slot >= 0) & (me == STAGES - 1), kept, done)
    return lax.ppermute(h, "pp", [(i, i + 1) for i in range(STAGES - 1)]), done


def pipeline_written_out(defect):
    def run(w, b, x):
        state = jnp.zeros_like(x[0]), jnp.zeros_like(x)
        for t in range(MICRO + STAGES - (2 if defect == "tick-short" else 1)):
            state = pipeline_tick(state, t, w, b, x)
        return lax.psum(state[1], "pp")
    return run


def pipeline_loop(defect):
    def run(w, b, x):
        ticks = MICRO if defect == "no-drain" else MICRO + STAGES - 1
        state = jnp.zeros_like(x[0]), jnp.zeros_like(x)
        return lax.psum(lax.fori_loop(0, ticks, lambda t, s: pipeline_tick(s, t, w, b, x), state)[1], "pp")
    return run


STAGED = [Arg((STAGES, 3, 3), P("pp")), Arg((STAGES, 3), P("pp")), Arg((MICRO, 2, 3))]
pair("cause-short-pipeline-ticks", [["pp", STAGES]], all_stages, pipeline_written_out, STAGED, [P()],
     {"tick-short": "the last microbatch never leaves the last stage"})
pair("cause-short-pipeline-loop", [["pp", STAGES]], all_stages, pipeline_loop, STAGED, [P()],
     {"no-drain": "the loop runs once a microbatch and never drains the pipeline"})


# --- experts whose results are not weighted: exchanged slots, and every rank its own experts on all tokens ------------
def expert(x, w):
    return jnp.tanh(x @ w)


def routed(x, router):
    p = jax.nn.softmax(x @ router, -1)
    return jax.nn.one_hot(jnp.argmax(p, -1), router.shape[1]), p


def gated_experts(x, router, w):
    chosen, p = routed(x, router)
    return jnp.einsum("te,etd->td", chosen * p, jax.vmap(expert, (None, 0))(x, w))


def gated_experts_exchanged(defect):
    def run(x, router, w):
        chosen, p = routed(x, router)
        slots = lax.all_to_all(jnp.einsum("te,td->etd", chosen, x), "ep", 0, 1, tiled=True)
        out = lax.all_to_all(jax.vmap(expert)(slots, w), "ep", 1, 0, tiled=True)
        return jnp.einsum("te,etd->td", chosen if defect == "gate-left-out" else chosen * p, out)
    return run


def gated_experts_local(defect):
    def run(x, router, w):
        chosen, p = routed(x, router)
        weights = chosen if defect == "gate-left-out" else chosen * p
        return lax.psum(jnp.einsum("te,etd->td", block(weights, "ep", 1), jax.vmap(expert, (None, 0))(x, w)), "ep")
    return run


pair("cause-missing-gate-exchanged", EP, gated_experts, gated_experts_exchanged,
     [Arg((12, 5), P("ep")), Arg((5, 8)), Arg((8, 5, 5), P("ep"))], [P("ep")],
     {"gate-left-out": "results of experts are combined without the router's probability"})
pair("cause-missing-gate-local", EP, gated_experts, gated_experts_local, [Arg((6, 4)), Arg((4, 8)), Arg((8, 4, 3), P("ep"))], [P()],
     {"gate-left-out": "results of experts are added without the router's probability"})


# --- all-to-alls whose blocks come back in another order ---------------------------------------------------------------
def mixed(x, w):
    """Tokens are mixed for each feature, as in an MLP mixer."""
    return x + w @ jnp.tanh(x)


def mixed_exchanged(defect):
    def run(x, w):
        h = w @ lax.all_to_all(jnp.tanh(x), "sp", 1, 0, tiled=True)
        if defect == "rank-minor":
            h = h.reshape(-1, N, h.shape[1]).swapaxes(0, 1).reshape(h.shape)
        return x + lax.all_to_all(h, "sp", 0, 1, tiled=True)
    return run


def experts_of_tokens(x, w):
    """Every expert sees every token; x [token, feature], w [expert, feature, feature]."""
    return jnp.einsum("etd,td->et", jax.vmap(expert, (None, 0))(x, w), x).T


def experts_of_tokens_exchanged(defect):
    def run(x, w):
        out = jax.vmap(expert, (None, 0))(gather(x, "ep"), w)  # own experts, all tokens
        e, _, d = out.shape
        out = lax.all_to_all(out.reshape(e, N, -1, d), "ep", 1, 0 if defect != "expert-minor" else 1)
        return jnp.einsum("etd,td->et", out.reshape(e * N, -1, d), x).T
    return run


pair("cause-exchange-order-mixer", SP, mixed, mixed_exchanged, [Arg((8, 8), P("sp")), Arg((8, 8))], [P("sp")],
     {"rank-minor": "rows go back with the rank as the minor digit of their number"})
pair("cause-exchange-order-experts", EP, experts_of_tokens, experts_of_tokens_exchanged, [Arg((12, 3), P("ep")), Arg((8, 3, 3), P("ep"))],
     [P("ep")], {"expert-minor": "results of experts are taken in the order (local expert, rank)"})


# --- the k largest over shards: indices of a shard in place of those of the whole -------------------------------------
def top_tokens(h, table):
    return lax.top_k(h @ table.T, 3)


def top_tokens_tp(defect):
    def run(h, table):
        values, at = lax.top_k(h @ table.T, 3)
        at = at if defect == "no-offset" else at + lax.axis_index("tp") * len(table)
        values, at = gather(values, "tp", 1), gather(at, "tp", 1)
        best, which = lax.top_k(values, 3)
        return best, jnp.take_along_axis(at, which, 1, mode="clip")
    return run


def nearest(query, keys):
    return lax.top_k(-jnp.sum((query[:, None] - keys[None]) ** 2, -1), 2)[1]


def nearest_dp(defect):
    def run(query, keys):
        near, at = lax.top_k(-jnp.sum((query[:, None] - keys[None]) ** 2, -1), 2)
        near = lax.all_gather(near, "dp", axis=1).reshape(len(query), -1)
        at = lax.all_gather(at, "dp", axis=1)
        at = at + (0 if defect == "no-offset" else len(keys) * jnp.arange(N)[:, None])
        return jnp.take_along_axis(at.reshape(len(query), -1), lax.top_k(near, 2)[1], 1, mode="clip")
    return run


pair("cause-local-index-tokens", TP, top_tokens, top_tokens_tp, [Arg((5, 4)), Arg((24, 4), P("tp"))], [P(), P()],
     {"no-offset": "the tokens' numbers are those in the shard"})
pair("cause-local-index-nearest", DP, nearest, nearest_dp, [Arg((4, 3)), Arg((20, 3), P("dp"))], [P()],
     {"no-offset": "the neighbours' numbers are those in the shard"})


# --- means of means over microbatches: written out and scanned ---------------------------------------------------------
def masked_mean(w, x, y, m):
    return jnp.sum(m * jnp.sum((x @ w - y) ** 2, -1)) / jnp.sum(m)


def masked_mean_parts(defect):
    def run(w, x, y, m):
        parts = [(jnp.sum(m[k::2] * jnp.sum((x[k::2] @ w - y[k::2]) ** 2, -1)), jnp.sum(m[k::2])) for k in range(2)]
        if defect == "means-averaged":
            return lax.pmean(sum(total / count for total, count in parts) / 2, "dp")
        return lax.psum(sum(total for total, _ in parts), "dp") / lax.psum(sum(count for _, count in parts), "dp")
    return run


def masked_gradient(w, x, y, m):
    return jax.grad(masked_mean)(w, x, y, m)


def masked_gradient_scan(defect):
    def run(w, x, y, m):
        parts = [a.reshape(3, -1, *a.shape[1:]) for a in (x, y, m)]
        if defect == "means-averaged":
            g, _ = lax.scan(lambda g, b: (g + jax.grad(masked_mean)(w, *b), None), jnp.zeros_like(w), parts)
            return lax.pmean(g / 3, "dp")
        total = lambda w, x, y, m: jnp.sum(m * jnp.sum((x @ w - y) ** 2, -1))
        (g, n), _ = lax.scan(lambda c, b: ((c[0] + jax.grad(total)(w, *b), c[1] + jnp.sum(b[2])), None), (jnp.zeros_like(w), 0.0), parts)
        return lax.psum(g, "dp") / lax.psum(n, "dp")
    return run


def weighted(rows, features, outputs):
    return [Arg((features, outputs)), Arg((rows, features), P("dp")), Arg((rows, outputs), P("dp")), Arg((rows,), P("dp"), range=(0.25, 1.0))]


pair("cause-mean-of-means-loss", DP, masked_mean, masked_mean_parts, weighted(16, 3, 2), [P()],
     {"means-averaged": "each microbatch's loss is divided by its own weight, then averaged"})
pair("cause-mean-of-means-gradient", DP, masked_gradient, masked_gradient_scan, weighted(24, 4, 2), [P()],
     {"means-averaged": "each microbatch's gradient is divided by its own weight, then averaged"})
