"""Twin programs: attention, embeddings, experts, and what moves or orders elements."""
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec as P

from parts import attention, causal, f32, i32, layer_norm, rms_norm, u32


def block(z):
    shape = (z["d"], z["h"], z["k"])
    def f(x, wq, wk, wv, wo, n):
        return x + attention(rms_norm(x, n), wq, wk, wv, wo)
    return (f, [f32(z["b"], z["l"], z["d"]), f32(*shape), f32(*shape), f32(*shape), f32(z["h"], z["k"], z["d"]), f32(z["d"])],
            [P("dp"), P(None, "tp"), P(None, "tp"), P(None, "tp"), P("tp"), P()], P("dp"))


def grouped_queries(z):
    def f(x, wq, wk, wv):
        q = jnp.einsum("bld,dgqk->blgqk", x, wq)
        k, v = (jnp.einsum("bld,dgk->blgk", x, w) for w in (wk, wv))
        scores = jnp.einsum("blgqk,bsgk->bgqls", q, k) * 0.125
        weights = jax.nn.softmax(jnp.where(causal(x.shape[1]), scores, -1e9), -1)
        return jnp.einsum("bgqls,bsgk->blgqk", weights, v)
    kv = f32(z["d"], z["g"], z["k"])
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], z["g"], z["q"], z["k"]), kv, kv],
            [P("dp")] + [P(None, "tp")] * 3, P("dp", None, "tp"))


def fused_heads(z):
    def f(x, w):
        y = (x @ w).reshape(x.shape[0], x.shape[1], 3, z["h"], z["k"])
        q, k, v = y[:, :, 0], y[:, :, 1], y[:, :, 2]
        return jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(jnp.einsum("bqhk,bshk->bhqs", q, k), -1), v)
    return (f, [f32(z["b"], z["l"], z["d"]), f32(z["d"], 3 * z["h"] * z["k"])], [P("dp"), P()], P("dp", None, "tp"))


def attention_grad(z):
    def loss(wq, x):
        q = jnp.einsum("bld,dhk->bhlk", x, wq)
        weights = jax.nn.softmax(jnp.where(causal(x.shape[1]), jnp.einsum("bhqk,bhsk->bhqs", q, q), -jnp.inf), -1)
        return jnp.sum(jnp.einsum("bhqs,bhsk->bhqk", weights, q) ** 2)
    return (lambda wq, x: jax.grad(loss)(wq, x), [f32(z["d"], z["h"], z["k"]), f32(z["b"], z["l"], z["d"])],
            [P(None, "tp"), P("dp")], P(None, "tp"))


def padded_keys(z):
    def f(q, k, v, lengths):
        live = jnp.arange(k.shape[1])[None] < lengths[:, None]
        scores = jnp.where(live[:, None, None], jnp.einsum("bqhk,bshk->bhqs", q, k), -jnp.inf)
        return jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(scores, -1), v)
    one = f32(z["b"], z["l"], z["h"], z["k"])
    return f, [f32(z["b"], z["w"], z["h"], z["k"]), one, one, i32(z["b"])], [P("dp", None, "tp")] * 3 + [P("dp")], P("dp", None, "tp")


def linear_bias(z):
    def f(q, k):
        slopes = jnp.exp2(-8.0 * (jnp.arange(z["h"], dtype=jnp.float32) + 1) / z["h"])
        place = jnp.arange(z["l"], dtype=jnp.float32)
        bias = slopes[:, None, None] * (place[None] - place[:, None])
        return jax.nn.softmax(jnp.einsum("bqhk,bshk->bhqs", q, k) + bias, -1)
    one = f32(z["b"], z["l"], z["h"], z["k"])
    return f, [one, one], [P("dp", None, "tp")] * 2, P("dp", "tp")


def interleaved_rope(z):
    def f(x):
        pairs = x.reshape(*x.shape[:-1], z["k"] // 2, 2)
        angle = jnp.arange(z["l"], dtype=jnp.float32)[:, None] * jnp.exp(-jnp.arange(z["k"] // 2, dtype=jnp.float32))[None]
        c, s = jnp.cos(angle)[None, :, None], jnp.sin(angle)[None, :, None]
        even, odd = pairs[..., 0], pairs[..., 1]
        return jnp.stack([even * c - odd * s, even * s + odd * c], -1).reshape(x.shape)
    return f, [f32(z["b"], z["l"], z["h"], z["k"])], [P("dp", None, "tp")], P("dp", None, "tp")


def cached_decode(z):
    def f(cache, x, at):
        cache = jax.lax.dynamic_update_slice(cache, x[:, None], (0, at, 0, 0))
        scores = jnp.einsum("bhk,blhk->bhl", x, cache)
        live = jnp.arange(cache.shape[1]) <= at
        weights = jax.nn.softmax(jnp.where(live, scores, -jnp.inf), -1)
        return jnp.einsum("bhl,blhk->bhk", weights, cache), cache
    return (f, [f32(z["b"], z["l"], z["h"], z["k"]), f32(z["b"], z["h"], z["k"]), i32()],
            [P("dp", None, "tp"), P("dp", "tp"), P()], (P("dp", "tp"), P("dp", None, "tp")))


def embedding(z):
    def f(table, ids, out):
        return jnp.take(table, ids, axis=0) @ out
    return (f, [f32(z["v"], z["d"]), i32(z["b"], z["l"]), f32(z["d"], z["v"])],
            [P("tp"), P("dp"), P(None, "tp")], P("dp", None, "tp"))


def tied_embedding(z):
    def f(table, place, ids):
        x = jnp.take(table, ids, axis=0) + place[None, :ids.shape[1]]
        return layer_norm(x, 1.0, 0.0) @ table.T
    return (f, [f32(z["v"], z["d"]), f32(2 * z["l"], z["d"]), i32(z["b"], z["l"])],
            [P(None, "tp"), P(None, "tp"), P("dp")], P("dp"))


def embedding_grad(z):
    def loss(table, ids, w):
        return jnp.sum(jnp.tanh(jnp.take(table, ids, axis=0)) @ w)
    return (lambda table, ids, w: jax.grad(loss)(table, ids, w), [f32(z["v"], z["d"]), i32(z["b"], z["l"]), f32(z["d"], z["f"])],
            [P("tp"), P("dp"), P()], P("tp"))


def one_hot_embedding(z):
    return (lambda ids, table: jax.nn.one_hot(ids, table.shape[0]) @ table, [i32(z["b"], z["l"]), f32(z["v"], z["d"])],
            [P("dp"), P("tp")], P("dp"))


def segment_sums(z):
    def f(x, to, w):
        return jax.ops.segment_sum(x, to, num_segments=z["a"]) @ w
    return f, [f32(z["b"], z["d"]), i32(z["b"]), f32(z["d"], z["f"])], [P("dp"), P("dp"), P(None, "tp")], P(None, "tp")


def experts(z):
    def f(x, gate, w):
        probs = jax.nn.softmax(x @ gate, -1)
        top, choice = jax.lax.top_k(probs, 2)
        hot = jax.nn.one_hot(choice, z["e"]) * top[..., None]
        return jnp.einsum("be,bd,edf->bf", jnp.sum(hot, 1), x, w)
    return (f, [f32(z["b"], z["d"]), f32(z["d"], z["e"]), f32(z["e"], z["d"], z["f"])], [P("dp"), P(), P("tp")], P("dp"))


def capacity_experts(z):
    def f(x, gate, w):
        choice = jnp.argmax(x @ gate, -1)
        hot = jax.nn.one_hot(choice, z["e"], dtype=jnp.int32)
        place = jnp.cumsum(hot, 0) * hot - 1
        dispatch = jax.nn.one_hot(place, z["a"]) * hot[..., None]
        sent = jnp.einsum("bea,bd->ead", dispatch, x)
        return jnp.einsum("bea,eaf->bf", dispatch, jnp.tanh(jnp.einsum("ead,edf->eaf", sent, w)))
    return (f, [f32(z["b"], z["d"]), f32(z["d"], z["e"]), f32(z["e"], z["d"], z["f"])], [P("dp"), P(), P("tp")], P("dp"))


def shifted(z):
    def f(ids, table):
        return jnp.sum(table[ids[:, 1:]] - table[ids[:, :-1]], 1)
    return (f, [i32(z["b"], z["l"]), f32(z["v"], z["d"])], [P("dp"), P(None, "tp")], P("dp", "tp"))


def cumulative(z):
    return (lambda x: jnp.cumsum(x, 1) / (1 + jnp.arange(x.shape[1], dtype=jnp.float32))[None, :, None],
            [f32(z["b"], z["l"], z["d"])], [P("dp", None, "tp")], P("dp", None, "tp"))


def dropped(z):
    def f(x, bits, w):
        return jnp.where(bits < jnp.uint32(3865470566), x / 0.9, 0.0) @ w
    return (f, [f32(z["b"], z["d"]), u32(z["b"], z["d"]), f32(z["d"], z["f"])], [P("dp"), P("dp"), P(None, "tp")], P("dp", "tp"))


def sorted_rows(z):
    return (lambda x: jnp.sort(x, -1)[..., ::-1], [f32(z["b"], z["d"])], [P("dp", "tp")], P("dp", "tp"))


def ranked(z):
    def f(x, y):
        order = jnp.argsort(x, -1)
        return jnp.take_along_axis(y, order, -1)
    return f, [f32(z["b"], z["v"])] * 2, [P("dp")] * 2, P("dp")


def nucleus(z):
    def f(logits):
        top, at = jax.lax.top_k(logits, 5)
        return jnp.cumsum(jax.nn.softmax(top, -1), -1), at
    return f, [f32(z["b"], z["v"])], [P("dp", "tp")], (P("dp"), P("dp"))


def best_token(z):
    return (lambda x, w: jnp.argmax(x @ w, -1), [f32(z["b"], z["d"]), f32(z["d"], z["v"])], [P("dp"), P(None, "tp")], P("dp"))


PROGRAMS = [block, grouped_queries, fused_heads, attention_grad, padded_keys, linear_bias, interleaved_rope, cached_decode,
            embedding, tied_embedding, embedding_grad, one_hot_embedding, segment_sums, experts, capacity_experts, shifted,
            cumulative, dropped, sorted_rows, ranked, nucleus, best_token]
