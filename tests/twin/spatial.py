"""Twin programs: images and halos, shifts across shards, and ranks programmed by hand under shard_map."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

from parts import f32, i32, rms_norm


def convolution(z):
    def f(x, w):
        return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return (f, [f32(z["b"], z["s"], z["w"], z["c"]), f32(3, 3, z["c"], z["o"])],
            [P(None, "dp"), P(None, None, None, "tp")], P(None, "dp", None, "tp"))


def depthwise(z):
    def f(x, w):
        return sum(jnp.pad(x, ((0, 0), (k, 0), (0, 0)))[:, :x.shape[1]] * w[k] for k in range(4))
    return f, [f32(z["b"], z["l"], z["d"]), f32(4, z["d"])], [P("dp", None, "tp"), P(None, "tp")], P("dp", None, "tp")


def stencil(z):
    def f(x):
        return x[:, 1:-1] * 0.5 + (x[:, 2:] + x[:, :-2]) * 0.25
    return f, [f32(z["b"], z["s"], z["c"])], [P(None, "dp", "tp")], P(None, None, "tp")


def patches(z):
    def f(x, w, first, place):
        b, s, t, c = x.shape
        y = x.reshape(b, s // 4, 4, t // 4, 4, c).transpose(0, 1, 3, 2, 4, 5).reshape(b, s // 4 * (t // 4), 16 * c) @ w
        return jnp.concatenate([jnp.broadcast_to(first, (b, 1, w.shape[1])), y], 1) + place
    tokens = z["s"] // 4 * (z["w"] // 4)
    return (f, [f32(z["b"], z["s"], z["w"], z["c"]), f32(16 * z["c"], z["d"]), f32(z["d"]), f32(tokens + 1, z["d"])],
            [P("dp"), P(None, "tp"), P("tp"), P(None, "tp")], P("dp", None, "tp"))


def padded(z):
    return (lambda x: jnp.pad(jnp.tanh(x), ((0, 0), (2, 1), (0, 0))) * 2.0, [f32(z["b"], z["l"], z["d"])],
            [P("dp", None, "tp")], P("dp", None, "tp"))


def rolled(z):
    return (lambda x: x - jnp.roll(x, 1, 1), [f32(z["b"], z["l"], z["d"])], [P(None, "dp", "tp")], P(None, "dp", "tp"))


def flipped(z):
    return (lambda x, w: jnp.flip(x, 1) @ w, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["f"])],
            [P("dp"), P(None, "tp")], P("dp", None, "tp"))


def transposed(z):
    return (lambda x: x.T + 1.0, [f32(z["b"], z["d"])], [P("dp", "tp")], P("dp", "tp"))


def lower_triangle(z):
    return (lambda x, y: jnp.tril(x @ x.T) @ y, [f32(z["l"], z["d"]), f32(z["l"], z["f"])], [P("dp"), P(None, "tp")], P("dp", "tp"))


def joined(z):
    return (lambda a, b, w: jnp.concatenate([a, b], 1) @ w, [f32(z["b"], z["l"], z["d"]), f32(z["b"], z["w"], z["d"]), f32(z["d"], z["f"])],
            [P("dp"), P("dp"), P(None, "tp")], P("dp", None, "tp"))


def joined_shards(z):
    return (lambda a, b: jnp.concatenate([a, b], 1), [f32(z["b"], z["d"]), f32(z["b"], z["f"])], [P("dp", "tp")] * 2, P("dp"))


def moved(z):
    return (lambda x: jax.nn.softmax(x, -1), [f32(z["b"], z["l"])], [P(("dp", "tp"))], P(None, ("dp", "tp")))


def long_sum(z):
    return (lambda x: jnp.cumsum(x, 0), [f32(z["l"], z["d"])], [P(None, ("dp", "tp"))], P(None, ("dp", "tp")))


def pooled(z):
    def f(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 1, 1, 1), "SAME")
    return f, [f32(z["b"], z["s"], z["w"], z["c"])], [P("dp", None, None, "tp")], P("dp", None, None, "tp")


def sequence_parallel(z):
    def one(x, a, b):
        y = lax.all_gather(rms_norm(x, 1.0), "tp", axis=1, tiled=True)
        return x + lax.psum_scatter(jax.nn.silu(y @ a) @ b, "tp", scatter_dimension=1, tiled=True)
    def f(x, a, b):
        return x + jax.nn.silu(rms_norm(x, 1.0) @ a) @ b
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["f"]), f32(z["f"], z["d"])],
            [P("dp", "tp"), P(None, "tp"), P("tp")], P("dp", "tp"), one)


def vocabulary_parallel(z):
    def one(table, ids):
        local = table.shape[0]
        at = jnp.where(ids < 0, ids + z["v"], ids) - lax.axis_index("tp") * local  # as jnp.take counts from the end
        mine = (at >= 0) & (at < local)
        rows = jnp.take(table, jnp.where(mine, at, 0), axis=0)
        return lax.psum(jnp.where(mine[..., None], rows, 0.0), "tp")
    def f(table, ids):
        return jnp.take(table, ids, axis=0)
    return f, [f32(z["v"], z["d"]), i32(z["b"], z["l"])], [P("tp"), P("dp")], P("dp"), one


def exchanged_experts(z):
    def one(x, w):
        y = lax.all_to_all(x, "dp", 0, 1, tiled=True)
        return lax.all_to_all(jnp.tanh(jnp.einsum("ead,edf->eaf", y, w)), "dp", 1, 0, tiled=True)
    def f(x, w):
        return jnp.tanh(jnp.einsum("ead,edf->eaf", x, w))
    return f, [f32(z["e"], z["b"], z["d"]), f32(z["e"], z["d"], z["f"])], [P(None, "dp"), P("dp")], P(None, "dp"), one


def exchanged_heads(z):
    def one(q, k):
        q, k = (lax.all_to_all(t, "dp", 2, 1, tiled=True) for t in (q, k))
        y = jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(jnp.einsum("bqhk,bshk->bhqs", q, k), -1), k)
        return lax.all_to_all(y, "dp", 1, 2, tiled=True)
    def f(q, k):
        return jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(jnp.einsum("bqhk,bshk->bhqs", q, k), -1), k)
    return f, [f32(z["b"], z["l"], z["h"], z["k"])] * 2, [P("tp", "dp")] * 2, P("tp", "dp"), one


def ring(z):
    def one(q, k, v):
        def step(carry, _):
            k, v, most, total, out = carry
            scores = jnp.einsum("bqk,bsk->bqs", q, k)
            new = jnp.maximum(most, jnp.max(scores, -1))
            p, old = jnp.exp(scores - new[..., None]), jnp.exp(most - new)
            out = out * old[..., None] + jnp.einsum("bqs,bsk->bqk", p, v)
            total = total * old + jnp.sum(p, -1)
            k, v = (lax.ppermute(t, "dp", [(r, (r + 1) % 4) for r in range(4)]) for t in (k, v))
            return (k, v, new, total, out), None
        start = (k, v, jnp.full(q.shape[:2], -jnp.inf), jnp.zeros(q.shape[:2]), jnp.zeros_like(q))
        _, _, _, total, out = lax.scan(step, start, None, length=4)[0]
        return out / total[..., None]
    def f(q, k, v):
        return jnp.einsum("bqs,bsk->bqk", jax.nn.softmax(jnp.einsum("bqk,bsk->bqs", q, k), -1), v)
    return f, [f32(z["b"], z["l"], z["k"])] * 3, [P("tp", "dp")] * 3, P("tp", "dp"), one


def pipeline(z):
    def one(xs, w):
        stage = lax.axis_index("dp")
        ticks = z["m"] + 3
        def tick(carry, t):
            state, outs = carry
            state = jnp.where(stage == 0, lax.dynamic_index_in_dim(xs, jnp.minimum(t, z["m"] - 1), 0, False), state)
            y = jnp.tanh(state @ w[0])
            at = jnp.clip(t - 3, 0, z["m"] - 1)
            outs = jnp.where(t >= 3, lax.dynamic_update_index_in_dim(outs, y, at, 0), outs)
            return (lax.ppermute(y, "dp", [(r, (r + 1) % 4) for r in range(4)]), outs), None
        outs = lax.scan(tick, (jnp.zeros_like(xs[0]), jnp.zeros_like(xs)), jnp.arange(ticks))[0][1]
        return lax.psum(jnp.where(stage == 3, outs, 0.0), "dp")
    def f(xs, w):
        for k in range(4):
            xs = jnp.tanh(xs @ w[k])
        return xs
    return f, [f32(z["m"], z["b"], z["d"]), f32(4, z["d"], z["d"])], [P(None, "tp"), P("dp")], P(None, "tp"), one


def halo(z):
    def one(x):
        left = lax.ppermute(x[:, -2:], "dp", [(r, r + 1) for r in range(3)])
        y = jnp.concatenate([left, x], 1)
        return y[:, 2:] + 0.5 * y[:, 1:-1] + 0.25 * y[:, :-2]
    def f(x):
        y = jnp.pad(x, ((0, 0), (2, 0), (0, 0)))
        return y[:, 2:] + 0.5 * y[:, 1:-1] + 0.25 * y[:, :-2]
    return f, [f32(z["b"], z["l"], z["d"])], [P("tp", "dp")], P("tp", "dp"), one


def blocked_causal(z):
    def one(q, k):
        local = q.shape[1]
        k = lax.all_gather(k, "dp", axis=1, tiled=True)
        rows = lax.axis_index("dp") * local + jnp.arange(local)
        scores = jnp.einsum("bqk,bsk->bqs", q, k)
        live = rows[:, None] >= jnp.arange(k.shape[1])[None]
        return jnp.einsum("bqs,bsk->bqk", jax.nn.softmax(jnp.where(live, scores, -jnp.inf), -1), k)
    def f(q, k):
        live = jnp.arange(q.shape[1])[:, None] >= jnp.arange(k.shape[1])[None]
        scores = jnp.where(live, jnp.einsum("bqk,bsk->bqs", q, k), -jnp.inf)
        return jnp.einsum("bqs,bsk->bqk", jax.nn.softmax(scores, -1), k)
    return f, [f32(z["b"], z["l"], z["k"])] * 2, [P("tp", "dp")] * 2, P("tp", "dp"), one


def scattered_update(z):
    def one(p, g):
        mine = lax.psum_scatter(g / 4, "dp", scatter_dimension=0, tiled=True)
        rows = lax.dynamic_slice_in_dim(p, lax.axis_index("dp") * mine.shape[0], mine.shape[0], 0)
        return lax.all_gather(rows - 0.1 * mine, "dp", axis=0, tiled=True)
    def f(p, x):
        return p - 0.1 * x
    return f, [f32(z["d"], z["f"])] * 2, [P(None, "tp"), P(None, "tp")], P(None, "tp"), one


PROGRAMS = [convolution, depthwise, stencil, patches, padded, rolled, flipped, transposed, lower_triangle, joined,
            joined_shards, moved, long_sum, pooled, sequence_parallel, vocabulary_parallel, exchanged_experts, exchanged_heads,
            ring, pipeline, halo, blocked_causal, scattered_update]
